import { none } from '../engine/codes.ts'
import { computeMetrics } from '../metrics/compute-metrics.ts'
import type { World } from '../world/world.ts'
import {
  equityGridOf,
  fillRecordsOf,
  orderRecordsOf,
  quoteRecordsOf,
  transferRecordsOf,
} from './build-records.ts'
import { candleWarning } from './candle-warning.ts'
import { coarseStepWarning } from './coarse-step-warning.ts'
import { type LatencyOptions, latencyOf, textsOf } from './latency.ts'
import {
  type BacktestResult,
  type DataSource,
  type ParameterValues,
  resultFormat,
  resultVersion,
} from './result.ts'
import type { RunState } from './run/run-state.ts'
import { StrategyRun } from './run/strategy-run.ts'
import type { Strategy } from './strategy.ts'
import { wantsOf } from './strategy-answers.ts'
import { untilAbandoned } from './until-abandoned.ts'
import type { PastBars } from './venue/past-bars.ts'
import { WorldHost, type WorldHostState } from './venue/world-host.ts'
import type { WarmUp } from './warm-up.ts'

/** What a run in a world is made of, as plain data. */
export interface RunSetup {
  readonly parameters: ParameterValues
  readonly source: DataSource
  readonly account: string
  /** Orders and quotes of the account before the run, which the result leaves out. */
  readonly before: { readonly firstOrder: number; readonly firstQuote: number }
  readonly endMillis: number
  readonly tickMillis: number
  readonly barMillis: number | null
  readonly warmUp: WarmUp
  /** The time between two points of the equity. */
  readonly gridMillis: number
  readonly latency: LatencyOptions
  readonly client: 'sync' | 'async'
  readonly isRateLimited: boolean
  readonly trials: readonly number[]
  readonly riskFreeRate: number
}

/** Where a run begins. */
export type RunStart =
  | { readonly kind: 'begin'; readonly past: PastBars | undefined }
  | { readonly kind: 'resume'; readonly run: RunState; readonly host: WorldHostState }

export interface RunWatch {
  readonly progress?: ((done: number, nowMillis: number) => void) | undefined
  readonly pause?:
    | { readonly atMillis: number; readonly come: (run: StrategyRun, host: WorldHost) => void }
    | undefined
}

/** A run to its end, from its beginning or from where a captured one stood. */
export async function carryOut(
  strategy: Strategy,
  world: World,
  setup: RunSetup,
  watch: RunWatch,
  from: RunStart,
): Promise<BacktestResult> {
  const row = accountRowOf(world, setup.account)
  const latency = latencyOf(setup.latency)
  const { pause } = watch
  const host = new WorldHost({
    world,
    account: row,
    latency,
    gridMillis: setup.gridMillis,
    endMillis: setup.endMillis,
    client: setup.client,
    isRateLimited: setup.isRateLimited,
    wants: wantsOf(strategy),
  })
  const run: StrategyRun = new StrategyRun({
    strategy,
    parameters: setup.parameters,
    account: setup.account,
    host,
    seed: world.seed,
    tickMillis: setup.tickMillis,
    barMillis: setup.barMillis,
    feed: latency.feed,
    endMillis: setup.endMillis,
    progress: watch.progress,
    barsKept: setup.warmUp.kept,
    past: from.kind === 'begin' ? from.past : undefined,
    from: from.kind === 'begin' ? undefined : { run: from.run, seen: host.restore(from.host) },
    pause: pause === undefined ? undefined : { atMillis: pause.atMillis, come: () => pause.come(run, host) },
  })
  await untilAbandoned(run.run(), run.hooks.calls)
  host.finish()
  return resultOf(strategy, world, setup, host, run)
}

/** Throws a RangeError for an account that the world does not have. */
export function accountRowOf(world: World, account: string): number {
  const row = world.venue.state.accounts.rowOf(account)
  if (row === none) throw new RangeError(`account: the scenario has no account "${account}"`)
  return row
}

function resultOf(
  strategy: Strategy,
  world: World,
  setup: RunSetup,
  host: WorldHost,
  run: StrategyRun,
): BacktestResult {
  const { recorder, witness, decisions, tally } = host
  const { before, gridMillis } = setup
  const { state } = world.venue
  const row = accountRowOf(world, setup.account)
  const sources = { state, account: row, ids: world.idScheme, recorder, witness, decisions, ...before }
  const equity = equityGridOf(sources, gridMillis)
  const fills = fillRecordsOf(sources)
  const orders = orderRecordsOf(sources)
  const quotes = quoteRecordsOf(sources)
  const transfers = transferRecordsOf(sources)
  const metrics = computeMetrics({
    grid: equity,
    fills,
    orders,
    quotes,
    transfers,
    quoting: host.quoting.tally(),
    cancels: tally.cancels,
    requests: tally.requests,
    rateLimited: tally.rateLimited,
    seed: world.seed,
    trials: setup.trials,
    riskFreeRate: setup.riskFreeRate,
  })
  const doubts = [
    candleWarning(world.scenario.venue.market, strategy, setup.tickMillis, setup.barMillis, {
      orders,
      quotes,
      toMillis: world.now,
    }),
    coarseStepWarning(state.assets, fills),
  ].filter((doubt) => doubt !== null)
  return {
    format: resultFormat,
    version: resultVersion,
    strategy: strategy.name,
    parameters: run.context.parameters,
    source: setup.source,
    seed: world.seed,
    account: run.context.account,
    fromMillis: equity.atMillis[0] ?? world.now,
    toMillis: world.now,
    tickMillis: setup.tickMillis,
    ...(setup.warmUp.bars === 0 ? {} : { warmUpBars: setup.warmUp.bars }),
    latency: textsOf(latencyOf(setup.latency)),
    digest: world.digest(),
    sequence: world.sequence,
    metrics: { ...metrics, warnings: [...doubts, ...metrics.warnings] },
    equity,
    fills,
    orders,
    quotes,
    transfers,
    rejects: tally.rejects(),
    calls: run.calls,
    notes: run.context.notes,
    series: run.context.series,
  }
}
