import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeDrawdown } from '../../src/metrics/drawdown-metrics.ts'
import { computeEquitySeries } from '../../src/metrics/equity-series.ts'
import { computeMetrics } from '../../src/metrics/metrics.ts'
import { computeReturns, sumOverlapping, tailMetrics } from '../../src/metrics/return-metrics.ts'
import { quantile } from '../../src/metrics/samples.ts'
import { minimumTrackRecord, probabilisticSharpe } from '../../src/metrics/skill.ts'
import { gridOf } from './records.ts'

const hour = 3_600_000

/** The figures of hourly returns, as of a run of so many days. */
function returnsOf(equity: readonly number[], flow?: readonly number[], riskFree = 0, days = 365) {
  const grid = gridOf(equity, flow === undefined ? {} : { flow })
  const series = computeEquitySeries(grid)
  const drawdown = computeDrawdown(series.index, grid.atMillis)
  return computeReturns(series, { days, drawdown, trials: [], riskFree })
}

describe('ratios of returns, by hand', () => {
  // Returns 1 %, -2 %, 3 %, 0 %: mean 0.005, squares about it 25 + 625 + 625 + 25 = 1300 e-6, sd = sqrt(1300e-6 / 3).
  const values = [0.01, -0.02, 0.03, 0]
  const equity = [1000]
  for (const one of values) equity.push((equity.at(-1) ?? 0) * (1 + one))
  const found = returnsOf(equity)
  const perPeriod = 0.005 / Math.sqrt(1300e-6 / 3)
  const year = Math.sqrt(8760)

  it.each([
    ['total', found.total.value, 1.01 * 0.98 * 1.03 - 1],
    ['volatility', found.volatility.value, Math.sqrt(1300e-6 / 3) * year],
    ['Sharpe', found.sharpe.value, perPeriod * year],
    ['the t-statistic', found.tStatistic.value, perPeriod * 2],
    ['omega', found.omega.value, 2],
    ['its error', found.sharpeError.value, Math.sqrt((1 + perPeriod ** 2 / 2) / 4) * year],
    ['Sortino', found.sortino.value, (0.005 / Math.sqrt(0.0004 / 4)) * year],
    // Third and fourth moments of 5, -25, 25, -5 (e-3): 0 and (2 * 625 + 2 * 390625) / 4 over 325 squared.
    ['skewness', found.skewness.value, 0],
    ['kurtosis', found.kurtosis.value, 782_500 / 4 / 325 ** 2],
    // (5 * -25 + -25 * 25 + 25 * -5) / 1300.
    ['autocorrelation', found.autocorrelation.value, -875 / 1300],
    ['profit', found.profit, 1000 * (1.01 * 0.98 * 1.03 - 1)],
  ])('%s', (_name, value, expected) => {
    expect(value).toBeCloseTo(expected, 10)
  })

  it('are of the returns beyond the risk-free rate, which only moves the mean', () => {
    // 0.1 % a step: 0.9 %, -2.1 %, 2.9 % and -0.1 % are beyond it, 0.4 % on average.
    const beyond = returnsOf(equity, undefined, 0.001)
    const ratio = 0.004 / Math.sqrt(1300e-6 / 3)
    expect(beyond.sharpe.value).toBeCloseTo(ratio * year, 9)
    expect(beyond.sharpeError.value).toBeCloseTo(Math.sqrt((1 + ratio ** 2 / 2) / 4) * year, 9)
    expect(beyond.sortino.value).toBeCloseTo((0.004 / Math.sqrt((0.021 ** 2 + 0.001 ** 2) / 4)) * year, 9)
    const moved = values.map((value) => value - 0.001)
    for (const [own, expected] of [
      [beyond.probabilisticSharpe, probabilisticSharpe(moved, 0)],
      [beyond.minimumTrackRecord, minimumTrackRecord(moved)],
    ] as const)
      expect(own.value).toBeCloseTo(expected.value ?? Number.NaN, 9)
    for (const name of ['total', 'profit', 'volatility', 'skewness', 'kurtosis', 'calmar'] as const)
      expect(beyond[name]).toEqual(found[name])
  })

  it.each([0.01, 0.03, 0.04, 0.07])(
    'are missing for an idle account, also beyond a rate of %d a year',
    (rate) => {
      for (const count of [20, 40, 100]) {
        const idle = returnsOf(
          Array.from({ length: count }, () => 1000),
          undefined,
          rate / 365,
        )
        for (const name of ['sharpe', 'sharpeError', 'probabilisticSharpe', 'minimumTrackRecord'] as const)
          expect(idle[name]).toEqual({ value: null, reason: 'the returns do not vary' })
      }
    },
  )

  it('has the smart penalty of three lags', () => {
    const rho = 875 / 1300
    const penalty = 0.75 * rho + 0.5 * rho ** 2 + 0.25 * rho ** 3
    expect(found.smartSharpe.value).toBeCloseTo((perPeriod * year) / Math.sqrt(1 + 2 * penalty), 9)
  })

  it('has no figure of a year for four hours, and says why; the others are the same', () => {
    const short = returnsOf(equity, undefined, 0, 4 / 24)
    const yearly = [
      'cagr',
      'calmar',
      'volatility',
      'sharpe',
      'sharpeError',
      'smartSharpe',
      'sortino',
    ] as const
    for (const name of yearly)
      expect(short[name]).toEqual({ value: null, reason: 'the run is shorter than 30 days' })
    const others = Object.entries(short).filter(([name]) => !yearly.some((one) => one === name))
    for (const [name, figure] of others)
      expect([name, figure]).toEqual([name, Object.entries(found).find(([key]) => key === name)?.[1]])
  })
})

