import type { ScriptedPath } from './path-override.ts'

/*
 * The exogenous market: what the rest of the world does, whoever trades here.
 *
 * Everything in this room is a pure function of (seed, specification, asset, time). No request, order or read can
 * shift a draw, so a market has no state to save: the caches inside are only a memory of what was computed before.
 *
 * Time is counted from the clock's start: grid index k is the instant `startMillis + k * gridMillis`, minute m is
 * the span (startMillis + m * 60_000, startMillis + (m + 1) * 60_000]. Both may be negative: that is the history
 * before the start. Prices are USD a unit as plain doubles; the engine rounds them to ticks.
 */

export interface MarketSpec {
  readonly seed: string
  readonly startMillis: number
  readonly gridMillis: number
  readonly assets: readonly AssetMarketSpec[]
}

export interface AssetMarketSpec {
  readonly symbol: string
  /** USD at grid index 0, before any model moves it. A replay has its recording's instead. */
  readonly price: number
  readonly model: ModelSpec
  readonly flow: FlowSpec
}

export type ModelSpec = ConstantSpec | WaypointsSpec | GbmSpec | OuSpec | ReplaySpec

export interface ConstantSpec {
  readonly kind: 'constant'
}

/** Log-linear between the points, with Brownian-bridge noise that hits each point exactly. */
export interface WaypointsSpec {
  readonly kind: 'waypoints'
  readonly points: readonly Waypoint[]
  /** Annual volatility of the bridge noise; 0.8 is 80 %, 0 is a pure line. */
  readonly noiseVol: number
}

export interface Waypoint {
  /** After the path's first instant. */
  readonly offsetMillis: number
  /** USD a unit. */
  readonly price: number
}

/** Geometric Brownian motion; both figures a year of 365 days. */
export interface GbmSpec {
  readonly kind: 'gbm'
  readonly vol: number
  readonly drift: number
}

/** Ornstein-Uhlenbeck on the logarithm of the price, about `mean`. */
export interface OuSpec {
  readonly kind: 'ou'
  /** USD a unit. */
  readonly mean: number
  readonly halfLifeMillis: number
  /** Standard deviation of the logarithm in the long run; 0.0004 is 4 basis points. */
  readonly stationarySd: number
}

/** Recorded candles, walked open, low, high, close (rising) or open, high, low, close (falling). */
export interface ReplaySpec {
  readonly kind: 'replay'
  readonly candles: readonly Candle[]
  readonly gaps: 'hold' | 'interpolate' | 'halt'
  /** Annual volatility of the bridge noise between the four prices, clipped to [low, high]. */
  readonly noiseVol: number
}

export interface Candle {
  /** The candle's first instant, since 1970. */
  readonly atMillis: number
  readonly spanMillis: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** In units of the asset. */
  readonly volume: number
}

/** Synthetic takers. Rates a minute; order values in USD, log-normal. */
export type FlowSpec = { readonly kind: 'none' } | PoissonFlowSpec

export interface PoissonFlowSpec {
  readonly kind: 'poisson'
  readonly ratePerMinute: number
  readonly medianUsd: number
  /** Standard deviation of the logarithm of the value. */
  readonly sizeSd: number
}

export interface Market {
  readonly startMillis: number
  readonly gridMillis: number
  /** The asset's fundamental price at a grid index; positive and finite, the same bits for any order of calls. */
  fundamentalAt(asset: number, gridIndex: number): number
  /** The price of a scripted path within its span; the model plays no part in it. */
  scriptedPriceAt(asset: number, path: ScriptedPath, gridIndex: number): number
  /** Whether the recording has no data there and its gap policy is `halt`. */
  isHaltedAt(asset: number, gridIndex: number): boolean
  /** Trades of the recording that happened in (k - 1, k], oldest first; empty for generated models. */
  recordedPrints(asset: number, gridIndex: number): readonly Print[]
  /** The synthetic taker orders of one minute, by time. */
  arrivalsInMinute(asset: number, minute: number): readonly Arrival[]
  /** One minute of the path with its flow's volume, for the statistics before the start (minute < 0). */
  minuteBar(asset: number, minute: number): MinuteBar
}

export interface Print {
  readonly price: number
  /** In units of the asset. */
  readonly quantity: number
}

export interface Arrival {
  /** Since the minute's first instant, in (0, 60_000]. */
  readonly offsetMillis: number
  readonly side: 'buy' | 'sell'
  /** The value that the taker wants to trade, USD. */
  readonly valueUsd: number
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
