import { describe, expect, it } from 'vitest'
import { createWalkForward, parseWalkForward } from '../../../src/backtest/sweep/make-plan.ts'
import {
  computeOutOfSample,
  describeOutOfSample,
  type OutOfSample,
} from '../../../src/backtest/sweep/out-of-sample.ts'
import {
  type CaseRow,
  countCases,
  createTask,
  decodeRow,
  decodeTask,
  formatPlan,
  formatRow,
  listCases,
  parsePlan,
  planDigest,
  type SweepPlan,
} from '../../../src/backtest/sweep/plan.ts'
import { formatReplayCommand } from '../../../src/backtest/sweep/summary.ts'
import { formatResults, sortByPlan } from '../../../src/backtest/sweep/sweep-result.ts'
import { plan as plainPlan } from './fixtures.ts'

const day = 86_400_000
const start = Date.UTC(2026, 0, 5)
const dayText = (days: number): string => new Date(start + days * day).toISOString()

describe('the folds of a walk forward', () => {
  const between = (days: number, train: number, test: number) =>
    createWalkForward(start, start + days * day, {
      trainMillis: train * day,
      testMillis: test * day,
      embargoMillis: 0,
      isAnchored: false,
    })

  it('train on a span, test on the next, and move on by one test; a remainder is left out', () => {
    expect(parseWalkForward('10d/36h')).toEqual({
      ok: true,
      value: { trainMillis: 10 * day, testMillis: 1.5 * day, embargoMillis: 0, isAnchored: false },
    })
    const found = between(17, 10, 3)
    expect(found).toEqual({
      ok: true,
      value: {
        windows: [
          { from: dayText(0), to: dayText(10) },
          { from: dayText(10), to: dayText(13) },
          { from: dayText(3), to: dayText(13) },
          { from: dayText(13), to: dayText(16) },
        ],
        folds: [
          { train: 0, test: 1 },
          { train: 2, test: 3 },
        ],
      },
    })
  })

  it('run a span once that is the test of one fold and the training of the next', () => {
    const found = between(40, 10, 10)
    expect(found.ok && found.value.windows).toHaveLength(4)
    expect(found.ok && found.value.folds).toEqual(
      [0, 1, 2].map((place) => ({ train: place, test: place + 1 })),
    )
  })

  it('all train from the start where they are anchored, and keep an embargo', () => {
    const parsed = parseWalkForward('10d/3d,anchored,embargo=2d')
    if (!parsed.ok) throw new Error(parsed.problem)
    const found = createWalkForward(start, start + 18 * day, parsed.value)
    expect(found).toEqual({
      ok: true,
      value: {
        windows: [
          { from: dayText(0), to: dayText(10) },
          { from: dayText(12), to: dayText(15) },
          { from: dayText(0), to: dayText(13) },
          { from: dayText(15), to: dayText(18) },
        ],
        folds: [
          { train: 0, test: 1 },
          { train: 2, test: 3 },
        ],
      },
    })
    const short = createWalkForward(start, start + 14 * day, parsed.value)
    expect(short).toEqual({ ok: false, problem: 'training, embargo and test take 15d, and there are 14d' })
  })

  it.each(['10d/3d,', '10d/3d,rolling', '10d/3d,embargo', '10d/3d,embargo=0s', '10d/3d,anchored,anchored'])(
    'are not %j',
    (text) => {
      const word = text.split(',').at(-1)
      const problem = `expected anchored or an embargo after the spans, such as 180d/30d,anchored,embargo=2d, found "${word}"`
      expect(parseWalkForward(text)).toEqual({ ok: false, problem })
    },
  )

  it('are one when only one fits', () => {
    expect(between(13, 10, 3)).toMatchObject({ ok: true, value: { folds: [{ train: 0, test: 1 }] } })
    const short = between(12.5, 10, 3)
    expect(short).toEqual({ ok: false, problem: 'training and test take 13d, and there are 12d12h' })
    expect(between(2000, 10, 1)).toMatchObject({ ok: false, problem: expect.stringMatching(/1990 tests/) })
  })

  it.each(['', '30d', '30d/', '/30d', '30d/0s', '30d/5', '30d/5d/5d', '2026-01-05..2026-02-05'])(
    'are not %j',
    (text) => {
      const problem = `expected the spans of training and test, such as 180d/30d, found "${text}"`
      expect(parseWalkForward(text)).toEqual({ ok: false, problem })
    },
  )
})

