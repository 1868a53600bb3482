import type { Arrival } from './flow/flow-spec.ts'
import type { ModelSwitch } from './market-spec.ts'
import type { PrintTable } from './recordings/print-table.ts'
import type { ScriptedPath } from './scripted-path.ts'

/*
 * The exogenous market: what the rest of the world does, independent of trades here.
 *
 * Everything in this room is a pure function of (seed, specification, asset, time). No request, order or read can
 * shift a draw, so a market has no state to save: its caches only remember what was computed before.
 *
 * Time counts from the clock's start: grid index k is the instant `startMillis + k * gridMillis`, minute m is the
 * span (startMillis + m * 60_000, startMillis + (m + 1) * 60_000]. Both may be negative: that is the history before
 * the start. Prices are USD per unit as plain doubles; the engine rounds them to ticks.
 */
export interface Market {
  readonly startMillis: number
  readonly gridMillis: number
  /** Prices no further behind the newest requested one than this cost next to nothing. */
  readonly rememberedMillis: number
  /*
   * Where a switch can be named, it is the one of the asset's overrides that is in force: the answer is that of the
   * model it switched to, as if that had always been the asset's; without one, that of the asset's own model.
   */

  /**
   * The asset's fundamental price at a grid index (not before the switch); positive and finite, the same bits for any
   * order of calls.
   */
  fundamentalAt(asset: number, gridIndex: number, to?: ModelSwitch | null): number
  /** Writes the prices of the asset's own model at `count` indices, `step` apart, to the beginning of `prices`. */
  writeFundamentals(
    asset: number,
    indices: { readonly first: number; readonly step: number; readonly count: number },
    prices: Float64Array,
  ): void
  /**
   * The current volatility relative to the long run's, season and weekend included, at the start of a minute: 1 for
   * models whose volatility never changes. For recordings it is that of the half hour before. Nothing later is looked
   * at.
   */
  activityAt(asset: number, minute: number, to?: ModelSwitch | null): number
  /** What the rest of the world trades in a minute, USD; null for models that do not say. */
  volumeUsdIn(asset: number, minute: number, to?: ModelSwitch | null): number | null
  /** The price of a scripted path within its span; the model plays no part in it. */
  scriptedPriceAt(asset: number, path: ScriptedPath, gridIndex: number): number
  /** Whether the recording has no data there and its gap policy is `halt`. */
  isHaltedAt(asset: number, gridIndex: number, to?: ModelSwitch | null): boolean
  /** Whether `isHaltedAt` may be true anywhere. */
  halts(asset: number, to?: ModelSwitch | null): boolean
  /**
   * Trades of the recording after one grid index and up to another, oldest first; none for generated models. They stay
   * until the next call for this asset.
   */
  recordedPrints(asset: number, afterIndex: number, lastIndex: number, to?: ModelSwitch | null): PrintTable
  /** The synthetic taker orders of one minute, by time. */
  arrivalsInMinute(asset: number, minute: number, to?: ModelSwitch | null): readonly Arrival[]
  /** The close of `minuteBar` alone, without the cost of its volume. */
  minuteClose(asset: number, minute: number): number
  /** One minute of the path with its flow's volume, for the statistics before the start (minute < 0). */
  minuteBar(asset: number, minute: number): MinuteBar
}

export interface MinuteBar {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** What the synthetic takers wanted to trade, or the recording's prints. */
  readonly volumeUsd: number
  readonly trades: number
}
