import { isLiveQuote, isTerminal, none } from '../codes.ts'
import type { AccountTable, FeeSchedules, RowList } from './account-table.ts'
import type { AssetTable } from './asset-table.ts'
import type { ExposureTable, HoldingTable, Ledger } from './holdings.ts'
import type { FillTable, OrderTable, QuoteTable, TransferTable } from './record-tables.ts'

export interface Tables {
  readonly assets: AssetTable
  readonly accounts: AccountTable
  readonly feeSchedules: FeeSchedules
  readonly orders: OrderTable
  readonly quotes: QuoteTable
  readonly fills: FillTable
  readonly transfers: TransferTable
  /** What is kept by account and asset is in the row `rowOf(account, asset)`. */
  readonly holdings: HoldingTable
  readonly ledger: Ledger
  readonly exposures: ExposureTable
}

/*
 * What an account has done, oldest first, for listings. The tables only link each row to the account's previous one;
 * the lists are made from these links when they are read, so that trading does not pay for them.
 */

/** Rows of the account's orders, without the legs of quotes. */
export function ordersOf({ accounts, orders }: Tables, account: number): RowList {
  const { orders: list } = accounts.listsOf(account)
  return synchronised(list, accounts.lastOrder.get(account), (row) => orders.previousOfAccount.get(row))
}

export function quotesOf({ accounts, quotes }: Tables, account: number): RowList {
  const { quotes: list } = accounts.listsOf(account)
  return synchronised(list, accounts.lastQuote.get(account), (row) => quotes.previousOfAccount.get(row))
}

/** Fills as row * 2 and transfers as row * 2 + 1, in the order in which they moved the account's balances. */
export function activityOf({ accounts, fills, transfers }: Tables, account: number): RowList {
  const { activity } = accounts.listsOf(account)
  return synchronised(activity, accounts.lastActivity.get(account), (entry) =>
    entry % 2 === 0 ? fills.previousActivity.get(entry / 2) : transfers.previousActivity.get((entry - 1) / 2),
  )
}

/** Makes an entry (see `activityOf`) the account's newest activity; returns the one that was the newest before. */
export function linkActivity({ accounts }: Tables, account: number, entry: number): number {
  const previous = accounts.lastActivity.get(account)
  accounts.lastActivity.set(account, entry)
  return previous
}

/** Brings a list up to date with the rows added since it was last read. */
function synchronised(list: RowList, newest: number, previousOf: (row: number) => number): RowList {
  const known = list.count === 0 ? none : list.at(list.count - 1)
  const added: number[] = []
  for (let row = newest; row !== known; row = previousOf(row)) added.push(row)
  for (const row of added.reverse()) list.push(row)
  return list
}

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
