import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteShellWord } from '../../../src/backtest/parameters.ts'
import { type CaseRow, listCases } from '../../../src/backtest/sweep/plan.ts'
import { sampleEquity } from '../../../src/backtest/sweep/run-case.ts'
import {
  computeHeadsProbability,
  computeMedian,
  computeMedianInterval,
  computeSpread,
  findBestCell,
  findExtremes,
  formatReplayCommand,
  groupByCell,
  listValues,
  runSignTest,
  towardsBetter,
} from '../../../src/backtest/sweep/summary.ts'
import { measureSkill } from '../../../src/backtest/sweep/sweep-result.ts'
import { plan, rowFor } from './fixtures.ts'

describe('tosses of a fair coin', () => {
  // C(10, k) / 1024, summed by hand.
  it.each([
    [0, 10, 1 / 1024],
    [1, 10, 11 / 1024],
    [2, 10, 56 / 1024],
    [5, 10, 638 / 1024],
    [10, 10, 1],
    [0, 0, 1],
    [0, 1, 0.5],
  ])('at most %i heads of %i', (heads, tosses, probability) => {
    expect(computeHeadsProbability(heads, tosses)).toBeCloseTo(probability, 12)
  })

  it('is nearly the same by the normal approximation, where that takes over', () => {
    for (const heads of [450, 480, 500, 530]) {
      expect(computeHeadsProbability(heads, 1_001)).toBeCloseTo(computeHeadsProbability(heads, 1_000), 1.3)
    }
    expect(computeHeadsProbability(500, 1_001)).toBeCloseTo(0.5, 6)
  })
})

describe('the sign test', () => {
  it.each<[readonly number[], object]>([
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, -1], { wins: 9, losses: 1, ties: 0, probability: 22 / 1024 }],
    [[1, -1, 0, 0], { wins: 1, losses: 1, ties: 2, probability: 1 }],
    [[], { wins: 0, losses: 0, ties: 0, probability: 1 }],
    [[-3, -3, -3, -3, -3], { wins: 0, losses: 5, ties: 0, probability: 2 / 32 }],
  ])('of %j', (differences, expected) => {
    const { probability, ...counts } = runSignTest(differences)
    const { probability: wanted, ...wantedCounts } = { probability: 0, ...expected }
    expect(counts).toEqual(wantedCounts)
    expect(probability).toBeCloseTo(wanted, 12)
  })
})

describe('the interval of a median', () => {
  // Ranks as in tables of order statistics, and between them by Hettmansperger and Sheather. Of 6 values the whole range has
  // 31/32 and the 2nd to the 5th 25/32, so the share is (5 * 0.1) / (1 + 4 * 0.1) = 5/14.
  it.each([
    [5, null],
    [6, 1 + 5 / 14],
    // From the 2nd to the 9th 1 - 22/1024, from the 3rd to the 8th 1 - 112/1024.
    [10, 2 + (8 * (29.2 / 90)) / (2 + 6 * (29.2 / 90))],
  ])('of %i values', (count, low) => {
    const values = Array.from({ length: count }, (_, place) => ((place * 7) % count) + 1)
    expect(computeMedianInterval(values)).toEqual(
      low === null ? null : { low: expect.closeTo(low, 12), high: expect.closeTo(count + 1 - low, 12) },
    )
  })

  it('lies about the median', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 6, maxLength: 60 }), (values) => {
        const interval = computeMedianInterval(values)
        const median = computeMedian(values)
        expect(
          interval !== null && median !== null && interval.low <= median && median <= interval.high,
        ).toBe(true)
      }),
      { seed: 7, numRuns: 200 },
    )
  })
})

