import {
  buy,
  limit,
  market,
  orderStatusNames,
  sell,
  timeInForceNames,
  timesInForce,
  wordForCode,
} from '../../engine/codes.ts'
import { type Command, type Outcome, orderKinds, type PlaceOrderCommand } from '../../engine/command.ts'
import type { State } from '../../engine/state.ts'
import {
  type CommandEntry,
  encodeEntry,
  type JournalEntry,
  type OutcomeNote,
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
import { assert } from '../../numeric/assert.ts'
import { element } from '../../numeric/columns.ts'
import { millis, priceTicks, quantitySteps } from '../../numeric/units.ts'
import type { Steps } from '../work-queue.ts'
import { isJournaled, type World } from '../world.ts'

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
  /** In order. Callers ask with the last sequence that they were given. Null: some are gone. */
  after(sequence: number): Iterable<JournalEntry> | null
}

/** Its text, some lines at a time. It may grow meanwhile; then there are some of the new lines, too. */
export function* textInSteps(journal: Journal): Steps<Buffer> {
  const parts: Buffer[] = []
  let piece = ''
  for (const line of journal.text()) {
    piece += line
    if (piece.length < charactersInPiece) continue
    parts.push(Buffer.from(piece))
    piece = ''
    yield
  }
  return Buffer.concat([...parts, Buffer.from(piece)])
}

const charactersInPiece = 65_536

export interface Newborn {
  readonly otcsim: string
  /** The state of the world, unless that is its scenario's start. */
  readonly start: WorldSnapshot | null
  /** How long the world may go unused, in wall time; for ever when it is null or absent. */
  readonly ttlMillis?: number | null
}

export function beginningOf(world: World, start: WorldSnapshot | null): OwnBeginning {
  const { id, seed, startClock: clock, readings, running, events } = world
  const scenario = running.startScenario
  const state = start === null ? null : { check: events.check.value, snapshot: start }
  return { world: id, seed, clock, readings, scenario, start: state }
}

/** After this many lines, the next command has a digest of the whole state. */
const linesPerDigest = 1000
/** After this many, some of it is made beforehand. */
const linesPerPreparation = 32

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
      else if (sequence % linesPerPreparation === 0) world.venue.prepareDigest()
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

/* The outcome of a command, as its line has it. */

export function noteOutcome(command: Command, outcome: Outcome, state: State): OutcomeNote {
  if (!outcome.ok) return { ok: false, code: outcome.rejection.code }
  const isAboutOrders = orderKinds.has(command.kind)
  if (outcome.items.length > 0)
    return { ok: true, items: outcome.items.map((item) => itemNote(item, isAboutOrders, state)) }
  return rowNote(outcome.row, isAboutOrders, state)
}

function itemNote(item: Outcome, isAboutOrders: boolean, state: State): OutcomeNote {
  return item.ok ? rowNote(item.row, isAboutOrders, state) : { ok: false, code: item.rejection.code }
}

function rowNote(row: number, isAboutOrders: boolean, { orders }: State): OutcomeNote {
  if (!isAboutOrders || row < 0 || row >= orders.count) return { ok: true, row }
  const status = orderStatusNames[orders.status.get(row)] ?? ''
  return { ok: true, row, status, filledSteps: orders.filledSteps.get(row) }
}

/*
 * A journal's lines in memory, oldest first. Nearly all of them are plain orders that were accepted, and those are
 * kept as numbers: as objects they were most of what the garbage collector had to copy in a busy server.
 */

/** Columns of `doubles`: at, quantity, price, filled. */
const doublesPerOrder = 4
/** Columns of `words`: account, asset, codes, row, check. */
const wordsPerOrder = 5
/** A new piece when one is full, not a longer array: doubling one made the collector look at all of it. */
const ordersPerPiece = 256

interface Piece {
  readonly doubles: Float64Array
  readonly words: Int32Array
}

export class EntryList {
  /** By index of the line; absent in a piece without orders. */
  private readonly pieces: (Piece | undefined)[] = []
  private readonly clientIds = new Map<number, string>()
  private readonly others = new Map<number, JournalEntry>()
  /** The sequence of the first line; the others follow without a gap. */
  private firstSequence = 0
  private count = 0

