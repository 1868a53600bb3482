// Room: market

import { expect, it } from 'vitest'
import {
  computeDepthFactor,
  computeSpreadFactor,
  type LiquidityDynamics,
} from '../../src/market/liquidity/liquidity.ts'

/*
 * The ladder computed the day and the hour with a remainder that is negative before 1970, so a world that starts before
 * then had neither weekends nor late hours, while its prices had both.
 */

const dynamics: LiquidityDynamics = {
  spreadExponent: 0,
  depthExponent: 0,
  hasSeasons: true,
  flickerSd: 0,
  flickerHalfLifeMillis: 1,
  refillHalfLifeMillis: 0,
  pull: 0,
  pullHalfLifeMillis: 1,
  skew: 0,
  inventoryUsd: 1,
}

it.each([
  ['a Sunday', '1969-12-28T12:00:00Z', 1.25, 0.75],
  ['a Monday', '1969-12-29T12:00:00Z', 1, 1],
  ['a late Monday', '1969-12-29T21:30:00Z', 1.15, 1],
  ['a Sunday after 1970', '1970-01-04T12:00:00Z', 1.25, 0.75],
])('knows %s', (_day, instant, spread, depth) => {
  const atMillis = Date.parse(instant)
  expect(computeSpreadFactor(dynamics, 1, atMillis)).toBe(spread)
  expect(computeDepthFactor(dynamics, 1, atMillis)).toBe(depth)
})
