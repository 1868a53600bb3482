import { Float64Field, Int32Field, Uint8Field } from '../../numeric/records.ts'
import { Table } from './table.ts'

export class TransferTable extends Table {
  readonly atoms = new Float64Field(this.store, 0)
  readonly createdAtMillis = new Float64Field(this.store, 8)
  /** When a pending transfer is to settle, or when it did; the creation for others. */
  readonly settlesAtMillis = new Float64Field(this.store, 16)
  /** When the account's total changed: at settlement for a deposit, at creation for a withdrawal. 0 until then. */
  readonly flowAtMillis = new Float64Field(this.store, 24)
  /** USD value at the mark of that instant, or at the stated average of an opening balance. */
  readonly valueAtoms = new Float64Field(this.store, 32)
  /** Profit that a withdrawal realised on the position. */
  readonly realizedAtoms = new Float64Field(this.store, 40)
  readonly account = new Int32Field(this.store, 48)
  readonly asset = new Int32Field(this.store, 52)
  /** The account's previous activity, or -1 (see account-lists); set when the total changes. */
  readonly previousActivity = new Int32Field(this.store, 56)
  readonly kind = new Uint8Field(this.store, 60)
  readonly isSettled = new Uint8Field(this.store, 61)
  /** 1: a deposit in the account's first instant that is not one of its opening balances. */
  readonly followsOpening = new Uint8Field(this.store, 62)

  append(): number {
    return this.appendRows(1)
  }
}
