import { checkOptions } from '../api/options.ts'
import { ordersOf, quotesOf } from '../engine/tables/account-table.ts'
import { formatDuration } from '../numeric/time-text.ts'
import { millis } from '../numeric/units.ts'
import { type BacktestOptions, backtestOptions } from './backtest-options.ts'
import { plainResult } from './build-records.ts'
import { accountRowOf, carryOut } from './carry-out.ts'
import { latencyOf } from './latency.ts'
import { resolveParameters } from './parameters.ts'
import type { BacktestResult, ParameterValue } from './result.ts'
import { spanOfOption } from './run/run-context.ts'
import { runSpan } from './run-span.ts'
import { type ResolvedSource, resolveSource, seedIn } from './source.ts'
import { isStrategy, type Strategy, strategyProblem } from './strategy.ts'
import { accountIdOf, askAssets, warmUpOf } from './strategy-answers.ts'
import { newWorlds, type PastWorlds } from './venue/past-worlds.ts'
import { beginningOf, passThroughPast } from './venue/warm-up.ts'

/**
 * Runs a strategy in a world of its own. The same strategy, options and seed give the same result, byte for byte.
 *
 * Rejects with a TypeError for something that is not a strategy and for options that do not exist, with a RangeError
 * for options that cannot be used, and with a StrategyError for what the strategy throws.
 */
export async function backtest(strategy: Strategy, options: BacktestOptions): Promise<BacktestResult> {
  if (!isStrategy(strategy)) throw new TypeError(strategyProblem(strategy) ?? '')
  checkOptions('backtest', options, backtestOptions)
  return plainResult(await backtestIn(newWorlds(options.onWorld), strategy, options))
}

/** The same in a world from elsewhere, for a strategy and options that have been checked; `plainResult` makes lists. */
export async function backtestIn(
  worlds: PastWorlds,
  strategy: Strategy,
  options: BacktestOptions,
): Promise<BacktestResult<Float64Array>> {
  const resolved = resolveSource(options)
  const { scenario } = resolved
  const parameters = resolveParameters(strategy.parameters ?? {}, options.parameters)
  const { latency = {}, trials = [], client = 'sync', rateLimits = false } = options
  // A latency that cannot be is refused before a world is made.
  latencyOf(latency)
  const { startMillis } = scenario.venue
  const { fromMillis, toMillis: endMillis } = runSpan(scenario, options)
  const account = accountOf(strategy, options, resolved)
  const tickMillis = tickOf(strategy, options, scenario.venue.gridMillis)
  const barMillis = barOf(strategy, parameters, tickMillis)
  const warmUp = warmUpOf(strategy, parameters, options.warmUp, startMillis)
  const gridMillis = spanOfOption(options.equityGrid ?? '1h', 'equityGrid')
  const riskFreeRate = riskFreeRateOf(options)
  const wanted =
    barMillis === null || warmUp.bars === 0
      ? null
      : {
          symbols: askAssets(strategy, parameters, { assets: symbolsOf(resolved), nowMillis: startMillis }),
          count: warmUp.bars,
          barMillis,
          tickMillis,
          fromMillis,
        }
  const tell = (nowMillis: number): void =>
    options.progress?.((nowMillis - startMillis) / (endMillis - startMillis), nowMillis)
  // The advance to `from` is a command, so one step is left for it to make.
  const pastMillis = wanted === null ? fromMillis - 1 : beginningOf(wanted)
  const world = worlds.open(scenario, seedIn(options).seed, Math.max(startMillis, pastMillis), tell)
  const row = accountRowOf(world, account)
  const past = wanted === null ? undefined : passThroughPast(world, wanted)
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
    before: { firstOrder: ordersOf(state, row).count, firstQuote: quotesOf(state, row).count },
    isRateLimited: rateLimits,
    riskFreeRate,
  }
  const progress = options.progress && ((_: number, nowMillis: number) => tell(nowMillis))
  return carryOut(strategy, world, setup, past, progress)
}

function accountOf(strategy: Strategy, { account }: BacktestOptions, { scenario }: ResolvedSource): string {
  const ids = scenario.venue.accounts.map(({ id }) => id)
  const id = accountIdOf(strategy, account, ids)
  if (!ids.includes(id)) throw new RangeError(`account: the scenario has no account "${id}"`)
  return id
}

export function riskFreeRateOf({ riskFreeRate = 0 }: { readonly riskFreeRate?: number }): number {
  if (riskFreeRate > -1 && riskFreeRate < 1) return riskFreeRate
  throw new RangeError(
    `riskFreeRate: expected a fraction a year, such as 0.04 for 4 %, found ${riskFreeRate}`,
  )
}

const symbolsOf = ({ scenario }: ResolvedSource): readonly string[] =>
  scenario.venue.market.assets.map(({ symbol }) => symbol)

function tickOf(strategy: Strategy, { tick }: BacktestOptions, gridMillis: number): number {
  const text = tick ?? strategy.tick
  return text === undefined ? gridMillis : spanOfOption(text, 'tick')
}

/**
 * The strategy's bar: a span, or the name of the parameter that holds one. It is made of what ticks see, so it is not
 * shorter than the span between two.
 */
export function barOf(
  strategy: Strategy,
  parameters: Readonly<Record<string, ParameterValue>>,
  tickMillis: number,
): number | null {
  const { bar } = strategy
  if (bar === undefined) return null
  const value = parameters[bar] ?? bar
  const barMillis = spanOfOption(typeof value === 'number' ? `${value}ms` : String(value), 'bar')
  if (barMillis >= tickMillis) return barMillis
  const [barText, tickText] = [barMillis, tickMillis].map(formatDuration)
  throw new RangeError(
    `bar: ${barText} is shorter than ${tickText}, the tick; bars are made of the mids at ticks`,
  )
}
