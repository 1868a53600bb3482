import type { ModelSpec } from '../../../src/market/models/price-models.ts'
import { variance } from '../../support/statistics.ts'
import { asset, marketOf, prices } from '../market-of.ts'

export const minutesPerYear = 525_600

/** Log returns of a model's minutes, from a minute after the start on. */
export function minuteReturns(model: ModelSpec, minutes: number, from = 0, seed = '7'): number[] {
  const path = prices(marketOf([asset(model)], { gridMillis: 60_000, seed }), from, from + minutes)
  return path.slice(1).map((price, place) => Math.log(price / (path[place] ?? 1)))
}

/** The annual volatility of minute returns. */
export function annualVol(returns: readonly number[]): number {
  return Math.sqrt(variance(returns) * minutesPerYear)
}
