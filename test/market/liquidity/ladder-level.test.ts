import { expect, test } from 'vitest'
import { downward, isShown, roundAwayFrom, upward } from '../../../src/market/liquidity/ladder.ts'
import { LadderShape } from '../../../src/market/liquidity/ladder-shape.ts'

const steps = { priceStepUsd: 0.01, quantityStepUnits: 0.0001, minQuantitySteps: 5 }
const largest = Number.MAX_SAFE_INTEGER

test.each([
  [1, 5, true],
  [0, 5, false],
  [-1, 5, false],
  [largest, 5, true],
  [largest + 1, 5, false],
  [1, 4.9, false],
  // Within a millionth of the next step.
  [1, 4.999_999_5, true],
])('a level at %d ticks of %d steps is shown: %s', (ticks, quantity, expected) => {
  expect(isShown(ticks, quantity, steps)).toBe(expected)
})

test('a level has one step at least, whatever the minimum is', () => {
  const least = { ...steps, minQuantitySteps: 0 }
  expect([0.9, 1].map((quantity) => isShown(1, quantity, least))).toEqual([false, true])
})

test.each([
  [100, 100.4, upward, 101],
  [100, 102.2, upward, 103],
  [100, 102.000_000_5, upward, 102],
  [100, 100, upward, 101],
  [100.5, 100.5, upward, 101],
  [100, 99.6, downward, 99],
  [100, 97.8, downward, 97],
  [100, 97.999_999_5, downward, 98],
  [100, 100, downward, 99],
  [100.5, 100.5, downward, 100],
] as const)('about %d a price of %d is rounded outwards (%d) to %d', (centre, ticks, direction, expected) => {
  expect(roundAwayFrom(centre, ticks, direction)).toBe(expected)
})

test.each([
  [1, 0, 0.99, 0],
  [1, 0, 1, 50_000],
  [1, 1, 1, 10_000],
  [1, 1, 1.99, 10_000],
  [1, 1, 3, 30_000],
  [1, 1, 100, 50_000],
])('five levels behind %d bps, %d apart, hold within %d bps %d USD', (half, stepBps, within, usd) => {
  const shape = new LadderShape({ kind: 'flat', spreadBps: 2 * half, levelUsd: 10_000, stepBps, levels: 5 })
  expect(shape.depthWithinUsd(within)).toBe(usd)
})
