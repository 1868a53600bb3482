import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { backtest } from '../../src/backtest/backtest.ts'
import { loadStrategy } from '../../src/backtest/loading/load-strategy.ts'
import type { PageAssets } from '../../src/backtest/report/page-assets.ts'
import { createRunReport } from '../../src/backtest/report/run-report.ts'
import { type CaseTask, createTask, listCases } from '../../src/backtest/sweep/plan.ts'
import { runCases, runSweep } from '../../src/backtest/sweep/run-sweep.ts'
import { openStore } from '../../src/backtest/sweep/store.ts'
import { startPool, type WorkerPool } from '../../src/backtest/sweep/worker-pool.ts'
import { planSweep } from '../../src/cli/sweep/sweep-plan.ts'
import { median } from './stopwatch.ts'

/*
 * Sweeps: two threads against one, over the same cases and each with its store, in turns within one process; and the
 * report of a year. Only ratios within one run mean anything, and only on a machine with two idle cores. Exit code 1: a
 * promised figure is missed. Run by `npm run bench sweep` after `npm run build`; `-- --quick` takes some seconds.
 */

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const cases = flags.quick ? 16 : 80
const rounds = flags.quick ? 1 : 7
const repository = process.cwd()
const folder = mkdtempSync(join(tmpdir(), 'otcsim-bench-'))

const plan = await planSweep(
  'scenarios/strategies/trend.ts',
  { model: 'gbm,vol=0.6', cash: '1000000', to: '3d', seeds: `1..${cases}`, grid: '1m' },
  repository,
)
const workerFile = join(repository, 'dist', 'sweep-task.cjs')
const tasks = listCases(plan).map((each) => createTask(plan, each))
const pools = [1, 2].map((jobs) =>
  startPool({
    workerFile,
    jobs,
    cwd: repository,
    isConfined: false,
  }),
)
// Each thread loads its modules and warms up.
for (const pool of pools) await timed(pool, tasks.slice(0, Math.min(cases, 8 * pool.jobs)), 'warm')
const millis = pools.map((): Taken[] => [])
for (let round = 0; round < rounds; round += 1) {
  for (const place of round % 2 === 0 ? [0, 1] : [1, 0]) {
    const pool = pools[place]
    if (pool !== undefined) millis[place]?.push(await timed(pool, tasks, `${round}-${place}`))
  }
}
for (const pool of pools) await pool.close()
/** One thread's figure over that of two, within each round: the machine's other load changes from round to round. */
const ratios = (of: (taken: Taken) => number): number => {
  const [ones = [], twos = []] = millis.map((taken) => taken.map(of))
  return median(ones.map((value, round) => value / (twos[round] ?? Number.POSITIVE_INFINITY)))
}
const [one = 0, two = 1] = millis.map((taken) => median(taken.map(({ wall }) => wall)))
const [cpuOne = 0, cpuTwo = 1] = millis.map((taken) => median(taken.map(({ cpu }) => cpu)))
// A thread with a core for itself uses as much processor time as time passes; else other work took a share.
const isIdle = cpuOne / one > 0.9
console.log(`${cases} cases of three days of minutes; medians of ${rounds} rounds`)
console.log(
  `one thread   ${(one / cases).toFixed(1)} ms a case, ${(cpuOne / cases).toFixed(1)} ms of processor`,
)
console.log(
  `two threads  ${(two / cases).toFixed(1)} ms a case, ${(cpuTwo / cases).toFixed(1)} ms of processor`,
)

await measureRepeats()

