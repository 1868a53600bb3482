import { CliFailure, type ExitCode } from '../failure.ts'
import { openMatrix, type ScenarioRequest } from '../scenario/scenario-files.ts'
import { type RunTask, runOne } from './run-one.ts'
import type { RunReport } from './run-report.ts'

/** A run as it is sent to a thread, which opens the file itself. */
export interface PoolTask extends Omit<RunTask, 'opened'> {
  readonly request: ScenarioRequest
}

export type PoolAnswer =
  | { readonly ok: true; readonly report: RunReport }
  | { readonly ok: false; readonly code: ExitCode; readonly message: string }

export function runTask({ request, ...task }: PoolTask): PoolAnswer {
  try {
    const opened = openMatrix(request)
    return { ok: true, report: runOne(opened.compile(task.variant), { ...task, opened }, () => {}) }
  } catch (error) {
    if (error instanceof CliFailure) return { ok: false, code: error.code, message: error.message }
    throw error
  }
}
