import { Float64Field, Int32Field, recordBytes, Uint8Field } from '../../numeric/records.ts'
import { RestingTable } from '../book/order-book.ts'
import { none } from '../codes.ts'
import type { Metadata } from '../metadata.ts'
import { Table } from './table.ts'

const leadBytes = 48

/*
 * Every order that was ever stored, and both legs of every quote, one row each, kept for ever: a row number is the
 * order's identity, and ids on the wire are made from it.
 *
 * Ordering invariant: rows are in order of acceptance. Layout: a row is two cache lines, because a large buffer begins
 * 16 bytes into a page; what matching and filling change comes first, then what is written once.
 */
export class OrderTable extends Table {
  readonly priceTicks = new Float64Field(this.store, 0)
  readonly quantitySteps = new Float64Field(this.store, 8)
  readonly filledSteps = new Float64Field(this.store, 16)
  /** What is reserved for the remaining quantity: USD atoms for a buy, atoms of the asset for a sell. */
  readonly reservedAtoms = new Float64Field(this.store, 24)
  readonly updatedAtMillis = new Float64Field(this.store, 32)
  readonly account = new Int32Field(this.store, 40)
  readonly asset = new Int32Field(this.store, 44)
  /** Fee schedule at acceptance: later changes of fees do not affect a live order. */
  readonly feeSchedule = new Int32Field(this.store, 48)
  readonly lastFill = new Int32Field(this.store, 52)
  readonly kind = new Uint8Field(this.store, 56)
  readonly side = new Uint8Field(this.store, 57)
  readonly type = new Uint8Field(this.store, 58)
  readonly timeInForce = new Uint8Field(this.store, 59)
  readonly status = new Uint8Field(this.store, 60)
  readonly createdAtMillis = new Float64Field(this.store, 64)
  /** Number of the queue position among all ever given out; larger is later. */
  readonly priority = new Float64Field(this.store, 72)
  /** The quote that a leg belongs to; -1 for an order. */
  readonly quote = new Int32Field(this.store, 80)
  /** The account's previous order, or -1; legs are not linked. */
  readonly previousOfAccount = new Int32Field(this.store, 84)
  readonly resting = new RestingTable()
  readonly clientIds = new Map<number, string>()
  readonly metadata = new Map<number, Metadata>()

  constructor() {
    super(recordBytes, leadBytes)
  }

  append(): number {
    const row = this.appendRows(1)
    this.resting.reserve(row + 1)
    this.quote.set(row, none)
    this.lastFill.set(row, none)
    return row
  }

  override load(rows: Uint8Array): void {
    super.load(rows)
    this.resting.reserve(this.count)
  }

  remainingSteps(row: number): number {
    return this.quantitySteps.get(row) - this.filledSteps.get(row)
  }

  clientId(row: number): string | null {
    return this.clientIds.get(row) ?? null
  }
}
