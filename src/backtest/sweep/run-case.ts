import { flattenMetrics, flattenReasons } from '../../metrics/metrics.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import { backtestInWorld } from '../backtest.ts'
import type { BacktestOptions } from '../backtest-options.ts'
import type { RunResult } from '../result.ts'
import type { Strategy } from '../strategy.ts'
import { rejectUnhandled, StrategyError, UnhandledRejection } from '../strategy-answers.ts'
import type { WorldSource } from '../venue/world-source.ts'
import type { CaseRow, CaseTask, TaskAnswer } from './plan.ts'

/**
 * Runs one case. When the strategy throws, the row has its message as `failure`; rejects with a RangeError for options
 * that cannot be used.
 */
export async function runCase(
  task: CaseTask,
  strategy: Strategy,
  options: BacktestOptions,
  worlds: WorldSource,
): Promise<CaseRow> {
  const { id, seed, parameters, window } = task
  const own = Object.entries(parameters).filter(([name]) => !task.scenarioParameters.includes(name))
  const common = { id, seed, parameters, ...(window === undefined ? {} : { window }) }
  let result: RunResult<Float64Array>
  try {
    const run = { ...options, seed, parameters: Object.fromEntries(own) }
    result = await rejectUnhandled(() => backtestInWorld(worlds, strategy, run))
  } catch (error) {
    if (!(error instanceof StrategyError || error instanceof UnhandledRejection)) throw error
    return { ...common, digest: null, metrics: {}, equity: [], failure: error.message }
  }
  const { atMillis, equity } = result.equity
  const reasons = flattenReasons(result.metrics)
  return {
    ...common,
    digest: result.digest,
    metrics: flattenMetrics(result.metrics),
    ...(Object.keys(reasons).length === 0 ? {} : { reasons }),
    equity: sampleEquity(atMillis, equity),
    failure: null,
  }
}

const equityPointCount = 101

/**
 * Returns all points of the equity when there are at most 101; else the values at 101 equal steps of time, each the
 * newest at that instant.
 */
export function sampleEquity(atMillis: ArrayLike<number>, equity: ArrayLike<number>): readonly number[] {
  const first = atMillis[0]
  const last = atMillis[atMillis.length - 1]
  if (first === undefined || last === undefined) return []
  if (equity.length <= equityPointCount) return Array.from(equity)
  const points: number[] = []
  let place = 0
  for (let step = 0; step < equityPointCount; step += 1) {
    const at = first + ((last - first) * step) / (equityPointCount - 1)
    while ((atMillis[place + 1] ?? Number.POSITIVE_INFINITY) <= at) place += 1
    points.push(equity[place] ?? 0)
  }
  return points
}

/** The inputs that all cases of a sweep from code share: plain data, of which every thread has a copy. */
export interface SharedInputs {
  /** The options of each run, without its market, seed and parameters. */
  readonly options: BacktestOptions
  /** The compiled scenarios by their digests. */
  readonly scenarios: ReadonlyMap<string, CompiledScenario>
}

/** Runs the case of a task. Options that cannot be used are a problem of the whole sweep and are returned as one. */
export async function answerTask(
  task: CaseTask,
  strategy: Strategy,
  { options, scenarios }: SharedInputs,
  worlds: WorldSource,
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
