import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import type { BacktestOptions } from '../backtest-options.ts'
import type { Strategy } from '../strategy.ts'
import type { PastWorlds } from '../venue/past-worlds.ts'
import type { CaseTask, TaskAnswer } from './case-task.ts'
import { runCase } from './run-case.ts'

/** What the cases of a sweep from code have in common: plain data, which every thread has a copy of. */
export interface CommonWork {
  /** The options of each run but for its market, seed and parameters. */
  readonly options: BacktestOptions
  /** By their digests. */
  readonly scenarios: ReadonlyMap<string, CompiledScenario>
}

/** Runs one case; options that no case can run with are the sweep's problem. */
export async function answerTo(
  task: CaseTask,
  strategy: Strategy,
  { options, scenarios }: CommonWork,
  worlds: PastWorlds,
): Promise<TaskAnswer> {
  const scenario = scenarios.get(task.scenarioDigest)
  if (scenario === undefined) return { ok: false, problem: `there is no scenario ${task.scenarioDigest}` }
  try {
    return { ok: true, row: await runCase(task, strategy, { ...options, ...task.window, scenario }, worlds) }
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, problem: error.message }
    throw error
  }
}
