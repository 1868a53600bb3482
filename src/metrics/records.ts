import { toDoubles } from './samples.ts'

/*
 * What an account did, as plain data: its figures are computed from this. Times are milliseconds since 1970, money
 * USD, quantities units of the asset; every number is the nearest double of the exact decimal.
 */

/** The mid is looked at again this long after every fill. */
export const markoutMillis = [0, 1_000, 5_000, 30_000, 60_000, 300_000, 3_600_000] as const

/**
 * The account on a fixed grid, each point before what a strategy does at its instant; the last point is the end of
 * the run, on the grid or not, after everything. All columns have the same length.
 */
export interface EquityGrid<Column = readonly number[]> {
  readonly stepMillis: number
  readonly atMillis: Column
  /** The value of cash and positions at the mark. */
  readonly equity: Column
  /** Deposits less withdrawals since the point before, at their value when they moved; 0 at the first point. */
  readonly flow: Column
  readonly cash: Column
  readonly assets: readonly AssetColumns<Column>[]
}

export interface AssetColumns<Column = readonly number[]> {
  readonly asset: string
  /** The mark. */
  readonly price: Column
  /** Signed. */
  readonly position: Column
}

export type AnyColumns = AssetColumns<readonly number[] | Float64Array>

/** The grid as lists, which is data, or as doubles side by side, which is faster to add up. */
export type AnyGrid = EquityGrid<readonly number[] | Float64Array>

export function toTypedGrid({
  assets,
  atMillis,
  cash,
  equity,
  flow,
  stepMillis,
}: AnyGrid): EquityGrid<Float64Array> {
  return {
    stepMillis,
    atMillis: toDoubles(atMillis),
    equity: toDoubles(equity),
    flow: toDoubles(flow),
    cash: toDoubles(cash),
    assets: assets.map(({ asset, position, price }) => ({
      asset,
      price: toDoubles(price),
      position: toDoubles(position),
    })),
  }
}

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
   * What the fill realised against the position's average cost, without fees in USD; one in the asset itself leaves
   * less of it at the same cost, as in the ledger.
   */
  readonly realized: number
  /** Null where the service does not tell. */
  readonly isMaker: boolean | null
  /** The mark when the order arrived, at the fill, and after each of `markoutMillis`; null beyond the end. */
  readonly arrivalMid: number | null
  readonly mid: number | null
  readonly midAfter: readonly (number | null)[]
  /** What everybody had traded of the asset before it since the run began; null where the service does not tell. */
  readonly tradedBefore: { readonly quantity: number; readonly value: number } | null
  readonly cause: FillCause | null
}

/** A deposit, or with a negative quantity and value a withdrawal, when it changed the account's total. */
export interface TransferRecord {
  readonly atMillis: number
  /** USD included. */
  readonly asset: string
  readonly quantity: number
  /** USD, at the mark of that instant. */
  readonly value: number
}

/**
 * What changed an account's holdings, in order. What a script does at an instant comes before the fills of that
 * instant.
 */
export function mergeChanges(
  fills: readonly FillRecord[],
  transfers: readonly TransferRecord[],
): readonly (FillRecord | TransferRecord)[] {
  return transfers.length === 0
    ? fills
    : [...transfers, ...fills].sort((left, right) => left.atMillis - right.atMillis)
}

/** What it added to the holding of its asset, signed: a fee in the asset itself is taken from what was bought. */
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
  /** The price of the level or order that was hit: ours when we were the maker. */
  readonly price: number
  /** The other account's order, where there is one. */
  readonly orderId: string | null
  readonly account: string | null
  /** The number and kind of the command during which it happened: our own, or an advance of time. */
  readonly sequence: number
  readonly command: string
}

export interface OrderRecord {
  readonly orderId: string
  readonly clientOrderId: string | null
  readonly asset: string
  readonly side: 'buy' | 'sell'
  readonly type: 'limit' | 'market'
  readonly timeInForce: string
  /** Null for market orders. */
  readonly price: number | null
  readonly quantity: number
  readonly filledQuantity: number
  readonly averagePrice: number | null
  readonly status: string
  /** When the strategy decided, before the order travelled. */
  readonly decidedAtMillis: number
  readonly decisionMid: number | null
  readonly createdAtMillis: number
  readonly arrivalMid: number | null
  readonly updatedAtMillis: number
}

/** Whether what was not filled at once stayed in the book. */
export function canRest({ type, timeInForce }: OrderRecord): boolean {
  return type === 'limit' && timeInForce === 'GTC'
}

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

/** How an account's own orders stood in the book, added up over time. */
export interface QuotingTally {
  readonly observedMillis: number
  /** With a bid and an ask, each within this many basis points of the mid. */
  readonly twoSided: readonly { readonly withinBps: number; readonly millis: number }[]
  /** At the best price of the book, on one side at least. */
  readonly atTouchMillis: number
}
