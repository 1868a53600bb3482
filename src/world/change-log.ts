import type { Command, Outcome } from '../engine/command.ts'
import { isJournaled } from '../journal/entry.ts'
import type { Change, WorldChange } from '../journal/world-change.ts'
import type { Steps } from './work-queue.ts'

/**
 * What changes a world from outside. Every such change passes through here: it gets a number, and the observer is
 * informed of a command before and after it, and of any other change before it is made. If the observer throws, the error
 * reaches the caller and the change has no number.
 */
export class ChangeLog {
  private observer: WorldObserver | null = null
  private counted = 0

  /**
   * The number of the latest change. Commands count if they were carried out or refused for money or limits; every
   * other change counts. It is the sequence of the journal's last line, and never goes back.
   */
  get sequence(): number {
    return this.counted
  }

  /** Sets the observer; null for none. */
  observe(observer: WorldObserver | null): void {
    this.observer = observer
  }

  /** Time has passed by itself: no change, but an observer may want to keep what it brought. */
  timePassed(): void {
    this.observer?.timePassed?.()
  }

  execute(command: Command, carryOut: (command: Command) => Outcome): Outcome {
    this.observer?.commandComes?.()
    return this.tell(command, carryOut(command))
  }

  /** The same after work that leads up to the command and answers it; the work may pause between its pieces. */
  *executeInSteps(before: Steps<Command>, carryOut: (command: Command) => Outcome): Steps<Outcome> {
    this.observer?.commandComes?.()
    const command = yield* before
    return this.tell(command, carryOut(command))
  }

  private tell(command: Command, outcome: Outcome): Outcome {
    const sequence = this.counted + (isJournaled(outcome) ? 1 : 0)
    this.observer?.commandDone(sequence, command, outcome)
    this.counted = sequence
    return outcome
  }

  make(atMillis: number, change: Change, make: () => void): void {
    const told: WorldChange = { atMillis, ...change }
    this.observer?.changeComes?.(told)
    make()
    this.counted += 1
  }

  /** Makes changes that count as usual, but are not reported to the observer. */
  unobserved(make: () => void): void {
    const { observer } = this
    this.observer = null
    try {
      make()
    } finally {
      this.observer = observer
    }
  }

  /** Goes on after a number that was given out elsewhere, by the world that a snapshot is of. */
  goOnAfter(sequence: number): void {
    this.counted = Math.max(this.counted, sequence)
  }
}

/*
 * What is reported to an observer of a world, such as a journal. Commands of the scenario's own script are left out: a
 * replay of the others makes them again.
 */

export interface WorldObserver {
  /**
   * Before a command from outside is carried out. If it throws, nothing has happened, and the error reaches the
   * caller.
   */
  commandComes?(): void
  /**
   * After a command, refused or not, and before its caller is answered. `sequence` is the command's own if it counts
   * (see `isJournaled`), else that of what came before.
   */
  commandDone(sequence: number, command: Command, outcome: Outcome): void
  /** After time has passed by itself, and before anybody is shown what it brought. */
  timePassed?(): void
  /** Before a change outside the engine. If it throws, nothing has changed, and the error reaches the caller. */
  changeComes?(change: WorldChange): void
}
