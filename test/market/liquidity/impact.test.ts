import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  computeBudget,
  computePermanentLimit,
  flowAt,
  type ImpactState,
  noImpact,
  recordGiveBack,
  recordTake,
} from '../../../src/market/liquidity/impact.ts'

const impact = { y: 1, dailyVol: 0.05, advUsd: 1e8, halfLifeMillis: 600_000, permanent: 0.1 }

/** By the formula that the function states, with the platform's own cube root. */
const allowed = (spreadBps: number, depthUsd: number) =>
  (3 * Math.cbrt(4 * 0.7 * (spreadBps / 2))) / 10_000 / (10 * depthUsd) / (0.05 / 1e8)

test.each<[string, number, number, number]>([
  ['as much as the spread and the walk cost', 4, 350_000, allowed(4, 350_000)],
  ['less where it is deeper', 4, 700_000, allowed(4, 350_000) / 2],
  ['more where the spread is eight times as wide', 32, 350_000, allowed(4, 350_000) * 2],
  ['all where that is less', 4, 10_000, 1],
  ['nothing without a spread', 0, 350_000, 0],
  ['nothing without depth', 4, 0, 0],
])('what is permanent at most is %s', (_title, spreadBps, depthUsd, expected) => {
  expect(computePermanentLimit(impact, spreadBps, depthUsd)).toBeCloseTo(expected, 12)
})

test('an impact of 0 may be entirely permanent', () => {
  expect(computePermanentLimit({ ...impact, y: 0 }, 4, 350_000)).toBe(1)
})

test('the impact of a sale mirrors that of a purchase', () => {
  const mirrored = (state: ImpactState): ImpactState => ({
    ...state,
    flowUsd: 0 - state.flowUsd,
    permanent: 0 - state.permanent,
  })
  const amount = fc.integer({ min: -1_000_000, max: 1_000_000 })
  const before = fc.record({
    atMillis: fc.constant(0),
    flowUsd: amount,
    paidUsd: fc.integer({ min: 0, max: 50_000 }),
    permanent: fc.integer({ min: -100, max: 100 }).map((bps) => bps / 10_000),
  })
  const beyond = fc.integer({ min: -100, max: 100 }).map((bps) => bps / 10_000)
  fc.assert(
    fc.property(before, amount, beyond, (state, valueUsd, premium) => {
      const after = recordTake(impact, state, 1000, valueUsd, premium)
      const other = recordTake(impact, mirrored(state), 1000, 0 - valueUsd, 0 - premium)
      expect(other).toEqual(mirrored(after))
    }),
    { seed: 7, numRuns: 500 },
  )
})

test('a trade that reverses a position has paid only for the part beyond it', () => {
  const bought = recordTake(impact, noImpact, 1000, 1e6, 0.003)
  const turned = recordTake(impact, bought, 1000, -1.5e6, -0.002)
  const sold = recordTake(impact, noImpact, 1000, -0.5e6, -0.002)
  expect(turned.flowUsd).toBe(-0.5e6)
  expect(sold.paidUsd).toBeGreaterThan(900)
  expect(turned.paidUsd).toBeCloseTo(sold.paidUsd, 9)
})

// The permanent part moves the price by 0.1 * 0.05 / 1e8 = 5e-11 for each USD, which the venue does not owe.
test('payments for a position add up, and fade with it', () => {
  const bought = recordTake(impact, noImpact, 1000, 1e6, 0.003)
  expect(bought).toEqual({
    atMillis: 1000,
    flowUsd: 1e6,
    paidUsd: expect.closeTo(2950, 9),
    permanent: expect.closeTo(5e-5, 15),
  })
  const unwound = recordTake(impact, bought, 1000, -0.4e6, -0.001)
  expect(unwound.paidUsd).toBeCloseTo(2950 + 0.4e6 * (0.001 - 5e-5), 9)
  expect(unwound).toMatchObject({ flowUsd: 0.6e6, permanent: expect.closeTo(3e-5, 15) })
  const [half, quarter] = [600_000, 1_200_000].map((millis) => flowAt(impact, bought, 1000 + millis))
  expect([half, quarter]).toEqual([expect.closeTo(5e5, 6), expect.closeTo(2.5e5, 6)])
  // A half-life later half of the payment is left for half of the position.
  expect(computeBudget(impact, bought, 0.5)).toBeCloseTo(2950 / 2 - 5e-11 * 5e5 ** 2, 9)
  const closed = recordTake(impact, bought, 1000, -1e6, -0.001)
  expect([closed.flowUsd, closed.paidUsd, closed.permanent]).toEqual([0, 0, 0])
})

test('volume that the ladder gives back moves no price, and only that volume is gone', () => {
  const bought = recordTake(impact, noImpact, 1000, 1e6, 0.003)
  const { permanent } = bought
  const unwound = recordGiveBack(impact, bought, 1000, -0.4e6, -0.001)
  expect(unwound).toEqual({ ...recordTake(impact, bought, 1000, -0.4e6, -0.001), permanent })
  expect(unwound.flowUsd).toBe(0.6e6)
  const closed = recordGiveBack(impact, bought, 1000, -2e6, -0.001)
  expect(closed).toEqual({ atMillis: 1000, flowUsd: 0, paidUsd: 0, permanent })
  expect(recordGiveBack(impact, bought, 1000, 1e6, 0.001)).toBe(bought)
  expect(recordGiveBack(impact, noImpact, 1000, -1e6, -0.001)).toBe(noImpact)
  const sold = recordTake(impact, noImpact, 1000, -1e6, -0.003)
  expect(recordGiveBack(impact, sold, 1000, 0.4e6, 0.001).flowUsd).toBe(-0.6e6)
})
