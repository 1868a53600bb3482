import {
  aFunction,
  aText,
  checkOptions,
  type OptionsOf,
  oneOfTexts,
  textOrObject,
  withFlag,
} from '../../api/options.ts'
import type { OrderRecord } from '../../metrics/records.ts'
import { isoToMillis, lastWorldMillis } from '../../numeric/time-text.ts'
import { endOfTimeReason } from '../../world/clock.ts'
import { aSeed } from '../../world/world-options.ts'
import { readRiskFreeRate, resolveBarMillis } from '../backtest.ts'
import { parametersOption, runOptions, watchOptions } from '../backtest-options.ts'
import { listResultRecords } from '../build-records.ts'
import { createLatency, listDelayTexts } from '../latency.ts'
import { resolveParameters } from '../parameters.ts'
import type { ParameterValues } from '../result.ts'
import { parseSpanOption } from '../run/run-context.ts'
import { StrategyRun } from '../run/strategy-run.ts'
import { buildResult } from '../run-in-world.ts'
import { resolveEquityGrid } from '../run-span.ts'
import { sourceOptions } from '../source.ts'
import type { Strategy } from '../strategy.ts'
import { chooseAccount, resolveWarmUp, runUntilAbandoned, subscriptionsOf } from '../strategy-answers.ts'
import { type BacktestRun, withColumns } from '../tables/result-tables.ts'
import { createAdminClient, type LiveClock, ServiceClock, SteppedClock } from './admin-client.ts'
import { HttpHost } from './http-host.ts'

const needsLive = { needs: ['live'] }

export const liveOptions = {
  /** The address of the service, such as `http://127.0.0.1:4010`. */
  baseUrl: aText,
  /**
   * The clock of the run. `manual`: a new world on a simulator, advanced through the admin API as fast as that goes.
   * `realtime`: the service as it is, by the wall clock, with an API key.
   */
  clock: withFlag(
    oneOfTexts('manual', 'realtime'),
    '<mode>',
    'for --live: step a new world, or run the service as it is',
    { ...needsLive, default: 'manual' },
  ),
  /** The API key, for `realtime`. */
  apiKey: withFlag(aText, '<key>', 'the API key, for --live --clock realtime', needsLive),
  apiSecret: withFlag(aText, '<secret>', 'the API secret, for --live --clock realtime', needsLive),
  /**
   * The scenario of the new world, for `manual`: the name of a shipped one, or a scenario as an object. By default the
   * one that the simulator serves.
   */
  scenario: { ...sourceOptions.scenario, ...textOrObject<Readonly<Record<string, unknown>>>() },
  seed: aSeed,
  adminToken: withFlag(
    aText,
    '<text>',
    'the admin token of the simulator, for --live --clock manual',
    needsLive,
  ),
  account: runOptions.account,
  ...parametersOption,
  span: aText,
  /** The span between two ticks. By default it is the strategy's `tick`, else `1s`. */
  tick: runOptions.tick,
  equityGrid: runOptions.equityGrid,
  riskFreeRate: runOptions.riskFreeRate,
  /** May only be 0: the interface has no past prices, so a strategy that looks back starts without bars. */
  warmUp: runOptions.warmUp,
  /** Simulated delays, for `manual` only: a real service has delays of its own. */
  latency: runOptions.latency,
  progress: watchOptions.progress,
  /** Whether to end the run early; the strategy's `onEnd` still runs. */
  isEnded: aFunction<() => boolean>(),
}

export type LiveOptions = OptionsOf<typeof liveOptions, 'baseUrl' | 'clock' | 'span'>

interface LiveTarget {
  readonly clock: LiveClock
  readonly apiKey: string
  readonly apiSecret: string
  readonly account: string
  readonly seed: string
  readonly digest: () => Promise<{ readonly digest: string; readonly sequence: number } | null>
  readonly leave: () => Promise<void>
}

/**
 * Runs a strategy over HTTP, with the code that runs a backtest. On a manual clock it has the same fills and the same
 * digest as `backtest` with the same scenario and seed.
 *
 * Rejects with a TypeError for options that do not exist, a RangeError for options that cannot be used, a StrategyError
 * for what the strategy throws, and otherwise with the error of the service or the network.
 */
