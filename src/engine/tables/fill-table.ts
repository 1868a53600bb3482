import { Float64Field, Int32Field, Uint8Field } from '../../numeric/records.ts'
import { Table } from './table.ts'

/** One side of a trade, as the client had it; the venue's own side has no row. Rows never change. */
export class FillTable extends Table {
  readonly priceTicks = new Float64Field(this.store, 0)
  readonly quantitySteps = new Float64Field(this.store, 8)
  readonly notionalAtoms = new Float64Field(this.store, 16)
  /** Negative for a rebate. */
  readonly feeAtoms = new Float64Field(this.store, 24)
  /** Profit that the fill realised on the position, fees apart. */
  readonly realizedAtoms = new Float64Field(this.store, 32)
  readonly atMillis = new Float64Field(this.store, 40)
  readonly order = new Int32Field(this.store, 48)
  /** The order's fill before this one, else -1. */
  readonly previousOfOrder = new Int32Field(this.store, 52)
  readonly account = new Int32Field(this.store, 56)
  readonly asset = new Int32Field(this.store, 60)
  /** Row of the asset in which the fee was taken. */
  readonly feeAsset = new Int32Field(this.store, 64)
  /** The account's activity before this one (see account-lists). */
  readonly previousActivity = new Int32Field(this.store, 68)
  readonly side = new Uint8Field(this.store, 72)
  readonly isMaker = new Uint8Field(this.store, 73)

  append(): number {
    return this.appendRows(1)
  }
}
