import type { BacktestOptions } from './backtest-options.ts'
import type { LiveOptions } from './live/run-live.ts'
import type { Strategy } from './strategy.ts'
import type { SweepOptions } from './sweep/sweep.ts'
import type { SweepResult } from './sweep/sweep-result.ts'
import type { BacktestRun } from './tables/result-tables.ts'

/*
 * What runs strategies, loaded when it is first called. A file that only defines a strategy imports the same entry, and
 * the command that runs it has all of this already: loading it again took a third of a short run.
 */

/**
 * Runs a strategy in a world of its own, in virtual time. The same strategy, options and seed give the same result, byte
 * for byte.
 *
 * Rejects with a TypeError for something that is not a strategy and for options that do not exist, with a RangeError
 * for options that cannot be used, and with a StrategyError for what the strategy throws.
 */
export async function backtest(strategy: Strategy, options: BacktestOptions): Promise<BacktestRun> {
  const loaded = await import('./backtest.ts')
  return loaded.backtest(strategy, options)
}

/**
 * Runs a strategy over HTTP against a service, with the code that runs a backtest. On a manual clock it has the same
 * fills and the same digest as `backtest` with the same scenario and seed.
 *
 * Rejects with a TypeError for options that do not exist, a RangeError for options that cannot be used, a StrategyError
 * for what the strategy throws, and otherwise with the error of the service or the network.
 */
export async function runLive(strategy: Strategy, options: LiveOptions): Promise<BacktestRun> {
  const loaded = await import('./live/run-live.ts')
  return loaded.runLive(strategy, options)
}

/**
 * Runs a strategy with every seed and every cell of a grid, as `otcsim sweep` does: it has the same cases in the same
 * order, and the same rows. When the strategy throws in a case, its row has a `failure`. A rejected promise that nobody
 * waits for is a failure, too: Node then reports it to the sweep and not to the process.
 *
 * Rejects with a TypeError for options that do not exist and for something that is no strategy, with a RangeError for
 * options that cannot be used, with a StrategyFileError for a file that cannot be used, and with a DeterminismError where
 * a case that was repeated had another result.
 */
export async function sweep(options: SweepOptions): Promise<SweepResult> {
  const loaded = await import('./sweep/sweep.ts')
  return loaded.sweep(options)
}
