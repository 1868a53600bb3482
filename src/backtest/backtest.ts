import { checkOptions } from '../api/options.ts'
import { listAccountOrders, listAccountQuotes } from '../engine/tables/account-table.ts'
import { formatDuration } from '../numeric/time-text.ts'
import { millis } from '../numeric/units.ts'
import { type BacktestOptions, backtestOptions } from './backtest-options.ts'
import { listEquity, listResultRecords } from './build-records.ts'
import { createLatency } from './latency.ts'
import { resolveParameters } from './parameters.ts'
import type { ParameterValue, RunResult } from './result.ts'
import { parseSpanOption } from './run/run-context.ts'
import { findAccountRow, type RunSetup, runInWorld } from './run-in-world.ts'
import { resolveEquityGrid, resolveRunSpan } from './run-span.ts'
import { pickSeed, type ResolvedSource, resolveSource } from './source.ts'
import { isStrategy, type Strategy, strategyProblem } from './strategy.ts'
import { askAssets, chooseAccount, resolveWarmUp } from './strategy-answers.ts'
import { type BacktestRun, withColumns } from './tables/result-tables.ts'
import { advanceThroughWarmUp, findWarmUpStart } from './venue/warm-up.ts'
import { createWorldSource, type WorldSource } from './venue/world-source.ts'

/**
 * Runs a strategy in a world of its own. The same strategy, options and seed give the same result, byte for byte.
 *
 * Rejects with a TypeError for something that is not a strategy and for options that do not exist, with a RangeError
 * for options that cannot be used, and with a StrategyError for what the strategy throws.
 */
export async function backtest(strategy: Strategy, options: BacktestOptions): Promise<BacktestRun> {
  checkInputs(strategy, options)
  const result = await backtestInWorld(createWorldSource(options.onWorld), strategy, options)
  return withColumns(listResultRecords(listEquity(result)))
}

/**
 * Runs a strategy in a world of its own, whose orders and quotes are made when the result is read: for who reads them
 * once and changes the world no more. Rejects as `backtest` does.
 */
export async function backtestUnlisted(strategy: Strategy, options: BacktestOptions): Promise<RunResult> {
  checkInputs(strategy, options)
  return listEquity(await backtestInWorld(createWorldSource(options.onWorld), strategy, options, 'made'))
}

function checkInputs(strategy: Strategy, options: BacktestOptions): void {
  if (!isStrategy(strategy)) throw new TypeError(strategyProblem(strategy) ?? '')
  checkOptions('backtest', options, backtestOptions)
}

/**
 * Runs a strategy in a world that `worlds` opens. The strategy and the options must have been checked. Returns the
 * columns of the equity as typed arrays, and orders and quotes as `records` says.
 *
 * Rejects with a RangeError for options that cannot be used, and with a StrategyError for what the strategy throws.
 */
export async function backtestInWorld(
  worlds: WorldSource,
  strategy: Strategy,
  options: BacktestOptions,
  records: RunSetup['records'] = 'kept',
): Promise<RunResult<Float64Array>> {
  const resolved = resolveSource(options)
  const { scenario } = resolved
  const parameters = resolveParameters(strategy.parameters ?? {}, options.parameters)
  const { latency = {}, trials = [], client = 'sync', rateLimits = false } = options
  // An impossible latency is refused before a world is created.
  createLatency(latency)
  const { startMillis } = scenario.venue
  const { fromMillis, toMillis: endMillis } = resolveRunSpan(scenario, options)
  const account = resolveAccount(strategy, options, resolved)
  const tickMillis = resolveTickMillis(strategy, options, scenario.venue.gridMillis)
  const barMillis = resolveBarMillis(strategy, parameters, tickMillis)
  const warmUp = resolveWarmUp(strategy, parameters, options.warmUp, startMillis)
  const gridMillis = resolveEquityGrid(options.equityGrid, endMillis - fromMillis)
  const riskFreeRate = readRiskFreeRate(options)
  const wanted =
    barMillis === null || warmUp.bars === 0
      ? null
      : {
          symbols: askAssets(strategy, parameters, { assets: listSymbols(resolved), nowMillis: startMillis }),
          count: warmUp.bars,
          barMillis,
          tickMillis,
          fromMillis,
        }
  const reportTime = (nowMillis: number): void =>
    options.progress?.((nowMillis - startMillis) / (endMillis - startMillis), nowMillis)
  // The advance to `from` must be a command of its own, so the world is left one millisecond before it.
  const pastMillis = wanted === null ? fromMillis - 1 : findWarmUpStart(wanted)
  const world = worlds.open(scenario, pickSeed(options).seed, Math.max(startMillis, pastMillis), reportTime)
  const row = findAccountRow(world, account)
  const past = wanted === null ? undefined : advanceThroughWarmUp(world, wanted)
  if (fromMillis > startMillis) world.advanceTo(millis(fromMillis))
  const { state } = world.venue
  const setup = {
    parameters,
    account,
    endMillis,
    tickMillis,
    barMillis,
    warmUp,
    gridMillis,
    latency,
    client,
    trials,
    source: resolved.source,
    before: {
      firstOrder: listAccountOrders(state, row).count,
      firstQuote: listAccountQuotes(state, row).count,
    },
    isRateLimited: rateLimits,
    riskFreeRate,
    records,
  }
  const progress = options.progress && ((_: number, nowMillis: number) => reportTime(nowMillis))
  return runInWorld(strategy, world, setup, past, progress)
}

function resolveAccount(
  strategy: Strategy,
  { account }: BacktestOptions,
  { scenario }: ResolvedSource,
): string {
  const ids = scenario.venue.accounts.map(({ id }) => id)
  const id = chooseAccount(strategy, account, ids)
  if (!ids.includes(id)) throw new RangeError(`account: the scenario has no account "${id}"`)
  return id
}

export function readRiskFreeRate({ riskFreeRate = 0 }: { readonly riskFreeRate?: number }): number {
  if (riskFreeRate > -1 && riskFreeRate < 1) return riskFreeRate
  throw new RangeError(
    `riskFreeRate: expected a fraction a year, such as 0.04 for 4 %, found ${riskFreeRate}`,
  )
}

const listSymbols = ({ scenario }: ResolvedSource): readonly string[] =>
  scenario.venue.market.assets.map(({ symbol }) => symbol)

function resolveTickMillis(strategy: Strategy, { tick }: BacktestOptions, gridMillis: number): number {
  const text = tick ?? strategy.tick
  return text === undefined ? gridMillis : parseSpanOption(text, 'tick')
}

/**
 * Returns the span of the strategy's bars in milliseconds; null where it has none. The strategy states a span, or the
 * name of the parameter that holds one. Throws a RangeError for a bar that is shorter than a tick, because bars are
 * made of the mids at ticks.
 */
export function resolveBarMillis(
  strategy: Strategy,
  parameters: Readonly<Record<string, ParameterValue>>,
  tickMillis: number,
): number | null {
  const { bar } = strategy
  if (bar === undefined) return null
  const value = parameters[bar] ?? bar
  const barMillis = parseSpanOption(typeof value === 'number' ? `${value}ms` : String(value), 'bar')
  if (barMillis >= tickMillis) return barMillis
  const [barText, tickText] = [barMillis, tickMillis].map(formatDuration)
  throw new RangeError(
    `bar: ${barText} is shorter than ${tickText}, the tick; bars are made of the mids at ticks`,
  )
}
