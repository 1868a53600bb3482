/* The shapes of the venue's own ladder, and what can change them; `ladder.ts` builds the levels. */

export type LiquiditySpec =
  | NoLiquidity
  | PowerLiquidity
  | ExponentialLiquidity
  | FlatLiquidity
  | ExplicitLadder

export interface NoLiquidity {
  readonly kind: 'none'
}

/** Cumulative depth grows with the 0.67th power of the distance from the mid (market.md section 3). */
export interface PowerLiquidity {
  readonly kind: 'power'
  /** Full spread between best bid and best ask, basis points of the mid. */
  readonly spreadBps: number
  /** Depth within 10 basis points of the mid, a side, USD. */
  readonly depth10bpUsd: number
  readonly dynamics?: LiquidityDynamics
}

/** Cumulative depth maxUsd * (1 - exp(-x / scaleBps)) at x basis points from the mid. */
export interface ExponentialLiquidity {
  readonly kind: 'exponential'
  readonly spreadBps: number
  readonly maxUsd: number
  readonly scaleBps: number
  readonly dynamics?: LiquidityDynamics
}

/** The same value at every level, `stepBps` apart. */
export interface FlatLiquidity {
  readonly kind: 'flat'
  readonly spreadBps: number
  readonly levelUsd: number
  readonly stepBps: number
  readonly levels: number
  readonly dynamics?: LiquidityDynamics
}

/**
 * How a ladder changes with time and market (market.md section 3). Without it a ladder is the same at any hour and in
 * any market, and is whole again at each refresh.
 */
export interface LiquidityDynamics {
  /** The half-spread grows with activity to this power, and is at least 0.7 of the calm one. */
  readonly spreadExponent: number
  /** Depth falls with activity to this power, to a twentieth at most. */
  readonly depthExponent: number
  /** Whether it is wider on weekends and from 21 to 23 UTC, and thinner on weekends. */
  readonly hasSeasons: boolean
  /** Standard deviation of the logarithm of a level's size, which wanders; 0: it does not. */
  readonly flickerSd: number
  readonly flickerHalfLifeMillis: number
  /**
   * The time in which half of what was taken from the best level is back, in a calm market; deeper levels take
   * longer. 0: back at the refresh.
   */
  readonly refillHalfLifeMillis: number
  /** Share of the depth beyond 10 basis points that is withdrawn after a sweep of over half of the depth within. */
  readonly pull: number
  readonly pullHalfLifeMillis: number
  /** How far the dealer's inventory shifts both sides, in half-spreads, when it is as large as `inventoryUsd`. */
  readonly skew: number
  readonly inventoryUsd: number
}

/**
 * What the clients' takers do to the price: the mark is the fundamental times e^I. Volume Q, which decays, moves it
 * by y * dailyVol * sqrt(Q / advUsd), and all volume moves it for ever by permanent * y * dailyVol * Q / advUsd.
 */
export interface ImpactSpec {
  readonly y: number
  /** Standard deviation of the logarithm of a day's return. */
  readonly dailyVol: number
  /** Average daily volume, USD. */
  readonly advUsd: number
  readonly halfLifeMillis: number
  readonly permanent: number
}

/** Absolute prices in USD and quantities in units, best first; they do not move with the mid. */
export interface ExplicitLadder {
  readonly kind: 'ladder'
  readonly bids: readonly (readonly [price: number, quantity: number])[]
  readonly asks: readonly (readonly [price: number, quantity: number])[]
}

/** Whether what is taken from a ladder comes back over time, not whole at the next refresh. */
export function hasRefill(liquidity: LiquiditySpec): boolean {
  if (liquidity.kind === 'none' || liquidity.kind === 'ladder') return false
  return (liquidity.dynamics?.refillHalfLifeMillis ?? 0) > 0
}

/** What a script or an admin has done to an asset's liquidity. */
export interface LiquidityConditions {
  readonly spreadMultiplier: number
  readonly depthMultiplier: number
  /** Which sides there are: both, only bids, only asks, or none. */
  readonly sides: 'both' | 'bids' | 'asks' | 'none'
  /**
   * A factor on the pace at which what was taken comes back. A factor of 1 is always left out, so that equal conditions
   * are written alike.
   */
  readonly refreshMultiplier?: number
}

/** Levels of one side, best first, written in place so that a refresh allocates nothing. */
export interface LadderSide {
  count: number
  readonly priceTicks: Float64Array
  readonly quantitySteps: Float64Array
  /** For each of them, the first level of the specification that it is made of. */
  readonly firstLevels: Uint8Array
}

/** At most 50 levels a side are ever shown (Spec: Market data, depth 1 to 50). */
export const maximumLadderLevels = 50
