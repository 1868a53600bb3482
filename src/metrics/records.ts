import { toDoubles } from './samples.ts'

/*
 * What an account did, as plain data, from which its figures are computed. Times are milliseconds since 1970, money is in
 * USD, and quantities are in units of the asset. Every number is the double nearest to the exact decimal.
 */

/** The horizons of markouts: how long after every fill the mid is recorded again. */
export const markoutMillis = [0, 1_000, 5_000, 30_000, 60_000, 300_000, 3_600_000] as const

/**
 * The account on a time grid. Each point is taken before what a strategy does at its instant. The last point is the end of
 * the run, on the grid or not, after everything.
 */
export interface EquityGrid<Column = readonly number[]> extends AccountColumns<Column> {
  readonly stepMillis: number
  /**
   * The account at the midnights (UTC) that the grid does not have, from which daily returns are computed; left out if there
   * are none.
   */
  readonly midnights?: AccountColumns<Column>
}

/** The account at instants, oldest first. All columns have equal lengths. */
export interface AccountColumns<Column = readonly number[]> {
  readonly atMillis: Column
  /** The value of cash and positions at the marks, in USD. */
  readonly equity: Column
  /** Deposits less withdrawals since the previous point, at their USD value when they were made; 0 at the first point. */
  readonly flow: Column
  readonly cash: Column
  readonly assets: readonly AssetColumns<Column>[]
}

/** One asset on the time grid of an account. */
export interface AssetColumns<Column = readonly number[]> {
  readonly asset: string
  /** The mark price in USD at each point. */
  readonly price: Column
  /** The signed position, in units of the asset. */
  readonly position: Column
}

/** One asset on the time grid of an account, as lists or as typed arrays. */
export type AnyColumns = AssetColumns<readonly number[] | Float64Array>

/** The account on a time grid, as lists, which are plain data, or as typed arrays, which are faster to sum. */
export type AnyGrid = EquityGrid<readonly number[] | Float64Array>

/** Converts the columns of a grid to typed arrays. */
export const toTypedGrid = (grid: AnyGrid): EquityGrid<Float64Array> => convertGrid(grid, toDoubles)

/** Converts each column of a grid to another form. */
export function convertGrid<From, To>(
  { stepMillis, midnights, ...columns }: EquityGrid<From>,
  convert: (column: From) => To,
): EquityGrid<To> {
  return {
    stepMillis,
    ...convertColumns(columns, convert),
    ...(midnights === undefined ? {} : { midnights: convertColumns(midnights, convert) }),
  }
}

function convertColumns<From, To>(
  { assets, atMillis, cash, equity, flow }: AccountColumns<From>,
  convert: (column: From) => To,
): AccountColumns<To> {
  return {
    atMillis: convert(atMillis),
    equity: convert(equity),
    flow: convert(flow),
    cash: convert(cash),
    assets: assets.map(({ asset, position, price }) => ({
      asset,
      price: convert(price),
      position: convert(position),
    })),
  }
}

/** One fill of the account. */
export interface FillRecord {
  readonly fillId: string
  readonly orderId: string | null
  readonly quoteId: string | null
  readonly atMillis: number
  readonly asset: string
  readonly side: 'buy' | 'sell'
  readonly price: number
  readonly quantity: number
  readonly value: number
  readonly fee: number
  readonly feeCurrency: string
  /** The fee in USD at the fill's price; negative for a rebate. */
  readonly feeUsd: number
  /**
   * The profit that the fill realised against the position's average cost, without fees in USD. As in the ledger, a fee in
   * the asset itself leaves less of it at the same cost.
   */
  readonly realized: number
  /** Whether the account was the maker; null if the service does not say. */
  readonly isMaker: boolean | null
  /** The mark when the order arrived; null for a fill of a quote, or if it is not known. */
  readonly arrivalMid: number | null
  /** The mark just before the fill; null if it is not known. */
  readonly mid: number | null
  /** The marks after each of `markoutMillis`; null beyond the end of the run. */
  readonly midAfter: readonly (number | null)[]
  /** What the whole market had traded of the asset since the run began and before the fill; null if it is not known. */
  readonly tradedBefore: { readonly quantity: number; readonly value: number } | null
  readonly cause: FillCause | null
}

/** Records that are read one after the other, oldest first: a list, or something that makes each one when it is read. */
export interface Records<Row> extends Iterable<Row> {
  readonly length: number
}

