import { element } from '../../numeric/columns.ts'
import { exp } from '../../numeric/portable-math.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { kind, number, type RecordOf, record } from '../../shape/shape.ts'
import { usualFigures } from '../usual-figures.ts'
import type { NoisePath } from './gaussian-path.ts'
import { defineModel, drift } from './model-definition.ts'
import { clampPrice, minutesPerYear, type PriceModel } from './price-model.ts'

const shape = record(
  {
    kind: kind('gbm'),
    vol: number(0, 100, 'Annual volatility; 0.6 is 60 %.'),
    drift,
  },
  'Geometric Brownian motion; vol and drift per year (0.6 is 60 %).',
)

/** Model `gbm`: geometric Brownian motion. */
export const gbm = defineModel<RecordOf<typeof shape>>({
  shape,
  usual: ({ symbol }) => ({ vol: usualFigures(symbol).vol }),
  path: (price, spec, { getNoise: noise }) => createGbm(price, spec.vol, spec.drift, noise()),
})

/** Creates a path of geometric Brownian motion from `price` at the market's start. */
function createGbm(price: number, vol: number, drift: number, noise: NoisePath): PriceModel {
  const deviation = vol / Math.sqrt(minutesPerYear)
  const driftPerMilli = (drift - (vol * vol) / 2) / (minutesPerYear * millisPerMinute)
  return {
    fillPrices(minute, grid, prices) {
      noise.fill(minute, grid, prices)
      const firstMillis = minute * millisPerMinute + grid.firstMillis
      for (let i = 0; i < grid.count; i += 1) {
        const drifted = driftPerMilli * (firstMillis + i * grid.stepMillis)
        prices[i] = clampPrice(price * exp(drifted + deviation * element(prices, i)))
      }
    },
  }
}