const walkForward = {
  windows: [0, 10, 20, 30].map((from) => ({ from: dayText(from), to: dayText(from + 10) })),
  folds: [0, 1, 2].map((train) => ({ train, test: train + 1 })),
}
const plan: SweepPlan = { ...plainPlan, walkForward }

describe('a plan with folds', () => {
  it('has for each window the cases, and ids, of a sweep over that window', () => {
    const cases = listCases(plan)
    expect(cases).toHaveLength(48)
    expect(countCases(plan)).toBe(48)
    for (const [place, window] of walkForward.windows.entries()) {
      const { work } = plainPlan
      const alone = listCases({ ...plainPlan, work: { ...work, options: { ...work.options, ...window } } })
      expect(cases.slice(place * 12, place * 12 + 12)).toEqual(alone.map((each) => ({ ...each, window })))
    }
  })

  it('survives its file, and has a digest of its own', () => {
    expect(parsePlan(formatPlan(plan))).toEqual(plan)
    const other = { ...plan, walkForward: { ...walkForward, folds: walkForward.folds.slice(1) } }
    expect(new Set([plainPlan, plan, other].map(planDigest)).size).toBe(3)
    const text = (walked: unknown) => JSON.stringify({ ...JSON.parse(formatPlan(plan)), walkForward: walked })
    for (const damaged of [
      null,
      {},
      { ...walkForward, folds: [] },
      { ...walkForward, folds: [{ train: 0, test: 4 }] },
      { ...walkForward, windows: [{ from: 'x' }] },
    ])
      expect(parsePlan(text(damaged))).toBeNull()
  })

  it('sends each case to its window, and its row back', () => {
    const each = listCases(plan)[13]
    if (each === undefined) throw new Error('there are 48')
    const task = createTask(plan, each)
    expect(task.work.options).toEqual({ account: 'desk', from: dayText(10), to: dayText(20) })
    expect(decodeTask(JSON.parse(JSON.stringify(task)))).toEqual(task)
    const row = rowOf(each, 1, 0.1)
    expect(decodeRow(JSON.parse(formatRow(row)))).toEqual(row)
    expect(formatReplayCommand(plan, row)).toContain(`--from ${dayText(10)} --to ${dayText(20)} `)
    const { missing, rows } = sortByPlan(plan, [row])
    expect([missing, rows]).toEqual([47, [row]])
    const [head, line] = formatResults(plan, [row]).split('\n')
    expect(JSON.parse(head ?? '')).toMatchObject({ walkForward })
    expect(JSON.parse(line ?? '')).toMatchObject({ window: walkForward.windows[1] })
  })
})

function rowOf(each: ReturnType<typeof listCases>[number], profit: number | null, total: number): CaseRow {
  const failure = profit === null ? 'it failed' : null
  const metrics: CaseRow['metrics'] =
    profit === null
      ? {}
      : {
          'returns.profit': profit,
          'returns.total': total,
          'returns.sharpe': profit,
          'costs.fees': profit,
          // One that did not trade has no market.
          'benchmark.marketReturn': profit < 50 ? null : 0.1,
        }
  return { ...each, digest: null, metrics, equity: [], failure }
}

/** Profits by cell and window, of the middle seed; seeds are a dollar apart. */
const profits: Readonly<Record<string, readonly (number | null)[]>> = {
  'spreadBps=1 informed=0.2': [100, 50, 70, 0],
  'spreadBps=1 informed=0.6': [90, 90, 20, 60],
  'spreadBps=5 informed=0.2': [80, -10, 90, -40],
  'spreadBps=5 informed=0.6': [70, 10, 10, 30],
}

