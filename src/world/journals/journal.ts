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
  type OutcomeSummary,
  SnapshotTable,
} from '../../journal/entry.ts'
import { encodeHeader, type InitialWorld, makeHeader, type OwnInitialWorld } from '../../journal/header.ts'
import { type KeptNotes, keepNotesInMemory } from '../../journal/kept-notes.ts'
import { seal } from '../../journal/lines.ts'
import {
  sumTableBytes,
  type WorldChange,
  type WorldObserver,
  type WorldSnapshot,
} from '../../journal/world-snapshot.ts'
import { assert } from '../../numeric/assert.ts'
import { element } from '../../numeric/columns.ts'
import { millis, priceTicks, quantitySteps } from '../../numeric/units.ts'
import type { Steps } from '../work-queue.ts'
import { isJournaled, type World } from '../world.ts'

/** What is kept of a world from its start on, so that the world can be recreated. */
export interface Journal {
  /** The notes on the world's moments, which are kept as long as the lines. */
  readonly notes: KeptNotes
  /** Returns the lines so far, each with its line end. */
  text(): Iterable<string>
  /** Returns what the lines say, as data. */
  readHistory(): JournalHistory
  /** Finds out why nothing can be written at present, so that the world must not change, by trying; null when it can. */
  problem(): string | null
  /** Ends the journal because the process is about to end. */
  close(): void
  /** Ends the journal because its world is deleted. Throws when that cannot be done; then nothing has changed. */
  discard(): void
}

/** What a journal holds, as data, to be shown or carried out again. */
export interface JournalHistory {
  readonly initialWorld: InitialWorld
  /** The sequence of the line after which the history starts; 0 when it has all lines. */
  readonly afterSequence: number
  /**
   * Returns the entries after a sequence, in order; a caller passes the last sequence that it was given. Returns null
   * when some of those entries have been dropped.
   */
  entriesAfter(sequence: number): Iterable<JournalEntry> | null
}

