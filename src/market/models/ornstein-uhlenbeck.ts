import { element } from '../../numeric/columns.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { kind, number, price as priceField, type RecordOf, record, span } from '../../shape/shape.ts'
import { hundredYearsMillis } from '../../shape/spec-checks.ts'
import { GaussianPath } from './gaussian-path.ts'
import { createOrnsteinUhlenbeckProcess } from './gaussian-process.ts'
import { defineModel } from './model-definition.ts'
import { clampPrice, type PriceModel, type StreamNames } from './price-model.ts'

const shape = record(
  {
    kind: kind('ou'),
    mean: priceField('The price that it returns to, USD; the start price by default.'),
    halfLifeMillis: span(1000, hundredYearsMillis, 'Time in which half of a distance from the mean fades.', {
      default: 600_000,
    }),
    stationarySd: number(
      0,
      10,
      'Standard deviation of the logarithm in the long run; 0.0004 is 4 basis points.',
      { default: 0.01 },
    ),
  },
  'Ornstein-Uhlenbeck about a mean; stationarySd is that of the logarithm (0.0004 is 4 basis points).',
)

export type OuSpec = RecordOf<typeof shape>

/** Model `ou`: the logarithm of the price returns to that of a mean (Ornstein-Uhlenbeck). */
export const ou = defineModel<OuSpec>({
  shape,
  usual: ({ price }) => ({ mean: price }),
  path: (price, spec, { names }) => createOrnsteinUhlenbeck(price, spec, names),
})

/**
 * Creates a path on which the logarithm of the price returns to that of the mean, from `price` at the market's
 * start. Transitions are exact.
 */
function createOrnsteinUhlenbeck(price: number, spec: OuSpec, names: StreamNames): PriceModel {
  const start = log(price / spec.mean)
  const pullPerMinute = (log(2) * millisPerMinute) / spec.halfLifeMillis
  const path = new GaussianPath(
    createOrnsteinUhlenbeckProcess(start, pullPerMinute, spec.stationarySd),
    names,
    'path',
  )
  return {
    fillPrices(minute, grid, prices) {
      path.fill(minute, grid, prices)
      for (let i = 0; i < grid.count; i += 1) {
        prices[i] = clampPrice(price * exp(element(prices, i) - start))
      }
    },
  }
}
