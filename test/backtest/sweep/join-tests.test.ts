import { describe, expect, it } from 'vitest'
import { type JoinedFold, joinTests } from '../../../src/backtest/sweep/join-tests.ts'
import type { CaseRow } from '../../../src/backtest/sweep/plan.ts'

const day = 86_400_000
const start = Date.UTC(2026, 0, 5)
const dayText = (days: number): string => new Date(start + days * day).toISOString()

/** A row whose equity has a point a day from a day on. */
function rowOf(
  seed: string,
  from: number,
  equity: readonly number[],
  more: CaseRow['metrics'] = {},
): CaseRow {
  const [first = 1] = equity
  const total = (equity.at(-1) ?? 0) / first - 1
  const metrics = {
    'sampling.fromMillis': start + from * day,
    'sampling.toMillis': start + (from + equity.length - 1) * day,
    'sampling.gridMillis': day,
    'returns.total': total,
    'drawdown.maximum': 0,
    ...more,
  }
  return { id: seed, seed, parameters: {}, digest: null, metrics, equity, failure: null }
}

const foldOf = (from: number, days: number, ...rows: readonly CaseRow[]): JoinedFold => ({
  test: { from: dayText(from), to: dayText(from + days) },
  rows,
})

function joined(folds: readonly JoinedFold[]) {
  const found = joinTests(folds)
  if ('reason' in found) throw new Error(found.reason)
  return found
}

describe('tests joined into one equity', () => {
  it('go on from what the test before has left, by hand', () => {
    // 100 -> 110 -> 99, then 50 -> 60: 1, 1.1, 0.99, then times 1.2.
    const found = joined([
      foldOf(10, 2, rowOf('1', 10, [100, 110, 99])),
      foldOf(12, 1, rowOf('1', 12, [50, 60])),
    ])
    expect(found.atMillis).toEqual([10, 11, 12, 13].map((days) => start + days * day))
    const [path = []] = found.paths
    for (const [place, worth] of [1, 1.1, 0.99, 1.188].entries()) expect(path[place]).toBeCloseTo(worth, 12)
    expect(found).toMatchObject({ seeds: ['1'], omittedSeeds: 0, stepMillis: day, returns: 3 })
    const { figures } = found
    expect(figures.total.value).toBeCloseTo(0.188, 12)
    expect(figures.maximumDrawdown.value).toBeCloseTo(0.99 / 1.1 - 1, 12)
    // The returns are 10 %, -10 % and 20 %: mean 20/3 %, deviation 15.2753 %, so t = 0.0666667 / 0.152753 * sqrt(3).
    expect(figures.tStatistic.value).toBeCloseTo(0.7559289, 6)
    expect(figures.sharpe).toEqual({ value: null, reason: 'the run is shorter than 30 days' })
  })

  it('have yearly figures from 30 days on', () => {
    const equity = Array.from({ length: 21 }, (_, place) => 100 * (1 + (place % 2) * 0.01))
    const { figures } = joined([0, 20].map((from) => foldOf(from, 20, rowOf('1', from, equity))))
    // 40 returns of 1 % and -1/1.01 %, in turn.
    const down = 1 / 1.01 - 1
    const mean = (0.01 + down) / 2
    const deviation = Math.sqrt(((0.01 - mean) ** 2 * 20 + (down - mean) ** 2 * 20) / 39)
    expect(figures.volatility.value).toBeCloseTo(deviation * Math.sqrt(365), 10)
    expect(figures.sharpe.value).toBeCloseTo((mean / deviation) * Math.sqrt(365), 10)
    expect(figures.cagr.value).toBeCloseTo(0, 10)
  })

  it('fall as deep as a test fell between two points', () => {
    const { figures } = joined([foldOf(0, 1, rowOf('1', 0, [100, 110], { 'drawdown.maximum': -0.3 }))])
    expect(figures.maximumDrawdown.value).toBe(-0.3)
  })

  it('are medians over the seeds that have every test', () => {
    const found = joined([
      foldOf(0, 1, rowOf('1', 0, [1, 1.1]), rowOf('2', 0, [1, 1.3]), rowOf('3', 0, [1, 5])),
      foldOf(1, 1, rowOf('1', 1, [1, 1]), rowOf('2', 1, [1, 1])),
    ])
    expect(found).toMatchObject({ seeds: ['1', '2'], omittedSeeds: 1 })
    expect(found.figures.total.value).toBeCloseTo(0.2, 12)
  })

  it('stay where a strategy stopped early', () => {
    const found = joined([
      foldOf(0, 3, rowOf('1', 0, [1, 2]), rowOf('2', 0, [1, 1, 1, 4])),
      foldOf(3, 1, rowOf('1', 3, [1, 1.5]), rowOf('2', 3, [1, 1])),
    ])
    expect(found.paths).toEqual([
      [1, 2, 2, 2, 3],
      [1, 1, 1, 4, 4],
    ])
  })

  it('are read at equal steps where a row keeps 101 points of more', () => {
    const equity = Array.from({ length: 101 }, (_, place) => 1 + place / 100)
    const row = rowOf('1', 0, equity, {
      'sampling.gridMillis': 3_600_000,
      'sampling.toMillis': start + 50 * day,
    })
    const { atMillis } = joined([foldOf(0, 50, row)])
    expect(atMillis[1]).toBe(start + day / 2)
    expect(atMillis.at(-1)).toBe(start + 50 * day)
  })

  it('have lost everything for good', () => {
    const found = joined([
      foldOf(0, 2, rowOf('1', 0, [1, -1, 1], { 'returns.total': -1 })),
      foldOf(2, 1, rowOf('1', 2, [1, 2])),
    ])
    expect(found.paths).toEqual([[1, 0, 0, 0]])
  })

  it.each<[string, readonly JoinedFold[], string]>([
    ['no fold', [], 'no seed has an equity in every test'],
    ['a test without runs', [foldOf(0, 1, rowOf('1', 0, [1, 2])), foldOf(1, 1)], 'no seed has an equity'],
    ['a failed run', [foldOf(0, 1, { ...rowOf('1', 0, []), failure: 'broke' })], 'no seed has an equity'],
    ['a run of one point', [foldOf(0, 1, rowOf('1', 0, [1]))], 'no seed has an equity'],
    [
      'other seeds in each test',
      [foldOf(0, 1, rowOf('1', 0, [1, 2])), foldOf(1, 1, rowOf('2', 1, [1, 2]))],
      'no seed has an equity',
    ],
    [
      'an account without money',
      [foldOf(0, 1, rowOf('1', 0, [0, 0], { 'returns.total': 0 }))],
      'no seed has an equity',
    ],
    ['a deposit', [foldOf(0, 1, rowOf('1', 0, [1, 2], { 'returns.total': 0 }))], 'money was deposited'],
    [
      'a withdrawal in one seed',
      [foldOf(0, 1, rowOf('1', 0, [1, 2]), rowOf('2', 0, [2, 1], { 'returns.total': 0.1 }))],
      'money was deposited',
    ],
  ])('are none of %s', (_, folds, reason) => {
    expect(joinTests(folds)).toEqual({ reason: expect.stringContaining(reason) })
  })
})
