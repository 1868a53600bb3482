import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import { Piscina } from 'piscina'
import type { CaseTask, TaskAnswer } from './plan.ts'

/** Threads that run cases: for a sweep on this machine, or for a worker of a queue. */
export type WorkerPool = Threads<CaseTask, TaskAnswer>

export interface PoolOptions {
  /** The module whose `runTask` runs one case. TypeScript is loaded through tsx. */
  readonly workerFile: string
  /** The number of threads; null for as many as the machine has processors. */
  readonly jobs: number | null
  /** The folder that the file names of strategies and scenarios are relative to. */
  readonly cwd: string
  /**
   * Whether files outside that folder are refused: a queue may name files that whoever started this worker did not
   * choose.
   */
  readonly isConfined: boolean
  /** The inputs that all cases share, for a module that does not read them from files: data that can be cloned. */
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
  /**
   * Runs a task on the next free thread. Once a thread has ended in the middle of a task, all threads end and every
   * task rejects.
   */
  run(task: Task): Promise<Answer>
  close(): Promise<void>
  /** Ends the threads at once, in the middle of their tasks. */
  abort(): Promise<void>
}

class ThreadEnded extends Error {}

/**
 * Starts threads that run tasks with the module's `runTask`, in the order of the calls. `settings` is the `workerData`
 * of each.
 */
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
  // A thread that ends without a task could not load its module, and no other thread could.
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
      // Otherwise the library looks for another thread, for ever if that one has only just started.
      await pool.destroy()
      throw ended
    }
  }
  return { jobs, run, close: () => pool.close(), abort: () => pool.destroy() }
}

/**
 * Creates a module, as a data URL, that lets a thread load TypeScript: tsx registers itself only in main threads unless
 * it is called.
 */
function createTypeScriptLoader(): string {
  const folder = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'))
  const api = new URL('dist/esm/api/index.mjs', folder).href
  return `data:text/javascript,import{register}from${encodeURIComponent(JSON.stringify(api))};register()`
}