/** Reads a journal's text in pieces. Lines that are added meanwhile may be included. */
export function* readTextInSteps(journal: Journal): Steps<Buffer> {
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

/** What the header of a new journal says, besides what the world says. */
export interface NewJournal {
  /** The version of this program. */
  readonly otcsim: string
  /** The world's state; null for its scenario's start. */
  readonly start: WorldSnapshot | null
  /** How long the world may go unused, in wall time, before it is deleted; for ever when this is null or absent. */
  readonly ttlMillis?: number | null
}

/** Returns what the first line of a world's journal has to say. `start` is the world's state, as in `NewJournal`. */
export function captureInitialWorld(world: World, start: WorldSnapshot | null): OwnInitialWorld {
  const { id, seed, startClock: clock, readings, running, events, parent } = world
  const scenario = running.startScenario
  const state = start === null ? null : { check: events.check.value, snapshot: start }
  return { world: id, seed, clock, readings, scenario, start: state, parent }
}

/** The number of lines after which the next command's line has a digest of the whole state. */
const linesPerDigest = 1000
/** The number of lines after which a part of the next digest is computed in advance. */
const linesPerPreparation = 32

/** Where `recordWorld` writes a world's lines. */
export interface JournalSink {
  /** Throws when no line can be written. Called before a command or change; an error prevents it. */
  checkWritable(): void
  /** Writes the next line. Throws when the line could not be kept; then the change must not stand either. */
  append(entry: JournalEntry, text: () => string): void
  /** Called before the next command or change, when everything that was appended has happened. */
  beforeNextEntry?(): void
  /** Called when time has passed by itself, before anybody sees what happened in it. */
  onTimePassed?(): void
}

/**
 * Records what happens to a world from now on: commands after they are carried out, because their line has the outcome,
 * and other changes before they are made. `undo` is called when a command's line could not be kept, and returns the
 * world to the last line that was.
 */
export function recordWorld(world: World, sink: JournalSink, table: SnapshotTable, undo: () => void): void {
  const writeEntry = (entry: JournalEntry) => () => encodeEntry(entry, table)
  let digestFrom = nextDigestSequence(world.sequence)
  const observer: WorldObserver = {
    beforeCommand: () => {
      sink.checkWritable()
      world.reportFaultCounts()
      sink.beforeNextEntry?.()
    },
    afterCommand: (sequence: number, command: Command, outcome: Outcome) => {
      if (!isJournaled(outcome)) return
      const entry: JournalEntry = {
        kind: 'command',
        sequence,
        command,
        outcome: noteOutcome(command, outcome, world.venue.state),
        check: world.events.check.value,
        digest: sequence >= digestFrom ? world.digest() : null,
      }
      if (entry.digest !== null) digestFrom = nextDigestSequence(sequence)
      else if (sequence % linesPerPreparation === 0) world.venue.prepareDigest()
      try {
        sink.append(entry, writeEntry(entry))
      } catch (failure) {
        undo()
        throw failure
      }
    },
    afterTimePassed: () => sink.onTimePassed?.(),
    beforeChange: (change: WorldChange) => {
      sink.checkWritable()
      // Counts get their own lines before the change, because what follows may depend on them.
      world.reportFaultCounts()
      sink.beforeNextEntry?.()
      const entry: JournalEntry = { kind: 'change', sequence: world.sequence + 1, change }
      try {
        sink.append(entry, writeEntry(entry))
      } catch (failure) {
        if (change.kind === 'restored') table.forget(change.snapshot, entry.sequence)
        throw failure
      }
    },
  }
  world.observe(observer)
}

function nextDigestSequence(sequence: number): number {
  return (Math.floor(sequence / linesPerDigest) + 1) * linesPerDigest
}

/** When there are twice as many lines, the older half is dropped, and the journal begins with a snapshot. */
const usualLines = 50_000
/** A snapshot that a line restores counts as this many lines, and one more for each `bytesPerLine` of its tables. */
const linesPerSnapshot = 1000
const bytesPerLine = 400
/**
 * How many rows of the state call for one more line between two snapshots. Choice: a snapshot costs in proportion to the
 * state, so with this rule snapshots add the same small share to the cost of a command however long a world lives.
 */
const rowsPerLine = 2

/** A stretch of a journal in memory: the world at its start, and the lines from there. */
export interface JournalPart {
  readonly initialWorld: OwnInitialWorld
  readonly entries: EntryList
}

/**
 * Records a world from now on in a journal in memory, as numbers and objects that become text when somebody reads it. It
 * holds the last 50,000 to 100,000 lines, more for a large world, and fewer when they restore many snapshots. `replayed`
 * has the earlier lines of a world that continues after a replay.
 */
export function startMemoryJournal(
  world: World,
  { otcsim, start, ttlMillis = null }: NewJournal,
  linesPerPart: number = usualLines,
  replayed: JournalPart | null = null,
): Journal {
  let older: JournalPart | null = null
  let newer: JournalPart = replayed ?? {
    initialWorld: captureInitialWorld(world, start),
    entries: new EntryList(),
  }
  let snapshots = new Set<WorldSnapshot>()
  let linesOfSnapshots = 0
  const sink = {
    checkWritable: () => undefined,
    append: (entry: JournalEntry) => {
      newer.entries.add(entry)
      if (entry.kind === 'command' || entry.change.kind !== 'restored') return
      const { snapshot } = entry.change
      if (snapshots.has(snapshot)) return
      snapshots.add(snapshot)
      linesOfSnapshots += linesPerSnapshot + sumTableBytes(snapshot) / bytesPerLine
    },
    // A snapshot is taken between two lines, so that it contains what was written and nothing else.
    beforeNextEntry: () => {
      const lines = newer.entries.length + linesOfSnapshots
      if (lines < linesPerPart || lines < countRows(world.venue.state) / rowsPerLine) return
      snapshots = new Set()
      linesOfSnapshots = 0
      older = newer
      newer = { initialWorld: captureInitialWorld(world, world.snapshot()), entries: new EntryList() }
    },
  }
  recordWorld(world, sink, new SnapshotTable(), () => undefined)
  const stop = (): void => {
    world.reportFaultCounts()
    world.observe(null)
  }
  return {
    notes: keepNotesInMemory(),
    *text() {
      world.reportFaultCounts()
      const parts = older === null ? [newer] : [older, newer]
      const table = new SnapshotTable()
      let { line, hash } = seal(
        '',
        encodeHeader(makeHeader((older ?? newer).initialWorld, otcsim, ttlMillis)),
      )
      yield `${line}\n`
      for (const { entries } of parts) {
        for (const entry of entries.from(0)) {
          ;({ line, hash } = seal(hash, encodeEntry(entry, table)))
          yield `${line}\n`
        }
      }
    },
    readHistory: () => {
      world.reportFaultCounts()
      const first = older ?? newer
      return {
        initialWorld: first.initialWorld,
        afterSequence: (first.entries.at(0)?.sequence ?? world.sequence + 1) - 1,
        entriesAfter: (sequence) => findEntriesAfter(older === null ? [newer] : [older, newer], sequence),
      }
    },
    problem: () => null,
    close: stop,
    discard: stop,
  }
}

const countRows = ({ orders, quotes, fills, transfers }: State): number =>
  orders.count + quotes.count + fills.count + transfers.count

/** Returns the entries after a sequence; null when some of them have been dropped. */
function findEntriesAfter(parts: readonly JournalPart[], sequence: number): Iterable<JournalEntry> | null {
  const [first] = parts.flatMap(({ entries }) => entries.at(0) ?? [])
  if (first !== undefined && first.sequence > sequence + 1) return null
  return iterateEntries(parts, sequence)
}

/** Iterates over the entries after a sequence. Sequences have no gaps, so the place of each is known. */
function* iterateEntries(parts: readonly JournalPart[], sequence: number): Generator<JournalEntry> {
  for (const { entries } of parts) {
    const first = entries.at(0)
    if (first !== undefined) yield* entries.from(Math.max(0, sequence + 1 - first.sequence))
  }
}

/** Returns the outcome of a command in the form of its journal line. */
export function noteOutcome(command: Command, outcome: Outcome, state: State): OutcomeSummary {
  if (!outcome.ok) return { ok: false, code: outcome.rejection.code }
  const isAboutOrders = orderKinds.has(command.kind)
  if (outcome.items.length > 0)
    return { ok: true, items: outcome.items.map((item) => noteItem(item, isAboutOrders, state)) }
  return noteRow(outcome.row, isAboutOrders, state)
}

function noteItem(item: Outcome, isAboutOrders: boolean, state: State): OutcomeSummary {
  return item.ok ? noteRow(item.row, isAboutOrders, state) : { ok: false, code: item.rejection.code }
}

function noteRow(row: number, isAboutOrders: boolean, { orders }: State): OutcomeSummary {
  if (!isAboutOrders || row < 0 || row >= orders.count) return { ok: true, row }
  const status = orderStatusNames[orders.status.get(row)] ?? ''
  return { ok: true, row, status, filledSteps: orders.filledSteps.get(row) }
}

/** The columns of `doubles`: at, quantity, price, filled. */
const doublesPerOrder = 4
/** The columns of `words`: account, asset, codes, row, check. */
const wordsPerOrder = 5
/** Orders are kept in pieces of this many: when one long array was doubled, the garbage collector scanned all of it. */
const ordersPerPiece = 256

interface Piece {
  readonly doubles: Float64Array
  readonly words: Int32Array
}

/**
 * A journal's lines in memory, oldest first. Nearly all are plain orders that were accepted, and those are kept as
 * numbers: as objects, they were most of what the garbage collector had to copy in a busy server.
 */
export class EntryList {
  /** The plain orders, in pieces of `ordersPerPiece` lines; a piece without orders is absent. */
  private readonly pieces: (Piece | undefined)[] = []
  /** The client ids of plain orders, by index of the line. */
  private readonly clientIds = new Map<number, string>()
  /** All other entries, by index of the line. */
  private readonly others = new Map<number, JournalEntry>()
  /** The sequence of the first line; sequences have no gaps. */
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

  /** Adds an entry as numbers. Returns false when it is not a plain, accepted order. */
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
    words[word + 2] = packCodes(command) | (statusCode << statusShift)
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
    const outcome: OutcomeSummary = {
      ok: true,
      row: word(3),
      status: wordForCode(orderStatusNames, codes >> statusShift),
      filledSteps: double(3),
    }
    const sequence = this.firstSequence + index
    return { kind: 'command', sequence, command, outcome, check: word(4) >>> 0, digest: null }
  }
}

/** The shifts of codes in a word: the flags are in the lowest byte, and each code takes at most a byte. */
const timeInForceShift = 8
const statusShift = 16
const statusCodes: ReadonlyMap<string, number> = new Map(orderStatusNames.map((name, code) => [name, code]))

function packCodes(command: PlaceOrderCommand): number {
  const { side, type, timeInForce, allowsDuplicateId, keepsRefused } = command
  const flags = side | (type << 1) | (allowsDuplicateId ? 4 : 0) | (keepsRefused ? 8 : 0)
  return flags | (timeInForce << timeInForceShift)
}
