import { priceNumber } from '../api/answer.ts'
import { none } from '../engine/codes.ts'
import type { AssetTable } from '../engine/tables/asset-table.ts'
import type { MarketSpec } from '../market/market-spec.ts'
import { type CandleTable, getCandleTable } from '../market/recordings/candle-table.ts'
import { describeCandles, describePrints } from '../market/recordings/candle-warnings.ts'
import { computeMetrics } from '../metrics/metrics.ts'
import type { FillRecord, OrderRecord, QuoteRecord, QuotingTally, Records } from '../metrics/records.ts'
import { bisectPlaces, element } from '../numeric/columns.ts'
import { formatDuration } from '../numeric/time-text.ts'
import type { World } from '../world/world.ts'
import {
  buildEquityGrid,
  buildFillRecords,
  buildOrderRecords,
  buildQuoteRecords,
  buildTransferRecords,
} from './build-records.ts'
import { fitsInBars } from './candle-bars.ts'
import { createLatency, type LatencyOptions, listDelayTexts } from './latency.ts'
import {
  type DataSource,
  type ParameterValues,
  type RecordedTouch,
  type RunResult,
  resultFormat,
  resultVersion,
} from './result.ts'
import { StrategyRun } from './run/strategy-run.ts'
import type { Strategy } from './strategy.ts'
import { runUntilAbandoned, subscriptionsOf, type WarmUp } from './strategy-answers.ts'
import type { RequestTally } from './venue/request-tally.ts'
import type { WarmUpBars } from './venue/warm-up.ts'
import { WorldHost } from './venue/world-host.ts'

/** The inputs of a run in a world, as plain data. */
export interface RunSetup {
  readonly parameters: ParameterValues
  readonly source: DataSource
  readonly account: string
  /** How many orders and quotes the account had before the run; the result leaves them out. */
  readonly before: { readonly firstOrder: number; readonly firstQuote: number }
  readonly endMillis: number
  readonly tickMillis: number
  readonly barMillis: number | null
  readonly warmUp: WarmUp
  /** The time between two points of the equity, in milliseconds. */
  readonly gridMillis: number
  readonly latency: LatencyOptions
  readonly client: 'sync' | 'async'
  readonly isRateLimited: boolean
  readonly trials: readonly number[]
  readonly riskFreeRate: number
  /**
   * Whether records of orders and quotes are kept, or made anew whenever the result is read. Warnings and figures read
   * them three times, so keeping them is faster; making them takes no memory.
   */
  readonly records: 'kept' | 'made'
}

/**
 * Runs a strategy in a world, from the world's present to `setup.endMillis`, and computes the result. `past` has the
 * bars before the run, where the strategy looks back on any.
 *
 * Rejects with a RangeError for an unknown account, and with a StrategyError for what the strategy throws.
 */
export async function runInWorld(
  strategy: Strategy,
  world: World,
  setup: RunSetup,
  past: WarmUpBars | undefined,
  progress: ((done: number, nowMillis: number) => void) | undefined,
): Promise<RunResult<Float64Array>> {
  const row = findAccountRow(world, setup.account)
  const latency = createLatency(setup.latency)
  const host = new WorldHost({
    ...setup,
    world,
    account: row,
    latency,
    subscriptions: subscriptionsOf(strategy),
  })
  const run = new StrategyRun({
    ...setup,
    strategy,
    host,
    seed: world.seed,
    feed: latency.feed,
    progress,
    barsKept: setup.warmUp.kept,
    past,
  })
  await runUntilAbandoned(run.run(), run.hooks.calls)
  host.finish()
  return buildWorldResult(strategy, world, setup, host, run)
}

/** Returns the row of an account. Throws a RangeError for an account that the world does not have. */
export function findAccountRow(world: World, account: string): number {
  const row = world.venue.state.accounts.rowOf(account)
  if (row === none) throw new RangeError(`account: the scenario has no account "${account}"`)
  return row
}

function buildWorldResult(
  strategy: Strategy,
  world: World,
  setup: RunSetup,
  host: WorldHost,
  run: StrategyRun,
): RunResult<Float64Array> {
  const { recorder, trades, decisions } = host
  const { before, gridMillis } = setup
  const { state } = world.venue
  const row = findAccountRow(world, setup.account)
  const sources = { state, account: row, ids: world.idScheme, recorder, trades, decisions, ...before }
  const keep = <Row>(rows: Records<Row>): Records<Row> => (setup.records === 'kept' ? [...rows] : rows)
  const records = {
    equity: buildEquityGrid(sources, gridMillis),
    fills: buildFillRecords(sources),
    orders: keep(buildOrderRecords(sources)),
    quotes: keep(buildQuoteRecords(sources)),
    transfers: buildTransferRecords(sources),
  }
  const acts = { ...records, toMillis: world.now }
  const { tickMillis, barMillis } = setup
  const tables = listTables(world.scenario.venue.market)
  const warnings = [
    ...describeRecordings(world, {
      fromMillis: records.equity.atMillis[0] ?? world.now,
      toMillis: world.now,
    }),
    ...(barMillis === null ? [] : describeOtherBars(tables, barMillis, run.hooks.bars !== null)),
    describeCandleWarning(tables, strategy, tickMillis, barMillis, acts),
    describeCoarseStepWarning(state.assets, records.fills),
  ].filter((warning) => warning !== null)
  return buildResult(strategy, run, host.tally, records, {
    ...setup,
    seed: world.seed,
    toMillis: world.now,
    digest: world.digest(),
    sequence: world.sequence,
    quoting: host.quoting.tally(),
    books: host.queue.build(state, records.equity.atMillis[0] ?? world.now, world.now),
    warnings,
    warmUpBars: setup.warmUp.bars,
  })
}

