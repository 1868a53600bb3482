import type { State } from '../../engine/state.ts'
import { encodeEntry, type JournalEntry, SnapshotShelf } from '../../journal/entry.ts'
import { EntryList } from '../../journal/entry-list.ts'
import { beginningFrom, encodeHeader, type HeaderFacts, makeHeader } from '../../journal/header.ts'
import { seal } from '../../journal/lines.ts'
import { tableBytes, type WorldSnapshot } from '../../journal/world-snapshot.ts'
import type { World } from '../world.ts'
import type { Newborn } from './file-journal.ts'
import type { Journal } from './recorder.ts'
import { headerFacts, recordWorld } from './recorder.ts'

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
  readonly begins: HeaderFacts
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
  let newer: Part = told ?? { begins: headerFacts(world, start), entries: new EntryList() }
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
      newer = { begins: headerFacts(world, world.snapshot()), entries: new EntryList() }
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
        begins: beginningFrom(first.begins),
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
