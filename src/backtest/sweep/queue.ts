import type * as BullMq from 'bullmq'
import type { Job, Queue, QueueEvents, Worker } from 'bullmq'
import { jsonField } from '../../api/json.ts'
import { systemCode } from '../../journal/journal-file.ts'
import { type CaseRow, type CaseTask, decodeRow, decodeTask } from './plan.ts'
import type { WorkerPool } from './worker-pool.ts'

export interface QueueWorkerOptions {
  readonly place: QueueAddress
  readonly pool: WorkerPool
  /** The time without a sign of life after which a worker's cases go to another one. */
  readonly lockMillis: number
  /** The time without a case after which the worker ends; null for never. */
  readonly idleMillis: number | null
  readonly onDone: (row: CaseRow) => void
  readonly signal: AbortSignal
}

/**
 * Runs the cases of a queue until the signal aborts, it has been idle for long enough, or it gets a case that it cannot
 * run: that case goes back to the queue for others. Returns why it cannot run one, or null for a good end.
 */
export async function workOnQueue(options: QueueWorkerOptions): Promise<string | null> {
  const packages = await loadQueuePackages()
  if (!packages.ok) return packages.problem
  const { Worker, WaitingError, UnrecoverableError } = packages.bullmq
  const { place, pool, lockMillis } = options
  const ending = watchForEnd(options)
  const run = async (job: Job, token?: string): Promise<CaseRow> => {
    if (isWithdrawn(job.data)) throw new UnrecoverableError('its sweep has ended')
    const task = decodeTask(job.data)
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

/**
 * Watches for the end of a worker: the signal aborts, it refuses a case, or it has been idle for long enough while no
 * case runs.
 */
function watchForEnd({ idleMillis, signal }: Pick<QueueWorkerOptions, 'idleMillis' | 'signal'>) {
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

type QueuePackages =
  | { readonly ok: true; readonly bullmq: typeof BullMq }
  | { readonly ok: false; readonly problem: string }

/** Loads BullMQ and its Redis client. Both are loaded on demand, so that only users of a queue have to install them. */
export async function loadQueuePackages(): Promise<QueuePackages> {
  try {
    await import('ioredis')
    return { ok: true, bullmq: await import('bullmq') }
  } catch (error) {
    if (!['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(systemCode(error))) throw error
    return { ok: false, problem: 'a queue needs BullMQ and ioredis: npm install bullmq ioredis' }
  }
}

/** Returns why a Redis server cannot be used, or null. BullMQ itself would wait for it for ever. */
export async function findRedisProblem(url: string): Promise<string | null> {
  const { Redis } = await import('ioredis')
  let reason = 'it does not answer'
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 5_000 })
  redis.on('error', (error: Error) => {
    reason = error.message
  })
  try {
    await redis.connect()
    await redis.ping()
    return null
  } catch {
    return `cannot reach ${hidePassword(url)}: ${reason}`
  } finally {
    redis.disconnect()
  }
}

export function hidePassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//')
}

/*
 * The side of a queue that collects results. A job has the id of its case, so adding a case twice does nothing, whoever
 * adds it. Jobs of an earlier process are found, and lost ones are added again. Results come from events and, now and
 * then, from the jobs themselves, because events can be missed.
 */

export interface QueueAddress {
  readonly url: string
  /** The name of the queue: workers and sweeps with the same name find each other. */
  readonly name: string
}

/** Has the workers of a queue run cases. Returns what kept a case from being run, or null. */
export async function collectFromQueue(
  place: QueueAddress,
  tasks: readonly CaseTask[],
  done: (row: CaseRow) => void,
  signal: AbortSignal,
): Promise<string | null> {
  const packages = await loadQueuePackages()
  if (!packages.ok) return packages.problem
  const options = { connection: { url: place.url } }
  const queue = new packages.bullmq.Queue(place.name, options)
  const events = new packages.bullmq.QueueEvents(place.name, options)
  try {
    // The client reconnects by itself; the reconciliation catches up on what was missed.
    queue.on('error', () => {})
    events.on('error', () => {})
    await events.waitUntilReady()
    return await collectResults(queue, events, tasks, done, signal)
  } finally {
    await Promise.all([queue.close(), events.close()])
  }
}

const reconcileEveryMillis = 2_000
const chunkSize = 500

async function collectResults(
  queue: Queue,
  events: QueueEvents,
  tasks: readonly CaseTask[],
  done: (row: CaseRow) => void,
  signal: AbortSignal,
): Promise<string | null> {
  const waiting = new Map(tasks.map((task) => [jobIdOf(task), task]))
  const collected: string[] = []
  const end = createEndSignal(signal)
  const take = (jobId: string, value: unknown): void => {
    const task = waiting.get(jobId)
    const row = decodeRow(value)
    if (task === undefined || row === null || row.id !== task.id) return
    waiting.delete(jobId)
    collected.push(jobId)
    done(row)
    if (waiting.size === 0) end.finish(null)
  }
  // BullMQ's types say that this is a text, but it is the value that the worker returned.
  events.on('completed', ({ jobId, returnvalue }) => take(jobId, returnvalue))
  events.on('failed', ({ jobId, failedReason }) => {
    const task = waiting.get(jobId)
    if (task !== undefined) end.finish(describeFailure(task, failedReason))
  })
  if (waiting.size === 0) return null
  await addJobs(queue, [...waiting.values()])
  // Cases that failed in an earlier sweep are tried again, once, and what that sweep has withdrawn is wanted again.
  await reconcile(queue, waiting, take, async (job, task) => {
    await job.updateData(task)
    if (await job.isFailed()) await job.retry('failed')
  })
  while (!end.isOver()) {
    await end.within(reconcileEveryMillis)
    if (!end.isOver()) {
      const oldest = new Map([...waiting].slice(0, chunkSize))
      await reconcile(queue, oldest, take, async (job, task) => {
        if (await job.isFailed()) end.finish(describeFailure(task, job.failedReason))
      })
    }
    for (const jobId of collected.splice(0)) await queue.remove(jobId)
  }
  if (waiting.size > 0) await withdraw(queue, [...waiting.keys()])
  return end.problem()
}

const jobIdOf = ({ id }: CaseTask): string => `case-${id}`

const describeFailure = ({ id, seed }: CaseTask, reason: string): string =>
  `case ${id} (seed ${JSON.stringify(seed)}) failed on its workers: ${reason}`

async function addJobs(queue: Queue, tasks: readonly CaseTask[]): Promise<void> {
  for (let from = 0; from < tasks.length; from += chunkSize) {
    await queue.addBulk(
      tasks.slice(from, from + chunkSize).map((task) => ({
        name: 'case',
        data: task,
        opts: {
          jobId: jobIdOf(task),
          attempts: 3,
          backoff: { type: 'fixed', delay: 1_000 },
          removeOnComplete: { age: keptSeconds },
          removeOnFail: { age: keptSeconds },
        },
      })),
    )
  }
}

/** The time for which an unfetched result is kept: a day, so that a killed sweep finds it when it continues. */
const keptSeconds = 86_400

/** Checks jobs one by one: takes the results of finished ones, adds lost ones again, and looks at all others. */
async function reconcile(
  queue: Queue,
  waiting: ReadonlyMap<string, CaseTask>,
  take: (jobId: string, value: unknown) => void,
  look: (job: Job, task: CaseTask) => Promise<void>,
): Promise<void> {
  const entries = [...waiting]
  for (let from = 0; from < entries.length; from += chunkSize) {
    await Promise.all(
      entries.slice(from, from + chunkSize).map(async ([jobId, task]) => {
        const job: Job | undefined = await queue.getJob(jobId)
        if (job === undefined) await addJobs(queue, [task])
        else if (await job.isCompleted()) take(jobId, job.returnvalue)
        else await look(job, task)
      }),
    )
  }
}

/**
 * Removes the jobs that no worker has begun. Those that are running stay, and their results are found later; they are
 * marked, so that one which its worker refuses and gives back does not go from worker to worker for ever.
 */
async function withdraw(queue: Queue, jobIds: readonly string[]): Promise<void> {
  for (let from = 0; from < jobIds.length; from += chunkSize) {
    await Promise.all(
      jobIds.slice(from, from + chunkSize).map(async (jobId) => {
        const removed = await queue.remove(jobId).catch(() => 0)
        const job: Job | undefined = removed === 1 ? undefined : await queue.getJob(jobId)
        // It may end, and be gone, at any time.
        await job?.updateData({ isWithdrawn: true }).catch(() => {})
      }),
    )
  }
}

const isWithdrawn = (data: unknown): boolean => jsonField(data, 'isWithdrawn') === true

/** Creates the end of a collection: it is complete, a case failed, or the signal aborted. */
function createEndSignal(signal: AbortSignal) {
  let problem: string | null = null
  let isOver = signal.aborted
  let wake = () => {}
  const finish = (reason: string | null): void => {
    if (isOver) return
    isOver = true
    problem = reason
    wake()
  }
  signal.addEventListener('abort', () => finish(null))
  return {
    finish,
    isOver: () => isOver,
    problem: () => problem,
    /** Waits for the end, but no longer than this many milliseconds. */
    within: (millis: number): Promise<void> =>
      new Promise((resolve) => {
        if (isOver) return resolve()
        const timer = setTimeout(resolve, millis)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}