/**
 * Describes how the files of a world's recordings were understood, and their leaps and gaps during the run: the
 * sentences that `otcsim doctor` prints about a file.
 */
function describeRecordings(
  { scenario }: World,
  span: { readonly fromMillis: number; readonly toMillis: number },
): readonly string[] {
  const notes = scenario.filesRead.flatMap(({ file, line, warnings }) => [
    `${file} was read as ${line}.`,
    ...warnings.map((warning) => `${file}: ${warning}`),
  ])
  const troubles = scenario.venue.market.assets.flatMap(({ model, symbol }) => {
    if (model.kind === 'trades') return describePrints(symbol, model.trades, span)
    return model.kind === 'replay' ? describeCandles(symbol, getCandleTable(model.candles), span) : []
  })
  return [...notes, ...troubles]
}

interface RunRecords<Column>
  extends Pick<RunResult<Column>, 'equity' | 'fills' | 'orders' | 'quotes' | 'transfers'> {}

interface RunDetails
  extends Pick<RunResult, 'source' | 'seed' | 'toMillis' | 'tickMillis' | 'digest' | 'sequence'> {
  readonly latency: LatencyOptions
  readonly quoting: QuotingTally | null
  readonly books: readonly RecordedTouch[]
  readonly trials: readonly number[]
  readonly riskFreeRate: number
  readonly warnings: readonly string[]
  readonly warmUpBars: number
}

export function buildResult<Column extends readonly number[] | Float64Array>(
  strategy: Strategy,
  { calls, context }: StrategyRun,
  tally: RequestTally,
  records: RunRecords<Column>,
  { books, latency, quoting, riskFreeRate, source, trials, warmUpBars, warnings, ...details }: RunDetails,
): RunResult<Column> {
  const { equity, fills, orders, quotes, transfers } = records
  const { seed, toMillis, tickMillis, digest, sequence } = details
  const { cancels, requests, rateLimited } = tally
  const metrics = computeMetrics({
    ...{ grid: equity, fills, orders, quotes, transfers, quoting, cancels, requests, rateLimited },
    ...{ seed, trials, riskFreeRate },
  })
  return {
    format: resultFormat,
    version: resultVersion,
    strategy: strategy.name,
    parameters: context.parameters,
    source,
    seed,
    account: context.account,
    fromMillis: equity.atMillis[0] ?? toMillis,
    toMillis,
    tickMillis,
    ...(warmUpBars === 0 ? {} : { warmUpBars }),
    latency: listDelayTexts(createLatency(latency)),
    digest,
    sequence,
    metrics: { ...metrics, warnings: [...warnings, ...describeDropped(context), ...metrics.warnings] },
    equity,
    fills,
    orders,
    quotes,
    transfers,
    rejects: tally.listRejects(),
    calls,
    notes: context.notes,
    series: context.series,
    ...(context.exits.records.length === 0 ? {} : { exits: context.exits.records }),
    ...(books.length === 0 ? {} : { books }),
  }
}

/** Warns that the result lacks notes or exits, when the strategy made more than are kept. */
function describeDropped({ exits, notes, droppedNotes }: StrategyRun['context']): readonly string[] {
  return [
    describeDroppedRows('wrote', 'notes', notes.length, droppedNotes),
    describeDroppedRows('set', 'protections', exits.records.length, exits.droppedRecords),
  ].filter((warning) => warning !== null)
}

function describeDroppedRows(verb: string, rows: string, kept: number, dropped: number): string | null {
  if (dropped === 0) return null
  return `The strategy ${verb} ${kept + dropped} ${rows}: the first ${kept} are kept, ${dropped} are left out.`
}

/** The largest price step of a pair that states none, in basis points of a price of at least 0.01 USD. */
const defaultMaximumBps = 10

/**
 * Returns a warning about fills at prices of few steps, for the asset whose steps are widest relative to its price;
 * null where prices are fine enough.
 *
 * Choice: an eighth decimal is the finest price there is, so a run at such prices gets a warning and is not refused.
 */
