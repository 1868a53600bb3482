import { Float64Column, Int32Column, Uint8Column } from '../numeric/columns.ts'
import type { Column } from './table.ts'
import { Table } from './table.ts'

/** Deposits and withdrawals, one row each. */
export class TransferTable extends Table {
  readonly kind = new Uint8Column()
  readonly account = new Int32Column()
  readonly asset = new Int32Column()
  readonly atoms = new Float64Column()
  readonly isSettled = new Uint8Column()
  readonly createdAtMillis = new Float64Column()
  /** When a pending one settles; the creation for the others. */
  readonly settlesAtMillis = new Float64Column()
  /** When the account's total changed: settling for a deposit, creation for a withdrawal. 0 until then. */
  readonly flowAtMillis = new Float64Column()
  /** USD value at the mark at that moment (at the stated average for an opening balance). */
  readonly valueAtoms = new Float64Column()
  /** Profit that a withdrawal realised on the position. */
  readonly realizedAtoms = new Float64Column()

  append(): number {
    return this.appendRow()
  }

  override stateColumns(): readonly Column[] {
    return [
      this.kind,
      this.account,
      this.asset,
      this.atoms,
      this.isSettled,
      this.createdAtMillis,
      this.settlesAtMillis,
      this.flowAtMillis,
      this.valueAtoms,
      this.realizedAtoms,
    ]
  }
}
