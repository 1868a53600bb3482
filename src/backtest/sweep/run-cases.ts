import type { CaseRow } from './case-row.ts'
import type { CaseTask, TaskAnswer } from './case-task.ts'

/** Runs cases, `lanes` of them at a time. */
export interface CaseRunner {
  readonly lanes: number
  run(task: CaseTask): Promise<TaskAnswer>
}

/**
 * Runs cases and hands over each row as it comes, until all are done or `signal` asks to stop: then no new case is
 * begun, and those under way are waited for. Answers what kept a case from running, or null.
 */
export async function runCases(
  tasks: readonly CaseTask[],
  runner: CaseRunner,
  done: (row: CaseRow) => void,
  signal: AbortSignal,
): Promise<string | null> {
  let next = 0
  let problem: string | null = null
  const lane = async (): Promise<void> => {
    while (problem === null && !signal.aborted) {
      const task = tasks[next]
      if (task === undefined) return
      next += 1
      const answer = await runner.run(task)
      if (answer.ok) done(answer.row)
      else problem = answer.problem
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, runner.lanes) }, lane))
  return problem
}
