/* The shapes of the venue's own ladder, and what can be done to it; `ladder.ts` builds the levels. */

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
}

/** Cumulative depth maxUsd * (1 - exp(-x / scaleBps)) at x basis points from the mid. */
export interface ExponentialLiquidity {
  readonly kind: 'exponential'
  readonly spreadBps: number
  readonly maxUsd: number
  readonly scaleBps: number
}

/** The same value at every level, `stepBps` apart. */
export interface FlatLiquidity {
  readonly kind: 'flat'
  readonly spreadBps: number
  readonly levelUsd: number
  readonly stepBps: number
  readonly levels: number
}

/** Absolute prices in USD and quantities in units, best first; they do not move with the mid. */
export interface ExplicitLadder {
  readonly kind: 'ladder'
  readonly bids: readonly (readonly [price: number, quantity: number])[]
  readonly asks: readonly (readonly [price: number, quantity: number])[]
}

/** What a script or an admin has done to an asset's liquidity. */
export interface LiquidityConditions {
  readonly spreadMultiplier: number
  readonly depthMultiplier: number
  /** Which sides are left: both, only bids, only asks, or none. */
  readonly sides: 'both' | 'bids' | 'asks' | 'none'
}

/** Levels of one side, best first, written in place so that a refresh allocates nothing. */
export interface LadderSide {
  count: number
  readonly priceTicks: Float64Array
  readonly quantitySteps: Float64Array
}

/** At most 50 levels a side are ever shown (Spec: Market data, depth 1 to 50). */
export const ladderLevelsMaximum = 50
