import type { Metrics } from '../metrics/metrics.ts'
import type { EquityGrid, FillRecord, OrderRecord, QuoteRecord, TransferRecord } from '../metrics/records.ts'

/*
 * The result of a run: plain JSON data, the same bytes for the same run on every machine. Times are milliseconds
 * since 1970, money USD, quantities units of the asset; every number is the nearest double of the exact decimal.
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
  /** How many bars the strategy had before `fromMillis`; left out where it had none. */
  readonly warmUpBars?: number
  readonly latency: LatencySummary
  /**
   * The digest of the venue's state at the end; null where it is not available, as with a service that is no
   * simulator.
   */
  readonly digest: string | null
  /** The number of commands that the venue has carried out or refused; null where it is not available. */
  readonly sequence: number | null
  readonly metrics: Metrics
  readonly equity: EquityGrid<Column>
  readonly fills: readonly FillRecord[]
  readonly orders: readonly OrderRecord[]
  readonly quotes: readonly QuoteRecord[]
  /** Deposits and withdrawals during the run, oldest first; none over HTTP. */
  readonly transfers: readonly TransferRecord[]
  /** The most frequent first, then by reason. */
  readonly rejects: readonly RejectCount[]
  readonly calls: Readonly<Record<string, number>>
  /** The notes of the strategy (`context.note`), oldest first; the first thousand. */
  readonly notes: readonly NoteRecord[]
  /** The series of the strategy (`context.record`), by name. */
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

export interface RejectCount {
  /** The error type of the interface (`RISK_LIMIT_EXCEEDED`), else the status code as text. */
  readonly reason: string
  readonly statusCode: number
  /** The message of the first one; the others differ in amounts. */
  readonly message: string
  readonly count: number
}

export interface NoteRecord {
  readonly atMillis: number
  readonly text: string
}

export interface RecordedSeries {
  readonly atMillis: readonly number[]
  /** Null where what was recorded is not finite. */
  readonly values: readonly (number | null)[]
}