function describeCoarseStepWarning(
  assets: AssetTable,
  fills: readonly Pick<FillRecord, 'asset' | 'price'>[],
): string | null {
  let widestBps = defaultMaximumBps
  let warning: string | null = null
  for (const { asset, price } of fills) {
    const step = priceNumber(assets.tradedAsset(assets.rowOf(asset)).pair, 1)
    const bps = (step / price) * 10_000
    // A step is a whole number of units of its last decimal, so the quotient may differ from 10 by rounding.
    if (bps <= widestBps + 1e-9) continue
    widestBps = bps
    warning = `A fill of ${asset} is at a price of ${Math.round(price / step)} steps, so that one step is ${bps.toFixed(0)} bp of it: spreads, slippage and profits in ${asset} are rounded to that.`
  }
  return warning
}

/** The recorded candles of a market, by symbol. */
type CandleTables = ReadonlyMap<string, CandleTable>

function listTables({ assets }: MarketSpec): CandleTables {
  return new Map(
    assets.flatMap(({ model, symbol }) =>
      model.kind === 'replay' ? [[symbol, getCandleTable(model.candles)] as const] : [],
    ),
  )
}

/**
 * Says which recordings give other bars than the wanted ones: bars of the venue's mids (`isOfMids`), or of their own
 * span, because they have longer candles than another one.
 */
function describeOtherBars(tables: CandleTables, barMillis: number, isOfMids: boolean): readonly string[] {
  const bar = formatDuration(barMillis)
  return [...tables].flatMap(([symbol, table]) => {
    const { phases, spanMillis } = table.grid
    if (fitsInBars({ phases, spanMillis }, barMillis)) return []
    const span = formatDuration(spanMillis)
    const spans = phases === null ? `spans that differ, mostly ${span}` : `a span of ${span}`
    if (!isOfMids) return [`The bars of ${symbol} are its candles, of ${span}: none of ${bar} were recorded.`]
    return [
      `Bars of ${bar} are made of the venue's mids, not of the recording: the candles of ${symbol} have ${spans}, and only bars of a candle's span or a multiple of it are candles.`,
    ]
  })
}

interface ActionTimes {
  readonly orders: Records<Pick<OrderRecord, 'asset' | 'status' | 'decidedAtMillis' | 'updatedAtMillis'>>
  readonly quotes: Records<Pick<QuoteRecord, 'asset' | 'status' | 'createdAtMillis' | 'updatedAtMillis'>>
  readonly toMillis: number
}

/**
 * Returns a warning for a strategy that observes or acts within recorded candles; null for any other. The path through
 * a candle is made up: it goes to the low first when the candle rises. So a strategy that observes it, or learns within
 * it that an order has filled, can know how the candle ends.
 */
function describeCandleWarning(
  tables: CandleTables,
  { onTick, onTimer }: Strategy,
  tickMillis: number,
  barMillis: number | null,
  acts: ActionTimes,
): string | null {
  const candleMillis = Math.max(0, ...[...tables.values()].map(({ grid }) => grid.spanMillis))
  const isCalledAnywhere = onTick !== undefined || onTimer !== undefined
  const lookMillis = isCalledAnywhere ? tickMillis : (barMillis ?? candleMillis)
  if (lookMillis >= candleMillis && !isActiveWithinCandles(tables, acts)) return null
  const span = formatDuration(candleMillis)
  return `The way of the price through each candle of ${span} is made up, and its beginning gives away its end and its volume: believe only what is earned without looking within candles (a tick of ${span}, no shorter bars and timers, nothing sent at a fill).`
}

function isActiveWithinCandles(tables: CandleTables, { orders, quotes, toMillis }: ActionTimes): boolean {
  if (tables.size === 0) return false
  const isWithin = (asset: string, atMillis: number): boolean => {
    const table = tables.get(asset)
    return table !== undefined && atMillis !== toMillis && isWithinCandle(table, atMillis)
  }
  for (const { asset, decidedAtMillis, status, updatedAtMillis } of orders)
    if (isWithin(asset, decidedAtMillis) || (status === 'cancelled' && isWithin(asset, updatedAtMillis)))
      return true
  for (const { asset, createdAtMillis, status, updatedAtMillis } of quotes)
    if (isWithin(asset, createdAtMillis) || (status === 'cancelled' && isWithin(asset, updatedAtMillis)))
      return true
  return false
}

/**
 * Returns whether an instant lies inside a candle. The first hundredth of the candle still counts as its beginning,
 * because a decision at the beginning may arrive some milliseconds later.
 */
function isWithinCandle({ atMillis, count, endMillis }: CandleTable, millis: number): boolean {
  const place = bisectPlaces(count, (candidate) => element(endMillis, candidate) > millis)
  if (place === count) return false
  const begin = element(atMillis, place)
  return millis - begin > (element(endMillis, place) - begin) / 100
}
