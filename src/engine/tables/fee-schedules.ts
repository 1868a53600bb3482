import { missing } from '../../numeric/assert.ts'

/** Rates in parts per million; a negative rate is a rebate. */
export interface FeeSchedule {
  readonly makerRate: number
  readonly takerRate: number
  /** What a buy reserves on top of its value: the higher of the two rates, never less than 0. */
  readonly reserveRate: number
}

/** Every pair of rates that was ever in force; an order keeps the row at which it was accepted. */
export class FeeSchedules {
  readonly rows: FeeSchedule[] = []

  /** The row of a pair of rates, which is added when it is new. */
  rowOf(makerRate: number, takerRate: number): number {
    const found = this.rows.findIndex((row) => row.makerRate === makerRate && row.takerRate === takerRate)
    return found >= 0 ? found : this.add(makerRate, takerRate)
  }

  /** Appends a pair of rates, new or not, and returns its row. */
  add(makerRate: number, takerRate: number): number {
    this.rows.push({ makerRate, takerRate, reserveRate: Math.max(makerRate, takerRate, 0) })
    return this.rows.length - 1
  }

  at(row: number): FeeSchedule {
    return this.rows[row] ?? noSchedule()
  }
}

/** A function of its own, so that the look-up stays small enough for V8 to inline. */
function noSchedule(): never {
  return missing('a fee schedule row is in the table')
}
