import { parentPort } from 'node:worker_threads'
import { CliFailure } from '../failure.ts'
import { openMatrix } from '../scenario/scenario-files.ts'
import { runOne } from './run-one.ts'
import type { RunReport } from './run-report.ts'

/** One run, as it is sent to a thread. */
export interface PoolTask {
  readonly cwd: string
  readonly path: string
  /** As the caller named it. */
  readonly file: string
  /** Null: the scenario's own. */
  readonly seed: string | null
  readonly params: readonly (readonly [string, string])[]
  readonly name: string
  readonly hasCharts: boolean
}

export type PoolAnswer =
  | { readonly ok: true; readonly report: RunReport }
  | { readonly ok: false; readonly message: string }

// This module is a thread: it runs what it is sent, one after the other, and sends back the reports.
parentPort?.on('message', (task: PoolTask) => parentPort?.postMessage(work(task)))

function work({ cwd, file, seed, params, name, hasCharts }: PoolTask): PoolAnswer {
  try {
    const opened = openMatrix({ scenario: file, cwd, params: new Map(params), seed })
    const variant = { seed, params: new Map(params), name }
    return { ok: true, report: runOne(opened.compile(variant), { file, variant, hasCharts }, () => {}) }
  } catch (error) {
    if (error instanceof CliFailure) return { ok: false, message: error.message }
    throw error
  }
}
