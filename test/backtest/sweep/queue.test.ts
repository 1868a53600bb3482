import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { SweepPlan } from '../../../src/backtest/sweep/plan.ts'
import { findRedisProblem, workOnQueue } from '../../../src/backtest/sweep/queue.ts'
import { runSweep, type SweepOutcome, type SweepRequest } from '../../../src/backtest/sweep/run-sweep.ts'
import { openStore } from '../../../src/backtest/sweep/store.ts'
import { formatResults } from '../../../src/backtest/sweep/sweep-result.ts'
import { startPool, type WorkerPool } from '../../../src/backtest/sweep/worker-pool.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { plan as small } from './fixtures.ts'
import { freePort, type RedisServer, startRedis } from './redis.ts'

/*
 * Sweeps through BullMQ on a real Redis server.
 * @module-tag redis-server
 */

const workerFile = fileURLToPath(new URL('./test-task.ts', import.meta.url))
const workerProcess = fileURLToPath(new URL('./queue-worker-process.ts', import.meta.url))

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

function planOf(seeds: number, steps: number): SweepPlan {
  return {
    work: { ...small.work, options: { steps: String(steps) } },
    seeds: Array.from({ length: seeds }, (_, place) => String(place + 1)),
    grid: [
      { name: 'spreadBps', of: 'strategy', values: ['1', '2', '3', '4', '5'] },
      { name: 'informed', of: 'scenario', values: ['0.2', '0.6'] },
    ],
  }
}

type Workers = SweepRequest['workers']
const threads: Workers = { kind: 'threads', workerFile, jobs: 1, cwd: '.', isConfined: false }
const queueNamed = (name: string): Workers => ({ kind: 'queue', url: redis.url, name })

async function sweep(
  plan: SweepPlan,
  workers: Workers,
  changes: Partial<SweepRequest> & { readonly path?: string } = {},
): Promise<SweepOutcome> {
  const opened = openStore(changes.path ?? join(temporaryFolder(), 'store.ndjson'), plan)
  if (!opened.ok) throw new Error(opened.problem)
  const outcome = await runSweep({
    plan,
    store: opened.store,
    workers,
    shard: { number: 1, of: 1 },
    budgetMillis: null,
    interruption: new AbortController().signal,
    onRow: () => {},
    ...changes,
  })
  opened.store.close()
  return outcome
}

interface WorkerProcess {
  readonly process: ChildProcess
  readonly lines: string[]
  readonly hasSaid: (count: number) => Promise<void>
}

function startWorker(name: string, lastCase = 'none'): WorkerProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', workerProcess, redis.url, name, lastCase], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const lines: string[] = []
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    for (const { count, resolve } of waiting) if (lines.length >= count) resolve()
  })
  const hasSaid = (count: number): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ count, resolve })
      if (lines.length >= count) resolve()
    })
  return { process: child, lines, hasSaid }
}

it('gives the same bytes as one machine, though a worker is killed in the middle of a case', async () => {
  const plan = planOf(20, 5_000)
  const alone = await sweep(plan, threads)
  expect(alone).toMatchObject({ end: 'complete', cases: 200 })
  const doomed = startWorker('killed', '20')
  const running = sweep(plan, queueNamed('killed'))
  await doomed.hasSaid(20)
  // Only now: it might have done everything before the doomed one has come that far.
  const other = startWorker('killed')
  const together = await running
  expect(together).toMatchObject({ end: 'complete', problem: null, cases: 200 })
  expect(formatResults(plan, together.rows)).toBe(formatResults(plan, alone.rows))
  expect(doomed.lines).toHaveLength(20)
  await other.hasSaid(180)
})

it('continues where it was interrupted, with the rows that workers finished meanwhile', async () => {
  const plan = planOf(10, 1_000)
  const path = join(temporaryFolder(), 'store.ndjson')
  const interruption = new AbortController()
  // It ends by itself, or it might have done everything before the sweep is interrupted.
  startWorker('resumed', '60')
  const onRow = (_: unknown, done: number) => {
    if (done === 30) interruption.abort()
  }
  const part = await sweep(plan, queueNamed('resumed'), { path, interruption: interruption.signal, onRow })
  expect(part.end).toBe('interrupted')
  const worker = startWorker('resumed')
  const whole = await sweep(plan, queueNamed('resumed'), { path })
  expect(whole).toMatchObject({ end: 'complete', cases: 100 })
  expect(formatResults(plan, whole.rows)).toBe(formatResults(plan, (await sweep(plan, threads)).rows))
  worker.process.kill('SIGTERM')
})

it('returns cases for which a worker has no strategy, and the worker says so', async () => {
  const plan = planOf(2, 100)
  const other = { ...plan, work: { ...plan.work, strategy: { file: 'maker.ts', digest: 'zz' } } }
  const stopped = new AbortController()
  const waiting = sweep(other, queueNamed('refused'), { interruption: stopped.signal })
  const pool = startPool({ workerFile, jobs: 1, cwd: '.', isConfined: true })
  const common = { place: { url: redis.url, name: 'refused' }, pool, lockMillis: 1_000, onDone: () => {} }
  const signal = new AbortController().signal
  expect(await workOnQueue({ ...common, idleMillis: null, signal })).toBe('this place has another strategy')
  stopped.abort()
  expect(await waiting).toMatchObject({ end: 'interrupted', rows: [] })
  // Returned cases are available to other workers; the queue is only empty because the sweep removed its cases.
  expect(await workOnQueue({ ...common, idleMillis: 200, signal })).toBeNull()
  await pool.close()
})

it('leaves no case of a sweep that has ended to go from worker to worker, and gives it to the next sweep', async () => {
  const plan = planOf(1, 100)
  const name = 'orphaned'
  const stopped = new AbortController()
  const waiting = sweep(plan, queueNamed(name), { interruption: stopped.signal })
  const ran: string[] = []
  const poolOf = (run: WorkerPool['run']): WorkerPool => ({
    jobs: 1,
    run,
    close: async () => {},
    abort: async () => {},
  })
  const common = { place: { url: redis.url, name }, lockMillis: 1_000, onDone: () => {} }
  const signal = new AbortController().signal
  // It refuses its case only after the sweep has withdrawn all that it could.
  const refusing = poolOf(async ({ id }) => {
    stopped.abort()
    await waiting
    ran.push(id)
    return { ok: false, problem: 'refused' }
  })
  expect(await workOnQueue({ ...common, pool: refusing, idleMillis: null, signal })).toBe('refused')
  const counting = poolOf(async ({ id }) => {
    ran.push(id)
    return { ok: false, problem: 'refused again' }
  })
  expect(await workOnQueue({ ...common, pool: counting, idleMillis: 500, signal })).toBeNull()
  expect(ran).toHaveLength(1)
  startWorker(name)
  expect(await sweep(plan, queueNamed(name))).toMatchObject({ end: 'complete', cases: 10 })
})

it('names the address that does not answer, without the password', async () => {
  const port = await freePort()
  expect(await findRedisProblem(`redis://user:secret@127.0.0.1:${port}/0`)).toBe(
    `cannot reach redis://127.0.0.1:${port}/0: connect ECONNREFUSED 127.0.0.1:${port}`,
  )
})
