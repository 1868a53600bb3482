import { describe, expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { createRunReport } from '../../src/backtest/report/run-report.ts'
import { createSweepReport } from '../../src/backtest/report/sweep-report.ts'
import { defineStrategy, type Strategy } from '../../src/backtest/strategy.ts'
import { type CaseRow, listCases, type SweepPlan } from '../../src/backtest/sweep/plan.ts'
import { hasTraded } from '../../src/backtest/sweep/summary.ts'
import { formatSweep } from '../../src/cli/sweep/sweep-outputs.ts'
import { context } from '../backtest/report/sample-result.ts'
import { plan as plainPlan } from '../backtest/sweep/fixtures.ts'

/* What reports and tables say of runs and sweeps in which there was nothing to judge: never a verdict. */

const assets = { plotStyle: '', pageScript: '' }
const unclaimed = /more than chance|more than the luck|NaN|undefined|Infinity/

/** The heading and the sentences below it, as text. */
const leadOf = (page: string): string =>
  page.slice(page.indexOf('<h1>'), page.indexOf('</header>')).replaceAll(/<[^>]+>/g, ' ')

const bid = { asset: 'BTC', side: 'buy', quantity: 0.1 } as const
const strategies: readonly (readonly [string, Omit<Strategy, 'name'>])[] = [
  ['does nothing', { onStart() {} }],
  ['stops at once', { onStart: ({ stop }) => stop() }],
  ['only asks', { onTick: ({ sync }) => void sync.portfolio.balances() }],
  [
    'has an order that never fills',
    { onStart: ({ sync }) => void sync.orders.create({ ...bid, price: 10 }) },
  ],
  [
    'has its orders refused',
    { onRefusal: 'note', onStart: ({ sync }) => void sync.orders.create({ ...bid, price: -1 }) },
  ],
  ['only cancels', { onStart: ({ sync }) => void sync.orders.cancelAll({}) }],
  ['only notes', { onStart: ({ note }) => note('hello') }],
  ['protects what it has not', { onStart: ({ venue }) => venue.protect('BTC', { stop: 1 }) }],
]

describe('the report of a run', () => {
  it.each(strategies)('claims nothing of a strategy that %s', async (_, hooks) => {
    const result = await backtest(defineStrategy({ name: 'one', ...hooks }), {
      model: 'gbm,vol=0.6',
      to: '1h',
      equityGrid: '1m',
    })
    const page = createRunReport(result, { ...context, assertions: [], beside: null }, assets)
    const lead = leadOf(page)
    expect(lead).toContain('one: neither earned nor lost')
    expect(lead).toContain('It never traded: profit, falls and ratios are those of nothing.')
    expect(lead).toContain('Skill cannot be told from luck')
    expect(lead).not.toMatch(unclaimed)
  })
})

const rowOf = (each: ReturnType<typeof listCases>[number], metrics: CaseRow['metrics']): CaseRow => ({
  ...each,
  digest: null,
  metrics,
  equity: [],
  failure: null,
})
const fail = (row: CaseRow): CaseRow => ({ ...row, metrics: {}, failure: 'it broke' })
const idle = { 'activity.fills': 0, 'returns.profit': 0, 'returns.sharpe': null }
const all = (metrics: CaseRow['metrics']): readonly CaseRow[] =>
  listCases(plainPlan).map((each) => rowOf(each, metrics))
const oneCell: SweepPlan = { ...plainPlan, grid: [] }
const folds = {
  windows: [
    { from: '2026-01-05T00:00:00.000Z', to: '2026-01-06T00:00:00.000Z' },
    { from: '2026-01-06T00:00:00.000Z', to: '2026-01-07T00:00:00.000Z' },
  ],
  folds: [{ train: 0, test: 1 }],
}
const walked: SweepPlan = { ...plainPlan, walkForward: folds }

describe('the report of a sweep', () => {
  it.each<[string, SweepPlan, readonly CaseRow[], RegExp]>([
    ['without cases', plainPlan, [], /no case traded, so there is nothing to compare/],
    ['of failures alone', plainPlan, all(idle).map(fail), /no case traded/],
    ['of strategies that never traded', plainPlan, all(idle), /no case traded/],
    [
      'without the figure',
      plainPlan,
      all({ 'activity.fills': 3, 'returns.profit': null }),
      /no case has returns\.profit/,
    ],
    [
      'of equal cells',
      plainPlan,
      all({ 'activity.fills': 3, 'returns.profit': 5 }),
      /All cells have the same median, so none is better/,
    ],
    [
      'without ratios',
      plainPlan,
      all({ 'activity.fills': 3, 'returns.profit': 5, 'returns.sharpe': null }),
      /too little to tell skill from luck/,
    ],
    ['of one idle cell', oneCell, listCases(oneCell).map((each) => rowOf(each, idle)), /no case traded/],
    ['of a walk without cases', walked, [], /nothing was judged out of sample/],
    [
      'of a walk of failures',
      walked,
      listCases(walked).map((each) => fail(rowOf(each, idle))),
      /nothing was judged out of sample/,
    ],
    [
      'of a walk without the figure',
      walked,
      listCases(walked).map((each) => rowOf(each, { 'activity.fills': 1 })),
      /nothing was judged out of sample/,
    ],
  ])('claims nothing of one %s', (_, plan, rows, said) => {
    const about = { version: '1', cases: rows.length, objective: 'returns.profit' }
    const lead = leadOf(createSweepReport(plan, rows, about, assets))
    expect(lead).toMatch(said)
    expect(lead).not.toMatch(unclaimed)
  })
})

describe('the table of a sweep', () => {
  it.each<[string, readonly CaseRow[], RegExp]>([
    ['without cases', [], /These are 0 of the \d+ cases of the plan/],
    ['of failures alone', all(idle).map(fail), /n\/a: the strategy failed/],
    ['of strategies that never traded', all(idle), /nothing was judged: no case traded/],
    ['of one case of many', all(idle).slice(0, 1), /nothing was judged: no case traded/],
    [
      'of one case that traded',
      all({ 'activity.fills': 3, 'returns.profit': 5 }).slice(0, 1),
      /a part, which does not speak for the whole/,
    ],
    [
      'of one failure and idle cases',
      all(idle).map((row, place) => (place === 0 ? fail(row) : row)),
      /nothing was judged: no case traded/,
    ],
    [
      'without the figure',
      all({ 'activity.fills': 3, 'returns.profit': null }).map((row) => ({
        ...row,
        reasons: { 'returns.profit': 'for a reason' },
      })),
      /n\/a: for a reason/,
    ],
    ['of equal cells', all({ 'activity.fills': 3, 'returns.profit': 5 }), /all cells have the same median/],
  ])('says so of one %s', (_, rows, said) => {
    const text = formatSweep(plainPlan, rows, 'returns.profit')
    expect(text).toMatch(said)
    if (!rows.some(hasTraded)) expect(text).not.toMatch(/best cell/)
  })
})