describe('what is undefined', () => {
  it.each([
    ['no variation', [100, 100, 100], 'the returns do not vary'],
    ['one return', [100, 101], 'it takes two returns'],
    ['no returns', [100], 'it takes two returns'],
  ])('%s', (_name, equity, reason) => {
    const { sharpe, sharpeError, smartSharpe } = returnsOf(equity)
    expect(sharpe).toEqual({ value: null, reason })
    expect(sharpeError.value).toBeNull()
    expect(smartSharpe.value).toBeNull()
  })

  it('growth and what it is compared with', () => {
    const month = Array.from({ length: 30 * 24 + 1 }, (_, place) => 1000 + place)
    const { cagr, calmar, minimumTrackRecord: record, sortino } = returnsOf(month, undefined, 0, 30)
    expect(cagr.value).toBeCloseTo(1.72 ** (365 / 30) - 1, 6)
    expect(calmar).toEqual({ value: null, reason: 'there was no drawdown' })
    expect(sortino).toEqual({ value: null, reason: 'no return is below 0' })
    expect(record.value).toBeGreaterThan(1)
    expect(returnsOf(month.slice(0, -1), undefined, 0, 29.9).cagr.reason).toBe(
      'the run is shorter than 30 days',
    )
    expect(returnsOf([...month, -1]).cagr).toEqual({ value: null, reason: 'everything was lost' })
    expect(returnsOf([100, 101]).sortino).toEqual({ value: null, reason: 'it takes two returns' })
    // Two returns, 10 and -10 %: their mean is 0.
    expect(returnsOf([100, 110, 99]).sortino.value).toBeCloseTo(0, 9)
    expect(returnsOf([100, 120, 108]).sortino.value).toBeCloseTo(
      (0.05 / Math.sqrt(0.005)) * Math.sqrt(8760),
      9,
    )
  })

  it('is never infinite or NaN, whatever the equity', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 200 }), { minLength: 1, maxLength: 30 }), (equity) => {
        const grid = gridOf(equity)
        const series = computeEquitySeries(grid)
        const text = JSON.stringify([returnsOf(equity), tailMetrics(series.grid)], (_key, value) =>
          typeof value === 'number' && !Number.isFinite(value) ? 'not finite' : value,
        )
        expect(text).not.toContain('not finite')
      }),
      { seed: 7, numRuns: 300 },
    )
  })
})

describe('an account that has lost everything', () => {
  // A short position that stays open: from 1000 to -500, and back to 3000.
  const grid = gridOf([1000, 900, -500, 3000, 3300])
  const series = computeEquitySeries(grid)

  it('has no returns after that, and a unit value of 0', () => {
    expect([...series.ratio.values]).toEqual([-0.1, -1].map((value) => expect.closeTo(value, 12)))
    expect([...series.index.slice(2)]).toEqual([0, 0, 0])
    expect(series.ruinedAtMillis).toBe(grid.atMillis[2])
    expect(returnsOf(grid.equity)).toMatchObject({ total: { value: -1 }, profit: 2300 })
    expect(computeDrawdown(series.index, grid.atMillis).maximum.value).toBe(-1)
  })

  it('is reported in the warnings', () => {
    const input = {
      grid,
      fills: [],
      orders: [],
      quotes: [],
      transfers: [],
      quoting: null,
      cancels: 0,
      requests: 0,
    }
    const { warnings } = computeMetrics({ ...input, rateLimited: 0, seed: '7', trials: [] })
    expect(warnings[0]).toBe(
      'Everything was lost by 2026-01-05T02:00:00.000Z: the returns end there, although the positions were not closed.',
    )
  })

  it('differs from an account that was emptied and funded again', () => {
    const emptied = computeEquitySeries(gridOf([1000, 0, 500, 550], { flow: [0, -1000, 500, 0] }))
    expect(emptied).toMatchObject({ ruinedAtMillis: null, profit: 50 })
    expect(emptied.index.at(-1)).toBeCloseTo(1.1, 12)
  })
})

