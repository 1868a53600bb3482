import { Float64Column, Int32Column, Uint8Column } from '../numeric/columns.ts'
import type { Metadata } from './commands.ts'
import type { Column } from './table.ts'
import { Table } from './table.ts'

/** Two-sided quotes. Prices, sizes and fills are those of their two legs in the order table. */
export class QuoteTable extends Table {
  readonly account = new Int32Column()
  readonly asset = new Int32Column()
  readonly bidLeg = new Int32Column()
  readonly askLeg = new Int32Column()
  readonly status = new Uint8Column()
  readonly validForMillis = new Float64Column()
  readonly expiresAtMillis = new Float64Column()
  readonly createdAtMillis = new Float64Column()
  readonly updatedAtMillis = new Float64Column()
  readonly previousLive = new Int32Column()
  readonly nextLive = new Int32Column()
  readonly clientIds = new Map<number, string>()
  readonly metadata = new Map<number, Metadata>()

  append(): number {
    return this.appendRow()
  }

  clientId(row: number): string | null {
    return this.clientIds.get(row) ?? null
  }

  override stateColumns(): readonly Column[] {
    return [
      this.account,
      this.asset,
      this.bidLeg,
      this.askLeg,
      this.status,
      this.validForMillis,
      this.expiresAtMillis,
      this.createdAtMillis,
      this.updatedAtMillis,
    ]
  }

  override derivedColumns(): readonly Column[] {
    return [this.previousLive, this.nextLive]
  }
}
