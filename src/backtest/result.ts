import type { Metrics } from '../metrics/metrics.ts'
import type {
  EquityGrid,
  FillRecord,
  OrderRecord,
  QuoteRecord,
  Records,
  TransferRecord,
} from '../metrics/records.ts'

/*
 * The result of a run: plain JSON data, with the same bytes for the same run on every machine. Times are milliseconds
 * since 1970, money is USD, quantities are units of the asset; every number is the double nearest to the exact decimal.
 */

export const resultFormat = 'otcsim-backtest'
export const resultVersion = 1

export interface BacktestResult<Column = readonly number[]> {
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
  /** The number of bars that the strategy had before `fromMillis`; left out where it had none. */
  readonly warmUpBars?: number
  readonly latency: LatencySummary
  /** The digest of the venue's state at the end; null where the venue is not a simulator. */
  readonly digest: string | null
  /** The number of commands that the venue has carried out or refused; null where the venue is not a simulator. */
  readonly sequence: number | null
  readonly metrics: Metrics
  readonly equity: EquityGrid<Column>
  readonly fills: readonly FillRecord[]
  readonly orders: readonly OrderRecord[]
  readonly quotes: readonly QuoteRecord[]
  /** Deposits and withdrawals during the run, oldest first; none over HTTP. */
  readonly transfers: readonly TransferRecord[]
  /** Refused requests by reason, the most frequent first. */
  readonly rejects: readonly RejectCount[]
  readonly calls: Readonly<Record<string, number>>
  /** What the strategy has written with `context.note`, oldest first; at most the first thousand notes. */
  readonly notes: readonly NoteRecord[]
  /** The series that the strategy has written with `context.record`, by name. */
  readonly series: Readonly<Record<string, RecordedSeries>>
  /** How the strategy protected its positions, in the order of the calls; left out where it never did. */
  readonly exits?: readonly ExitRecord[]
  /** The touch of each recorded book and the places of own orders in it; left out where no book is recorded. */
  readonly books?: readonly RecordedTouch[]
}

/**
 * The result of a run whose orders and quotes may be made only when they are read: where a run sends hundreds of
 * thousands, their records take more memory than all else.
 */
export interface RunResult<Column = readonly number[]>
  extends Omit<BacktestResult<Column>, 'orders' | 'quotes'> {
  readonly orders: Records<OrderRecord>
  readonly quotes: Records<QuoteRecord>
}

/** Best prices of a recorded book over time, USD; null where a side was empty. */
export interface TouchSeries {
  readonly atMillis: readonly number[]
  readonly bid: readonly (number | null)[]
  readonly ask: readonly (number | null)[]
}

/** The account's best orders at observations, and what stood ahead of them, in units; null where none rested. */
export interface OwnPlaces extends TouchSeries {
  readonly bidAhead: readonly (number | null)[]
  readonly askAhead: readonly (number | null)[]
}

/** What a recorded book showed, and where the account stood in it. Both are thinned to some thousand points. */
export interface RecordedTouch {
  readonly asset: string
  readonly touch: TouchSeries
  readonly own: OwnPlaces
}

/** Why a position was no longer protected: a level was reached, it was flat, or the strategy said so. */
export type ExitEnd = 'stop' | 'takeProfit' | 'trail' | 'flat' | 'replaced' | 'cleared'

/** One call of `venue.protect`, and what came of it. */
export interface ExitRecord {
  readonly asset: string
  readonly fromMillis: number
  /** When the protection ended; null where it stood at the end of the run. */
  readonly toMillis: number | null
  readonly end: ExitEnd | null
  /** The price of the stop, in USD; null without one. */
  readonly stop: number | null
  /** The price of the take-profit, in USD; null without one. */
  readonly takeProfit: number | null
  /** Where the trailing stop stood from each instant on, in USD; null without one. */
  readonly trail: { readonly atMillis: number[]; readonly levels: number[] } | null
  /** The orders that closed the position; none unless a level was reached. */
  readonly orderIds: readonly string[]
}

export type ParameterValue = number | string | boolean
export type ParameterValues = Readonly<Record<string, ParameterValue>>

export interface DataSource {
  readonly kind: 'scenario' | 'data' | 'model' | 'live'
  /** The name of the scenario, the file of the recording, the kind of the model, or the address of the service. */
  readonly name: string
}

/** The delays of a run as texts, such as `5ms` or `normal(5ms, 2ms)`. */
export interface LatencySummary {
  readonly order: string
  readonly response: string
  readonly feed: string
}

export interface RejectCount {
  /** The error type of the interface (`RISK_LIMIT_EXCEEDED`), else the status code as text. */
  readonly reason: string
  readonly statusCode: number
  /** The message of the first refusal; later ones differ in their amounts only. */
  readonly message: string
  readonly count: number
}

export interface NoteRecord {
  readonly atMillis: number
  readonly text: string
}

export interface RecordedSeries {
  readonly atMillis: readonly number[]
  /** The recorded values; null for one that is not finite. */
  readonly values: readonly (number | null)[]
}
