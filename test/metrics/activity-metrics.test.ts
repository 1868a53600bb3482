import { expect, it } from 'vitest'
import { computeActivity } from '../../src/metrics/activity-metrics.ts'
import type { EquityGrid } from '../../src/metrics/records.ts'
import { fillOf, gridOf, orderOf } from './records.ts'

/** Gross 0, 270 and 120, net 0, 170 and -120: the equity is gone at the end. */
const grid: EquityGrid = {
  ...gridOf([1000, 900, -100]),
  assets: [
    { asset: 'BTC', price: [100, 110, 120], position: [0, 2, -1] },
    { asset: 'ETH', price: [10, 10, 20], position: [0, -5, 0] },
  ],
}

it('counts, and weighs what was held and traded by the equity', () => {
  const fills = [fillOf({ price: 300 }), fillOf({ price: 150, quantity: 4 })]
  const found = computeActivity(grid, fills, [orderOf()], 2)
  expect(found).toMatchObject({ orders: 1, fills: 2, volume: 900 })
  const figures = Object.entries(found).flatMap(([name, figure]) =>
    typeof figure === 'number' ? [] : [[name, figure.value]],
  )
  expect(Object.fromEntries(figures)).toEqual({
    // The mean equity is 600.
    turnoverPerDay: 0.75,
    exposureTime: expect.closeTo(2 / 3, 12),
    grossMean: 130,
    grossMaximum: 270,
    netMean: expect.closeTo(50 / 3, 12),
    netMaximum: 170,
    // Of the two points that have an equity.
    leverageMean: expect.closeTo(0.15, 12),
    leverageMaximum: expect.closeTo(0.3, 12),
  })
})

it('the largest net position is the one furthest from 0, long or short', () => {
  const short = gridOf([1, 1, 1], { position: [1, -3, 2] })
  expect(computeActivity(short, [], [], 1).netMaximum.value).toBe(-300)
})

it.each([
  ['the run took no time', [100], 0, 'turnoverPerDay'],
  ['the mean equity is not above 0', [100, -100], 1, 'turnoverPerDay'],
  ['there are no values', [0, -100], 1, 'leverageMean'],
  ['there are no values', [0, -100], 1, 'leverageMaximum'],
] as const)('is missing: %s', (reason, equity, days, name) => {
  expect(computeActivity(gridOf(equity), [], [], days)[name]).toEqual({ value: null, reason })
})
