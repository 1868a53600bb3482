import { exp, log } from '../../numeric/portable-math.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import type { OuSpec } from '../market-spec.ts'
import { GaussianPath } from './gaussian-path.ts'
import { ornsteinUhlenbeck } from './gaussian-process.ts'
import type { PriceModel, StreamNames } from './price-model.ts'
import { boundedPrice } from './price-model.ts'

/** The logarithm of the price returns to that of the mean, from `price` at the market's start; exact transitions. */
export function createOrnsteinUhlenbeck(price: number, spec: OuSpec, names: StreamNames): PriceModel {
  const start = log(price / spec.mean)
  const pullPerMinute = (log(2) * millisPerMinute) / spec.halfLifeMillis
  const path = new GaussianPath(ornsteinUhlenbeck(start, pullPerMinute, spec.stationarySd), names, 'path')
  return {
    fillPrices(minute, lattice, prices) {
      path.fill(minute, lattice, prices)
      for (let i = 0; i < lattice.count; i += 1) {
        prices[i] = boundedPrice(price * exp(Number(prices[i]) - start))
      }
    },
  }
}