  constructor(entries: Iterable<JournalEntry> = []) {
    for (const entry of entries) this.add(entry)
  }

  get length(): number {
    return this.count
  }

  add(entry: JournalEntry): void {
    if (this.count === 0) this.firstSequence = entry.sequence
    assert(entry.sequence === this.firstSequence + this.count, 'a line follows the one before')
    if (!this.addOrder(entry)) this.others.set(this.count, entry)
    this.count += 1
  }

  at(index: number): JournalEntry | undefined {
    return index < this.count ? (this.others.get(index) ?? this.orderAt(index)) : undefined
  }

  *from(index: number): Generator<JournalEntry> {
    const end = this.count
    for (let at = index; at < end; at += 1) yield this.others.get(at) ?? this.orderAt(at)
  }

  /** False when the entry is not a plain, accepted order. */
  private addOrder(entry: JournalEntry): boolean {
    if (entry.kind !== 'command' || entry.digest !== null || entry.command.kind !== 'place-order')
      return false
    const { command, outcome } = entry
    const { row, status, filledSteps } = outcome
    const isPlain = outcome.ok && row !== undefined && status !== undefined && filledSteps !== undefined
    const statusCode = statusCodes.get(status ?? '')
    if (!isPlain || statusCode === undefined || command.metadata !== null) return false
    const { doubles, words } = this.pieceFor(this.count)
    const double = (this.count % ordersPerPiece) * doublesPerOrder
    doubles[double] = command.at
    doubles[double + 1] = command.quantitySteps
    doubles[double + 2] = command.priceTicks
    doubles[double + 3] = filledSteps
    const word = (this.count % ordersPerPiece) * wordsPerOrder
    words[word] = command.account
    words[word + 1] = command.asset
    words[word + 2] = codesOf(command) | (statusCode << statusShift)
    words[word + 3] = row
    words[word + 4] = entry.check
    if (command.clientOrderId !== null) this.clientIds.set(this.count, command.clientOrderId)
    return true
  }

  private pieceFor(index: number): Piece {
    const at = Math.floor(index / ordersPerPiece)
    const known = this.pieces[at]
    if (known !== undefined) return known
    const made: Piece = {
      doubles: new Float64Array(ordersPerPiece * doublesPerOrder),
      words: new Int32Array(ordersPerPiece * wordsPerOrder),
    }
    this.pieces[at] = made
    return made
  }

  private orderAt(index: number): CommandEntry {
    const { doubles, words } = this.pieceFor(index)
    const place = index % ordersPerPiece
    const double = (field: number): number => element(doubles, place * doublesPerOrder + field)
    const word = (field: number): number => words[place * wordsPerOrder + field] ?? 0
    const codes = word(2)
    const command: PlaceOrderCommand = {
      kind: 'place-order',
      at: millis(double(0)),
      account: word(0),
      asset: word(1),
      side: (codes & 1) === 0 ? buy : sell,
      type: (codes & 2) === 0 ? limit : market,
      timeInForce: timesInForce[wordForCode(timeInForceNames, (codes >> timeInForceShift) & 255)],
      quantitySteps: quantitySteps(double(1)),
      priceTicks: priceTicks(double(2)),
      clientOrderId: this.clientIds.get(index) ?? null,
      allowsDuplicateId: (codes & 4) !== 0,
      keepsRefused: (codes & 8) !== 0,
      metadata: null,
    }
    const outcome: OutcomeNote = {
      ok: true,
      row: word(3),
      status: wordForCode(orderStatusNames, codes >> statusShift),
      filledSteps: double(3),
    }
    const sequence = this.firstSequence + index
    return { kind: 'command', sequence, command, outcome, check: word(4) >>> 0, digest: null }
  }
}

/** Flags are below; a code is at most a byte. */
const timeInForceShift = 8
const statusShift = 16
const statusCodes: ReadonlyMap<string, number> = new Map(orderStatusNames.map((name, code) => [name, code]))

function codesOf(command: PlaceOrderCommand): number {
  const { side, type, timeInForce, allowsDuplicateId, keepsRefused } = command
  const flags = side | (type << 1) | (allowsDuplicateId ? 4 : 0) | (keepsRefused ? 8 : 0)
  return flags | (timeInForce << timeInForceShift)
}
