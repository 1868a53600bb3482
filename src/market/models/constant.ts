import { kind, type RecordOf, record } from '../../shape/shape.ts'
import { defineModel } from './model-definition.ts'

const shape = record({ kind: kind('constant') }, 'The price stands still.')

/** Model `constant`: the price never changes. */
export const constant = defineModel<RecordOf<typeof shape>>({
  shape,
  path: (price) => ({
    fillPrices(_minute, grid, prices) {
      prices.fill(price, 0, grid.count)
    },
  }),
})
