import { expect, test } from 'vitest'
import { computeDepthFactor, computeSpreadFactor } from '../../../src/market/liquidity/liquidity.ts'
import { dynamics } from '../../engine/fixtures/lively-venue.ts'

/** On Monday, 5 January 2026, or days later. */
const at = (hour: number, days = 0): number => Date.UTC(2026, 0, 5 + days, hour)

test.each([
  ['calm', 1, at(12), 1, 1],
  ['four times as busy', 4, at(12), 4 ** 0.9, 1 / 4],
  ['half as busy: not below 0.7', 0.5, at(12), 0.7, 2],
  ['so busy that a twentieth stays', 100, at(12), 100 ** 0.9, 0.05],
  ['activity beyond a hundred counts as that', 1_000, at(12), 100 ** 0.9, 0.05],
  ['so quiet that it is ten times as deep', 0.001, at(12), 0.7, 10],
  ['before the late hours', 1, at(20), 1, 1],
  ['the late hours', 1, at(21), 1.15, 1],
  ['until their end', 1, at(22), 1.15, 1],
  ['after them', 1, at(23), 1, 1],
  ['a Friday', 1, at(12, 4), 1, 1],
  ['a Saturday', 1, at(12, 5), 1.25, 0.75],
  ['late on a Sunday', 4, at(21, 6), 4 ** 0.9 * 1.25 * 1.15, 0.75 / 4],
])('%s', (_name, activity, atMillis, spread, depth) => {
  expect(computeSpreadFactor(dynamics, activity, atMillis)).toBeCloseTo(spread, 9)
  expect(computeDepthFactor(dynamics, activity, atMillis)).toBeCloseTo(depth, 9)
  const still = { ...dynamics, hasSeasons: false }
  expect(computeSpreadFactor(still, activity, atMillis)).toBe(computeSpreadFactor(dynamics, activity, at(12)))
  expect(computeDepthFactor(still, activity, atMillis)).toBe(computeDepthFactor(dynamics, activity, at(12)))
})