function rowsOf(table: typeof profits): readonly CaseRow[] {
  return listCases(plan).map((each) => {
    const name = `spreadBps=${each.parameters['spreadBps']} informed=${each.parameters['informed']}`
    const place = walkForward.windows.findIndex(({ from }) => from === each.window?.from)
    const profit = table[name]?.[place] ?? null
    return rowOf(each, profit === null ? null : profit + Number(each.seed) - 2, (profit ?? 0) / 1000)
  })
}

describe('the choice of the training', () => {
  const result = computeOutOfSample(plan, walkForward, rowsOf(profits), 'returns.profit')

  it('is judged only in the test', () => {
    const told = result.folds.map((fold) => [
      fold.chosen?.name,
      fold.inSample,
      fold.outOfSample,
      fold.rank,
      fold.hindsight?.name,
      fold.hindsightValue,
    ])
    // Per day: windows have ten days.
    expect(told).toEqual([
      ['spreadBps=1 informed=0.2', 10, 5, 2, 'spreadBps=1 informed=0.6', 9],
      ['spreadBps=1 informed=0.6', 9, 2, 3, 'spreadBps=5 informed=0.2', 9],
      ['spreadBps=5 informed=0.2', 9, -4, 4, 'spreadBps=1 informed=0.6', 6],
    ])
    expect(result).toMatchObject({ isPerDay: true, complete: 3, failed: 0, betterHalf: 1, judged: 3 })
    expect(result.inSample).toBeCloseTo(28 / 3, 12)
    expect(result.outOfSample).toBeCloseTo(1, 12)
    expect(result.degradation).toBeCloseTo(1 - 3 / 28, 12)
    expect(result.chainedReturn).toBeCloseTo(1.05 * 1.02 * 0.96 - 1, 12)
    expect(result.chainedMarket).toBeCloseTo(1.1 ** 3 - 1, 12)
    expect(result.cells.map(({ timesChosen }) => timesChosen)).toEqual([1, 1, 1, 0])
    expect(result.cells[3]).toMatchObject({ inSample: 3, outOfSample: 5 / 3 })
  })

  it('is reported with how much of it was lost', () => {
    expect(describeOutOfSample(result, (_name, value) => `${value.toFixed(2)} USD`)).toEqual([
      'returns.profit a day of the cells that training chose, on average over 3 folds: 9.33 USD in sample, 1.00 USD out of sample, 89.3 % worse.',
      expect.stringMatching(
        /^In 1 of 3 tests the chosen cell was among the better half .* test is −?0\.\d\d: 1 would mean/,
      ),
      "One after the other, the tests make 2.82 % from 2026-01-15 to 2026-02-14, and buying and holding 33.10 %; each begins with the account's first money and without positions.",
      'The tests cannot be joined into one equity: no seed has an equity in every test.',
    ])
  })

  it('has the correlation of the cells, by hand', () => {
    // The last fold: 70, 20, 90, 10 and 0, 60, -40, 30; the mean over three such.
    const pearson = (left: readonly number[], right: readonly number[]): number => {
      const mean = (values: readonly number[]) =>
        values.reduce((sum, value) => sum + value, 0) / values.length
      const gaps = (values: readonly number[]) => values.map((value) => value - mean(values))
      const dot = (one: readonly number[], two: readonly number[]) =>
        one.reduce((sum, value, place) => sum + value * (two[place] ?? 0), 0)
      const [a, b] = [gaps(left), gaps(right)]
      return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
    }
    const columns = [0, 1, 2, 3].map((place) => Object.values(profits).map((row) => row[place] ?? 0))
    const each = [0, 1, 2].map((place) => pearson(columns[place] ?? [], columns[place + 1] ?? []))
    expect(result.correlation).toBeCloseTo(each.reduce((sum, value) => sum + value, 0) / 3, 12)
  })

  it('is the smallest of figures that should be small, and ratios are not per day', () => {
    const costs = computeOutOfSample(plan, walkForward, rowsOf(profits), 'costs.fees')
    expect(costs.folds.map(({ chosen }) => chosen?.name)).toEqual([
      'spreadBps=5 informed=0.6',
      'spreadBps=5 informed=0.2',
      'spreadBps=5 informed=0.6',
    ])
    expect(costs.folds.map(({ rank }) => rank)).toEqual([2, 4, 3])
    expect(computeOutOfSample(plan, walkForward, rowsOf(profits), 'returns.sharpe')).toMatchObject({
      isPerDay: false,
      folds: [{ inSample: 100 }, { inSample: 90 }, { inSample: 90 }],
    })
  })

  it('reports profits that turned into losses, and missing figures', () => {
    const told = (table: typeof profits): { result: OutOfSample; text: string } => {
      const result = computeOutOfSample(plan, walkForward, rowsOf(table), 'returns.profit')
      return { result, text: describeOutOfSample(result, (_name, value) => value.toFixed(2)).join('\n') }
    }
    const turned = told({ ...profits, 'spreadBps=1 informed=0.2': [100, -90, 70, 0] })
    expect(turned.text).toContain('What gained in training lost afterwards.')
    const gone = told({ ...profits, 'spreadBps=1 informed=0.2': [100, null, 70, 0] })
    expect(gone.result).toMatchObject({ complete: 2, failed: 3, chainedReturn: null })
    expect(gone.text).toContain(
      '1 of 3 folds is left out, having no figure in training or in the test: those may have been the worst. The strategy failed in 3 cases.',
    )
    const nothing = told({})
    expect(nothing.result).toMatchObject({ inSample: null, degradation: null, correlation: null, judged: 0 })
    expect(nothing.text).toMatch(
      /^No fold has the figure both in training and in its test\.\n3 of 3 folds are/,
    )
  })

  it('counts half a rank for each tie', () => {
    const same = computeOutOfSample(
      plan,
      walkForward,
      rowsOf(Object.fromEntries(Object.keys(profits).map((name) => [name, [1, 1, 1, 1]]))),
      'returns.profit',
    )
    expect(same.folds.map(({ rank, ranked }) => [rank, ranked])).toEqual([
      [2.5, 4],
      [2.5, 4],
      [2.5, 4],
    ])
    expect(same).toMatchObject({ betterHalf: 1.5, degradation: 0, correlation: null })
  })

  it('is compared with holding what it traded, where cells trade different assets', () => {
    const assets = { ...plan, grid: [{ name: 'asset', of: 'strategy' as const, values: ['BTC', 'ETH'] }] }
    const rows = listCases(assets).map((each) => {
      const isEther = each.parameters['asset'] === 'ETH'
      const row = rowOf(each, isEther ? 90 : 60, 0)
      return { ...row, metrics: { ...row.metrics, 'benchmark.marketReturn': isEther ? 0.5 : 0.1 } }
    })
    const { chainedMarket } = computeOutOfSample(assets, walkForward, rows, 'returns.profit')
    expect(chainedMarket).toBeCloseTo(1.5 ** 3 - 1, 12)
  })

  it('finds a choice by chance in half of the better halves, also of three cells', () => {
    const three = { ...plan, grid: [{ name: 'size', of: 'strategy' as const, values: ['1', '2', '3'] }] }
    const rows = listCases(three).map((each) => {
      // Each cell is the best of one training, and the tests always end as 3, 2, 1.
      const place = walkForward.windows.findIndex(({ from }) => from === each.window?.from)
      const size = Number(each.parameters['size'])
      return rowOf(each, place === size - 1 ? 100 : size, 0)
    })
    const walked = { ...walkForward, folds: [0, 1, 2].map((train) => ({ train, test: 3 })) }
    const { betterHalf, folds, judged } = computeOutOfSample(three, walked, rows, 'returns.profit')
    expect(folds.map(({ rank }) => rank)).toEqual([3, 2, 1])
    expect([betterHalf, judged]).toEqual([1.5, 3])
  })
})
