import type { AccountTable, FeeSchedules } from './account-table.ts'
import type { AssetTable } from './asset-table.ts'
import type { ExposureTable } from './exposure-table.ts'
import type { PositionTable } from './position-table.ts'
import type { FillTable, HoldingTable, OrderTable, QuoteTable, TransferTable } from './record-tables.ts'

export interface Tables {
  readonly assets: AssetTable
  readonly accounts: AccountTable
  readonly feeSchedules: FeeSchedules
  readonly orders: OrderTable
  readonly quotes: QuoteTable
  readonly fills: FillTable
  readonly transfers: TransferTable
  readonly holdings: HoldingTable
  readonly positions: PositionTable
  readonly exposures: ExposureTable
}
