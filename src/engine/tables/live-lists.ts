import { isLiveQuote, isTerminal } from '../codes.ts'
import type { State } from '../state.ts'
import { ordersOf, quotesOf } from './account-lists.ts'

/*
 * The live orders and quotes of an account. Placing and ending only count them, because `maxOpenOrders` and
 * `maxOpenOrdersPerAsset` are asked at each placement; the lists are made when somebody cancels them all.
 */

/** Rows of the account's live orders (not legs), in order of creation. */
export function liveOrdersOf(state: State, account: number): readonly number[] {
  const { accounts, orders } = state
  const { liveOrders } = accounts.listsOf(account)
  return liveOrders.read(ordersOf(state, account), (row) => !isTerminal(orders.status.get(row)))
}

/** Rows of the account's live quotes, in order of creation. */
export function liveQuotesOf(state: State, account: number): readonly number[] {
  const { accounts, quotes } = state
  const { liveQuotes } = accounts.listsOf(account)
  return liveQuotes.read(quotesOf(state, account), (quote) => isLiveQuote(quotes.status.get(quote)))
}

/** Counts an order or a quote that begins or ends. */
export function countOpen(state: State, account: number, asset: number, change: 1 | -1): void {
  const { accounts, holdings } = state
  accounts.openOrders.add(account, change)
  holdings.openOrders.add(holdings.rowOf(account, asset), change)
}
