import { Float64Field, Int32Field, Uint8Field } from '../../numeric/records.ts'
import * as fillAt from './fill-fields.ts'
import { Table } from './table.ts'

/** Fills: one client's side of a trade each. The venue's own side has no row. Rows never change. */
export class FillTable extends Table {
  readonly priceTicks = new Float64Field(this.store, 8 * fillAt.priceTicks)
  readonly quantitySteps = new Float64Field(this.store, 8 * fillAt.quantitySteps)
  readonly notionalAtoms = new Float64Field(this.store, 8 * fillAt.notionalAtoms)
  /** In atoms of `feeAsset`; negative for a rebate. */
  readonly feeAtoms = new Float64Field(this.store, 8 * fillAt.feeAtoms)
  /** Profit that the fill realised on the position, USD; fees in cash are not in it. */
  readonly realizedAtoms = new Float64Field(this.store, 8 * fillAt.realizedAtoms)
  readonly atMillis = new Float64Field(this.store, 8 * fillAt.atMillis)
  readonly order = new Int32Field(this.store, 4 * fillAt.order)
  readonly previousOfOrder = new Int32Field(this.store, 4 * fillAt.previousOfOrder)
  readonly account = new Int32Field(this.store, 4 * fillAt.account)
  readonly asset = new Int32Field(this.store, 4 * fillAt.asset)
  readonly feeAsset = new Int32Field(this.store, 4 * fillAt.feeAsset)
  /** The account's previous activity, or -1 (see account-lists). */
  readonly previousActivity = new Int32Field(this.store, 4 * fillAt.previousActivity)
  readonly side = new Uint8Field(this.store, fillAt.side)
  readonly isMaker = new Uint8Field(this.store, fillAt.isMaker)

  append(): number {
    return this.appendRows(1)
  }
}
