import { isLiveQuote, isTerminal } from '../codes.ts'
import { ordersOf, quotesOf } from './account-lists.ts'
import type { Tables } from './tables.ts'

/*
 * The live orders and quotes of an account. Placing and ending one only counts it, for `maxOpenOrders` and
 * `maxOpenOrdersPerAsset`; the lists are made when they are read, as by a cancel-all.
 */

/** Rows of the account's live orders (not legs), in order of creation. */
export function liveOrdersOf(tables: Tables, account: number): readonly number[] {
  const { accounts, orders } = tables
  const { liveOrders } = accounts.listsOf(account)
  return liveOrders.read(ordersOf(tables, account), (row) => !isTerminal(orders.status.get(row)))
}

/** Rows of the account's live quotes, in order of creation. */
export function liveQuotesOf(tables: Tables, account: number): readonly number[] {
  const { accounts, quotes } = tables
  const { liveQuotes } = accounts.listsOf(account)
  return liveQuotes.read(quotesOf(tables, account), (quote) => isLiveQuote(quotes.status.get(quote)))
}

/** Counts an order or a quote that begins (1) or ends (-1). */
export function countOpen(tables: Tables, account: number, asset: number, change: 1 | -1): void {
  const { accounts, holdings } = tables
  accounts.openOrders.set(account, accounts.openOrders.get(account) + change)
  const holding = holdings.rowOf(account, asset)
  holdings.openOrders.set(holding, holdings.openOrders.get(holding) + change)
}
