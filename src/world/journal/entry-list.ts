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
import { Float64Column } from '../../numeric/columns.ts'
import { millis, priceTicks, quantitySteps } from '../../numeric/units.ts'
import type { OutcomeNote } from './command-note.ts'
import type { CommandEntry, JournalEntry } from './entry.ts'

/*
 * Lines of a journal in memory, oldest first. Plain orders that were taken are nearly all of them, and are kept as numbers:
 * as objects they were most of what the collector had to copy while a server is busy.
 */

/** Numbers of one order: sequence, at, account, asset, codes, quantity, price, row, status, filled, check. */
const stride = 11

export class EntryList {
  private readonly numbers = new Float64Column(stride * 16)
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
    const statusCode = orderStatusNames.findIndex((name) => name === status)
    if (!isPlain || statusCode === -1 || command.metadata !== null) return false
    const { numbers } = this
    const slot = this.count * stride
    numbers.reserve(slot + stride)
    numbers.set(slot, entry.sequence)
    numbers.set(slot + 1, command.at)
    numbers.set(slot + 2, command.account)
    numbers.set(slot + 3, command.asset)
    numbers.set(slot + 4, codesOf(command))
    numbers.set(slot + 5, command.quantitySteps)
    numbers.set(slot + 6, command.priceTicks)
    numbers.set(slot + 7, row)
    numbers.set(slot + 8, statusCode)
    numbers.set(slot + 9, filledSteps)
    numbers.set(slot + 10, entry.check)
    if (command.clientOrderId !== null) this.clientIds.set(this.count, command.clientOrderId)
    return true
  }

  private orderAt(at: number): CommandEntry {
    const { numbers } = this
    const slot = at * stride
    const codes = numbers.get(slot + 4)
    const command: PlaceOrderCommand = {
      kind: 'place-order',
      at: millis(numbers.get(slot + 1)),
      account: numbers.get(slot + 2),
      asset: numbers.get(slot + 3),
      side: (codes & 1) === 0 ? buy : sell,
      type: (codes & 2) === 0 ? limit : market,
      timeInForce: timesInForce[(codes >> 2) & 3] ?? goodTillCancelled,
      quantitySteps: quantitySteps(numbers.get(slot + 5)),
      priceTicks: priceTicks(numbers.get(slot + 6)),
      clientOrderId: this.clientIds.get(at) ?? null,
      allowsDuplicateId: (codes & 16) !== 0,
      keepsRefused: (codes & 32) !== 0,
      metadata: null,
    }
    const outcome: OutcomeNote = {
      ok: true,
      row: numbers.get(slot + 7),
      status: orderStatusNames[numbers.get(slot + 8)] ?? '',
      filledSteps: numbers.get(slot + 9),
    }
    const sequence = numbers.get(slot)
    return { kind: 'command', sequence, command, outcome, check: numbers.get(slot + 10), digest: null }
  }
}

const timesInForce = [goodTillCancelled, immediateOrCancel, fillOrKill] as const

function codesOf(command: PlaceOrderCommand): number {
  const { side, type, timeInForce, allowsDuplicateId, keepsRefused } = command
  return side | (type << 1) | (timeInForce << 2) | (allowsDuplicateId ? 16 : 0) | (keepsRefused ? 32 : 0)
}
