import { hourOfDay, isWeekend } from '../../numeric/calendar.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import type { LiquidityDynamics } from './liquidity.ts'

/* How the time and the market's activity set a ladder's spread and depth (market.md section 3). */

/**
 * The factor on the half-spread of a calm market: max(0.7, activity^exponent), times 1.25 on weekends and 1.15 from
 * 21 to 23 UTC. `atMillis` counts from 1970.
 */
export function spreadFactor(dynamics: LiquidityDynamics, activity: number, atMillis: number): number {
  const mood = Math.max(0.7, power(activity, dynamics.spreadExponent))
  if (!dynamics.hasSeasons) return mood
  const hour = hourOfDay(atMillis)
  const isLate = hour === 21 || hour === 22
  return mood * (isWeekend(atMillis) ? 1.25 : 1) * (isLate ? 1.15 : 1)
}

/** The factor on the depth of a calm market: activity^-exponent from 0.05 to 10, times 0.75 on weekends. */
export function depthFactor(dynamics: LiquidityDynamics, activity: number, atMillis: number): number {
  const mood = Math.min(Math.max(0.05, power(activity, -dynamics.depthExponent)), deepestFactor)
  return dynamics.hasSeasons && isWeekend(atMillis) ? mood * 0.75 : mood
}

/** The least and the most that these factors can be, whatever the activity and the season. */
export function climateBounds(dynamics: LiquidityDynamics | null) {
  if (dynamics === null) return { narrowest: 1, widest: 1, leastDepth: 1 }
  const { hasSeasons, spreadExponent } = dynamics
  const mood = Math.max(0.7, power(0.01, spreadExponent), power(100, spreadExponent))
  return {
    narrowest: 0.7,
    widest: mood * (hasSeasons ? 1.25 * 1.15 : 1),
    leastDepth: 0.05 * (hasSeasons ? 0.75 : 1),
  }
}

/** Choice: a market that stands still has finite depth. */
export const deepestFactor = 10

/** Activity counts from a hundredth to a hundred. */
function power(activity: number, exponent: number): number {
  if (activity === 1 || exponent === 0) return 1
  return exp(exponent * log(Math.min(Math.max(activity, 0.01), 100)))
}
