import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { typeScriptLoader } from '../../backtest/sweep/worker-pool.ts'
import { CliFailure } from '../failure.ts'
import type { RunTask } from './run-one.ts'
import type { RunReport } from './run-report.ts'
import type { PoolAnswer, PoolTask } from './run-worker.ts'

/** Threads that run scenarios, in the order of the requests; each run is the same on any thread. */
export interface RunPool {
  readonly run: (task: RunTask) => Promise<RunReport>
  /** Ends the threads, in the middle of their work if need be. */
  readonly close: () => Promise<void>
}

export function startRunPool(jobs: number): RunPool {
  // Beside this module: TypeScript in the sources, a bundle of its own in the package.
  const here = fileURLToPath(import.meta.url)
  const isSource = here.endsWith('.ts')
  const pool = new Piscina<PoolTask, PoolAnswer>({
    filename: join(dirname(here), isSource ? 'run-worker.ts' : 'run-worker.cjs'),
    name: 'runTask',
    minThreads: jobs,
    maxThreads: jobs,
    ...(isSource ? { execArgv: ['--import', typeScriptLoader()] } : {}),
  })
  // A thread that ends without a task could not load its module; no other will.
  const broken = new Promise<never>((_, reject) => pool.on('error', reject))
  broken.catch(() => {})
  return {
    run: async ({ opened: { request }, variant, hasCharts }) => {
      const answer = await Promise.race([pool.run({ request, variant, hasCharts }), broken])
      if (answer.ok) return answer.report
      throw new CliFailure(answer.code, answer.message)
    },
    close: () => pool.destroy(),
  }
}
