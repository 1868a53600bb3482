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

export interface WorkerSettings {
  readonly cwd: string
  readonly isConfined: boolean
  readonly common?: unknown
}

export function startPool({ workerFile, jobs, cwd, isConfined, common }: PoolOptions): WorkerPool {
  const settings: WorkerSettings = { cwd, isConfined, common }
  return startThreads(workerFile, { jobs: jobs ?? availableParallelism(), settings, attempts: 3 })
}

interface Threads<Task, Answer> {
  readonly jobs: number
  /** On the next free thread. One that dies is replaced, and its task tried again. */
  run(task: Task): Promise<Answer>
  close(): Promise<void>
  /** Ends the threads at once, in the middle of their work. */
  abort(): Promise<void>
}

interface ThreadOptions {
  readonly jobs: number
  /** What all threads get; data that can be cloned. */
  readonly settings: unknown
  /** How often a task is tried whose thread dies. */
  readonly attempts: number
}

/** Threads that carry out tasks, in the order of the requests, with the module's `runTask`. */
export function startThreads<Task, Answer>(
  workerFile: string,
  { jobs, settings, attempts }: ThreadOptions,
): Threads<Task, Answer> {
  const pool = new Piscina<Task, Answer>({
    filename: workerFile,
    name: 'runTask',
    minThreads: jobs,
    maxThreads: jobs,
    workerData: settings,
    ...(workerFile.endsWith('.ts') ? { execArgv: ['--import', typeScriptLoader()] } : {}),
  })
  let isAborted = false
  // A thread that ends without a task could not load its module; no other will.
  const broken = new Promise<never>((_, reject) => pool.on('error', reject))
  broken.catch(() => {})
  const run = async (task: Task): Promise<Answer> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await Promise.race([pool.run(task), broken])
      } catch (error) {
        if (isAborted || attempt >= attempts) throw error
      }
    }
  }
  const abort = (): Promise<void> => {
    isAborted = true
    return pool.destroy()
  }
  return { jobs, run, close: () => pool.close(), abort }
}

/** A module that lets a thread load TypeScript: unless it is called, tsx registers itself for main threads only. */
function typeScriptLoader(): string {
  const folder = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'))
  const api = new URL('dist/esm/api/index.mjs', folder).href
  return `data:text/javascript,import{register}from${encodeURIComponent(JSON.stringify(api))};register()`
}
