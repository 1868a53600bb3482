import { usdNumber } from '../../api/answer.ts'
import { equityAtoms } from '../../engine/assessment.ts'
import { firstClientAccount } from '../../engine/codes.ts'
import type { State } from '../../engine/state.ts'
import { type Moment, MomentTable, type PriceHistoryQuery, type PriceWindow } from './price-history.ts'

/** What an account was worth over time, in the stretch of time around a moment. */
export type EquityWindow = Pick<PriceWindow, 'begins' | 'ends' | 'stepMillis' | 'rows'>

/** What each client account is worth, in USD at the marks, from the first moment of a world's history on. */
export class EquityHistory {
  private readonly tables: MomentTable[] = []
  private readonly last: number[] = []

  /** Adds the equity of each account that has changed, or that of all if time has gone back. */
  record(state: State, moment: Moment): void {
    for (let account = firstClientAccount; account < state.accounts.ids.length; account += 1) {
      const place = account - firstClientAccount
      const table = this.tables[place] ?? new MomentTable(1)
      this.tables[place] = table
      const atoms = equityAtoms(state, account)
      if (this.last[place] === atoms && moment.atMillis >= table.lastMillis) continue
      this.last[place] = atoms
      table.add(moment, [usdNumber(atoms)])
    }
  }

  /** Returns the rows of an account between two instants, thinned out as prices are. An account that is new has none. */
  window(account: number, { around, fromMillis, toMillis, spans }: PriceHistoryQuery): EquityWindow {
    const table = this.tables[account - firstClientAccount]
    if (table === undefined) return { begins: around, ends: null, stepMillis: 0, rows: [] }
    const run = table.rangeAround(around)
    const range = table.between(run, fromMillis, toMillis, true)
    const stepMillis = table.chooseStepMillis(range, spans)
    const [begins, ends] = [table.momentOrNull(run.from) ?? around, table.momentOrNull(run.to)]
    return { begins, ends, stepMillis, rows: table.toRows(range, stepMillis) }
  }
}
