import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Piscina } from 'piscina'
import { identifyStrategy } from '../loading/strategy-identity.ts'
import { type CaseTask, isBelow, type TaskAnswer } from './plan.ts'

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

/**
 * Starts threads that run the cases of sweeps. Node keeps the modules that a thread has imported, so each identity of a
 * strategy has threads of its own: an edited strategy runs in new ones, with nothing of its old code.
 */
export function startPool({ workerFile, jobs, cwd, isConfined, common }: PoolOptions): WorkerPool {
  const count = jobs ?? availableParallelism()
  const pools = new Map<string, Threads<CaseTask, TaskAnswer>>()
  const closing: Promise<void>[] = []
  const choose = (task: CaseTask): Threads<CaseTask, TaskAnswer> => {
    const { digest, file } = task.work.strategy
    const key = `${digest} ${file}`
    const settings: WorkerSettings = { cwd, isConfined, common }
    const chosen =
      pools.get(key) ?? startThreads(workerFile, count, settings, pickEnvironment(task, settings))
    // The newest use comes last, so the first one is what was not used for longest.
    pools.delete(key)
    pools.set(key, chosen)
    const [oldest] = pools
    if (pools.size > maximumPools && oldest !== undefined) {
      pools.delete(oldest[0])
      closing.push(oldest[1].close())
    }
    return chosen
  }
  const run = async (task: CaseTask): Promise<TaskAnswer> => {
    try {
      return await choose(task).run(task)
    } catch (error) {
      if (error instanceof ThreadEnded) return { ok: false, problem: error.message }
      throw error
    }
  }
  const close = async (): Promise<void> => {
    await Promise.all([...closing, ...[...pools.values()].map((threads) => threads.close())])
  }
  const abort = async (): Promise<void> => {
    await Promise.all([...pools.values()].map((threads) => threads.abort()))
  }
  return { jobs: count, run, close, abort }
}

/** How many strategies have threads at a time: a queue may mix the cases of two sweeps. */
const maximumPools = 2

/**
 * Picks the environment variables of the threads of a task: those that the strategy's own files name, which are part of
 * its identity. What is not named is not passed on, so it decides nothing unseen.
 */
function pickEnvironment(
  { work }: CaseTask,
  { cwd, isConfined }: WorkerSettings,
): Readonly<Record<string, string>> {
  const path = resolve(cwd, work.strategy.file)
  const isReadable = (!isConfined || isBelow(path, cwd)) && existsSync(path) && statSync(path).isFile()
  const named = isReadable ? identifyStrategy(path).variables : []
  return Object.fromEntries(
    [...alwaysPassed, ...named].flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}

/** What Node, tsx and test runners need, and no result depends on. */
const alwaysPassed = ['TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'NODE_V8_COVERAGE', 'VITEST']

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
 * of each thread; `environment` is all that it finds in `process.env`, by default that of this process.
 */
export function startThreads<Task, Answer>(
  workerFile: string,
  jobs: number,
  settings: unknown,
  environment?: Readonly<Record<string, string>>,
): Threads<Task, Answer> {
  const pool = new Piscina<Task, Answer>({
    filename: workerFile,
    name: 'runTask',
    minThreads: jobs,
    maxThreads: jobs,
    workerData: settings,
    ...(environment === undefined ? {} : { env: { ...environment } }),
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
