import type { FaultRule } from '../api/faults/fault-rule.ts'
import type { Readings } from '../api/readings/readings.ts'
import type { Scope } from '../api/routes/route.ts'
import type { Command, Outcome, Setting } from '../engine/command.ts'
import type { AccountConfig } from '../engine/config.ts'
import type { RateLimits } from '../scenario/compile/compiled.ts'
import type { SeenRequest } from '../scenario/compile/request-pattern.ts'
import type { ClockSettings } from './clock/clock-driver.ts'
import { isJournaled } from './logs/command-note.ts'
import type { Steps } from './work-queue/work-queue.ts'
import type { WorldSnapshot } from './world-snapshot.ts'

/** A change without its instant, which is now. */
export type Change<Any = WorldChange> = Any extends unknown ? Omit<Any, 'atMillis'> : never

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

/**
 * A change outside the engine on which the digest or later behaviour depends. It is plain data with an instant of the
 * world, and `world.apply` makes it again.
 */
export type WorldChange = { readonly atMillis: number } & (
  | { readonly kind: 'fault-added'; readonly id: string; readonly rule: FaultRule }
  /** Null: all of them. */
  | { readonly kind: 'fault-removed'; readonly id: string | null }
  /** How often a rule has matched, and how often it has struck. */
  | { readonly kind: 'fault-counted'; readonly id: string; readonly matched: number; readonly fired: number }
  /** An account with its keys: one change, so that there is none without the other. */
  | {
      readonly kind: 'account-opened'
      readonly opened: AccountConfig
      readonly keys: readonly {
        readonly apiKey: string
        readonly apiSecret: string
        readonly scopes: readonly Scope[]
      }[]
    }
  /** Several settings of an account or a pair: one change, so that none is made without the others. */
  | { readonly kind: 'settings-changed'; readonly settings: readonly Setting[] }
  | {
      readonly kind: 'key-given'
      readonly account: string
      readonly apiKey: string
      readonly apiSecret: string
      readonly scopes: readonly Scope[]
    }
  | { readonly kind: 'key-revoked'; readonly apiKey: string }
  | { readonly kind: 'rate-limits'; readonly limits: RateLimits }
  | { readonly kind: 'clock'; readonly settings: ClockSettings }
  | { readonly kind: 'readings'; readonly readings: Readings }
  /** Entries of a timeline in the words of a scenario, each with an instant. */
  | { readonly kind: 'timeline'; readonly actions: readonly unknown[] }
  /** A client's request that the scenario waited for, or counts. */
  | { readonly kind: 'request-seen'; readonly request: SeenRequest }
  /**
   * A seed of null stays as it is. `renamed`: keys of the scenario that another world had, and that got names of this
   * one.
   */
  | { readonly kind: 'reset'; readonly seed: string | null; readonly renamed: readonly string[] }
  | { readonly kind: 'restored'; readonly snapshot: WorldSnapshot }
)
