import type { Command, Outcome } from '../../engine/command.ts'
import type { State } from '../../engine/state.ts'
import {
  EntryList,
  encodeEntry,
  isJournaled,
  type JournalEntry,
  noteOutcome,
  SnapshotShelf,
} from '../../journal/entry.ts'
import { type Beginning, encodeHeader, makeHeader, type OwnBeginning } from '../../journal/header.ts'
import { seal } from '../../journal/lines.ts'
import {
  tableBytes,
  type WorldChange,
  type WorldObserver,
  type WorldSnapshot,
} from '../../journal/world-snapshot.ts'
import type { World } from '../world.ts'

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

/** A world that has just been made. */
export interface Newborn {
  /** The version of otcsim that the journal names. */
  readonly otcsim: string
  /** The state of the world, unless that is its scenario's start. */
  readonly start: WorldSnapshot | null
  /** How long the world may go unused, in wall time; for ever when it is null or absent. */
  readonly ttlMillis?: number | null
}

/** `start` is the state of the world, unless that is its scenario's start. */
export function beginningOf(world: World, start: WorldSnapshot | null): OwnBeginning {
  const { id, seed, startClock: clock, readings, running, events } = world
  const scenario = running.startScenario
  const state = start === null ? null : { check: events.check.value, snapshot: start }
  return { world: id, seed, clock, readings, scenario, start: state }
}

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

/** When there are twice as many lines, the older half goes; the journal then begins with a snapshot of that moment. */
const usualLines = 50_000
/**
 * A snapshot that a line goes back to counts as this many lines, and one more for each `bytesPerLine` of its tables.
 */
const linesPerSnapshot = 1000
const bytesPerLine = 400
/**
 * A snapshot costs in proportion to the state. Choice: between two snapshots there are at least half as many lines as
 * the state has rows, so that snapshots take the same small share of every command however long a world lives.
 */
const rowsPerLine = 2

export interface Part {
  readonly begins: OwnBeginning
  readonly entries: EntryList
}

/**
 * A journal in memory, as numbers and objects; it becomes text when somebody asks. It holds the last 50,000 to 100,000
 * lines, more for a large world, and fewer where they go back to many snapshots. `told` has the lines that were carried
 * out before, for a world that is not new.
 */
export function memoryJournal(
  world: World,
  { otcsim, start, ttlMillis = null }: Newborn,
  linesPerPart: number = usualLines,
  told: Part | null = null,
): Journal {
  let older: Part | null = null
  let newer: Part = told ?? { begins: beginningOf(world, start), entries: new EntryList() }
  let snapshots = new Set<WorldSnapshot>()
  let linesOfSnapshots = 0
  const sink = {
    ready: () => undefined,
    take: (entry: JournalEntry) => {
      newer.entries.add(entry)
      if (entry.kind === 'command' || entry.change.kind !== 'restored') return
      const { snapshot } = entry.change
      if (snapshots.has(snapshot)) return
      snapshots.add(snapshot)
      linesOfSnapshots += linesPerSnapshot + tableBytes(snapshot) / bytesPerLine
    },
    // Between lines, so that the snapshot has everything that was written down and nothing else.
    rest: () => {
      const lines = newer.entries.length + linesOfSnapshots
      if (lines < linesPerPart || lines < rowsOf(world.venue.state) / rowsPerLine) return
      snapshots = new Set()
      linesOfSnapshots = 0
      older = newer
      newer = { begins: beginningOf(world, world.snapshot()), entries: new EntryList() }
    },
  }
  recordWorld(world, sink, new SnapshotShelf(), () => undefined)
  const stop = (): void => {
    world.reportCounts()
    world.observe(null)
  }
  return {
    *text() {
      world.reportCounts()
      const parts = older === null ? [newer] : [older, newer]
      const shelf = new SnapshotShelf()
      let { line, hash } = seal('', encodeHeader(makeHeader((older ?? newer).begins, otcsim, ttlMillis)))
      yield `${line}\n`
      for (const { entries } of parts) {
        for (const entry of entries.from(0)) {
          ;({ line, hash } = seal(hash, encodeEntry(entry, shelf)))
          yield `${line}\n`
        }
      }
    },
    past: () => {
      world.reportCounts()
      const first = older ?? newer
      return {
        begins: first.begins,
        beginsAfter: (first.entries.at(0)?.sequence ?? world.sequence + 1) - 1,
        after: (sequence) => entriesAfter(older === null ? [newer] : [older, newer], sequence),
      }
    },
    problem: () => null,
    close: stop,
    discard: stop,
  }
}

const rowsOf = ({ orders, quotes, fills, transfers }: State): number =>
  orders.count + quotes.count + fills.count + transfers.count

/** Null when some of those lines are gone. */
function entriesAfter(parts: readonly Part[], sequence: number): Iterable<JournalEntry> | null {
  const [first] = parts.flatMap(({ entries }) => entries.at(0) ?? [])
  if (first !== undefined && first.sequence > sequence + 1) return null
  return entriesOf(parts, sequence)
}

/** Sequences have no gaps. */
function* entriesOf(parts: readonly Part[], sequence: number): Generator<JournalEntry> {
  for (const { entries } of parts) {
    const first = entries.at(0)
    if (first !== undefined) yield* entries.from(Math.max(0, sequence + 1 - first.sequence))
  }
}
