import { Float64Field, Int32Field, RecordStore, recordBytes, Uint8Field } from '../../numeric/columns.ts'
import { type PriceTicks, type QuantitySteps, quantitySteps } from '../../numeric/units.ts'
import { RestingTable } from '../book/order-book.ts'
import {
  type AccountRow,
  type AssetRow,
  type FillRow,
  fillRow,
  type NoRow,
  none,
  type OrderRow,
  orderRow,
  type QuoteRow,
  quoteRow,
} from '../codes.ts'
import type { Metadata } from '../metadata.ts'

/* Tables of records. Only this file knows which bytes of a record are a field's; all others name the field. */

/** A table of records in one buffer. A row's number is its identity and never changes. */
export abstract class Table {
  count = 0
  readonly store: RecordStore
  /** The byte of a record from which on fields are derived, and rebuilt after a snapshot is loaded. */
  private readonly derivedFromBytes: number

  constructor(derivedFromBytes: number = recordBytes) {
    this.store = new RecordStore()
    this.derivedFromBytes = derivedFromBytes
  }

  /**
   * Returns a copy of the rows in use with the derived part of each cleared, so that equal states have equal bytes.
   */
  capture(): Uint8Array {
    const copy = this.store.slice(this.count)
    if (this.derivedFromBytes === recordBytes) return copy
    const words = new Int32Array(copy.buffer)
    const step = recordBytes / 4
    for (let record = 0; record < words.length; record += step)
      for (let word = this.derivedFromBytes / 4; word < step; word += 1) words[record + word] = 0
    return copy
  }

  load(rows: Uint8Array): void {
    this.store.load(rows)
    this.count = rows.length / recordBytes
  }

  protected appendRows(rows: number): number {
    const first = this.count
    this.count = first + rows
    this.store.reserve(this.count)
    return first
  }
}

/**
 * The instant at which a row last changed. The field notes which rows have changed, because in a world that stands
 * still all do so at one instant.
 */
class UpdatedField extends Float64Field {
  private noted: number[] = []

  override set(row: number, value: number): void {
    super.set(row, value)
    this.note(row)
  }

  /** Notes a row as changed; also one that from now on may not change. */
  note(row: number): void {
    if (this.noted.length < mostNoted) this.noted.push(row)
  }

  /** Returns the rows that were set since the last call, ascending; null where they were too many to be noted. */
  takeNoted(): Int32Array | null {
    const { noted } = this
    this.noted = []
    return noted.length < mostNoted ? new Int32Array(noted).sort() : null
  }
}

const mostNoted = 10_000

/**
 * The table of every order that was ever stored and of both legs of every quote, one row each, kept for ever. A row
 * number is the order's identity, and ids on the wire are made from it.
 *
 * Ordering invariant: rows are in order of acceptance. Layout: a row is two cache lines; what matching and filling
 * change comes first, then what is written once.
 */
export class OrderTable extends Table {
  readonly priceTicks = new Float64Field<PriceTicks>(this.store, 0)
  readonly quantitySteps = new Float64Field(this.store, 8)
  readonly filledSteps = new Float64Field(this.store, 16)
  /** The amount reserved for the remaining quantity: USD atoms for a buy, atoms of the asset for a sell. */
  readonly reservedAtoms = new Float64Field(this.store, 24)
  readonly updatedAtMillis = new UpdatedField(this.store, 32)
  readonly account = new Int32Field<AccountRow>(this.store, 40)
  readonly asset = new Int32Field<AssetRow>(this.store, 44)
  /** The fee schedule at acceptance: later changes of fees do not affect a live order. */
  readonly feeSchedule = new Int32Field(this.store, 48)
  readonly lastFill = new Int32Field(this.store, 52)
  readonly kind = new Uint8Field(this.store, 56)
  readonly side = new Uint8Field(this.store, 57)
  readonly type = new Uint8Field(this.store, 58)
  readonly timeInForce = new Uint8Field(this.store, 59)
  readonly status = new Uint8Field(this.store, 60)
  readonly createdAtMillis = new Float64Field(this.store, 64)
  /** The number of the queue position among all ever given out; larger is later. */
  readonly priority = new Float64Field(this.store, 72)
  /** The quote that a leg belongs to; -1 for an order. */
  readonly quote = new Int32Field<QuoteRow | NoRow>(this.store, 80)
  /** The account's previous order, or -1; legs are not linked. */
  readonly previousOfAccount = new Int32Field(this.store, 84)
  readonly resting = new RestingTable()
  readonly clientIds = new Map<number, string>()
  readonly metadata = new Map<number, Metadata>()

  append(): OrderRow {
    const row = orderRow(this.appendRows(1))
    this.resting.reserve(row + 1)
    this.quote.set(row, none)
    this.lastFill.set(row, none)
    return row
  }

  override load(rows: Uint8Array): void {
    super.load(rows)
    this.resting.reserve(this.count)
  }

