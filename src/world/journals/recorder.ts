import type { Command, Outcome } from '../../engine/command.ts'
import type { SnapshotShelf } from '../../journal/entry.ts'
import { encodeEntry, isJournaled, type JournalEntry, noteOutcome } from '../../journal/entry.ts'
import type { Beginning, HeaderFacts } from '../../journal/header.ts'
import type { WorldChange, WorldObserver, WorldSnapshot } from '../../journal/world-snapshot.ts'
import type { World } from '../world.ts'

/** After this many lines, the next command has a digest of the whole state. */
const linesPerDigest = 1000

/** Where the lines of one world go. */
export interface JournalSink {
  /** Called before something is carried out. If it throws, the error reaches the caller and nothing happens. */
  ready(): void
  /** Takes the next line. Throws when the line could not be kept; then the world must not have changed. */
  take(entry: JournalEntry, text: () => string): void
  /** Called before the next thing from outside: everything that was taken has happened. */
  rest?(): void
  /** Called when time has passed by itself, before anybody is shown what it brought. */
  passed?(): void
}

/**
 * Records what happens to a world from now on: commands after they are carried out, because the line has their
 * outcome, and other changes before they are made. `undo` brings the world back to the last line that was kept.
 */
export function recordWorld(world: World, sink: JournalSink, shelf: SnapshotShelf, undo: () => void): void {
  const textOf = (entry: JournalEntry) => () => encodeEntry(entry, shelf)
  let digestFrom = nextDigest(world.sequence)
  const observer: WorldObserver = {
    commandComes: () => {
      sink.ready()
      world.reportCounts()
      sink.rest?.()
    },
    commandDone: (sequence: number, command: Command, outcome: Outcome) => {
      if (!isJournaled(outcome)) return
      const entry: JournalEntry = {
        kind: 'command',
        sequence,
        command,
        outcome: noteOutcome(command, outcome, world.venue.state),
        check: world.events.check.value,
        digest: sequence >= digestFrom ? world.digest() : null,
      }
      if (entry.digest !== null) digestFrom = nextDigest(sequence)
      else world.venue.prepareDigest()
      try {
        sink.take(entry, textOf(entry))
      } catch (failure) {
        undo()
        throw failure
      }
    },
    timePassed: () => sink.passed?.(),
    changeComes: (change: WorldChange) => {
      sink.ready()
      // Written first, as lines of their own: what comes next may depend on them.
      world.reportCounts()
      sink.rest?.()
      const entry: JournalEntry = { kind: 'change', sequence: world.sequence + 1, change }
      try {
        sink.take(entry, textOf(entry))
      } catch (failure) {
        if (change.kind === 'restored') shelf.forget(change.snapshot, entry.sequence)
        throw failure
      }
    },
  }
  world.observe(observer)
}

/** The sequence from which the next digest is due. */
function nextDigest(sequence: number): number {
  return (Math.floor(sequence / linesPerDigest) + 1) * linesPerDigest
}

/** What is kept of a world from its start, so that it can be made again. */
export interface Journal {
  /** The lines so far, each with its line end. */
  text(): Iterable<string>
  /** What the lines say, without going through text. */
  past(): Past
  /** Why nothing can be written at present, so that nothing may change; null when all is well. */
  problem(): string | null
  /** Writes nothing more: the process is about to end. */
  close(): void
  /** Writes nothing more: the world is deleted. */
  discard(): void
}

/** What a journal holds, to be looked at or carried out again without going through its text. */
export interface Past {
  readonly begins: Beginning
  /** The sequence of the last line that is no longer there; 0 when none is missing. */
  readonly beginsAfter: number
  /**
   * The lines after a sequence, in order. Callers ask with the last sequence that they were given. Null: some are
   * gone.
   */
  after(sequence: number): Iterable<JournalEntry> | null
}

/** `start` is the state of the world, unless that is its scenario's start. */
export function headerFacts(world: World, start: WorldSnapshot | null): HeaderFacts {
  const { id, seed, startClock: clock, readings, running, events } = world
  const scenario = running.startScenario
  return { world: id, seed, clock, readings, scenario, check: events.check.value, start }
}
