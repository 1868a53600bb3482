import { missing } from '../../numeric/assert.ts'

/** Rates in parts per million; a negative rate is a rebate. */
export interface FeeSchedule {
  readonly makerRate: number
  readonly takerRate: number
  /** What a buy reserves on top of its value: the dearer rate, never less than 0. */
  readonly reserveRate: number
}

/** Every pair of rates that was ever in force; orders keep the row under which they were accepted. */
export class FeeSchedules {
  readonly rows: FeeSchedule[] = []

  rowOf(makerRate: number, takerRate: number): number {
    const found = this.rows.findIndex((row) => row.makerRate === makerRate && row.takerRate === takerRate)
    return found >= 0 ? found : this.add(makerRate, takerRate)
  }

  /** Appends a pair of rates, known or not; its row. */
  add(makerRate: number, takerRate: number): number {
    this.rows.push({ makerRate, takerRate, reserveRate: Math.max(makerRate, takerRate, 0) })
    return this.rows.length - 1
  }

  at(row: number): FeeSchedule {
    return this.rows[row] ?? noSchedule()
  }
}

/** Apart, so that the look-up is small enough to be taken in wherever it is called. */
function noSchedule(): never {
  return missing('a fee schedule row is in the table')
}
