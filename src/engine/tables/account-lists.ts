import { none } from '../codes.ts'
import type { RowList } from './row-list.ts'
import type { Tables } from './tables.ts'

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