describe('skill', () => {
  /** A sweep whose cells have these Sharpe ratios, one for each seed. */
  const sweepOf = (cells: readonly (readonly number[])[], isRecorded = false) => {
    const rows = cells.flatMap((ratios, cell) =>
      ratios.map(
        (sharpe, seed): CaseRow => ({
          id: `${cell} ${seed}`,
          seed: String(seed),
          parameters: { size: String(cell) },
          digest: null,
          metrics: {
            'returns.sharpe': sharpe,
            'returns.skewness': 0,
            'returns.kurtosis': 3,
            'sampling.returns': 365,
            'sampling.ratioMillis': 86_400_000,
          },
          equity: [],
          failure: null,
        }),
      ),
    )
    const scenario = { ...plan.work.scenario, ...(isRecorded ? ({ isRecorded: true } as const) : {}) }
    const grid = [{ name: 'size', of: 'strategy' as const, values: cells.map((_, cell) => String(cell)) }]
    const seeds = (cells[0] ?? []).map((_, seed) => String(seed))
    return { plan: { ...plan, work: { ...plan.work, scenario }, grid, seeds }, rows }
  }
  const four = [-1, 0, 1, 2]
  const times = (cells: readonly number[], seeds: number) =>
    cells.map((ratio) => Array.from({ length: seeds }, () => ratio))

  it('is smaller the more was tried', () => {
    const few = measureSkill(sweepOf(times(four, 1)))
    const many = measureSkill(sweepOf(Array.from({ length: 400 }, (_, place) => [(place % 4) - 1])))
    if (few === null || many === null) throw new Error('no skill')
    expect(few.sharpe).toBe(2)
    expect(few.parameters).toEqual({ size: '3' })
    expect(many.trials).toBe(400)
    expect(few.probabilistic).toBeCloseTo(many.probabilistic, 12)
    expect(few.deflated).toBeLessThan(few.probabilistic)
    expect(many.deflated).toBeLessThan(few.deflated / 2)
  })

  it('agrees with the formula worked by hand', () => {
    // SR 2 a year on 365 daily returns: 2 / sqrt(365) = 0.104685; variance 1 + 0.104685^2 / 2 = 1.005480;
    // z = 0.104685 * sqrt(364) / sqrt(1.005480) = 1.991811; Phi(z) = 0.976804.
    expect(measureSkill(sweepOf([[0], [2]]))?.probabilistic).toBeCloseTo(0.976804, 5)
    // Four seeds halve the error: Phi(3.983622) = 0.999966.
    expect(measureSkill(sweepOf(times([0, 2], 4)))?.probabilistic).toBeCloseTo(0.999966, 6)
    // The best of four tries with deviation 1.290994: (0.422784 * 0.674490 + 0.577216 * 1.328722) * 1.290994 =
    // 1.358285; z = (2 - 1.358285) / 2 * 1.991811 = 0.639088; Phi(z) = 0.738617.
    const skill = measureSkill(sweepOf(times(four, 1)))
    expect(skill?.luckySharpe).toBeCloseTo(1.358285, 5)
    expect(skill?.deflated).toBeCloseTo(0.738617, 5)
  })

  it('counts cells as tries and seeds as samples', () => {
    const one = measureSkill(sweepOf(times(four, 1)))
    const many = measureSkill(sweepOf(times(four, 50)))
    expect(many).toMatchObject({ trials: 4, seeds: 50, luckySharpe: one?.luckySharpe, sharpe: 2 })
    expect(many?.deflated).toBeGreaterThan(0.99)
  })

  it('is no surer for many seeds of one recording', () => {
    const one = measureSkill(sweepOf(times(four, 1), true))
    const many = measureSkill(sweepOf(times(four, 50), true))
    expect(many).toEqual({ ...one, seeds: 50 })
  })

  it('deflates nothing where there was no choice', () => {
    const alone = measureSkill(sweepOf([[1, 3]]))
    expect(alone).toMatchObject({ trials: 1, sharpe: 2, luckySharpe: 0 })
    expect(alone?.deflated).toBe(alone?.probabilistic)
  })

  it('counts what was tried elsewhere', () => {
    const whole = measureSkill(sweepOf(times(four, 1)))
    const part = measureSkill(sweepOf(times([1, 2], 1)), { ratios: [-1, 0] })
    expect(part).toMatchObject({ trials: 4, earlierTrials: 2, luckySharpe: whole?.luckySharpe })
    expect(part?.deflated).toBe(whole?.deflated)
    const stated = measureSkill(sweepOf(times(four, 1)), { trials: 400 })
    expect(stated).toMatchObject({ trials: 400, earlierTrials: 396 })
    expect(stated?.deflated).toBeLessThan(whole?.deflated ?? 0)
    expect(measureSkill(sweepOf([[2]]), { trials: 4 })?.luckySharpe).toBeGreaterThan(0)
  })

  it('is undefined for cells that are all alike, and without ratios', () => {
    expect(measureSkill(sweepOf([[1], [1]]))).toBeNull()
    expect(measureSkill({ ...sweepOf([[1]]), rows: [] })).toBeNull()
  })
})

