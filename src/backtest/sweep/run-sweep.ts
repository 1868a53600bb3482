import {
  type CaseRow,
  type CaseTask,
  createTask,
  listCases,
  type SweepPlan,
  type TaskAnswer,
} from './plan.ts'
import { collectFromQueue, type QueueAddress } from './queue.ts'
import type { SweepStore } from './store.ts'
import { sortByPlan } from './sweep-result.ts'
import { type PoolOptions, startPool } from './worker-pool.ts'

export interface SweepRequest {
  readonly plan: SweepPlan
  readonly store: SweepStore
  /** Where cases run: on threads of this machine, by the workers of a queue, or in this thread. */
  readonly workers:
    | ({ readonly kind: 'threads' } & PoolOptions)
    | ({ readonly kind: 'queue' } & QueueAddress)
    | ({ readonly kind: 'here' } & CaseRunner)
  /** The part of the plan's cases to run here; `number` counts from 1. */
  readonly shard: { readonly number: number; readonly of: number }
  /** The time after which no new case is begun, in milliseconds; null for no limit. */
  readonly budgetMillis: number | null
  /** Ends the sweep at once when it aborts; finished rows stay. */
  readonly interruption: AbortSignal
  readonly onRow: (row: CaseRow, done: number, cases: number) => void
}

export interface SweepOutcome {
  /** The rows of this shard in the order of the plan, those of earlier runs included. */
  readonly rows: readonly CaseRow[]
  readonly cases: number
  readonly end: 'complete' | 'budget' | 'interrupted' | 'problem'
  readonly problem: string | null
}

/** Runs the cases of a plan that its store does not have yet, and stores their rows. */
export async function runSweep(request: SweepRequest): Promise<SweepOutcome> {
  const { plan, store, shard, interruption } = request
  const cases = selectShard(listCases(plan), shard)
  const wanted = new Set(cases.map(({ id }) => id))
  const rows = new Map<string, CaseRow>()
  for (const row of store.rows) if (wanted.has(row.id)) rows.set(row.id, row)
  const tasks = cases.filter(({ id }) => !rows.has(id)).map((each) => createTask(plan, each))
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
  return { rows: sortByPlan(plan, rows.values()).rows, cases: cases.length, end, problem }
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
  const pool = startPool(workers)
  interruption.addEventListener('abort', pool.abort)
  try {
    // Each thread has one more case waiting, so that it never has to wait for the main thread.
    return await runCases(tasks, { lanes: pool.jobs * 2, run: pool.run }, done, signal)
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
