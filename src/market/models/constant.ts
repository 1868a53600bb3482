import type { PriceModel } from './price-model.ts'

/** A price that never moves. */
export function createConstant(price: number): PriceModel {
  return {
    fillPrices(_minute, lattice, prices) {
      prices.fill(price, 0, lattice.count)
    },
  }
}