describe('flows', () => {
  it('are no returns', () => {
    // 1000 grows by 10 %, 500 comes in, the 1600 grow by 10 %.
    const found = returnsOf([1000, 1600, 1760], [0, 500, 0])
    expect(found.total.value).toBeCloseTo(0.21, 12)
    expect(found.profit).toBeCloseTo(260, 9)
  })

  it('do not affect returns when they fall on a point of the grid', () => {
    const shares = fc.integer({ min: -9, max: 9 }).map((percent) => percent / 100)
    fc.assert(
      fc.property(
        fc.array(fc.record({ share: shares, flow: fc.integer({ min: 0, max: 500 }) }), {
          minLength: 1,
          maxLength: 20,
        }),
        (steps) => {
          const equity = [1000]
          const flow = [0]
          let chained = 1
          for (const step of steps) {
            equity.push((equity.at(-1) ?? 0) * (1 + step.share) + step.flow)
            flow.push(step.flow)
            chained *= 1 + step.share
          }
          expect(returnsOf(equity, flow).total.value).toBeCloseTo(chained - 1, 9)
        },
      ),
      { seed: 7, numRuns: 100 },
    )
  })
})

describe('daily returns', () => {
  it('make the ratios from 30 days on', () => {
    const equity = Array.from({ length: 24 * 31 + 1 }, (_, place) => 1000 + Math.sin(place) + place)
    const { ratio } = computeEquitySeries(gridOf(equity))
    expect(ratio.stepMillis).toBe(86_400_000)
    expect(ratio.values).toHaveLength(31)
    expect(ratio.values[0]).toBeCloseTo((equity[24] ?? 0) / 1000 - 1, 12)
    expect(computeEquitySeries(gridOf(equity.slice(0, 24 * 29))).ratio.stepMillis).toBe(hour)
  })

  // Such a grid includes a midnight every seventh or second day, and the return between two of them is not daily.
  it.each([7 * hour, 48 * hour])(
    'are undefined where midnights are lacking: a grid of %d ms',
    (stepMillis) => {
      const equity = Array.from({ length: 24 * 40 }, (_, place) => 1000 + Math.sin(place) + place)
      const { ratio } = computeEquitySeries(gridOf(equity, { stepMillis }))
      expect(ratio.stepMillis).toBe(stepMillis)
      expect(ratio.values).toHaveLength(equity.length - 1)
    },
  )
})

const tailsOf = (stepMillis: number, values: readonly number[]) =>
  tailMetrics({ stepMillis, values: Float64Array.from(values) })

/** Returns of 0 but for some, spread evenly. */
const mostlyIdle = (count: number, active: number, value: number): readonly number[] =>
  Array.from({ length: count }, (_, place) =>
    place % Math.floor(count / active) === 0 && place < active * Math.floor(count / active) ? value : 0,
  )

