import { assert } from '../numeric/assert.ts'

/*
 * The engine's enumerations. They are numbers because they are stored in byte columns and hashed with events; each list
 * of names has the wire's words in the order of the codes.
 */

export type Side = 0 | 1
export const buy: Side = 0
export const sell: Side = 1
export const sideNames = ['buy', 'sell'] as const
export const oppositeOf = (side: Side): Side => (side === buy ? sell : buy)

export type OrderType = 0 | 1
export const limit: OrderType = 0
export const market: OrderType = 1
export const orderTypeNames = ['limit', 'market'] as const

export type TimeInForce = 0 | 1 | 2
export const goodTillCancelled: TimeInForce = 0
export const immediateOrCancel: TimeInForce = 1
export const fillOrKill: TimeInForce = 2
export const timeInForceNames = ['GTC', 'IOC', 'FOK'] as const
export const timesInForce: { readonly [Name in (typeof timeInForceNames)[number]]: TimeInForce } = {
  GTC: goodTillCancelled,
  IOC: immediateOrCancel,
  FOK: fillOrKill,
}
export const canRest = (type: number, timeInForce: number): boolean =>
  type === limit && timeInForce === goodTillCancelled

/** The status of an order or of a quote leg; one of `filled` or above is terminal. */
export type OrderStatus = 0 | 1 | 2 | 3 | 4 | 5
export const statusOpen: OrderStatus = 0
export const statusPartiallyFilled: OrderStatus = 1
export const statusFilled: OrderStatus = 2
export const statusCancelled: OrderStatus = 3
export const statusRejected: OrderStatus = 4
export const statusExpired: OrderStatus = 5
export const orderStatusNames = [
  'open',
  'partially_filled',
  'filled',
  'cancelled',
  'rejected',
  'expired',
] as const
export const isTerminal = (status: number): boolean => status >= statusFilled

export type QuoteStatus = 0 | 1 | 2 | 3 | 4
export const quoteActive: QuoteStatus = 0
export const quotePartiallyFilled: QuoteStatus = 1
export const quoteFilled: QuoteStatus = 2
export const quoteCancelled: QuoteStatus = 3
export const quoteExpired: QuoteStatus = 4
export const isLiveQuote = (status: number): boolean => status < quoteFilled
export const quoteStatusNames = ['active', 'partially_filled', 'filled', 'cancelled', 'expired'] as const

/** The kind of a row of the order table: an order of its own, or one leg of a two-sided quote. */
export type RowKind = 0 | 1
export const kindOrder: RowKind = 0
export const kindQuoteLeg: RowKind = 1

export type TransferKind = 0 | 1
export const transferDeposit: TransferKind = 0
export const transferWithdrawal: TransferKind = 1

/** The taker that acts for the venue: ordinary flow, informed flow, a sniper, the ladder, or an admin's fill. */
export type VenueTaker = 'flow' | 'informed' | 'sniper' | 'ladder' | 'forced'

export const selfTradeModes = ['cancel_taker', 'cancel_maker', 'cancel_both', 'allow'] as const
export type SelfTradeMode = (typeof selfTradeModes)[number]

/*
 * Row numbers of the engine's tables. A brand keeps the row of one table, a price and a quantity from being passed for
 * one another. It exists for the compiler alone: a row is a small integer, and the functions below return what they get.
 * Commands carry bare numbers, which become rows once they have been checked.
 */

declare const table: unique symbol
type Row<Table extends string> = number & { readonly [table]: Table }

export type AccountRow = Row<'accounts'>
/** A row of the assets: 0 is cash, the traded ones follow. */
export type AssetRow = Row<'assets'>
/** A row of the order table: an order of its own, or a leg of a quote. */
export type OrderRow = Row<'orders'>
export type QuoteRow = Row<'quotes'>
export type FillRow = Row<'fills'>
/** A row of the holdings: what one account has of one asset. */
export type HoldingRow = Row<'holdings'>

/** What look-ups of readers take: a bare number or a row of this table, but no row of another. */
type AnyRow<Table extends string> = number & { readonly [table]?: Table }
export type AnyAccountRow = AnyRow<'accounts'>
export type AnyAssetRow = AnyRow<'assets'>
export type AnyOrderRow = AnyRow<'orders'>
export type AnyQuoteRow = AnyRow<'quotes'>

export const accountRow = (row: number): AccountRow => row as AccountRow
export const assetRow = (row: number): AssetRow => row as AssetRow
export const orderRow = (row: number): OrderRow => row as OrderRow
export const quoteRow = (row: number): QuoteRow => row as QuoteRow
export const fillRow = (row: number): FillRow => row as FillRow
export const holdingRow = (row: number): HoldingRow => row as HoldingRow

/** The row of USD in every per-asset table; traded assets follow in the order of the configuration. */
export const cash = assetRow(0)
/** Accounts that are not clients: the outside world, the venue's own inventory, and its fee income. */
export const externalAccount = accountRow(0)
export const houseAccount = accountRow(1)
export const feeAccount = accountRow(2)
export const firstClientAccount = 3
/** The value that stands for "no row" in every column of rows. */
export const none = -1
export type NoRow = typeof none

export function wordForCode<Name>(names: readonly Name[], code: number): Name {
  const name = names[code]
  assert(name !== undefined, 'every code has a name')
  return name
}
