import { Float64Column, Int32Column, Uint8Column } from '../numeric/columns.ts'
import type { Column } from './table.ts'
import { Table } from './table.ts'

/** One side of a trade, as the client had it; the venue's own side has no row. Rows never change. */
export class FillTable extends Table {
  readonly order = new Int32Column()
  readonly account = new Int32Column()
  readonly asset = new Int32Column()
  readonly side = new Uint8Column()
  readonly isMaker = new Uint8Column()
  readonly priceTicks = new Float64Column()
  readonly quantitySteps = new Float64Column()
  readonly notionalAtoms = new Float64Column()
  /** Negative for a rebate. */
  readonly feeAtoms = new Float64Column()
  /** Row of the asset in which the fee was taken. */
  readonly feeAsset = new Int32Column()
  /** Profit that the fill realised on the position, fees apart. */
  readonly realizedAtoms = new Float64Column()
  readonly atMillis = new Float64Column()
  /** The order's fill before this one, else -1. */
  readonly previousOfOrder = new Int32Column()

  append(): number {
    return this.appendRow()
  }

  override stateColumns(): readonly Column[] {
    return [
      this.order,
      this.account,
      this.asset,
      this.side,
      this.isMaker,
      this.priceTicks,
      this.quantitySteps,
      this.notionalAtoms,
      this.feeAtoms,
      this.feeAsset,
      this.realizedAtoms,
      this.atMillis,
      this.previousOfOrder,
    ]
  }
}
