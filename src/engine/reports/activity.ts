import { buy, cash, transferDeposit } from '../codes.ts'
import { receivedAtoms } from '../orders/trade.ts'
import type { State } from '../state.ts'
import { activityOf } from '../tables/account-lists.ts'

/*
 * An account's activity: every fill and every transfer that has changed its totals, oldest first (a fill as row * 2, a
 * transfer as row * 2 + 1). Instants never go back, so a window of time is a range of places.
 */

export const isFill = (entry: number): boolean => entry % 2 === 0
export const rowOf = (entry: number): number => (entry - (entry % 2)) / 2

/** When an entry changed the totals. */
export function instantOf(state: State, entry: number): number {
  const row = rowOf(entry)
  return isFill(entry) ? state.fills.atMillis.get(row) : state.transfers.flowAtMillis.get(row)
}

/** Place of the first entry after an instant. */
export function placeAfter(state: State, account: number, millis: number): number {
  const activity = activityOf(state, account)
  let low = 0
  let high = activity.count
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (instantOf(state, activity.at(middle)) <= millis) low = middle + 1
    else high = middle
  }
  return low
}

/** Number of leading entries that are opening balances: the deposits with which the account was made. */
export function openingCount(state: State, account: number): number {
  const activity = activityOf(state, account)
  const createdAtMillis = state.accounts.createdAtMillis.get(account)
  let count = 0
  while (count < activity.count && isOpening(state, activity.at(count), createdAtMillis)) count += 1
  return count
}

function isOpening(state: State, entry: number, createdAtMillis: number): boolean {
  if (isFill(entry) || instantOf(state, entry) !== createdAtMillis) return false
  const { kind, followsOpening } = state.transfers
  return kind.get(rowOf(entry)) === transferDeposit && followsOpening.get(rowOf(entry)) === 0
}

/** What an entry added to the total of cash, signed USD atoms. */
export function cashChangeAtoms(state: State, entry: number): number {
  const row = rowOf(entry)
  if (!isFill(entry)) return state.transfers.asset.get(row) === cash ? transferredAtoms(state, row) : 0
  const { fills } = state
  const value = fills.notionalAtoms.get(row)
  const fee = fills.feeAsset.get(row) === cash ? fills.feeAtoms.get(row) : 0
  return (fills.side.get(row) === buy ? -value : value) - fee
}

/** The fee of a fill, USD; one in kind counts at the price of its fill. */
export function feeValueAtoms({ assets, fills }: State, row: number): number {
  const fee = fills.feeAtoms.get(row)
  if (fills.feeAsset.get(row) === cash) return fee
  return assets.value(fills.asset.get(row), fills.priceTicks.get(row), fee)
}

/** The traded asset that an entry moved, or cash for a transfer of cash. */
export function assetOf(state: State, entry: number): number {
  const row = rowOf(entry)
  return isFill(entry) ? state.fills.asset.get(row) : state.transfers.asset.get(row)
}

/** What an entry added to the total of its asset (see `assetOf`), signed atoms. */
export function assetChangeAtoms(state: State, entry: number): number {
  const row = rowOf(entry)
  return isFill(entry) ? receivedAtoms(state, row) : transferredAtoms(state, row)
}

function transferredAtoms(state: State, transfer: number): number {
  const amount = state.transfers.atoms.get(transfer)
  return state.transfers.kind.get(transfer) === transferDeposit ? amount : -amount
}

/** Value of a deposit, or minus that of a withdrawal, when it changed the total, USD atoms; 0 until then. */
export function signedFlowAtoms(state: State, transfer: number): number {
  const value = state.transfers.valueAtoms.get(transfer)
  return state.transfers.kind.get(transfer) === transferDeposit ? value : 0 - value
}
