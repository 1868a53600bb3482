import { Float64Field, Int32Field, Uint8Field } from '../../numeric/records.ts'
import type { Metadata } from '../metadata.ts'
import { Table } from './table.ts'

/** Two-sided quotes. Prices, sizes and fills are those of their two legs in the order table. */
export class QuoteTable extends Table {
  readonly validForMillis = new Float64Field(this.store, 0)
  readonly expiresAtMillis = new Float64Field(this.store, 8)
  readonly createdAtMillis = new Float64Field(this.store, 16)
  readonly updatedAtMillis = new Float64Field(this.store, 24)
  readonly account = new Int32Field(this.store, 32)
  readonly asset = new Int32Field(this.store, 36)
  readonly bidLeg = new Int32Field(this.store, 40)
  readonly askLeg = new Int32Field(this.store, 44)
  readonly status = new Uint8Field(this.store, 48)
  readonly previousOfAccount = new Int32Field(this.store, 52)
  readonly clientIds = new Map<number, string>()
  readonly metadata = new Map<number, Metadata>()

  append(): number {
    return this.appendRows(1)
  }

  clientId(row: number): string | null {
    return this.clientIds.get(row) ?? null
  }
}
