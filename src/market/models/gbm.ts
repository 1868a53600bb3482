import { element } from '../../numeric/columns.ts'
import { exp } from '../../numeric/portable-math.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { kind, number, type RecordOf, record } from '../../shape/shape.ts'
import { usualFigures } from '../usual-figures.ts'
import type { NoisePath } from './gaussian-path.ts'
import { defineModel, drift } from './model-definition.ts'
import { boundedPrice, minutesPerYear, type PriceModel } from './price-model.ts'

const shape = record(
  {
    kind: kind('gbm'),
    vol: number(0, 100, 'Annual volatility; 0.6 is 60 %.'),
    drift,
  },
  'Geometric Brownian motion; vol and drift per year (0.6 is 60 %).',
)

export const gbm = defineModel<RecordOf<typeof shape>>({
  shape,
  usual: ({ symbol }) => ({ vol: usualFigures(symbol).vol }),
  path: (price, spec, { noise }) => createGbm(price, spec.vol, spec.drift, noise()),
})

/** From `price` at the market's start. */
function createGbm(price: number, vol: number, drift: number, noise: NoisePath): PriceModel {
  const deviation = vol / Math.sqrt(minutesPerYear)
  const driftPerMilli = (drift - (vol * vol) / 2) / (minutesPerYear * millisPerMinute)
  return {
    fillPrices(minute, lattice, prices) {
      noise.fill(minute, lattice, prices)
      const firstMillis = minute * millisPerMinute + lattice.firstMillis
      for (let i = 0; i < lattice.count; i += 1) {
        const drifted = driftPerMilli * (firstMillis + i * lattice.stepMillis)
        prices[i] = boundedPrice(price * exp(drifted + deviation * element(prices, i)))
      }
    },
  }
}
