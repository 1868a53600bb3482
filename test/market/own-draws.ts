import type { CommonDraws } from '../../src/market/models/common-draws.ts'
import type { StreamNames } from '../../src/market/models/price-model.ts'

/** Returns the draws of an asset that shares none. */
export const createOwnDraws = (names: StreamNames): CommonDraws => ({
  names,
  weights: [{ names, weight: 1 }],
})
