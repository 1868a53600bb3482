import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { listCases, type SweepPlan } from '../../../src/backtest/sweep/plan.ts'
import { runSweep, type SweepOutcome, type SweepRequest } from '../../../src/backtest/sweep/run-sweep.ts'
import { openStore } from '../../../src/backtest/sweep/store.ts'
import { formatResults } from '../../../src/backtest/sweep/sweep-result.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { rowFor, plan as small } from './fixtures.ts'

const workerFile = fileURLToPath(new URL('./test-task.ts', import.meta.url))

/** 10 cells with 20 seeds. */
const plan: SweepPlan = {
  ...small,
  seeds: Array.from({ length: 20 }, (_, place) => String(place + 1)),
  grid: [
    { name: 'spreadBps', of: 'strategy', values: ['1', '2', '3', '4', '5'] },
    { name: 'informed', of: 'scenario', values: ['0.2', '0.6'] },
  ],
}

interface Changes extends Partial<SweepRequest> {
  readonly path?: string
  readonly jobs?: number
}

async function sweep({ path, jobs = 2, ...changes }: Changes): Promise<SweepOutcome> {
  const opened = openStore(path ?? join(temporaryFolder(), 'store.ndjson'), changes.plan ?? plan)
  if (!opened.ok) throw new Error(opened.problem)
  const outcome = await runSweep({
    plan,
    store: opened.store,
    workers: { kind: 'threads', workerFile, jobs, cwd: '.', isConfined: false },
    shard: { number: 1, of: 1 },
    budgetMillis: null,
    interruption: new AbortController().signal,
    onRow: () => {},
    ...changes,
  })
  opened.store.close()
  return outcome
}

const bytesOf = ({ rows }: SweepOutcome): string => formatResults(plan, rows)

it('gives the same bytes with one thread, with two, in shards, and with many interruptions', async () => {
  const one = await sweep({ jobs: 1 })
  expect(one).toMatchObject({ end: 'complete', problem: null, cases: 200 })
  expect(new Set(one.rows.map(({ digest }) => digest)).size).toBeGreaterThan(90)
  const two = await sweep({ jobs: 2 })
  expect(bytesOf(two)).toBe(bytesOf(one))

  const shards = [
    await sweep({ shard: { number: 2, of: 2 } }),
    await sweep({ jobs: 1, shard: { number: 1, of: 2 } }),
  ]
  expect(shards.map(({ cases }) => cases)).toEqual([100, 100])
  const byId = new Map(shards.flatMap(({ rows }) => rows).map((row) => [row.id, row]))
  expect(
    formatResults(
      plan,
      listCases(plan).flatMap(({ id }) => byId.get(id) ?? []),
    ),
  ).toBe(bytesOf(one))

  const path = join(temporaryFolder(), 'store.ndjson')
  for (const most of [30, 150]) {
    const interruption = new AbortController()
    const onRow = (_: unknown, done: number) => {
      if (done >= most) interruption.abort()
    }
    const part = await sweep({ path, interruption: interruption.signal, onRow })
    expect(part.end).toBe('interrupted')
    expect(part.rows.length).toBeGreaterThanOrEqual(most)
    expect(part.rows.length).toBeLessThan(200)
  }
  expect(bytesOf(await sweep({ path }))).toBe(bytesOf(one))
})

it('starts no case after its time budget, and continues where it stopped', async () => {
  const path = join(temporaryFolder(), 'store.ndjson')
  const first = await sweep({ path, budgetMillis: 1 })
  expect(first.end).toBe('budget')
  expect(first.rows.length).toBeLessThan(200)
  const second = await sweep({ path })
  expect(second).toMatchObject({ end: 'complete', cases: 200 })
})

it('runs a walk forward seed by seed, in the order of the market, and lists it in that of the plan', async () => {
  const window = (from: number, to: number) => ({ from: `2026-01-0${from}`, to: `2026-01-0${to}` })
  const windows = [window(1, 4), window(4, 5), window(2, 5), window(5, 6)]
  const folds = [
    { train: 0, test: 1 },
    { train: 2, test: 3 },
  ]
  const walk: SweepPlan = { ...small, seeds: ['1', '2'], walkForward: { windows, folds } }
  const ran: string[] = []
  const { rows } = await sweep({
    plan: walk,
    workers: {
      kind: 'here',
      lanes: 1,
      run: async (task) => {
        ran.push(`${task.seed} ${task.window?.from.slice(-1)}`)
        return { ok: true, row: rowFor(task) }
      },
    },
    repeats: 0,
  })
  const inOrder = ['1', '2'].flatMap((seed) => ['1', '2', '4', '5'].map((day) => `${seed} ${day}`))
  expect(ran.filter((each, place) => each !== ran[place - 1])).toEqual(inOrder)
  expect(rows.map(({ id }) => id)).toEqual(listCases(walk).map(({ id }) => id))
})

it('stops with the reason when its threads have another strategy', async () => {
  const work = { ...plan.work, strategy: { file: 'maker.ts', digest: 'zz' } }
  const outcome = await sweep({ plan: { ...plan, work } })
  expect(outcome).toMatchObject({ end: 'problem', problem: 'this place has another strategy', rows: [] })
})

// Each case was tried three times, and the library then looked for a thread without end.
it('stops with the reason when a strategy ends its thread', async () => {
  const work = { ...plan.work, strategy: { file: 'quitter.ts', digest: 'aa' } }
  const outcome = await sweep({ plan: { ...plan, work }, jobs: 2 })
  const problem = 'a thread was ended in the middle of a case, by process.exit(3)'
  expect(outcome).toMatchObject({ end: 'problem', problem, rows: [] })
})

it('fails when its threads cannot be loaded', async () => {
  const missing = fileURLToPath(new URL('./no-such-task.ts', import.meta.url))
  const workers = { kind: 'threads' as const, workerFile: missing, jobs: 1, cwd: '.', isConfined: false }
  await expect(sweep({ workers })).rejects.toThrow(/no-such-task/)
})
