import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { typeScriptLoader } from '../../backtest/type-script-loader.ts'
import { CliFailure } from '../failure.ts'
import type { RunTask } from './run-one.ts'
import type { RunReport } from './run-report.ts'
import type { PoolAnswer, PoolTask } from './run-worker.ts'

/** Threads that run scenarios, in the order of the requests; each run is the same on any thread. */
export interface RunPool {
  readonly run: (task: RunTask) => Promise<RunReport>
  readonly close: () => Promise<void>
}

interface Waiting {
  readonly task: PoolTask
  readonly settle: (report: RunReport) => void
  readonly fail: (error: Error) => void
}

export function startRunPool(jobs: number): RunPool {
  const queue: Waiting[] = []
  const workers: Worker[] = []
  const idle: Worker[] = []
  const busy = new Map<Worker, Waiting>()
  const next = (): void => {
    while (queue.length > 0) {
      const worker = idle.pop() ?? (workers.length < jobs ? open() : undefined)
      const waiting = worker === undefined ? undefined : queue.shift()
      if (worker === undefined || waiting === undefined) return
      busy.set(worker, waiting)
      worker.postMessage(waiting.task)
    }
  }
  const open = (): Worker => {
    const worker = startWorker()
    workers.push(worker)
    worker.on('message', (answer: PoolAnswer) => {
      const waiting = busy.get(worker)
      busy.delete(worker)
      idle.push(worker)
      if (answer.ok) waiting?.settle(answer.report)
      else waiting?.fail(new CliFailure(answer.code, answer.message))
      next()
    })
    worker.on('error', (error: Error) => {
      for (const waiting of [busy.get(worker), ...queue.splice(0)]) waiting?.fail(error)
      busy.delete(worker)
    })
    return worker
  }
  return {
    run: ({ opened: { request }, variant, hasCharts }) =>
      new Promise((settle, fail) => {
        queue.push({ task: { request, variant, hasCharts }, settle, fail })
        next()
      }),
    close: async () => {
      queue.length = 0
      await Promise.all(workers.map((worker) => worker.terminate()))
    },
  }
}

/** Beside this module: TypeScript in the sources, a bundle of its own in the package. */
function startWorker(): Worker {
  const here = fileURLToPath(import.meta.url)
  if (here.endsWith('.ts')) {
    const execArgv = ['--import', typeScriptLoader()]
    return new Worker(join(dirname(here), 'run-worker.ts'), { execArgv })
  }
  return new Worker(join(dirname(here), 'run-worker.cjs'))
}
