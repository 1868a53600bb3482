import { exp } from '../../numeric/portable-math.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import type { NoisePath } from './noise-path.ts'
import type { PriceModel } from './price-model.ts'
import { boundedPrice, minutesPerYear } from './price-model.ts'

/** Geometric Brownian motion from `price` at the market's start; volatility and drift are annual. */
export function createGbm(price: number, vol: number, drift: number, noise: NoisePath): PriceModel {
  const deviation = vol / Math.sqrt(minutesPerYear)
  const driftPerMilli = (drift - (vol * vol) / 2) / (minutesPerYear * millisPerMinute)
  return {
    fillPrices(minute, lattice, prices) {
      noise.fill(minute, lattice, prices)
      const firstMillis = minute * millisPerMinute + lattice.firstMillis
      for (let i = 0; i < lattice.count; i += 1) {
        const drifted = driftPerMilli * (firstMillis + i * lattice.stepMillis)
        prices[i] = boundedPrice(price * exp(drifted + deviation * Number(prices[i])))
      }
    },
  }
}