/** A deposit, or a withdrawal if quantity and value are negative, at the instant at which it changed the account's total. */
export interface TransferRecord {
  readonly atMillis: number
  /** The asset that moved, which may be USD. */
  readonly asset: string
  readonly quantity: number
  /** The value in USD at the mark of that instant. */
  readonly value: number
}

/** Merges fills and transfers in the order of time. A transfer comes before the fills of its instant. */
export function mergeChanges(
  fills: readonly FillRecord[],
  transfers: readonly TransferRecord[],
): readonly (FillRecord | TransferRecord)[] {
  return transfers.length === 0
    ? fills
    : [...transfers, ...fills].sort((left, right) => left.atMillis - right.atMillis)
}

/** Computes what a change added to the holding of its asset. A fee in the asset itself is subtracted from a purchase. */
export function computeReceived(change: FillRecord | TransferRecord): number {
  if (!('side' in change)) return change.quantity
  if (change.side === 'sell') return -change.quantity
  return change.feeCurrency === change.asset ? change.quantity - change.fee : change.quantity
}

/** What made a fill happen. */
export interface FillCause {
  /**
   * The other side: a level of the venue's ladder that we took, or another account's order; where we rested: a
   * synthetic taker, an informed one, one who looked for stale prices, the venue's ladder moving through our price,
   * or the admin API.
   */
  readonly kind: 'level' | 'order' | 'flow' | 'informed' | 'sniper' | 'ladder' | 'forced'
  /** The price of the level or order that was hit, which is ours if we were the maker. */
  readonly price: number
  /** The other account's order; null if there is none. */
  readonly orderId: string | null
  readonly account: string | null
  /** The number of the command during which the fill happened: one of ours, or an advance of time. */
  readonly sequence: number
  /** The kind of that command. */
  readonly command: string
  /** Why a recorded book filled the order; left out for every other fill. */
  readonly book?: BookCause
}

/**
 * Why a recorded book filled a resting order, and what stood ahead of it: `joinedBehind` is the sum of `takenByTrades` and
 * `leftByLaw`. Quantities are in units of the asset, the price is USD.
 */
export interface BookCause {
  /** A trade at the order's price came to its turn, a trade went through the price, or the other side came to it. */
  readonly kind: 'turn' | 'through' | 'crossing'
  readonly law: string
  readonly joinedBehind: number
  readonly takenByTrades: number
  readonly leftByLaw: number
  /** The number of the recording's row, counted from 0, with its instant, its price and its quantity. */
  readonly row: number
  readonly rowAtMillis: number
  readonly rowPrice: number
  readonly rowQuantity: number
  /** Where the row stands; null where that is not known. */
  readonly file: string | null
  readonly line: number | null
  /** All of this in words. */
  readonly text: string
}

/** One order of the account, as it stood at the end. */
export interface OrderRecord {
  readonly orderId: string
  readonly clientOrderId: string | null
  readonly asset: string
  readonly side: 'buy' | 'sell'
  readonly type: 'limit' | 'market'
  readonly timeInForce: string
  /** The limit price; null for a market order. */
  readonly price: number | null
  readonly quantity: number
  readonly filledQuantity: number
  readonly averagePrice: number | null
  readonly status: string
  /** When the strategy decided, before the order was sent over the network. */
  readonly decidedAtMillis: number
  readonly decisionMid: number | null
  readonly createdAtMillis: number
  readonly arrivalMid: number | null
  readonly updatedAtMillis: number
}

/** Returns whether the part of an order that was not filled at once stayed in the book. */
export function canRest({ type, timeInForce }: OrderRecord): boolean {
  return type === 'limit' && timeInForce === 'GTC'
}

/** One two-sided quote of the account, as it stood at the end. */
export interface QuoteRecord {
  readonly quoteId: string
  readonly clientQuoteId: string | null
  readonly asset: string
  readonly bidPrice: number
  readonly askPrice: number
  readonly bidSize: number
  readonly askSize: number
  readonly bidFilled: number
  readonly askFilled: number
  readonly status: string
  readonly createdAtMillis: number
  readonly updatedAtMillis: number
}

/** How an account's own orders stood in the book, summed over time. */
export interface QuotingTally {
  readonly observedMillis: number
  /** The time with a bid and an ask that were each within so many basis points of the mid. */
  readonly twoSided: readonly { readonly withinBps: number; readonly millis: number }[]
  /** The time at the best price of the book, on at least one side. */
  readonly atTouchMillis: number
}
