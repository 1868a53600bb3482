import { exp } from '../../numeric/portable-math.ts'
import { GaussianPath } from './gaussian-path.ts'
import { brownianMotion } from './gaussian-process.ts'
import type { PriceModel, StreamNames } from './price-model.ts'
import { boundedPrice, minuteMillis, minutesPerYear } from './price-model.ts'

/** Geometric Brownian motion from `price` at the market's start; volatility and drift are annual. */
export function createGbm(price: number, vol: number, drift: number, names: StreamNames): PriceModel {
  const path = new GaussianPath(brownianMotion, names, 'path')
  const deviation = vol / Math.sqrt(minutesPerYear)
  const driftPerMilli = (drift - (vol * vol) / 2) / (minutesPerYear * minuteMillis)
  return {
    fillPrices(minute, lattice, prices) {
      path.fill(minute, lattice, prices)
      const firstMillis = minute * minuteMillis + lattice.firstMillis
      for (let i = 0; i < lattice.count; i += 1) {
        const drifted = driftPerMilli * (firstMillis + i * lattice.stepMillis)
        prices[i] = boundedPrice(price * exp(drifted + deviation * (prices[i] ?? 0)))
      }
    },
  }
}