describe('tails', () => {
  it('are quantiles of type 7', () => {
    // R: quantile(c(15, 20, 35, 40, 50), 0.4) is 29.
    expect(quantile([35, 20, 15, 50, 40], 0.4).value).toBeCloseTo(29, 12)
    const values = [-0.05, -0.03, -0.01, 0, 0.01, 0.02, 0.02, 0.03, 0.04, 0.05, 0.06]
    const { grid } = tailsOf(hour, values)
    // Place 10 * 0.05 = 0.5 of the sorted: half-way from -0.05 to -0.03.
    expect(grid.valueAtRisk95.value).toBeCloseTo(0.04, 12)
    expect(grid.shortfall95.value).toBeCloseTo(0.05, 12)
  })

  it('correct the normal quantile by skewness and kurtosis, and not without them', () => {
    // Symmetric with kurtosis 3: two of -sqrt(3) and sqrt(3) among eight zeros.
    const values = [Math.sqrt(3), -Math.sqrt(3), 0, 0, 0, 0, 0, 0, Math.sqrt(3), -Math.sqrt(3), 0, 0]
    const { grid } = tailsOf(hour, values)
    const spread = Math.sqrt(12 / 11)
    expect(grid.cornishFisher95.value).toBeCloseTo(1.6448536269514722 * spread, 9)
  })

  it('correct it for skewed and heavy-tailed returns', () => {
    // Computed by the formula of Cornish and Fisher in another language.
    const values = [-0.05, -0.03, -0.01, 0, 0.01, 0.02, 0.02, 0.03, 0.04, 0.05, 0.12]
    const { grid } = tailsOf(hour, values)
    expect(grid.cornishFisher95.value).toBeCloseTo(0.04509118433531914, 9)
    expect(grid.cornishFisher99.value).toBeCloseTo(0.05964921856254725, 9)
    // The ends of the sorted values: places 0.5 and 0.1.
    expect(grid.valueAtRisk99.value).toBeCloseTo(0.048, 12)
    expect(grid.shortfall99.value).toBeCloseTo(0.05, 12)
  })

  it.each<[string, readonly number[], number]>([
    ['three losses among 97 zeros: the worst five of a hundred', mostlyIdle(100, 3, -0.1), 0.3 / 5],
    ['30 hours in a thousand: the worst fifty', mostlyIdle(1000, 30, -0.02), 0.6 / 50],
    ['seven returns: a third of the worst one', [-0.06, 0, 0, 0, 0, 0, 0.01], 0.06],
    [
      'thirty returns: the worst, and half of the next',
      [-0.06, -0.03, ...Array(28).fill(0)],
      (0.06 + 0.015) / 1.5,
    ],
    ['gains only: the smallest', Array.from({ length: 100 }, (_, place) => (place + 1) / 1000), -0.003],
  ])('have a shortfall of the worst twentieth, not of all at the quantile: %s', (_, values, loss) => {
    expect(tailsOf(hour, values).grid.shortfall95.value).toBeCloseTo(loss, 12)
  })

  it('have the shortfall that a naive sort gives', () => {
    const returns = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(returns, (points) => {
        const sorted = points.map((point) => point / 1000).sort((left, right) => left - right)
        const wanted = sorted.length / 20
        const parts = sorted.map((value, place) => value * Math.max(0, Math.min(1, wanted - place)))
        const naive = parts.reduce((total, part) => total + part, 0) / wanted
        expect(
          tailsOf(
            hour,
            points.map((point) => point / 1000),
          ).grid.shortfall95.value,
        ).toBeCloseTo(-naive, 9)
      }),
    )
  })

  it.each<[string, readonly number[], string]>([
    ['five losses', mostlyIdle(1000, 5, -0.05), 'the returns are too skewed or too fat-tailed for it'],
    ['five gains', mostlyIdle(1000, 5, 0.05), 'the returns are too skewed or too fat-tailed for it'],
    [
      'steady gains',
      [-9, -4, -3, -2, -1, -1, 0, 0, 0, 1, 1, 2, 3, 4, 8].map((value) => 1 + value / 1000),
      'the expansion gives a gain',
    ],
  ])('have no corrected quantile where the expansion fails: %s', (_, values, reason) => {
    const { cornishFisher95, cornishFisher99 } = tailsOf(hour, values).grid
    expect([cornishFisher95, cornishFisher99]).toEqual([
      { value: null, reason },
      { value: null, reason },
    ])
  })

  it('are missing for no returns, and without a correction for returns that do not vary', () => {
    const reason = 'there are no returns of that span'
    for (const figure of Object.values(tailsOf(hour, []).grid))
      expect(figure).toEqual({ value: null, reason })
    const { grid } = tailsOf(hour, [0.25, 0.25, 0.25])
    expect(grid).toMatchObject({ valueAtRisk95: { value: -0.25 }, shortfall95: { value: -0.25 } })
    expect(grid.cornishFisher95).toEqual({ value: null, reason: 'the returns do not vary' })
  })

  it('use overlapping days', () => {
    expect(sumOverlapping(Float64Array.of(1, 2, 3, 4), 3)).toEqual(Float64Array.of(6, 9))
    const values = Array.from({ length: 25 }, (_, place) => place / 1000)
    const { day } = tailsOf(hour, values)
    expect(day.valueAtRisk95.value).toBeCloseTo(-(0.276 + 0.05 * 0.024), 12)
    expect(tailsOf(hour, [0.1]).day.valueAtRisk95.value).toBeNull()
    for (const hours of [7, 36, 48, 72])
      expect(tailsOf(hours * hour, values).day.valueAtRisk95.value).toBeNull()
    expect(tailsOf(24 * hour, values).day).toEqual(tailsOf(hour, values).grid)
  })
})
