import type { Job, Queue, QueueEvents } from 'bullmq'
import { asRow, type CaseRow } from './case-row.ts'
import type { CaseTask } from './case-task.ts'
import { loadQueuePackages } from './queue-packages.ts'

/*
 * The side of a queue that wants results. A job has the id of its case, so adding a case twice does nothing, whoever
 * adds it; what another process had begun is found, and what is lost is added again. Results are taken from events as
 * they come, and now and then from the jobs themselves, because events can be missed.
 */

export interface QueuePlace {
  readonly url: string
  /** Workers and sweeps of one name find each other. */
  readonly name: string
}

/** Runs cases by the workers of a queue. Answers what kept a case from being run, or null. */
export async function collectFromQueue(
  place: QueuePlace,
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
    return await gather(queue, events, tasks, done, signal)
  } finally {
    await Promise.all([queue.close(), events.close()])
  }
}

const reconcileEveryMillis = 2_000
const chunk = 500

async function gather(
  queue: Queue,
  events: QueueEvents,
  tasks: readonly CaseTask[],
  done: (row: CaseRow) => void,
  signal: AbortSignal,
): Promise<string | null> {
  const waiting = new Map(tasks.map((task) => [jobIdOf(task), task]))
  const collected: string[] = []
  const end = endSignal(signal)
  const take = (jobId: string, value: unknown): void => {
    const task = waiting.get(jobId)
    const row = asRow(value)
    if (task === undefined || row === null || row.id !== task.id) return
    waiting.delete(jobId)
    collected.push(jobId)
    done(row)
    if (waiting.size === 0) end.finish(null)
  }
  // BullMQ's types call the value a text; it is the value that the worker returned.
  events.on('completed', ({ jobId, returnvalue }) => take(jobId, returnvalue))
  events.on('failed', ({ jobId, failedReason }) => {
    const task = waiting.get(jobId)
    if (task !== undefined) end.finish(failureText(task, failedReason))
  })
  if (waiting.size === 0) return null
  await addJobs(queue, [...waiting.values()])
  // What failed in an earlier sweep is tried again, once.
  await reconcile(queue, waiting, take, (job) => job.retry('failed'))
  while (!end.isOver()) {
    await end.within(reconcileEveryMillis)
    if (!end.isOver()) {
      const oldest = new Map([...waiting].slice(0, chunk))
      await reconcile(queue, oldest, take, async (job) => {
        const task = waiting.get(job.id ?? '')
        if (task !== undefined) end.finish(failureText(task, job.failedReason))
      })
    }
    for (const jobId of collected.splice(0)) await queue.remove(jobId)
  }
  if (waiting.size > 0) await withdraw(queue, [...waiting.keys()])
  return end.problem()
}

const jobIdOf = ({ id }: CaseTask): string => `case-${id}`

const failureText = ({ id, seed }: CaseTask, reason: string): string =>
  `case ${id} (seed ${JSON.stringify(seed)}) failed on its workers: ${reason}`

async function addJobs(queue: Queue, tasks: readonly CaseTask[]): Promise<void> {
  for (let from = 0; from < tasks.length; from += chunk) {
    await queue.addBulk(
      tasks.slice(from, from + chunk).map((task) => ({
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

/** A result that nobody has fetched is kept for a day: a sweep that was killed finds it when it continues. */
const keptSeconds = 86_400

/** Looks at jobs one by one: takes the results of those that are done, and adds those that are gone. */
async function reconcile(
  queue: Queue,
  waiting: ReadonlyMap<string, CaseTask>,
  take: (jobId: string, value: unknown) => void,
  onFailed: (job: Job) => Promise<void>,
): Promise<void> {
  const entries = [...waiting]
  for (let from = 0; from < entries.length; from += chunk) {
    await Promise.all(
      entries.slice(from, from + chunk).map(async ([jobId, task]) => {
        const job: Job | undefined = await queue.getJob(jobId)
        if (job === undefined) await addJobs(queue, [task])
        else if (await job.isCompleted()) take(jobId, job.returnvalue)
        else if (await job.isFailed()) await onFailed(job)
      }),
    )
  }
}

/** Takes back what no worker has begun; what is running stays, and its result is found later. */
async function withdraw(queue: Queue, jobIds: readonly string[]): Promise<void> {
  for (let from = 0; from < jobIds.length; from += chunk) {
    await Promise.all(jobIds.slice(from, from + chunk).map((jobId) => queue.remove(jobId).catch(() => 0)))
  }
}

/** The end of a collection: it is complete, something failed, or it was asked to stop. */
function endSignal(signal: AbortSignal) {
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
    /** Waits for the end, but no longer than this. */
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
