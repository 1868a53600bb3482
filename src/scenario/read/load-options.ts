import type { Candle } from '../../market/recordings/candle.ts'
import type { ReadInclude } from './include.ts'

export interface LoadOptions {
  /** Values for the scenario's own `params`. */
  readonly params?: ReadonlyMap<string, string>
  /** Replaces the scenario's seed. */
  readonly seed?: string
  /**
   * Reads a recording for the replay model. The name is as written: relative to the scenario's file, or to the
   * caller's directory when `isParameter`. Without a reader, recordings are refused.
   */
  readonly readCandles?: (name: string, isParameter: boolean) => CandleAnswer
  /** Accounts that were opened since the start, whose rows follow those of the scenario's own. */
  readonly laterAccounts?: readonly string[]
  /** Reads the files that `include` names. Without a reader, they are refused. */
  readonly readInclude?: ReadInclude
}

export type CandleAnswer =
  | { readonly ok: true; readonly candles: readonly Candle[] }
  | { readonly ok: false; readonly reason: string }
