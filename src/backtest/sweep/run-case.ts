import { flattenMetrics } from '../../metrics/flatten-metrics.ts'
import { backtestIn } from '../backtest.ts'
import type { BacktestOptions } from '../backtest-options.ts'
import type { BacktestResult } from '../result.ts'
import type { Strategy } from '../strategy.ts'
import { StrategyError } from '../strategy-answers.ts'
import { UnwaitedRejection, withoutUnwaited } from '../unwaited-rejection.ts'
import type { PastWorlds } from '../venue/past-worlds.ts'
import type { CaseRow } from './case-row.ts'
import type { CaseTask } from './case-task.ts'

/**
 * The row of a case, in this process. When the strategy throws, the row says so; rejects with a RangeError for options
 * that cannot be used.
 */
export async function runCase(
  task: CaseTask,
  strategy: Strategy,
  options: BacktestOptions,
  worlds: PastWorlds,
): Promise<CaseRow> {
  const { id, seed, parameters, window } = task
  const own = Object.entries(parameters).filter(([name]) => !task.scenarioParameters.includes(name))
  const common = { id, seed, parameters, ...(window === undefined ? {} : { window }) }
  let result: BacktestResult
  try {
    const run = { ...options, seed, parameters: Object.fromEntries(own) }
    result = await withoutUnwaited(() => backtestIn(worlds, strategy, run))
  } catch (error) {
    if (!(error instanceof StrategyError || error instanceof UnwaitedRejection)) throw error
    return { ...common, digest: null, metrics: {}, equity: [], failure: error.message }
  }
  const { atMillis, equity } = result.equity
  return {
    ...common,
    digest: result.digest,
    metrics: flattenMetrics(result.metrics),
    equity: equityPoints(atMillis, equity),
    failure: null,
  }
}

/** The most points of a run's equity that a sweep keeps. */
const equityPointCount = 101

/**
 * All points of the equity when there are few, else the newest ones at equal steps from its first instant to its
 * last.
 */
export function equityPoints(atMillis: readonly number[], equity: readonly number[]): readonly number[] {
  const first = atMillis[0]
  const last = atMillis.at(-1)
  if (first === undefined || last === undefined) return []
  if (equity.length <= equityPointCount) return equity
  const points: number[] = []
  let place = 0
  for (let step = 0; step < equityPointCount; step += 1) {
    const at = first + ((last - first) * step) / (equityPointCount - 1)
    while ((atMillis[place + 1] ?? Number.POSITIVE_INFINITY) <= at) place += 1
    points.push(Number(equity[place]))
  }
  return points
}
