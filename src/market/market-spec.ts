import type { FlowSpec } from './flow-spec.ts'
import type { Waypoint } from './scripted-path.ts'

/* What a market is made of, as plain data: its assets, their models and takers, and what was recorded. */

export interface MarketSpec {
  readonly seed: string
  readonly startMillis: number
  readonly gridMillis: number
  readonly assets: readonly AssetMarketSpec[]
  /** How the noises of models with a Brownian motion of their own move together; without it they are independent. */
  readonly correlation?: CorrelationSpec
}

/**
 * A symmetric, positive definite matrix with ones on its diagonal, for the assets of these symbols. It holds for gbm,
 * merton, heston, garch, regimes and hawkes; `market` has its own factors, and the others no noise in common.
 */
export interface CorrelationSpec {
  readonly symbols: readonly string[]
  readonly matrix: readonly (readonly number[])[]
}

export interface AssetMarketSpec {
  readonly symbol: string
  /** USD at grid index 0, before any model moves it. A replay has its recording's instead. */
  readonly price: number
  readonly model: ModelSpec
  readonly flow: FlowSpec
  /** Recordings that the price may be switched to; other models come with the switch. */
  readonly recordings?: readonly RecordedModelSpec[]
}

/** Models made of recorded data, which is large. */
export type RecordedModelSpec = BootstrapSpec | ReplaySpec | TradeReplaySpec

export type ModelSpec =
  | ConstantSpec
  | WaypointsSpec
  | GbmSpec
  | OuSpec
  | MertonSpec
  | HestonSpec
  | GarchSpec
  | RegimesSpec
  | HawkesSpec
  | BootstrapSpec
  | ReplaySpec
  | TradeReplaySpec
  | MarketModelSpec

/**
 * From a grid index on, the price moves as another model does: along that model's path, multiplied so that it continues
 * from where the price was. Plain data, which the engine keeps among the overrides of an asset.
 */
export interface ModelSwitch {
  readonly kind: 'switch'
  readonly fromIndex: number
  /** USD at that index. */
  readonly price: number
  readonly model: SwitchModel
}

/** A model of few parameters as it is; a recording by its place among the asset's. */
export type SwitchModel = GeneratedModelSpec | RecordedModel

export type GeneratedModelSpec = Exclude<ModelSpec, WaypointsSpec | RecordedModelSpec>

export interface RecordedModel {
  readonly kind: 'recorded'
  readonly place: number
}

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

/** Geometric Brownian motion with random jumps; their mean is taken out of the drift. */
export interface MertonSpec {
  readonly kind: 'merton'
  /** Annual volatility between jumps. */
  readonly vol: number
  readonly drift: number
  readonly jumpsPerYear: number
  /** Mean and standard deviation of the logarithm of a jump. */
  readonly jumpMean: number
  readonly jumpSd: number
}

/** Stochastic variance that returns to its mean (Heston 1993), stepped by the minute with Andersen's QE scheme. */
export interface HestonSpec {
  readonly kind: 'heston'
  /** Annual variance in the long run, 0.3 is a volatility of 55 %; the variance starts at it. */
  readonly meanVariance: number
  /** The speed of the return to the mean, per year. */
  readonly meanReversion: number
  readonly volOfVariance: number
  /** Correlation of the noises of price and variance. */
  readonly leverage: number
  readonly drift: number
}

/**
 * GARCH(1,1) with Student-t shocks, and asymmetry as Glosten, Jagannathan and Runkle have it, on bars of its own:
 * h' = w + alpha r^2 + beta h + asymmetry (1[r < 0] - 1/2) r^2. Within a bar the path is a bridge.
 */
export interface GarchSpec {
  readonly kind: 'garch'
  /** Annual, in the long run; it settles w. */
  readonly vol: number
  readonly barMinutes: number
  readonly alpha: number
  readonly beta: number
  readonly asymmetry: number
  /** Degrees of freedom, above 2. */
  readonly tails: number
}

/** A Markov chain of volatilities, stepped by the hour. */
export interface RegimesSpec {
  readonly kind: 'regimes'
  /** Annual, in the long run over all regimes. */
  readonly vol: number
  readonly regimes: readonly Regime[]
  /** Row i: the probabilities of going from regime i to each, in an hour. */
  readonly transitions: readonly (readonly number[])[]
}

export interface Regime {
  /** The volatility of the regime, relative to the others'. */
  readonly volMultiple: number
  /** Annual. */
  readonly drift: number
}

/** Geometric Brownian motion with jumps that trigger more jumps (Hawkes 1971). */
export interface HawkesSpec {
  readonly kind: 'hawkes'
  /** Annual volatility between jumps. */
  readonly vol: number
  readonly drift: number
  readonly jumps: HawkesJumps
}

export interface HawkesJumps {
  /** Jumps that nothing triggered. */
  readonly perDay: number
  /** How many others each jump triggers on average; below 1. */
  readonly branching: number
  /** The mean time from a jump to one that it triggers. */
  readonly decayMillis: number
  /** Of the logarithm of a jump, in standard deviations of a minute: size * (z - tilt). */
  readonly size: number
  readonly tilt: number
}

/**
 * The returns of recorded candles in a new order: at each candle the path jumps to a random one, with the probability
 * that makes pieces of `meanPieceMillis` on average (Politis and Romano's stationary bootstrap). All assets of a
 * market that have this model jump together.
 */
export interface BootstrapSpec {
  readonly kind: 'bootstrap'
  /** All with the same span of whole minutes; used as if none were missing between them. */
  readonly candles: readonly Candle[]
  readonly meanPieceMillis: number
}

/**
 * The default market: returns of a common factor, of a factor of the smaller coins, and of the asset's own, each with
 * stochastic volatility on four (or two) time scales, Student-t shocks, seasons of day and week, and jumps that
 * cluster (market.md sections 2b and 2d). The shares decide the correlations, `vol` the size.
 */
export interface MarketModelSpec {
  readonly kind: 'market'
  /** Annual, in the long run; what the three shares make is scaled to it. */
  readonly vol: number
  readonly drift: number
  /** Loadings on the return of the market (annual volatility 0.53), of the smaller coins (1) and the own one (1). */
  readonly marketShare: number
  readonly altShare: number
  readonly ownShare: number
  /** On average, USD a day. */
  readonly dailyVolumeUsd: number
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

/** Recorded trades: the price is that of the last one, and each is printed as it was. */
export interface TradeReplaySpec {
  readonly kind: 'trades'
  /** In order of time; of several at one instant the last one's price stays. */
  readonly trades: readonly Trade[]
  /** A longer time without trades is a gap: `halt` stops the market there. */
  readonly gapMillis: number
  readonly gaps: 'hold' | 'halt'
}

export interface Trade {
  /** Since 1970. */
  readonly atMillis: number
  readonly price: number
  /** In units of the asset. */
  readonly quantity: number
  /** Of the taker, where the recording tells it. */
  readonly side: 'buy' | 'sell' | null
}