describe('summaries', () => {
  const rows = listCases(plan).map(rowFor)

  it('group rows by cell, in the order of the grid', () => {
    const cells = groupByCell(plan, rows.toReversed())
    expect(cells.map(({ name, rows: own }) => [name, own.length])).toEqual([
      ['spreadBps=1 informed=0.2', 3],
      ['spreadBps=1 informed=0.6', 3],
      ['spreadBps=5 informed=0.2', 3],
      ['spreadBps=5 informed=0.6', 3],
    ])
    expect(listValues(cells[2]?.rows ?? [], 'returns.profit').toSorted((a, b) => a - b)).toEqual([1, 6, 11])
    expect(listValues(rows, 'returns.sharpe')).toHaveLength(8)
  })

  it('find the extremes, and the first of equal ones', () => {
    expect(findExtremes(rows, 'returns.profit', 'worst', 2).map(({ id }) => id)).toEqual([
      rows[0]?.id,
      rows[1]?.id,
    ])
    expect(findExtremes(rows, 'returns.profit', 'best', 1).map(({ id }) => id)).toEqual([rows[10]?.id])
    expect(findExtremes(rows, 'nothing', 'best', 3)).toEqual([])
  })

  it('know whether a higher or a lower figure is better', () => {
    const dear = rows.map((row, place) => ({ ...row, metrics: { ...row.metrics, 'costs.fees': place } }))
    expect(findExtremes(dear, 'costs.fees', 'best', 1).map(({ id }) => id)).toEqual([rows[0]?.id])
    expect(findExtremes(dear, 'costs.fees', 'worst', 1).map(({ id }) => id)).toEqual([rows.at(-1)?.id])
    const cells = groupByCell(plan, dear)
    const medians = cells.map((cell) => computeMedian(listValues(cell.rows, 'costs.fees')) ?? Number.NaN)
    const least = cells[medians.indexOf(Math.min(...medians.filter(Number.isFinite)))]
    expect(findBestCell(cells, 'costs.fees')).toBe(least)
    expect(findBestCell(cells, 'nothing')).toBeNull()
  })

  it.each([
    ['returns.profit', 1],
    ['drawdown.maximum', 1],
    ['drawdown.deepest.1.depth', 1],
    ['drawdown.longestMillis', -1],
    ['returns.volatility', -1],
    ['tail.day.shortfall95', -1],
    ['maker.markouts.5000.bps', 1],
    ['maker.markouts.5000.adverseBps', -1],
    ['costs.versusVwapBps', -1],
    ['benchmark.alpha', 1],
  ] as const)('%s is better towards %d', (metric, direction) => {
    expect(towardsBetter(metric)).toBe(direction)
  })

  it('interpolate quantiles', () => {
    expect(computeSpread([4, 1, 3, 2, 5])).toEqual({
      count: 5,
      p5: 1.2,
      p25: 2,
      median: 3,
      p75: 4,
      p95: 4.8,
      mean: 3,
    })
    expect(computeSpread([])).toBeNull()
  })
})

it('keeps the equity of short runs, and 101 points of long ones', () => {
  expect(sampleEquity([0, 10, 20], [1, 2, 3])).toEqual([1, 2, 3])
  expect(sampleEquity([], [])).toEqual([])
  const atMillis = Array.from({ length: 1_001 }, (_, place) => place * 60_000)
  const points = sampleEquity(atMillis, atMillis)
  expect(points).toHaveLength(101)
  expect(points[1]).toBe(600_000)
  expect(points.at(-1)).toBe(60_000_000)
})

it.each([
  ['plain-1.5', 'plain-1.5'],
  ['', "''"],
  ['a b', "'a b'"],
  ["it's", "'it'\\''s'"],
  ['$(rm)', "'$(rm)'"],
])('writes %j as one word of a shell', (text, word) => {
  expect(quoteShellWord(text)).toBe(word)
})

it('names the command of a case', () => {
  const [first] = listCases(plan)
  if (first === undefined) throw new Error('no case')
  const withOptions = { ...plan, work: { ...plan.work, options: { scenario: 'calm', makerBps: '-1' } } }
  expect(formatReplayCommand(withOptions, first)).toBe(
    'npx otcsim backtest maker.ts --scenario calm --maker-bps -1 --set spreadBps=1 --param informed=0.2 --seed 1',
  )
})
