import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listCases } from '../../../src/backtest/sweep/plan.ts'
import { chooseRepeats, countRepeats, findFirstDifference } from '../../../src/backtest/sweep/repeat-cases.ts'
import { type SweepOptions, sweep } from '../../../src/backtest/sweep/sweep.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { plan, rowFor } from './fixtures.ts'

/* A sweep repeats some of its cases, and names a strategy that gives one case two results. */

const rows = listCases(plan).map(rowFor)

it.each([
  [0, 0],
  [1, 1],
  [2, 2],
  [100, 2],
  [500, 10],
  [100_000, 20],
])('of %i cases repeats %i', (cases, repeats) => {
  expect(countRepeats(cases)).toBe(repeats)
})

it('chooses as many different rows as it should, the newest first', () => {
  for (let count = 0; count <= rows.length; count += 1) {
    const chosen = chooseRepeats(rows, count)
    expect(new Set(chosen).size).toBe(count)
    if (count > 0) expect(chosen[0]).toBe(rows.at(-1))
  }
  expect(chooseRepeats(rows, rows.length + 3)).toHaveLength(rows.length)
})

it('tells where two results part first', () => {
  const [row] = rows
  if (row === undefined) throw new Error('no row')
  expect(findFirstDifference(row, { ...row })).toBeNull()
  expect(findFirstDifference(row, { ...row, equity: [100, 5] })).toBe('equity at point 2 of 2 was 97, then 5')
  const metrics = { ...row.metrics, 'returns.profit': null }
  expect(findFirstDifference(row, { ...row, metrics })).toBe('returns.profit was -3, then null')
  expect(findFirstDifference(row, { ...row, failure: 'it threw' })).toBe('first no failure, then it threw')
  expect(findFirstDifference(row, { ...row, digest: 'zz' })).toMatch(/^the digest was \w+, then zz$/)
})

const order = "sync.orders.create({ side: 'buy', asset: 'BTC', quantity, orderType: 'market' })"
const strategyWith = (top: string, quantity: string) => `${top}
export default { name: 's', bar: '1m', state: () => ({ bars: 0 }), onBar({ state, sync }) {
  if (state.bars++ > 0) return
  const quantity = ${quantity}
  ${order}
} }`

async function run(text: string, more: Partial<SweepOptions>) {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 's.mjs'), text)
  return await sweep({ strategy: 's.mjs', cwd, model: 'gbm,vol=0.6', to: '5m', seeds: '1..4', ...more })
}

describe.each([
  ['here', {}],
  ['on threads', { jobs: 2 }],
] as const)('%s', (_where, more) => {
  it.each([
    ["a module's variable", 'let runs = 0', '(runs += 1) / 10'],
    ["a module's cache", 'const seen = []', 'seen.push(1) / 10'],
    ['a global variable', '', '(globalThis.runsOfSweep = (globalThis.runsOfSweep ?? 0) + 1) / 10'],
    ['Math.random', '', 'Math.ceil(Math.random() * 9000) / 10000'],
    ['the clock', '', '(((performance.now() * 1000) % 9000 | 0) + 10) / 10000'],
  ])('names a strategy with %s', async (_what, top, quantity) => {
    await expect(run(strategyWith(top, quantity), more)).rejects.toThrow(
      /not a function of its inputs: .*\(seed "\d": equity at point \d+ of \d+ was [\d.]+, then [\d.]+\)/,
    )
  })

  it('holds a strategy that is one', async () => {
    const { lookedAt } = await run(strategyWith('', '0.1'), more)
    expect(lookedAt).toEqual({ cases: 4, storedCases: 0, repeats: 2 })
  })
})

it('repeats stored cases, too, and says when they were stored', async () => {
  const cwd = temporaryFolder()
  // A number that the strategy finds by a name that no text shows.
  writeFileSync(
    join(cwd, 's.mjs'),
    strategyWith(
      "import fs from 'node:fs'\nconst { readFileSync: take } = fs",
      "Number(take(import.meta.dirname + '/n', 'utf8'))",
    ),
  )
  const again = (size: string) => {
    writeFileSync(join(cwd, 'n'), size)
    return sweep({
      strategy: 's.mjs',
      cwd,
      model: 'gbm,vol=0.6',
      to: '5m',
      seeds: '1..4',
      jobs: 1,
      store: 'store',
      trustStore: true,
    })
  }
  const before = new Date().toISOString()
  expect(await again('0.1')).toMatchObject({ lookedAt: { cases: 4, storedCases: 0 }, storedDates: null })
  const { lookedAt, storedDates } = await again('0.1')
  expect(lookedAt).toEqual({ cases: 0, storedCases: 4, repeats: 2 })
  expect(storedDates !== null && before <= storedDates.from && storedDates.from <= storedDates.to).toBe(true)
  await expect(again('0.2')).rejects.toThrow(/not a function of its inputs/)
})
