import type { LiquidityConditions } from './liquidity.ts'

/** What a ladder stands on at one refresh. */
export interface LadderFooting {
  /** In ticks, not necessarily whole. */
  midTicks: number
  /** Factors on the half-spread and on the depth: conditions, activity and season together. */
  spreadMultiplier: number
  depthMultiplier: number
  /** A further factor on the depth of levels more than 10 basis points away. */
  farDepthMultiplier: number
  /** How far both sides are shifted upwards, in half-spreads. */
  skew: number
  sides: LiquidityConditions['sides']
  /** Instant of the flicker, after the market's start. */
  offsetMillis: number
  /** USD taken from the levels of each side and not back yet; null: nothing. */
  consumedBids: Float64Array | null
  consumedAsks: Float64Array | null
  /**
   * The price without the clients' own transient impact, in ticks, and the most that the venue pays beyond it, in
   * USD: all bids above it (budget above 0) or all asks below it (budget below 0) together come to no more; null: no
   * such bound.
   */
  fairTicks: number
  budgetUsd: number | null
}

/** For a ladder that stands around a mid, with nothing else. */
export function createFooting(midTicks: number): LadderFooting {
  return {
    midTicks,
    spreadMultiplier: 1,
    depthMultiplier: 1,
    farDepthMultiplier: 1,
    skew: 0,
    sides: 'both',
    offsetMillis: 0,
    consumedBids: null,
    consumedAsks: null,
    fairTicks: midTicks,
    budgetUsd: null,
  }
}
