import { Float64Field, Int32Field, Uint8Field } from '../../numeric/records.ts'
import { Table } from './table.ts'

/** Fills: one client's side of a trade each. The venue's own side has no row. Rows never change. */
export class FillTable extends Table {
  readonly priceTicks = new Float64Field(this.store, 0)
  readonly quantitySteps = new Float64Field(this.store, 8)
  readonly notionalAtoms = new Float64Field(this.store, 16)
  /** In atoms of `feeAsset`; negative for a rebate. */
  readonly feeAtoms = new Float64Field(this.store, 24)
  /** Profit that the fill realised on the position, USD; fees in cash are not in it. */
  readonly realizedAtoms = new Float64Field(this.store, 32)
  readonly atMillis = new Float64Field(this.store, 40)
  readonly order = new Int32Field(this.store, 48)
  readonly previousOfOrder = new Int32Field(this.store, 52)
  readonly account = new Int32Field(this.store, 56)
  readonly asset = new Int32Field(this.store, 60)
  readonly feeAsset = new Int32Field(this.store, 64)
  /** The account's previous activity, or -1 (see account-lists). */
  readonly previousActivity = new Int32Field(this.store, 68)
  readonly side = new Uint8Field(this.store, 72)
  readonly isMaker = new Uint8Field(this.store, 73)

  append(): number {
    return this.appendRows(1)
  }
}