  /** Returns the quote of a row that is a leg. */
  quoteOfLeg(leg: OrderRow): QuoteRow {
    return quoteRow(this.quote.get(leg))
  }

  remainingSteps(row: number): QuantitySteps {
    return quantitySteps(this.quantitySteps.get(row) - this.filledSteps.get(row))
  }

  clientId(row: number): string | null {
    return this.clientIds.get(row) ?? null
  }
}

/** Two-sided quotes. Prices, sizes and fills are those of their two legs in the order table. */
export class QuoteTable extends Table {
  readonly validForMillis = new Float64Field(this.store, 0)
  readonly expiresAtMillis = new Float64Field(this.store, 8)
  readonly createdAtMillis = new Float64Field(this.store, 16)
  readonly updatedAtMillis = new Float64Field(this.store, 24)
  readonly account = new Int32Field<AccountRow>(this.store, 32)
  readonly asset = new Int32Field<AssetRow>(this.store, 36)
  readonly bidLeg = new Int32Field<OrderRow>(this.store, 40)
  readonly askLeg = new Int32Field<OrderRow>(this.store, 44)
  readonly status = new Uint8Field(this.store, 48)
  readonly previousOfAccount = new Int32Field(this.store, 52)
  readonly clientIds = new Map<number, string>()
  readonly metadata = new Map<number, Metadata>()

  append(): QuoteRow {
    return quoteRow(this.appendRows(1))
  }

  clientId(row: number): string | null {
    return this.clientIds.get(row) ?? null
  }
}

/** The fills: each is one client's side of a trade. The venue's own side has no row. Rows never change. */
export class FillTable extends Table {
  readonly priceTicks = new Float64Field(this.store, 0)
  readonly quantitySteps = new Float64Field(this.store, 8)
  readonly notionalAtoms = new Float64Field(this.store, 16)
  /** The fee in atoms of `feeAsset`; negative for a rebate. */
  readonly feeAtoms = new Float64Field(this.store, 24)
  /** The profit that the fill realised on the position, USD atoms; fees in cash are not in it. */
  readonly realizedAtoms = new Float64Field(this.store, 32)
  readonly atMillis = new Float64Field(this.store, 40)
  readonly order = new Int32Field<OrderRow>(this.store, 48)
  readonly previousOfOrder = new Int32Field(this.store, 52)
  readonly account = new Int32Field<AccountRow>(this.store, 56)
  readonly asset = new Int32Field<AssetRow>(this.store, 60)
  readonly feeAsset = new Int32Field<AssetRow>(this.store, 64)
  /** The account's previous activity, or -1 (see `listActivity`). */
  readonly previousActivity = new Int32Field(this.store, 68)
  readonly side = new Uint8Field(this.store, 72)
  readonly isMaker = new Uint8Field(this.store, 73)
  /** Why a recorded book filled the order (`fill-cause.ts`); 0 for every other fill, as the fields that follow. */
  readonly cause = new Uint8Field(this.store, 74)
  /** What stood ahead of the order when it joined its level, in steps. */
  readonly joinedBehindSteps = new Float64Field(this.store, 80)
  /** How much of what stood ahead of the order trades took, in steps. */
  readonly takenByTradesSteps = new Float64Field(this.store, 88)
  /** How much of what stood ahead left without a trade, by the law of the queue, in steps. */
  readonly leftByLawSteps = new Float64Field(this.store, 96)
  /** The row of the recording that filled the order. */
  readonly bookRow = new Float64Field(this.store, 104)

  append(): FillRow {
    return fillRow(this.appendRows(1))
  }
}

export class TransferTable extends Table {
  readonly atoms = new Float64Field(this.store, 0)
  readonly createdAtMillis = new Float64Field(this.store, 8)
  /** The instant at which a pending transfer is to settle, or did; for other transfers that of the creation. */
  readonly settlesAtMillis = new Float64Field(this.store, 16)
  /**
   * The instant at which the account's total changed: at settlement for a deposit, at creation for a withdrawal. 0
   * until then.
   */
  readonly flowAtMillis = new Float64Field(this.store, 24)
  /** The value at the mark when the total changed, or at the stated average of an opening balance. */
  readonly valueAtoms = new Float64Field(this.store, 32)
  /** The profit that a withdrawal realised on the position, USD atoms. */
  readonly realizedAtoms = new Float64Field(this.store, 40)
  readonly account = new Int32Field<AccountRow>(this.store, 48)
  readonly asset = new Int32Field<AssetRow>(this.store, 52)
  /** The account's previous activity, or -1 (see `listActivity`); set when the total changes. */
  readonly previousActivity = new Int32Field(this.store, 56)
  readonly kind = new Uint8Field(this.store, 60)
  readonly isSettled = new Uint8Field(this.store, 61)
  /** 1: a deposit in the account's first instant that is not one of its opening balances. */
  readonly followsOpening = new Uint8Field(this.store, 62)

  append(): number {
    return this.appendRows(1)
  }
}
