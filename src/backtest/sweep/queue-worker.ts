import type { Job, Worker } from 'bullmq'
import type { CaseRow } from './case-row.ts'
import { asTask } from './case-task.ts'
import type { QueuePlace } from './queue-collector.ts'
import { loadQueuePackages } from './queue-packages.ts'
import type { WorkerPool } from './worker-pool.ts'

export interface QueueWorkerOptions {
  readonly place: QueuePlace
  readonly pool: WorkerPool
  /** A worker without a sign of life for this long loses its cases to another. */
  readonly lockMillis: number
  /** Ends after this time without a case; never when null. */
  readonly idleMillis: number | null
  /** Told of each case that is done. */
  readonly onDone: (row: CaseRow) => void
  readonly signal: AbortSignal
}

/**
 * Runs the cases of a queue until it is told to stop, has been idle for long enough, or is asked for work that it
 * does not have: the case then goes back to the queue for others, and the answer says why. Null for a good end.
 */
export async function workOnQueue(options: QueueWorkerOptions): Promise<string | null> {
  const packages = await loadQueuePackages()
  if (!packages.ok) return packages.problem
  const { Worker, WaitingError, UnrecoverableError } = packages.bullmq
  const { place, pool, lockMillis } = options
  const ending = awaitEnd(options)
  const run = async (job: Job, token?: string): Promise<CaseRow> => {
    const task = asTask(job.data)
    if (task === null) throw new UnrecoverableError('it is not a case in this format')
    ending.begin()
    const answer = await pool.run(task).finally(ending.end)
    if (answer.ok) return answer.row
    ending.finish(answer.problem)
    await job.moveToWait(token)
    throw new WaitingError()
  }
  const worker: Worker = new Worker(place.name, run, {
    connection: { url: place.url, maxRetriesPerRequest: null },
    // The main thread only hands cases to the pool, so it is free to renew its locks however long a case takes.
    concurrency: pool.jobs,
    lockDuration: lockMillis,
    stalledInterval: lockMillis,
    maxStalledCount: 5,
  })
  worker.on('error', () => {})
  worker.on('completed', (_job, row: CaseRow) => options.onDone(row))
  const problem = await ending.reached
  await worker.close()
  return problem
}

/** The end of a worker: asked for, refused work, or idle for long enough while no case runs. */
function awaitEnd({ idleMillis, signal }: Pick<QueueWorkerOptions, 'idleMillis' | 'signal'>) {
  let running = 0
  let timer: NodeJS.Timeout | undefined
  let settle: (problem: string | null) => void = () => {}
  const reached = new Promise<string | null>((resolve) => {
    settle = resolve
  })
  const finish = (problem: string | null): void => {
    clearTimeout(timer)
    settle(problem)
  }
  const rest = (): void => {
    if (idleMillis !== null && running === 0) timer = setTimeout(() => finish(null), idleMillis)
  }
  const begin = (): void => {
    running += 1
    clearTimeout(timer)
  }
  const end = (): void => {
    running -= 1
    rest()
  }
  signal.addEventListener('abort', () => finish(null))
  if (signal.aborted) finish(null)
  rest()
  return { reached, finish, begin, end }
}
