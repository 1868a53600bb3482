import {
  buy,
  limit,
  market,
  orderStatusNames,
  sell,
  timeInForceNames,
  timesInForce,
  wordForCode,
} from '../engine/codes.ts'
import type { PlaceOrderCommand } from '../engine/command.ts'
import { assert } from '../numeric/assert.ts'
import { element } from '../numeric/columns.ts'
import { millis, priceTicks, quantitySteps } from '../numeric/units.ts'
import type { CommandEntry, JournalEntry, OutcomeNote } from './entry.ts'

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

  /** The present lines from an index on. */
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