const strategy = await loadStrategy('scenarios/strategies/trend.ts', repository)
const days = flags.quick ? 60 : 365
const runStarted = performance.now()
const result = await backtest(strategy, {
  model: 'gbm,vol=0.6',
  market: { cash: 1_000_000, grid: '1m' },
  to: `${days}d`,
  seed: '7',
  parameters: { bar: '1h' },
})
const runMillis = performance.now() - runStarted
const context = {
  version: '0',
  command: 'otcsim backtest',
  parameters: [],
  journalDigest: null,
  assertions: [],
  limits: null,
  realism: null,
  seeds: null,
  beside: null,
}
const built = (name: string): string => readFileSync(join(repository, 'dist', 'report', name), 'utf8')
const assets: PageAssets = {
  plotStyle: built('uPlot.min.css'),
  pageScript: built('report.js'),
}
const reportStarted = performance.now()
const bytes = Buffer.byteLength(createRunReport(result, context, assets))
const reportMillis = performance.now() - reportStarted
console.log(
  `report of ${days} days with ${result.fills.length} fills: ${(bytes / 1e6).toFixed(2)} MB in ${reportMillis.toFixed(0)} ms, after a run of ${runMillis.toFixed(0)} ms`,
)
rmSync(folder, { recursive: true, force: true })

const held = [
  isIdle
    ? judge(
        'two threads to one',
        ratios(({ wall }) => wall),
        1.8,
      )
    : judge('two threads to one, by processor time: the machine was busy', 2 * ratios(({ cpu }) => cpu), 1.8),
  judge('2 MB to the report', 2e6 / bytes, 1),
  judge('the run, or 2 s, to its report', Math.max(runMillis, 2_000) / reportMillis, 1),
]
process.exitCode = held.every(Boolean) ? 0 : 1

/**
 * Prints what repeating a sample of the cases costs: whole sweeps with it and without, in turns, each with threads of its
 * own as the command starts them.
 */
async function measureRepeats(): Promise<void> {
  const kinds: readonly (number | undefined)[] = [0, undefined]
  const taken = kinds.map((): number[] => [])
  let repeated = 0
  for (let round = 0; round < rounds; round += 1) {
    for (const place of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const opened = openStore(join(folder, `repeats-${round}-${place}`), plan)
      if (!opened.ok) throw new Error(opened.problem)
      const started = performance.now()
      const { repetition } = await runSweep({
        plan,
        store: opened.store,
        workers: { kind: 'threads', workerFile, jobs: 2, cwd: repository, isConfined: false },
        shard: { number: 1, of: 1 },
        budgetMillis: null,
        interruption: new AbortController().signal,
        onRow: () => {},
        repeats: kinds[place],
      })
      taken[place]?.push(performance.now() - started)
      repeated = Math.max(repeated, repetition?.repeated ?? 0)
      opened.store.close()
    }
  }
  const [without = [], withThem = []] = taken
  const costs = withThem.map((millis, round) => millis - (without[round] ?? Number.NaN))
  console.log(
    `repeating ${repeated} of ${cases} cases costs ${median(costs).toFixed(0)} ms beside ${median(without).toFixed(0)} ms without (${((median(costs) / median(without)) * 100).toFixed(1)} %)`,
  )
}

/** Milliseconds of the wall clock, and of processors in all threads. */
interface Taken {
  readonly wall: number
  readonly cpu: number
}

async function timed(pool: WorkerPool, some: readonly CaseTask[], name: string): Promise<Taken> {
  const opened = openStore(join(folder, `${name}-${pool.jobs}`), plan)
  if (!opened.ok) throw new Error(opened.problem)
  const before = process.cpuUsage()
  const started = performance.now()
  const signal = new AbortController().signal
  const problem = await runCases(some, { lanes: pool.jobs * 2, run: pool.run }, opened.store.append, signal)
  const wall = performance.now() - started
  const { system, user } = process.cpuUsage(before)
  opened.store.close()
  if (problem !== null) throw new Error(problem)
  return { wall, cpu: (user + system) / 1_000 }
}

function judge(what: string, ratio: number, bar: number): boolean {
  const isHeld = ratio >= bar
  console.log(`${isHeld ? 'held  ' : 'MISSED'}  ${what}: ${ratio.toFixed(2)} (bar ${bar})`)
  return isHeld
}
