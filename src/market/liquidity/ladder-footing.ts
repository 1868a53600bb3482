import type { LiquidityConditions } from './liquidity.ts'

/** What a ladder stands on at one refresh. */
export interface LadderFooting {
  /** In ticks, whole or not. */
  midTicks: number
  /** Of the half-spread, and of the depth: conditions, activity and season together. */
  spreadMultiplier: number
  depthMultiplier: number
  /** Of the depth of levels more than 10 basis points away, besides. */
  farDepthMultiplier: number
  /** How far both sides are shifted upwards, in half-spreads. */
  skew: number
  sides: LiquidityConditions['sides']
  /** Instant of the flicker, after the market's start. */
  offsetMillis: number
  /** USD taken from the levels of each side and not yet back; null: nothing. */
  consumedBids: Float64Array | null
  consumedAsks: Float64Array | null
  /**
   * The price without the clients' own transient impact, in ticks, and what the venue pays at most beyond it: bids
   * above it (budget above 0) or asks below it (budget below 0) come to no more than that, USD; null: no such bound.
   */
  fairTicks: number
  budgetUsd: number | null
}

/** A ladder that stands around a mid, and nothing else. */
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
