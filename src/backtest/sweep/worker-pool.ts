import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import { Piscina } from 'piscina'
import type { CaseTask, TaskAnswer } from './plan.ts'

/** Threads that run cases: for a sweep on this machine, or for a worker of a queue. */
export type WorkerPool = Threads<CaseTask, TaskAnswer>

export interface PoolOptions {
  /** The module whose `runTask` runs one case. TypeScript is loaded as it is, through tsx. */
  readonly workerFile: string
  /** How many threads; null: as many as the machine has processors. */
  readonly jobs: number | null
  /** The folder that the names of strategies and scenarios are relative to. */
  readonly cwd: string
  /** Whether files outside that folder are refused: who started this worker did not choose what a queue names. */
  readonly isConfined: boolean
  /** What the cases have in common, for a module that does not read it from files: data that can be cloned. */
  readonly common?: unknown
}

export type WorkerSettings = Pick<PoolOptions, 'cwd' | 'isConfined' | 'common'>

export function startPool({ workerFile, jobs, cwd, isConfined, common }: PoolOptions): WorkerPool {
  const settings: WorkerSettings = { cwd, isConfined, common }
  const threads = startThreads<CaseTask, TaskAnswer>(workerFile, jobs ?? availableParallelism(), settings)
  const run = async (task: CaseTask): Promise<TaskAnswer> => {
    try {
      return await threads.run(task)
    } catch (error) {
      if (error instanceof ThreadEnded) return { ok: false, problem: error.message }
      throw error
    }
  }
  return { ...threads, run }
}

interface Threads<Task, Answer> {
  readonly jobs: number
  /** On the next free thread. Once one has ended in the middle of a task, all do, and every task rejects with that. */
  run(task: Task): Promise<Answer>
  close(): Promise<void>
  /** Ends the threads at once, in the middle of their work. */
  abort(): Promise<void>
}

class ThreadEnded extends Error {}

/** Threads that carry out tasks, in the order of the requests, with the module's `runTask`; they share `settings`. */
export function startThreads<Task, Answer>(
  workerFile: string,
  jobs: number,
  settings: unknown,
): Threads<Task, Answer> {
  const pool = new Piscina<Task, Answer>({
    filename: workerFile,
    name: 'runTask',
    minThreads: jobs,
    maxThreads: jobs,
    workerData: settings,
    ...(workerFile.endsWith('.ts') ? { execArgv: ['--import', createTypeScriptLoader()] } : {}),
  })
  // A thread that ends without a task could not load its module; no other will.
  const broken = new Promise<never>((_, reject) => pool.on('error', reject))
  broken.catch(() => {})
  let ended: ThreadEnded | null = null
  const run = async (task: Task): Promise<Answer> => {
    try {
      return await Promise.race([pool.run(task), broken])
    } catch (error) {
      const exit = /^worker exited with code: (.+)/.exec(error instanceof Error ? error.message : '')
      if (exit === null) throw ended ?? error
      ended ??= new ThreadEnded(`a thread was ended in the middle of a case, by process.exit(${exit[1]})`)
      // Else the library looks for another thread, for ever where that one has just begun.
      await pool.destroy()
      throw ended
    }
  }
  return { jobs, run, close: () => pool.close(), abort: () => pool.destroy() }
}

/** A module that lets a thread load TypeScript: unless it is called, tsx registers itself for main threads only. */
function createTypeScriptLoader(): string {
  const folder = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'))
  const api = new URL('dist/esm/api/index.mjs', folder).href
  return `data:text/javascript,import{register}from${encodeURIComponent(JSON.stringify(api))};register()`
}
