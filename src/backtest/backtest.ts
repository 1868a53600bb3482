import { ordersOf, quotesOf } from '../engine/account-lists.ts'
import { none } from '../engine/codes.ts'
import { computeMetrics } from '../metrics/compute-metrics.ts'
import { parseDuration } from '../numeric/time-text.ts'
import { millis } from '../numeric/units.ts'
import { createWorld, type World } from '../world/world.ts'
import { equityGridOf, fillRecordsOf, orderRecordsOf, quoteRecordsOf } from './build-records.ts'
import { type Latency, type LatencyOptions, latencyOf } from './latency.ts'
import { resolveParameters } from './parameters.ts'
import { type BacktestResult, type ParameterValue, resultFormat, resultVersion } from './result.ts'
import { instantOf, type ResolvedSource, resolveSource, type SourceOptions } from './source.ts'
import type { Strategy } from './strategy.ts'
import { StrategyRun } from './strategy-run.ts'
import { WorldHost } from './venue/world-host.ts'

export interface BacktestOptions extends SourceOptions {
  /** Values of the strategy's parameters, as texts or themselves. */
  readonly parameters?: Readonly<Record<string, ParameterValue>>
  /** In place of the strategy's. */
  readonly account?: string
  /** When the strategy begins: an instant, or a span after the market's start; at that start unless given. */
  readonly from?: string
  /** When it ends: an instant, or a span after `from`; the scenario's or recording's end unless given. */
  readonly to?: string
  /** Between two looks at the feed; the strategy's, else the venue's grid. */
  readonly tick?: string
  /** Between two points of the equity; `1h` unless given. */
  readonly equityGrid?: string
  readonly latency?: LatencyOptions
  /** `async`: the strategy's client promises its answers as over HTTP. */
  readonly client?: 'sync' | 'async'
  /**
   * Whether the venue's rate limits hold, by its own time: a request over them waits for the next window, as the client
   * library lets it. They do not unless this says so: a run over HTTP on a stepped clock has none either.
   */
  readonly rateLimits?: boolean
  /** Sharpe ratios a period of all variants that were tried, for the deflated one. */
  readonly trials?: readonly number[]
  readonly progress?: ((done: number, nowMillis: number) => void) | undefined
  /** Told of the world before anything happens in it: to journal it. */
  readonly onWorld?: ((world: World) => void) | undefined
}

/**
 * Runs a strategy in a world of its own. The same strategy, options and seed give the same result, byte for byte.
 *
 * Rejects with a RangeError for options that cannot be used, and with a StrategyError for what the strategy throws.
 */
export async function backtest(strategy: Strategy, options: BacktestOptions): Promise<BacktestResult> {
  const resolved = resolveSource(options)
  const { scenario } = resolved
  const parameters = resolveParameters(strategy.parameters ?? {}, options.parameters)
  const latency = latencyOf(options.latency)
  const world = createWorld(scenario, {
    clock: { mode: 'manual' },
    ...(options.seed === undefined ? {} : { seed: options.seed }),
  })
  options.onWorld?.(world)
  const span = spanOf(resolved, world, options)
  const account = accountOf(strategy, options, resolved)
  const row = world.venue.state.accounts.rowOf(account)
  if (row === none) throw new RangeError(`account: the scenario has no account "${account}"`)
  if (span.fromMillis > world.now) world.advanceTo(millis(span.fromMillis))
  const { state } = world.venue
  const before = { firstOrder: ordersOf(state, row).count, firstQuote: quotesOf(state, row).count }
  const gridMillis = spanIn(options.equityGrid ?? '1h', 'equityGrid')
  const host = new WorldHost({
    world,
    account: row,
    latency,
    gridMillis,
    endMillis: span.toMillis,
    client: options.client ?? 'sync',
    isRateLimited: options.rateLimits ?? false,
    wants: {
      fills: strategy.onFill !== undefined,
      orders: strategy.onOrderUpdate !== undefined,
      quotes: strategy.onQuoteUpdate !== undefined,
    },
  })
  const tickMillis = tickOf(strategy, options, scenario.venue.gridMillis)
  const run = new StrategyRun({
    strategy,
    parameters,
    account,
    host,
    seed: world.seed,
    tickMillis,
    barMillis: barOf(strategy, parameters),
    feed: latency.feed,
    endMillis: span.toMillis,
    progress: options.progress,
  })
  await run.run()
  host.finish()
  return resultOf({
    strategy,
    options,
    resolved,
    world,
    row,
    host,
    run,
    before,
    gridMillis,
    tickMillis,
    latency,
  })
}

