import { none } from './codes.ts'
import type { State } from './state.ts'

/*
 * The live orders and quotes of an account, each a doubly linked list in order of creation. `maxOpenOrders` counts
 * both; `maxOpenOrdersPerAsset` too.
 */

export function linkLiveOrder(state: State, row: number): void {
  const { accounts, orders } = state
  const account = orders.account.get(row)
  const last = accounts.lastLiveOrder.get(account)
  orders.previousLive.set(row, last)
  orders.nextLive.set(row, none)
  if (last === none) accounts.firstLiveOrder.set(account, row)
  else orders.nextLive.set(last, row)
  accounts.lastLiveOrder.set(account, row)
  countOpen(state, account, orders.asset.get(row), 1)
}

export function unlinkLiveOrder(state: State, row: number): void {
  const { accounts, orders } = state
  const account = orders.account.get(row)
  const previous = orders.previousLive.get(row)
  const next = orders.nextLive.get(row)
  if (previous === none) accounts.firstLiveOrder.set(account, next)
  else orders.nextLive.set(previous, next)
  if (next === none) accounts.lastLiveOrder.set(account, previous)
  else orders.previousLive.set(next, previous)
  countOpen(state, account, orders.asset.get(row), -1)
}

export function linkLiveQuote(state: State, quote: number): void {
  const { accounts, quotes } = state
  const account = quotes.account.get(quote)
  const last = accounts.lastLiveQuote.get(account)
  quotes.previousLive.set(quote, last)
  quotes.nextLive.set(quote, none)
  if (last === none) accounts.firstLiveQuote.set(account, quote)
  else quotes.nextLive.set(last, quote)
  accounts.lastLiveQuote.set(account, quote)
  countOpen(state, account, quotes.asset.get(quote), 1)
}

export function unlinkLiveQuote(state: State, quote: number): void {
  const { accounts, quotes } = state
  const account = quotes.account.get(quote)
  const previous = quotes.previousLive.get(quote)
  const next = quotes.nextLive.get(quote)
  if (previous === none) accounts.firstLiveQuote.set(account, next)
  else quotes.nextLive.set(previous, next)
  if (next === none) accounts.lastLiveQuote.set(account, previous)
  else quotes.previousLive.set(next, previous)
  countOpen(state, account, quotes.asset.get(quote), -1)
}

function countOpen(state: State, account: number, asset: number, change: 1 | -1): void {
  const { accounts, exposures, ledger } = state
  accounts.openOrders.set(account, accounts.openOrders.get(account) + change)
  const index = ledger.index(account, asset)
  exposures.openOrders.set(index, exposures.openOrders.get(index) + change)
}
