import { workerData } from 'node:worker_threads'
import type { BacktestOptions } from '../../backtest/backtest-options.ts'
import { StrategyFileError } from '../../backtest/loading/load-strategy.ts'
import { resolveSource } from '../../backtest/source.ts'
import type { Strategy } from '../../backtest/strategy.ts'
import { scenarioDigest } from '../../backtest/sweep/digests.ts'
import { createKeptStrategy } from '../../backtest/sweep/keep-strategy.ts'
import { type CaseTask, isBelow, type TaskAnswer } from '../../backtest/sweep/plan.ts'
import { runCase } from '../../backtest/sweep/run-case.ts'
import type { WorkerSettings } from '../../backtest/sweep/worker-pool.ts'
import { createCachedWorldSource } from '../../backtest/venue/world-source.ts'
import { readBacktestOptions } from '../backtest/backtest.ts'
import { addMarketParameters, nameFlags, restoreFlags } from '../backtest/backtest-flags.ts'
import { CliFailure } from '../failure.ts'
import { listNamedFiles } from '../recordings/named-files.ts'
import { version } from '../version.ts'

/*
 * A thread of a sweep runs one case after the other. It loads its strategy and each scenario once, and compares them
 * with the digests in the plan, because the files may have changed since.
 */

/**
 * Runs one case. A strategy that throws is recorded in the row. Work that cannot be done here gives a problem instead.
 */
export async function runTask(task: CaseTask): Promise<TaskAnswer> {
  try {
    const problem = settings.isConfined ? findOutsideProblem(task) : null
    if (problem !== null) return { ok: false, problem }
    const strategy = await openTaskStrategy(task)
    const options = resolveTaskOptions(task)
    const row = await runCase(task, strategy, options, worlds)
    kept.check(task.work.strategy)
    return { ok: true, row }
  } catch (error) {
    // Unusable work is a problem of the sweep. Any other error is a bug, and fails the case.
    if (error instanceof RangeError) return { ok: false, problem: nameFlags(error.message) }
    if (error instanceof CliFailure || error instanceof MismatchError || error instanceof StrategyFileError)
      return { ok: false, problem: error.message }
    throw error
  }
}

/** This worker has another version or scenario than the sweep. */
class MismatchError extends Error {
  override readonly name = 'MismatchError'
}

const settings: WorkerSettings = isSettings(workerData)
  ? workerData
  : { cwd: process.cwd(), isConfined: false }

function isSettings(value: unknown): value is WorkerSettings {
  return typeof value === 'object' && value !== null && 'cwd' in value && 'isConfined' in value
}

const kept = createKeptStrategy(settings.cwd)
const worlds = createCachedWorldSource()
const sources = new Map<string, BacktestOptions>()

function openTaskStrategy({ work }: CaseTask): Promise<Strategy> {
  if (work.version !== version)
    throw new MismatchError(`the sweep is of otcsim ${work.version}, and this is ${version}`)
  return kept.open(work.strategy)
}

/**
 * Resolves the options of a case without its seed. Scenarios and recordings are read once for all seeds and windows.
 */
function resolveTaskOptions(task: CaseTask): BacktestOptions {
  const param = new Map(task.scenarioParameters.map((name) => [name, task.parameters[name] ?? '']))
  const { from, to, ...place } = task.work.options
  const span = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
  const key = JSON.stringify([place, [...param], task.scenarioDigest])
  const known = sources.get(key)
  if (known !== undefined) return { ...known, ...span }
  const given = readBacktestOptions(addMarketParameters(restoreFlags(place), param), settings.cwd)
  const { scenario } = resolveSource(given)
  const here = scenarioDigest(scenario)
  if (here !== task.scenarioDigest) {
    const { name } = task.work.scenario
    throw new MismatchError(
      `${name} is another scenario here (${here}) than the sweep's (${task.scenarioDigest})`,
    )
  }
  const { books: _, candles: __, model: ___, market: ____, ...options } = given
  const resolved = { ...options, scenario }
  sources.set(key, resolved)
  return { ...resolved, ...span }
}

/**
 * Returns a problem for a file outside the worker's folder: a task from a queue must not read others. Null without one.
 */
function findOutsideProblem({ work, parameters, scenarioParameters }: CaseTask): string | null {
  const { book, data, scenario, trades } = work.options
  const recordings = listNamedFiles([data, book, trades], settings.cwd)
  const named = [
    work.strategy.file,
    ...recordings,
    scenario,
    ...scenarioParameters.map((name) => parameters[name]),
  ]
  const outside = named.find((file) => file !== undefined && !isBelow(file, settings.cwd))
  return outside === undefined ? null : `${outside} is not below the folder that this worker was started in`
}
