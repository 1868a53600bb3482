import type { Command, Outcome } from '../../engine/commands.ts'
import type { State } from '../../engine/state.ts'
import type { WorldChange, WorldObserver } from '../observer.ts'
import type { World } from '../world.ts'
import { isJournaled, noteOf } from './command-note.ts'
import { encodeEntry, type JournalEntry } from './entry.ts'
import type { SnapshotShelf } from './snapshot-shelf.ts'

/** A digest of the whole state stands on the first command from every so many lines, while the state is small. */
const fewestLinesPerDigest = 1000

/**
 * A digest costs as much as the state is large. Choice: once the tables have more than 4,000 rows, the next one waits
 * for a quarter as many lines, in thousands, so that digests take the same small share of every command however long a
 * world lives. Each line's check of the events finds a divergence at its own command all the same.
 */
const rowsPerLine = 4

/** The line from which the next digest is due, when there are so many now. */
function nextDigest(sequence: number, { orders, quotes, fills, transfers }: State): number {
  const rows = orders.count + quotes.count + fills.count + transfers.count
  const thousands = Math.max(1, Math.floor(rows / rowsPerLine / fewestLinesPerDigest))
  return (Math.floor(sequence / fewestLinesPerDigest) + thousands) * fewestLinesPerDigest
}

/** Where the lines of one world go. */
export interface JournalSink {
  /** Before something is carried out. What it throws is thrown on, and nothing happens. */
  ready(): void
  /** Takes the next line. Throws when it could not be kept; then the world must not have changed. */
  take(entry: JournalEntry, text: () => string): void
  /** Adds a digest of the present to the line that comes next, by and by; not true: the line is to have it. */
  digestNext?(): boolean
  /** Before the next thing from outside: all that was taken has happened. */
  rest?(): void
}

/**
 * Writes down what happens to a world from now on: commands once they are carried out, because their outcome is part of
 * the line, and other changes before they are made. `undo` brings the world back to the last line that was kept.
 */
export function recordWorld(world: World, sink: JournalSink, shelf: SnapshotShelf, undo: () => void): void {
  const textOf = (entry: JournalEntry) => () => encodeEntry(entry, shelf)
  let digestFrom = nextDigest(world.sequence, world.venue.state)
  const digestNow = (sequence: number): string | null => {
    digestFrom = nextDigest(sequence, world.venue.state)
    return sink.digestNext?.() === true ? null : world.digest()
  }
  const observer: WorldObserver = {
    commandComes: () => {
      sink.ready()
      world.controls.tellCounts()
      sink.rest?.()
    },
    commandDone: (sequence: number, command: Command, outcome: Outcome) => {
      if (!isJournaled(outcome)) return
      const entry: JournalEntry = {
        kind: 'command',
        sequence,
        command,
        outcome: noteOf(command, outcome, world.venue.state),
        check: world.events.check.value,
        digest: sequence >= digestFrom ? digestNow(sequence) : null,
      }
      try {
        sink.take(entry, textOf(entry))
      } catch (failure) {
        undo()
        throw failure
      }
    },
    changeComes: (change: WorldChange) => {
      sink.ready()
      // Before this one, and in a line of their own: what is to come may depend on them.
      world.controls.tellCounts()
      sink.rest?.()
      const entry: JournalEntry = { kind: 'change', sequence: world.sequence + 1, change }
      try {
        sink.take(entry, textOf(entry))
      } catch (failure) {
        shelf.forget(entry.sequence)
        throw failure
      }
    },
    // A reset leaves a small state behind, and many lines to wait for.
    changed: (sequence: number) => {
      digestFrom = Math.min(digestFrom, nextDigest(sequence, world.venue.state))
    },
  }
  world.observe(observer)
}
