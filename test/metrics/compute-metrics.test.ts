import { describe, expect, it } from 'vitest'
import {
  computeMetrics,
  flattenMetrics,
  flattenReasons,
  type MetricsInput,
} from '../../src/metrics/metrics.ts'
import { fillOf, gridOf } from './records.ts'

const input: MetricsInput = {
  grid: gridOf([1000, 1010, 1000]),
  fills: [],
  orders: [],
  quotes: [],
  transfers: [],
  quoting: null,
  cancels: 0,
  requests: 0,
  rateLimited: 0,
  seed: '7',
  trials: [],
}

const few = (count: string): string => `There ${count}: with fewer than 30 a ratio says little.`
const correlated = (value: string): string =>
  `Neighbouring returns are correlated (${value}): ratios take them for independent.`

/** Equity with these returns. */
function equityAfter(returns: readonly number[]): readonly number[] {
  const equity = [1000]
  for (const one of returns) equity.push((equity.at(-1) ?? 0) * (1 + one))
  return equity
}

describe('warnings', () => {
  it('name the smart Sharpe ratio where there is one', () => {
    const days = Array.from({ length: 40 }, (_, place) => 0.01 * ((place % 20) - 9) * (place < 20 ? 1 : 0.5))
    const grid = gridOf(equityAfter(days), { stepMillis: 86_400_000 })
    expect(computeMetrics({ ...input, grid }).warnings.join()).toMatch(
      /believe the smart Sharpe ratio instead\.$/,
    )
  })

  it.each([
    ['one return', [1000, 1010], [few('is 1 return')]],
    ['no return', [1000], [few('are 0 returns')]],
    // Gaps of -1, 1 and 0: products of -1, squares of 2.
    ['a correlation', equityAfter([0.01, 0.03, 0.02]), [few('are 3 returns'), correlated('-0.5')]],
    // 1 and -1 % in runs of two: half of all neighbours are equal, the others opposite.
    ['neither', equityAfter(Array.from({ length: 31 }, (_, i) => (i % 4 < 2 ? 0.01 : -0.01))), []],
    [
      'a correlation alone',
      equityAfter(Array.from({ length: 30 }, (_, i) => (i % 2 < 1 ? 0.01 : -0.01))),
      [correlated('-0.97')],
    ],
  ])('%s', (_name, equity, warnings) => {
    expect(computeMetrics({ ...input, grid: gridOf(equity) }).warnings).toEqual(warnings)
  })
})

it('states what the figures were made of', () => {
  const { sampling } = computeMetrics(input)
  const [fromMillis, toMillis] = [input.grid.atMillis[0], input.grid.atMillis[2]]
  const stepMillis = 3_600_000
  expect(sampling).toEqual({
    fromMillis,
    toMillis,
    days: 2 / 24,
    gridMillis: stepMillis,
    ratioMillis: stepMillis,
    returns: 2,
  })
  expect(computeMetrics({ ...input, riskFreeRate: 0.04 }).sampling).toEqual({
    ...sampling,
    riskFreeRate: 0.04,
  })
})

describe('figures by name', () => {
  const quoting = { observedMillis: 10, twoSided: [{ withinBps: 20, millis: 5 }], atTouchMillis: 0 }
  const fills = [fillOf({ feeUsd: 0.5, isMaker: true }), fillOf({ asset: 'ETH', feeUsd: 2 })]
  const flat = flattenMetrics(computeMetrics({ ...input, fills, quoting }))

  it.each([
    ['a number', 'sampling.returns', 2],
    ['a figure', 'drawdown.maximum', 1000 / 1010 - 1],
    ['an undefined figure', 'returns.cagr', null],
    ['a yes', 'drawdown.isLongestOpen', 1],
    ['an entry by its asset', 'costs.byAsset.ETH.takerFees', 2],
    ['an entry by its horizon', 'maker.markouts.5000.fills', 1],
    ['an entry by its distance', 'maker.uptime.20.share', 0.5],
    ['an entry by its place', 'drawdown.deepest.1.peakMillis', Date.UTC(2026, 0, 5, 1)],
    ['an undefined number', 'drawdown.deepest.1.recoveryMillis', undefined],
    ['a text', 'warnings.1', undefined],
  ])('%s', (_kind, name, value) => {
    expect(flat[name]).toEqual(typeof value === 'number' ? expect.closeTo(value, 12) : value)
  })

  it('have a reason each where they are null, and none elsewhere', () => {
    const reasons = flattenReasons(computeMetrics({ ...input, fills, quoting }))
    const undefinedNames = Object.keys(flat).filter((name) => flat[name] === null)
    expect(Object.keys(reasons).sort()).toEqual(undefinedNames.sort())
    expect(reasons['returns.cagr']).toBe('the run is shorter than 30 days')
    for (const reason of Object.values(reasons)) expect(reason).toMatch(/^[a-z]/)
  })

  it('are nothing but numbers, and nulls where there is none', () => {
    const recovered = flattenMetrics(computeMetrics({ ...input, grid: gridOf([1000, 990, 1000]) }))
    expect(recovered).toMatchObject({ 'drawdown.isLongestOpen': 0 })
    expect(recovered['drawdown.deepest.1.recoveryMillis']).toBe(Date.UTC(2026, 0, 5, 2))
    for (const value of Object.values(flat)) if (value !== null) expect(typeof value).toBe('number')
    expect(Object.keys(flat).filter((name) => /^\.|\.$|\.\./.test(name))).toEqual([])
  })
})
