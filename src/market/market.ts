import type { Arrival } from './flow/flow-spec.ts'
import type { ModelChange } from './market-spec.ts'
import type { PrintTable } from './recordings/print-table.ts'
import type { ScriptedPath } from './scripted-path.ts'

/**
 * The exogenous market: what the rest of the world does, independent of trades at this venue.
 *
 * Everything in it is a pure function of (seed, specification, asset, time). No request, order or read can
 * shift a draw, so a market has no state to save: its caches only hold what can be computed again.
 *
 * Time counts from the clock's start: grid index k is the instant `startMillis + k * gridMillis`, minute m is
 * the span (startMillis + m * 60_000, startMillis + (m + 1) * 60_000]. Both may be negative: that is the
 * history before the start. Prices are USD per unit as plain doubles; the engine rounds them to ticks.
 */
export interface Market {
  readonly startMillis: number
  readonly gridMillis: number
  /**
   * How far behind the newest requested price others are still cached and cost next to nothing, milliseconds.
   */
  readonly cachedMillis: number
  /*
   * Methods that take a `change` answer for the model of that change, as if it had always been the asset's;
   * without one, for the asset's own model. Callers pass the change that is in force among the asset's
   * overrides.
   */

  /**
   * Returns the fundamental price at a grid index that is not before the change, USD: positive, finite, and
   * with the same bits for any order of calls.
   */
  fundamentalAt(asset: number, gridIndex: number, change?: ModelChange | null): number
  /**
   * Writes the prices of the asset's own model at `count` indices, `step` apart, to the beginning of `prices`.
   */
  writeFundamentals(
    asset: number,
    indices: { readonly first: number; readonly step: number; readonly count: number },
    prices: Float64Array,
  ): void
  /**
   * Returns the volatility at the start of a minute relative to the long run's, seasons of day and week
   * included; 1 for models whose volatility never changes. For recordings it is measured over the minutes
   * before. Nothing later is read.
   */
  activityAt(asset: number, minute: number, change?: ModelChange | null): number
  /** Returns what the rest of the world trades in a minute, USD; null for models that have no volume. */
  volumeUsdIn(asset: number, minute: number, change?: ModelChange | null): number | null
  /** Returns the price of a scripted path within its span, USD. The asset's model plays no part in it. */
  scriptedPriceAt(asset: number, path: ScriptedPath, gridIndex: number): number
  /** Returns whether the recording has no data at a grid index and its gap policy is `halt`. */
  isHaltedAt(asset: number, gridIndex: number, change?: ModelChange | null): boolean
  /** Returns whether `isHaltedAt` can be true at any instant. */
  canHalt(asset: number, change?: ModelChange | null): boolean
  /**
   * Returns the recorded trades after one grid index and up to another, oldest first; none for generated
   * models. The table is reused by the next call for this asset.
   */
  recordedPrints(
    asset: number,
    afterIndex: number,
    lastIndex: number,
    change?: ModelChange | null,
  ): PrintTable
  /** Returns the orders of synthetic takers of one minute, by time. */
  arrivalsInMinute(asset: number, minute: number, change?: ModelChange | null): readonly Arrival[]
  /** Returns the close of a minute, USD, without the cost of computing its volume. */
  minuteClose(asset: number, minute: number): number
  /** Returns one minute of the path with its volume, for the statistics before the start (minute < 0). */
  minuteBar(asset: number, minute: number): MinuteBar
}

/** Prices (USD) and volume of one minute. */
export interface MinuteBar {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** Value in USD of the recording's trades, or of what the synthetic takers wanted to trade. */
  readonly volumeUsd: number
  readonly trades: number
}
