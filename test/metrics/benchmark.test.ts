import { describe, expect, it } from 'vitest'
import { computeBasketIndex, computeBenchmark } from '../../src/metrics/benchmark.ts'
import { computeEquitySeries } from '../../src/metrics/equity-series.ts'
import type { EquityGrid, FillRecord } from '../../src/metrics/records.ts'
import { fillOf, gridOf } from './records.ts'

const against = (grid: EquityGrid, fills: readonly FillRecord[] = [], riskFree = 0) =>
  computeBenchmark(grid, fills, computeEquitySeries(grid), riskFree)

const price = [100, 110, 99, 103.95]
/** Of steps of ten days: from thirty days on there are figures of a year. */
const stepMillis = 10 * 86_400_000

describe('a run beside the market', () => {
  it('equals the market when everything was held and nothing traded', () => {
    const found = against(
      gridOf([1000, 1100, 990, 1039.5], { stepMillis, price, position: [10, 10, 10, 10] }),
    )
    expect(found.heldProfit).toBeCloseTo(39.5, 9)
    expect(found.tradingProfit).toBeCloseTo(0, 9)
    expect(found.marketReturn.value).toBeCloseTo(0.0395, 12)
    expect(found.marketDrawdown.value).toBeCloseTo(-0.1, 12)
    expect(found.beta.value).toBeCloseTo(1, 9)
    expect(found.alpha.value).toBeCloseTo(0, 6)
    expect(found.correlation.value).toBeCloseTo(1, 9)
  })

  it('has half the beta with half the money invested, and the result of trading as alpha', () => {
    // Returns 10, -10, 5 %; half of them and 1 % a step.
    const equity = [1000]
    for (const step of [0.06, -0.04, 0.035]) equity.push((equity.at(-1) ?? 0) * (1 + step))
    const found = against(gridOf(equity, { stepMillis, price, position: [5, 5, 5, 5] }))
    expect(found.beta.value).toBeCloseTo(0.5, 9)
    expect(found.alpha.value).toBeCloseTo(0.01 * 36.5, 6)
    // Half of the market earns half of what is free of risk besides: 0.1 % a step is no skill.
    const beyond = against(gridOf(equity, { stepMillis, price, position: [5, 5, 5, 5] }), [], 0.001)
    expect(beyond).toEqual({ ...found, alpha: beyond.alpha })
    expect(beyond.alpha.value).toBeCloseTo((0.01 - 0.5 * 0.001) * 36.5, 6)
    expect(found.correlation.value).toBeCloseTo(1, 9)
    expect(found.heldProfit).toBeCloseTo(5 * 3.95, 9)
    expect(found.tradingProfit).toBeCloseTo((equity.at(-1) ?? 0) - 1000 - 5 * 3.95, 9)
    // Excess returns of -4, 6 and -1.5 %: mean 1/6 %, and squares about it.
    const ahead = [-0.04, 0.06, -0.015]
    const middle = 0.005 / 3
    const size = Math.sqrt(ahead.reduce((total, one) => total + (one - middle) ** 2, 0) / 2)
    expect(found.informationRatio.value).toBeCloseTo((middle / size) * Math.sqrt(36.5), 9)
  })

  it('weighs the assets that were held or traded equally, and no others', () => {
    const base = gridOf([1, 1, 1])
    const asset = (name: string, prices: readonly number[], position: readonly number[]) => ({
      asset: name,
      price: prices,
      position,
    })
    const grid = {
      ...base,
      assets: [
        asset('BTC', [100, 120, 110], [0, 0, 0]),
        asset('ETH', [10, 10, 9], [0, -2, 0]),
        asset('SOL', [5, 50, 500], [0, 0, 0]),
      ],
    }
    expect(computeBasketIndex(grid, [fillOf({ asset: 'BTC' })])).toEqual(Float64Array.of(1, 1.1, 1))
    expect(computeBasketIndex(grid, [])).toEqual(Float64Array.of(1, 1, 0.9))
  })

  it.each([
    ['nothing was traded', gridOf([1000, 1000]), 'marketReturn', 'nothing was held or traded'],
    ['two returns', gridOf([1, 2, 3], { position: [1, 1, 1] }), 'beta', 'it takes three returns'],
    ['a still market', gridOf([1, 2, 3, 5], { position: [1, 1, 1, 1] }), 'beta', 'the market does not vary'],
    [
      'the market itself',
      gridOf([1, 1, 1, 1], { position: [1, 1, 1, 1] }),
      'informationRatio',
      'the account moved exactly with the market',
    ],
    [
      // A market that moves by thousands, and an account that begins with a cent less.
      'the market itself but for a cent on the first day',
      gridOf([1_000_000, 1_009_999.99, 1_005_999.99, 1_020_999.99, 1_003_999.99], {
        price: [100, 101, 100.6, 102.1, 100.4],
        position: [10_000, 10_000, 10_000, 10_000, 10_000],
      }),
      'informationRatio',
      'the account moved exactly with the market',
    ],
  ] as const)('has no figure where there is none: %s', (_name, grid, name, reason) => {
    expect(against(grid)[name]).toEqual({ value: null, reason })
  })

  it('has no regression when the equity was below 0 on some of many days', () => {
    const days = Array.from({ length: 60 }, (_, place) => (place === 40 ? -1 : 1000 + place))
    const grid = gridOf(days, { stepMillis: 86_400_000, position: days.map(() => 1) })
    expect(against(grid).beta).toEqual({ value: null, reason: 'the equity was not above 0 all along' })
  })
})
