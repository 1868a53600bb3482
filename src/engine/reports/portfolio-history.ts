import { cash } from '../codes.ts'
import { type State, stateOf } from '../state.ts'
import { activityOf } from '../tables/account-lists.ts'
import { assetChangeAtoms, assetOf, cashChangeAtoms } from './activity.ts'

/*
 * What an account held in the past: what it holds now, less what has happened since. This needs nothing but the
 * activity and the history of the marks.
 */

/** Totals by asset row after the first `place` entries of the account's activity. */
export function totalsAfter(state: State, account: number, place: number): Float64Array {
  const activity = activityOf(state, account)
  const totals = new Float64Array(state.assets.count)
  for (let asset = 0; asset < totals.length; asset += 1) totals[asset] = state.ledger.total(account, asset)
  for (let later = activity.count - 1; later >= place; later -= 1) {
    const entry = activity.at(later)
    const asset = assetOf(state, entry)
    totals[cash] = Number(totals[cash]) - cashChangeAtoms(state, entry)
    if (asset !== cash) totals[asset] = Number(totals[asset]) - assetChangeAtoms(state, entry)
  }
  return totals
}

/** USD atoms of each total at the marks of an instant not later than now; each half-even. */
export function valuesAt(state: State, totals: Float64Array, millis: number): Float64Array {
  return totals.map((total, asset) => {
    if (asset === cash || total === 0) return total
    const ticks =
      millis === state.nowMillis ? state.markTicks.get(asset) : stateOf(state, asset).marks.at(millis)
    return state.assets.value(asset, ticks, total)
  })
}