export async function runLive(strategy: Strategy, options: LiveOptions): Promise<BacktestRun> {
  checkOptions('runLive', options, liveOptions)
  const parameters = resolveParameters(strategy.parameters ?? {}, options.parameters)
  const latency = createLatency(options.clock === 'manual' ? options.latency : {})
  const spanMillis = parseSpanOption(options.span, 'span')
  const tickMillis = parseSpanOption(options.tick ?? strategy.tick ?? '1s', 'tick')
  const barMillis = resolveBarMillis(strategy, parameters, tickMillis)
  const gridMillis = resolveEquityGrid(options.equityGrid, spanMillis)
  const riskFreeRate = readRiskFreeRate(options)
  const barsKept = countBarsKept(strategy, parameters, options)
  const stage =
    options.clock === 'manual'
      ? await openSteppedTarget(strategy, options)
      : openRealTarget(strategy, options)
  try {
    const { account, apiKey, apiSecret, clock, seed } = stage
    const endMillis = clock.nowMillis + spanMillis
    if (endMillis > lastWorldMillis) throw new RangeError(`span: ${endOfTimeReason}`)
    const host = await HttpHost.open({
      baseUrl: options.baseUrl,
      apiKey,
      apiSecret,
      clock,
      latency,
      seed,
      gridMillis,
      endMillis,
      subscriptions: subscriptionsOf(strategy),
    })
    const run = new StrategyRun({
      strategy,
      parameters,
      account,
      host,
      seed,
      tickMillis,
      barMillis,
      barsKept,
      feed: latency.feed,
      endMillis,
      progress: options.progress,
      ...(options.isEnded === undefined ? {} : { isEnded: options.isEnded }),
    })
    await runUntilAbandoned(run.run(), run.hooks.calls)
    await host.finish()
    const end = await stage.digest()
    const records = {
      equity: host.recorder.buildGrid(gridMillis),
      fills: host.recorder.buildRecords(),
      orders: buildOrderRecords(host),
      quotes: [],
      transfers: [],
    }
    const result = buildResult(strategy, run, host.tally, records, {
      source: { kind: 'live', name: options.baseUrl },
      seed,
      toMillis: clock.nowMillis,
      tickMillis,
      latency: listDelayTexts(latency),
      digest: end?.digest ?? null,
      sequence: end?.sequence ?? null,
      riskFreeRate,
      ...unknownToClients,
    })
    return withColumns(listResultRecords(result))
  } finally {
    await stage.leave()
  }
}

/** The parts of a result that the interface does not show. */
const unknownToClients = { quoting: null, books: [], trials: [], warnings: [], warmUpBars: 0 }

function countBarsKept(strategy: Strategy, parameters: ParameterValues, { warmUp }: LiveOptions): number {
  const { bars, kept } = resolveWarmUp(strategy, parameters, warmUp, 0)
  if (bars === 0) return kept
  throw new RangeError(
    `warmUp: the interface has no past prices, and the strategy needs ${bars} bars; with a warmUp of 0 it starts without them`,
  )
}

function buildOrderRecords({ orders, recorder }: HttpHost): readonly OrderRecord[] {
  const fills = recorder.buildRecords()
  return [...orders.values()].map((order): OrderRecord => {
    const own = fills.filter((fill) => fill.orderId === order.orderId)
    const filledQuantity = own.reduce((total, fill) => total + fill.quantity, 0)
    const createdAtMillis = isoToMillis(order.createdAt) ?? 0
    const arrivalMid = own[0]?.mid ?? null
    return {
      orderId: order.orderId,
      clientOrderId: order.clientOrderId,
      asset: order.asset,
      side: order.side,
      type: order.orderType,
      timeInForce: order.timeInForce,
      price: order.price,
      quantity: order.quantity,
      filledQuantity,
      averagePrice:
        filledQuantity === 0 ? null : own.reduce((sum, fill) => sum + fill.value, 0) / filledQuantity,
      status: filledQuantity >= order.quantity ? 'filled' : order.status,
      decidedAtMillis: createdAtMillis,
      decisionMid: arrivalMid,
      createdAtMillis,
      arrivalMid,
      updatedAtMillis: own.at(-1)?.atMillis ?? createdAtMillis,
    }
  })
}

async function openSteppedTarget(strategy: Strategy, options: LiveOptions): Promise<LiveTarget> {
  const { adminToken = null, baseUrl, scenario, seed } = options
  const admin = createAdminClient(baseUrl, adminToken)
  const world = await admin.createWorld({
    clock: { mode: 'manual' },
    ...(scenario === undefined ? {} : { scenario }),
    ...(seed === undefined ? {} : { seed: String(seed) }),
  })
  await admin.disableRateLimits(world.id)
  const ids = world.accounts.map(({ id }) => id)
  const id = chooseAccount(strategy, options.account, ids)
  const account = world.accounts.find((one) => one.id === id)
  if (account === undefined) throw new RangeError(`account: there is no account "${id}" with a key`)
  return {
    clock: new SteppedClock(admin, world.id, world.nowMillis),
    apiKey: account.apiKey,
    apiSecret: account.apiSecret,
    account: id,
    seed: world.seed,
    digest: () => admin.digest(world.id),
    leave: () => admin.deleteWorld(world.id),
  }
}

function openRealTarget(strategy: Strategy, options: LiveOptions): LiveTarget {
  const { apiKey, apiSecret } = options
  if (apiKey === undefined || apiSecret === undefined) {
    throw new RangeError('a run in real time needs apiKey and apiSecret')
  }
  return {
    clock: new ServiceClock(options.isEnded ?? (() => false)),
    apiKey,
    apiSecret,
    account: options.account ?? strategy.account ?? '',
    seed: String(options.seed ?? ''),
    digest: async () => null,
    leave: async () => undefined,
  }
}
