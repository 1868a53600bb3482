import { isoToMillis } from '../../numeric/time-text.ts'
import {
  type CaseRow,
  type CaseTask,
  createTask,
  listCases,
  type SweepCase,
  type SweepPlan,
  type TaskAnswer,
} from './plan.ts'
import { collectFromQueue, type QueueAddress } from './queue.ts'
import { chooseRepeats, countRepeats, type RepeatResult, repeatCases } from './repeat-cases.ts'
import type { StoredTimes, SweepStore } from './store.ts'
import { sortByPlan } from './sweep-result.ts'
import { type PoolOptions, startPool } from './worker-pool.ts'

export interface SweepRequest {
  readonly plan: SweepPlan
  readonly store: SweepStore
  /** Where cases run: on threads of this machine, by the workers of a queue, or in this thread. */
  readonly workers:
    | ({ readonly kind: 'threads' } & PoolOptions)
    | ({
        readonly kind: 'queue' /** Threads of this machine, which repeat cases. */
        readonly own?: PoolOptions
      } & QueueAddress)
    | ({ readonly kind: 'here' } & CaseRunner)
  /** The part of the plan's cases to run here; `number` counts from 1. */
  readonly shard: { readonly number: number; readonly of: number }
  /** The time after which no new case is begun, in milliseconds; null for no limit. */
  readonly budgetMillis: number | null
  /** Ends the sweep at once when it aborts; finished rows stay. */
  readonly interruption: AbortSignal
  readonly onRow: (row: CaseRow, done: number, cases: number) => void
  /** How many cases are repeated and compared; by default one in fifty, at least two and at most twenty. */
  readonly repeats?: number | undefined
}

export interface SweepOutcome {
  /** The rows of this shard in the order of the plan, those of earlier runs included. */
  readonly rows: readonly CaseRow[]
  readonly cases: number
  readonly end: 'complete' | 'budget' | 'interrupted' | 'problem'
  readonly problem: string | null
  /** How many of the rows came from the store, and when the first and the last of them were stored. */
  readonly stored: { readonly cases: number; readonly dates: StoredTimes | null }
  /** What repeating some of the cases has shown, stored ones included; null where none was repeated. */
  readonly repetition: RepeatResult | null
}

/**
 * Runs the cases of a plan that its store does not have yet, and stores their rows. Then repeats some cases of all rows
 * in a thread of their own, unless the sweep was interrupted.
 */
export async function runSweep(request: SweepRequest): Promise<SweepOutcome> {
  const { plan, store, shard, interruption } = request
  const cases = selectShard(listCases(plan), shard)
  const wanted = new Set(cases.map(({ id }) => id))
  const rows = new Map<string, CaseRow>()
  for (const row of store.rows) if (wanted.has(row.id)) rows.set(row.id, row)
  const storedCount = rows.size
  const left = cases.filter(({ id }) => !rows.has(id))
  const tasks = orderByWorld(plan, left).map((each) => createTask(plan, each))
  const keepRow = (row: CaseRow): void => {
    if (rows.has(row.id)) return
    store.append(row)
    rows.set(row.id, row)
    request.onRow(row, rows.size, cases.length)
  }
  const budget = startBudget(request.budgetMillis)
  const signal = AbortSignal.any([interruption, budget.signal])
  const problem = tasks.length === 0 ? null : await runTasks(request, tasks, keepRow, signal)
  budget.clear()
  const isComplete = rows.size === cases.length
  const stopped = interruption.aborted ? 'interrupted' : 'budget'
  const end = problem !== null ? 'problem' : isComplete ? 'complete' : stopped
  const repetition =
    problem === null && !interruption.aborted ? await repeatSome(request, [...rows.values()]) : null
  const stored = { cases: storedCount, dates: storedCount === 0 ? null : store.dates }
  return { rows: sortByPlan(plan, rows.values()).rows, cases: cases.length, end, problem, stored, repetition }
}

/**
 * Orders the cases of a walk forward by seed, then by where their windows begin: each then goes on from the world of the
 * one before, so that the market passes once for each seed. In the order of the plan all seeds come between two windows,
 * more than are cached, and every window would begin at the start of the market. Other sweeps stay as they are.
 */