interface Finished {
  readonly strategy: Strategy
  readonly options: BacktestOptions
  readonly resolved: ResolvedSource
  readonly world: World
  readonly row: number
  readonly host: WorldHost
  readonly run: StrategyRun
  readonly before: { readonly firstOrder: number; readonly firstQuote: number }
  readonly gridMillis: number
  readonly tickMillis: number
  readonly latency: Latency
}

function resultOf(finished: Finished): BacktestResult {
  const { before, gridMillis, host, latency, options, resolved, row, run, strategy, world } = finished
  const { recorder, witness, decisions, tally } = host
  const { state } = world.venue
  const sources = { state, account: row, ids: world.idScheme, recorder, witness, decisions, ...before }
  const equity = equityGridOf(sources, gridMillis)
  const fills = fillRecordsOf(sources)
  const orders = orderRecordsOf(sources)
  const quotes = quoteRecordsOf(sources)
  const metrics = computeMetrics({
    grid: equity,
    fills,
    orders,
    quotes,
    quoting: host.quoting.tally(),
    cancels: tally.cancels,
    requests: tally.requests,
    rateLimited: tally.rateLimited,
    seed: world.seed,
    trials: options.trials ?? [],
  })
  return {
    format: resultFormat,
    version: resultVersion,
    strategy: strategy.name,
    parameters: run.parameters,
    source: resolved.source,
    seed: world.seed,
    account: run.account,
    fromMillis: equity.atMillis[0] ?? world.now,
    toMillis: world.now,
    tickMillis: finished.tickMillis,
    latency: { order: latency.order.text, response: latency.response.text, feed: latency.feed.text },
    digest: world.digest(),
    sequence: world.sequence,
    metrics,
    equity,
    fills,
    orders,
    quotes,
    rejects: tally.rejects(),
    calls: run.calls,
    notes: run.notes,
    series: run.series,
  }
}

function spanOf(
  { scenario }: ResolvedSource,
  world: World,
  { from, to }: BacktestOptions,
): { readonly fromMillis: number; readonly toMillis: number } {
  const startMillis = world.now
  const fromMillis = from === undefined ? startMillis : instantOf(from, startMillis, 'from')
  if (fromMillis < startMillis) throw new RangeError('from: it is before the market begins')
  const { endMillis } = scenario.clock
  if (to === undefined && endMillis === null) {
    throw new RangeError(
      'to: the scenario has no end; say when the run ends, as a time or a span such as 30d',
    )
  }
  const toMillis = to === undefined ? (endMillis ?? fromMillis) : instantOf(to, fromMillis, 'to')
  if (toMillis <= fromMillis) throw new RangeError('to: it is not after the run begins')
  return { fromMillis, toMillis }
}

function accountOf(strategy: Strategy, { account }: BacktestOptions, { scenario }: ResolvedSource): string {
  const ids = scenario.venue.accounts.map(({ id }) => id)
  return account ?? strategy.account ?? (ids.includes('desk') ? 'desk' : (ids[0] ?? ''))
}

function tickOf(strategy: Strategy, { tick }: BacktestOptions, gridMillis: number): number {
  const text = tick ?? strategy.tick
  return text === undefined ? gridMillis : spanIn(text, 'tick')
}

/** The strategy's bar: a span, or the name of the parameter that holds one. */
export function barOf(
  strategy: Strategy,
  parameters: Readonly<Record<string, ParameterValue>>,
): number | null {
  const { bar } = strategy
  if (bar === undefined) return null
  const value = parameters[bar]
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  return spanIn(typeof value === 'string' ? value : bar, 'bar')
}

function spanIn(text: string, option: string): number {
  const span = parseDuration(text)
  if (span === null || span <= 0)
    throw new RangeError(`${option}: expected a span such as 1s, found "${text}"`)
  return span
}
