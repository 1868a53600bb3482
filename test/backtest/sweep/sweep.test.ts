import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { resolveSource } from '../../../src/backtest/source.ts'
import { defineStrategy } from '../../../src/backtest/strategy.ts'
import {
  type CaseRow,
  describeOnePath,
  formatPlan,
  formatRow,
  parsePlan,
} from '../../../src/backtest/sweep/plan.ts'
import type { SweepOptions } from '../../../src/backtest/sweep/sweep.ts'
import { sweep } from '../../../src/backtest/sweep/sweep.ts'
import { judgeOutOfSample, type SweepResult } from '../../../src/backtest/sweep/sweep-result.ts'
import { loadScenario } from '../../../src/index.ts'
import { built, project } from '../../cli/built-command.ts'
import { folderWith, temporaryFolder } from '../../support/temporary-folder.ts'

/* Sweeps from code, in one thread; test/package has those of the built package on threads. */

const holder = defineStrategy({
  name: 'holder',
  parameters: { size: { type: 'number', default: 1, minimum: 0 } },
  onTick({ parameters, sync }, { index }) {
    if (parameters.size > 1.5) throw new Error('too large for me')
    if (index === 1)
      sync.orders.create({ side: 'buy', asset: 'BTC', quantity: parameters.size, orderType: 'market' })
  },
})

const short = { strategy: holder, model: 'gbm,vol=0.8', market: { grid: '1m' }, to: '2h' } as const

it('knows that all seeds of a recording have one path, wherever the recording stands', async () => {
  const candles = [0, 1, 2].map((place) => ({
    atMillis: Date.UTC(2026, 0, 5, place),
    spanMillis: 3_600_000,
    ...{ open: 100, high: 101, low: 99, close: 100, volume: 1 },
  }))
  const scenario = resolveSource({ candles }).scenario
  const grid = { size: [0.5] }
  for (const source of [{ candles }, { scenario }]) {
    const { plan } = await sweep({ strategy: holder, ...source, seeds: '1..2', grid })
    expect(describeOnePath(plan)).toContain('one sample of the price, not 2')
    expect(parsePlan(formatPlan(plan))).toEqual(plan)
  }
  const { plan } = await sweep({ ...short, seeds: '1..2', grid })
  expect(describeOnePath(plan)).toBeNull()
})

