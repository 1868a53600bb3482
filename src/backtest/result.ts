import type { Metrics } from '../metrics/metrics.ts'

/*
 * What a run leaves behind: plain JSON data, the same bytes for the same run on every machine. Times are milliseconds
 * since 1970, money USD, quantities units of the asset; every number is the nearest double of the exact decimal.
 */

export const resultFormat = 'otcsim-backtest'
export const resultVersion = 1

export interface BacktestResult {
  readonly format: typeof resultFormat
  readonly version: typeof resultVersion
  readonly strategy: string
  readonly parameters: ParameterValues
  readonly source: DataSource
  readonly seed: string
  readonly account: string
  readonly fromMillis: number
  readonly toMillis: number
  readonly tickMillis: number
  readonly latency: LatencySummary
  /** Of the venue's state at the end; null where it cannot be asked, as at a service that is no simulator. */
  readonly digest: string | null
  /** Commands that the venue has carried out or refused; null where it cannot be asked. */
  readonly sequence: number | null
  readonly metrics: Metrics
  readonly equity: EquityGrid
  readonly fills: readonly FillRecord[]
  readonly orders: readonly OrderRecord[]
  readonly quotes: readonly QuoteRecord[]
  /** By how often, then by reason. */
  readonly rejects: readonly RejectCount[]
  /** How often each hook ran. */
  readonly calls: Readonly<Record<string, number>>
  /** What the strategy has noted by `context.note`, oldest first; the first thousand. */
  readonly notes: readonly NoteRecord[]
  /** Figures that the strategy has recorded by `context.record`, by name. */
  readonly series: Readonly<Record<string, RecordedSeries>>
}

export type ParameterValue = number | string | boolean
export type ParameterValues = Readonly<Record<string, ParameterValue>>

export interface DataSource {
  readonly kind: 'scenario' | 'data' | 'model' | 'live'
  /** The scenario's name, the recording's file, the model's kind, or where the service is. */
  readonly name: string
}

/** As texts: `5ms`, `normal(5ms, 2ms)`. */
export interface LatencySummary {
  readonly order: string
  readonly response: string
  readonly feed: string
}

/** The account on a fixed grid; the last point is the end of the run, on the grid or not. Columns of one length. */
export interface EquityGrid {
  readonly stepMillis: number
  readonly atMillis: readonly number[]
  /** Cash and positions at the mark. */
  readonly equity: readonly number[]
  /** Deposits less withdrawals since the point before, at their value when they moved; 0 at the first. */
  readonly flow: readonly number[]
  readonly cash: readonly number[]
  readonly assets: readonly AssetColumns[]
}

export interface AssetColumns {
  readonly asset: string
  /** The mark. */
  readonly price: readonly number[]
  /** Signed. */
  readonly position: readonly number[]
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
  /** What the fill realised against the position's average cost, fees apart. */
  readonly realized: number
  /** Null where the service does not tell. */
  readonly isMaker: boolean | null
  /** The mark when the order arrived, at the fill, and after each of `markoutMillis`; null beyond the end. */
  readonly arrivalMid: number | null
  readonly mid: number | null
  readonly midAfter: readonly (number | null)[]
  readonly cause: FillCause | null
}

/** What made a fill happen. */
export interface FillCause {
  /**
   * The other side: a level of the venue's ladder that we took, an order of another account, a synthetic taker that
   * hit us, the venue's ladder that moved through our price, or an order of the control plane.
   */
  readonly kind: 'level' | 'order' | 'flow' | 'ladder' | 'forced'
  /** Price of the level or order that was hit: ours when we were the maker. */
  readonly price: number
  /** The other account's order, where there is one. */
  readonly orderId: string | null
  readonly account: string | null
  /** Number and kind of the command during which it happened: our own, or an advance of time. */
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
  /** When the strategy decided: before the order travelled. */
  readonly decidedAtMillis: number
  readonly decisionMid: number | null
  readonly createdAtMillis: number
  readonly arrivalMid: number | null
  readonly updatedAtMillis: number
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

export interface RejectCount {
  /** The error type of the interface (`RISK_LIMIT_EXCEEDED`), else the status code as text. */
  readonly reason: string
  readonly statusCode: number
  readonly message: string
  readonly count: number
}

export interface NoteRecord {
  readonly atMillis: number
  readonly text: string
}

export interface RecordedSeries {
  readonly atMillis: readonly number[]
  readonly values: readonly number[]
}
