import {
  buy,
  fillOrKill,
  goodTillCancelled,
  immediateOrCancel,
  limit,
  market,
  orderStatusNames,
  sell,
} from '../../engine/codes.ts'
import type { PlaceOrderCommand } from '../../engine/commands.ts'
import { millis, priceTicks, quantitySteps } from '../../numeric/units.ts'
import type { OutcomeNote } from './command-note.ts'
import type { CommandEntry, JournalEntry } from './entry.ts'

/*
 * Lines of a journal in memory, oldest first. Plain orders that were taken are nearly all of them, and are kept as numbers:
 * as objects they were most of what the collector had to copy while a server is busy.
 */

/** Numbers of one order: sequence, at, account, asset, codes, quantity, price, row, status, filled, check. */
const stride = 11
/** Pieces, and no longer array when one is full: growing one by doubling made the collector look at everything. */
const ordersPerPiece = 64

export class EntryList {
  /** By index of the line; none where no line of a piece is an order. */
  private readonly pieces: (Float64Array | undefined)[] = []
  private readonly clientIds = new Map<number, string>()
  private readonly others = new Map<number, JournalEntry>()
  private count = 0

  constructor(entries: Iterable<JournalEntry> = []) {
    for (const entry of entries) this.add(entry)
  }

  get length(): number {
    return this.count
  }

  add(entry: JournalEntry): void {
    if (!this.addOrder(entry)) this.others.set(this.count, entry)
    this.count += 1
  }

  at(index: number): JournalEntry | undefined {
    return index < this.count ? (this.others.get(index) ?? this.orderAt(index)) : undefined
  }

  /** Those that are there now, from an index on. */
  *from(index: number): Generator<JournalEntry> {
    const end = this.count
    for (let at = index; at < end; at += 1) yield this.others.get(at) ?? this.orderAt(at)
  }

  /** False for what is not a plain order that was taken. */
  private addOrder(entry: JournalEntry): boolean {
    if (entry.kind !== 'command' || entry.digest !== null || entry.command.kind !== 'place-order')
      return false
    const { command, outcome } = entry
    const { row, status, filledSteps } = outcome
    const isPlain = outcome.ok && row !== undefined && status !== undefined && filledSteps !== undefined
    const statusCode = statusCodes.get(status ?? '')
    if (!isPlain || statusCode === undefined || command.metadata !== null) return false
    const numbers = this.pieceFor(this.count)
    const slot = slotOf(this.count)
    numbers[slot] = entry.sequence
    numbers[slot + 1] = command.at
    numbers[slot + 2] = command.account
    numbers[slot + 3] = command.asset
    numbers[slot + 4] = codesOf(command)
    numbers[slot + 5] = command.quantitySteps
    numbers[slot + 6] = command.priceTicks
    numbers[slot + 7] = row
    numbers[slot + 8] = statusCode
    numbers[slot + 9] = filledSteps
    numbers[slot + 10] = entry.check
    if (command.clientOrderId !== null) this.clientIds.set(this.count, command.clientOrderId)
    return true
  }

  private pieceFor(index: number): Float64Array {
    const at = Math.floor(index / ordersPerPiece)
    const known = this.pieces[at]
    if (known !== undefined) return known
    const made = new Float64Array(ordersPerPiece * stride)
    this.pieces[at] = made
    return made
  }

  private orderAt(at: number): CommandEntry {
    const numbers = this.pieceFor(at)
    const slot = slotOf(at)
    const number = (field: number): number => numbers[slot + field] ?? 0
    const codes = number(4)
    const command: PlaceOrderCommand = {
      kind: 'place-order',
      at: millis(number(1)),
      account: number(2),
      asset: number(3),
      side: (codes & 1) === 0 ? buy : sell,
      type: (codes & 2) === 0 ? limit : market,
      timeInForce: timesInForce[(codes >> 2) & 3] ?? goodTillCancelled,
      quantitySteps: quantitySteps(number(5)),
      priceTicks: priceTicks(number(6)),
      clientOrderId: this.clientIds.get(at) ?? null,
      allowsDuplicateId: (codes & 16) !== 0,
      keepsRefused: (codes & 32) !== 0,
      metadata: null,
    }
    const outcome: OutcomeNote = {
      ok: true,
      row: number(7),
      status: orderStatusNames[number(8)] ?? '',
      filledSteps: number(9),
    }
    const sequence = number(0)
    return { kind: 'command', sequence, command, outcome, check: number(10), digest: null }
  }
}

const slotOf = (index: number): number => (index % ordersPerPiece) * stride

const statusCodes: ReadonlyMap<string, number> = new Map(orderStatusNames.map((name, code) => [name, code]))
const timesInForce = [goodTillCancelled, immediateOrCancel, fillOrKill] as const

function codesOf(command: PlaceOrderCommand): number {
  const { side, type, timeInForce, allowsDuplicateId, keepsRefused } = command
  return side | (type << 1) | (timeInForce << 2) | (allowsDuplicateId ? 16 : 0) | (keepsRefused ? 32 : 0)
}