/** The rows of the command's result file, in its order. */
function rowsOf(file: string): readonly CaseRow[] {
  const [, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

it.each([
  ['', {}, []],
  ['walk forward ', { walkForward: '2h/1h' }, ['--walk-forward', '2h/1h']],
])(
  '%sgives the rows of the command, with their ids',
  async (_, options, words) => {
    const cwd = project()
    const file = join(cwd, 'cases.ndjson')
    const command = [
      'sweep',
      'holder.mjs',
      '--scenario',
      'walk.yaml',
      '--seeds',
      '1..2',
      '--set',
      'size=0.5,1',
    ]
    const params = ['--param', 'vol=0.4,0.8', '--jobs', '1', '--ndjson', file]
    const [result, finished] = await Promise.all([
      sweep({
        strategy: 'holder.mjs',
        scenario: (values) => loadScenario('walk.yaml', { params: values, cwd }),
        seeds: [1, '2'],
        grid: { size: [0.5, 1] },
        params: { vol: [0.4, 0.8] },
        cwd,
        ...options,
      }),
      built([...command, ...params, ...words], cwd),
    ])
    expect(finished).toMatchObject({ code: 0 })
    expect(result.rows.map(formatRow)).toEqual(rowsOf(file).map(formatRow))
    expect(result).toMatchObject({ isComplete: true, cases: result.rows.length })
  },
  60_000,
)

it('gives the rows of a strategy as an object, in order, and each as it comes', async () => {
  const seen: string[] = []
  const options: SweepOptions = { ...short, seeds: '3,1', grid: { size: [0.5, 1] } }
  const result = await sweep({
    ...options,
    onRow: (row, done, cases) => seen.push(`${row.seed} ${row.parameters['size']} ${done}/${cases}`),
  })
  expect(seen).toEqual(['3 0.5 1/4', '3 1 2/4', '1 0.5 3/4', '1 1 4/4'])
  expect(result.rows.map(({ seed, parameters }) => [seed, parameters])).toEqual([
    ...[['3', { size: '0.5' }] as const, ['3', { size: '1' }]],
    ...[['1', { size: '0.5' }] as const, ['1', { size: '1' }]],
  ])
  const [half, whole] = result.rows.map(({ metrics }) => Number(metrics['returns.profit']))
  expect(half).not.toBe(0)
  expect(Number(whole) / Number(half)).toBeCloseTo(2, 2)
  expect((await sweep(options)).digest).toBe(result.digest)
})

it('has a row with the reason where the strategy throws, or leaves a refused order unwaited', async () => {
  const careless = defineStrategy({
    name: 'careless',
    async onStart({ venue }) {
      void venue.orders.create({ side: 'sell', asset: 'BTC', quantity: 1, orderType: 'market' })
    },
  })
  const { rows } = await sweep({ ...short, seeds: [1], grid: { size: [1, 2] } })
  expect(rows.map(({ failure }) => failure)).toEqual([null, expect.stringContaining('too large for me')])
  const refused = await sweep({ ...short, strategy: careless, client: 'async', seeds: [1] })
  expect(refused.rows[0]?.failure).toContain('a promise that no hook waits for was rejected')
})

it('chooses in training and judges in the test', async () => {
  const options = { ...short, to: '4h', seeds: [1], grid: { size: [0.5, 1] }, walkForward: '2h/1h' }
  const result = await sweep(options)
  const { folds, objective } = judgeOutOfSample(result, 'returns.total')
  expect([objective, folds.length]).toEqual(['returns.total', 2])
  expect(() => judgeOutOfSample(result, 'returns.totl')).toThrow('did you mean "returns.total"?')
  const plain = await sweep({ ...short, seeds: [1] })
  expect(() => judgeOutOfSample(plain, 'returns.total')).toThrow('the sweep has no walkForward')
})

it('stops at a signal, and goes on from its store', async () => {
  const cwd = temporaryFolder()
  writeFileSync(
    join(cwd, 'holder.mjs'),
    `export default { name: 'holder', onTick({ sync }, { index }) {
      if (index === 1) sync.orders.create({ side: 'buy', asset: 'BTC', quantity: 1, orderType: 'market' })
    } }`,
  )
  const options: SweepOptions = { ...short, strategy: 'holder.mjs', seeds: '1..4', cwd, store: 'kept.ndjson' }
  const stop = new AbortController()
  const part = await sweep({
    ...options,
    signal: stop.signal,
    onRow: (_, done) => done === 2 && stop.abort(),
  })
  expect(part).toMatchObject({ isComplete: false, cases: 4 })
  expect(part.rows.map(({ seed }) => seed)).toEqual(['1', '2'])
  const seen: string[] = []
  const whole = await sweep({ ...options, onRow: ({ seed }) => seen.push(seed) })
  expect(seen).toEqual(['3', '4'])
  expect(whole.isComplete).toBe(true)
  expect(whole.digest).toBe((await sweep({ ...options, store: 'other.ndjson' })).digest)
  await expect(sweep({ ...options, seeds: '1..5' })).rejects.toThrow(
    /^store: .* is the store of another sweep/,
  )
})

const refusals: readonly (readonly [string, object, string])[] = [
  ['an unknown option', { grd: {} }, 'sweep has no option "grd"; did you mean "grid"?'],
  ['something that is no strategy', { strategy: { name: 'x' } }, 'x has no hook'],
  ['no strategy', { strategy: undefined }, 'a strategy is an object'],
  ['threads for an object', { jobs: 2 }, 'jobs: the strategy must be given as the file that exports it'],
  ['a store for an object', { store: 'x' }, 'store: the strategy must be given as the file'],
  ['params without a function', { params: { vol: [1] } }, 'params: scenario must be a function of them'],
  ['no seeds', { seeds: [] }, 'seeds: there are none'],
  ['an odd range', { seeds: '5..1' }, 'seeds: the range 5..1 is empty'],
  ['a value that is no list', { grid: { size: 1 } }, 'grid.size: expected a list of values, found 1'],
  ['an empty list', { grid: { size: [] } }, 'grid.size: there are no values'],
  ['a value twice', { grid: { size: [1, '1'] } }, 'grid.size: 1 is there twice'],
  ['a parameter out of range', { grid: { size: [-1] } }, 'parameter size: expected a number, at least 0'],
  ['an unknown parameter', { grid: { siz: [1] } }, 'the strategy has no parameter "siz"'],
  ['two sources', { scenario: 'calm' }, 'a backtest has one source'],
  ['no end', { to: undefined, walkForward: '2h/1h' }, 'to: the scenario has no end'],
  ['odd spans', { walkForward: '2h' }, 'walkForward: expected the spans of training and test'],
  ['an account that is not there', { account: 'x' }, 'account: the scenario has no account "x"'],
]

it.each(refusals)('refuses %s', async (_, changes, message) => {
  await expect(sweep({ ...short, ...changes })).rejects.toThrow(message)
})

describe('a strategy that a process has loaded before', () => {
  const holder = (size: string) => `import { readFileSync } from 'node:fs'
    const weight = Number(readFileSync(new URL('./weight.txt', import.meta.url), 'utf8'))
    export default { name: 's', onTick({ sync }, { index }) {
      if (index === 1) sync.orders.create({ side: 'buy', asset: 'BTC', quantity: weight * ${size}, orderType: 'market' })
    } }`
  const inProcess = (cwd: string): SweepOptions => ({
    ...{ strategy: 's.mjs', cwd, model: 'gbm,vol=0.6', to: '5m', seeds: '1..2' },
  })

  it('is refused once what it has read is another file, and runs in threads', async () => {
    const cwd = folderWith({ 's.mjs': holder('0.1'), 'weight.txt': '1' })
    const first = await sweep(inProcess(cwd))
    expect((await sweep(inProcess(cwd))).digest).toBe(first.digest)
    writeFileSync(join(cwd, 'weight.txt'), '2')
    await expect(sweep(inProcess(cwd))).rejects.toThrow(/has other inputs than when this process loaded it/)
    expect((await sweep({ ...inProcess(cwd), jobs: 1 })).digest).not.toBe(first.digest)
    writeFileSync(join(cwd, 'weight.txt'), '1')
    expect((await sweep(inProcess(cwd))).digest).toBe(first.digest)
  })

  it('may look at variables that it does not name, and says so; in threads there are none', async () => {
    const cwd = folderWith({ 's.mjs': holder("Number(process.env['SI' + 'ZE'] ?? 0.1)"), 'weight.txt': '1' })
    expect((await sweep(inProcess(cwd))).warnings).toEqual([
      expect.stringContaining('(s.mjs:4 all of process.env)'),
    ])
    process.env['SIZE'] = '0.2'
    onTestFinished(() => {
      delete process.env['SIZE']
    })
    const [here, threads] = [await sweep(inProcess(cwd)), await sweep({ ...inProcess(cwd), jobs: 1 })]
    expect(threads.warnings).toEqual([])
    const profits = ({ rows }: SweepResult) => rows.map(({ metrics }) => Number(metrics['returns.profit']))
    expect(profits(here)[0]).not.toBeCloseTo(profits(threads)[0] ?? 0)
  })
})