function orderByWorld(plan: SweepPlan, cases: readonly SweepCase[]): readonly SweepCase[] {
  if (plan.walkForward === undefined) return cases
  const placeOf = new Map(plan.seeds.map((seed, place) => [seed, place]))
  const keys = cases.map((each) => ({
    each,
    place: placeOf.get(each.seed) ?? 0,
    beginMillis: isoToMillis(each.window?.from ?? '') ?? 0,
  }))
  keys.sort((left, right) => left.place - right.place || left.beginMillis - right.beginMillis)
  return keys.map(({ each }) => each)
}

async function repeatSome(request: SweepRequest, rows: readonly CaseRow[]): Promise<RepeatResult | null> {
  const { plan, workers, interruption } = request
  const chosen = chooseRepeats(rows, Math.min(rows.length, request.repeats ?? countRepeats(rows.length)))
  const taskOf = ({ id, seed, parameters, window }: CaseRow): CaseTask =>
    createTask(plan, { id, seed, parameters, ...(window === undefined ? {} : { window }) })
  if (chosen.length === 0) return null
  if (workers.kind === 'here') return await repeatCases(chosen, taskOf, workers.run)
  const threads = workers.kind === 'queue' ? workers.own : workers
  if (threads === undefined) return null
  return await runInPool({ ...threads, jobs: 1 }, interruption, (pool) =>
    repeatCases(chosen, taskOf, pool.run),
  )
}

/** Selects every n-th case, so that each shard has cases of all seeds and cells. */
function selectShard<Case>(cases: readonly Case[], { number, of }: SweepRequest['shard']): readonly Case[] {
  return cases.filter((_, place) => place % of === number - 1)
}

async function runTasks(
  { workers, interruption }: SweepRequest,
  tasks: readonly CaseTask[],
  done: (row: CaseRow) => void,
  signal: AbortSignal,
): Promise<string | null> {
  if (workers.kind === 'queue') return await collectFromQueue(workers, tasks, done, signal)
  if (workers.kind === 'here') return await runCases(tasks, workers, done, signal)
  // Each thread has one more case waiting, so that it never has to wait for the main thread.
  return await runInPool(workers, interruption, (pool) =>
    runCases(tasks, { lanes: pool.jobs * 2, run: pool.run }, done, signal),
  )
}

/** Starts a pool of threads, runs `work` with it, and closes the pool. Returns null if the work is interrupted. */
async function runInPool<Result>(
  settings: Parameters<typeof startPool>[0],
  interruption: AbortSignal,
  work: (pool: ReturnType<typeof startPool>) => Promise<Result>,
): Promise<Result | null> {
  const pool = startPool(settings)
  interruption.addEventListener('abort', pool.abort)
  try {
    return await work(pool)
  } catch (error) {
    if (interruption.aborted) return null
    throw error
  } finally {
    interruption.removeEventListener('abort', pool.abort)
    if (!interruption.aborted) await pool.close()
  }
}

function startBudget(budgetMillis: number | null): {
  readonly signal: AbortSignal
  readonly clear: () => void
} {
  const controller = new AbortController()
  if (budgetMillis === null) return { signal: controller.signal, clear: () => {} }
  const timer = setTimeout(() => controller.abort(), budgetMillis)
  return { signal: controller.signal, clear: () => clearTimeout(timer) }
}

/** Runs single cases; at most `lanes` of them at a time. */
interface CaseRunner {
  readonly lanes: number
  run(task: CaseTask): Promise<TaskAnswer>
}

/**
 * Runs cases and calls `done` with each row as it comes, until all are done or `signal` aborts; then no new case is
 * begun, and those under way are waited for. Returns what kept a case from running, or null.
 */
export async function runCases(
  tasks: readonly CaseTask[],
  runner: CaseRunner,
  done: (row: CaseRow) => void,
  signal: AbortSignal,
): Promise<string | null> {
  let next = 0
  let problem: string | null = null
  const lane = async (): Promise<void> => {
    while (problem === null && !signal.aborted) {
      const task = tasks[next]
      if (task === undefined) return
      next += 1
      const answer = await runner.run(task)
      if (answer.ok) done(answer.row)
      else problem = answer.problem
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, runner.lanes) }, lane))
  return problem
}
