import { jsonField } from '../../api/json.ts'
import { createVenueClient, type VenueClient } from '../../client/create-venue-client.ts'
import { httpTransport } from '../../client/http-transport.ts'
import type { Transport, TransportAnswer, TransportRequest } from '../../client/transport.ts'
import { VenueError } from '../../client/venue-error.ts'
import type { Order, OrderList, Quote, QuoteList } from '../../client/venue-types.ts'
import {
  type AccountColumns,
  type EquityGrid,
  type FillRecord,
  markoutMillis,
} from '../../metrics/records.ts'
import { SampleTimes } from '../../metrics/sample-times.ts'
import { missing } from '../../numeric/assert.ts'
import { isoToMillis } from '../../numeric/time-text.ts'
import type { Latency } from '../latency.ts'
import type { FeedPrice, OwnTrade, StrategyVenue, SyncVenueClient } from '../strategy.ts'
import {
  createObservation,
  type Host,
  notInProcess,
  type Observation,
  type Subscriptions,
} from '../venue/host.ts'
import { nameMessage, RequestTally } from '../venue/request-tally.ts'
import type { LiveClock } from './admin-client.ts'

export interface HttpHostOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly apiSecret: string
  readonly clock: LiveClock
  readonly latency: Latency
  readonly seed: string
  readonly gridMillis: number
  readonly endMillis: number
  readonly subscriptions: Subscriptions
}

/** A host whose venue is a service over HTTP. The strategy's client is the ordinary client library. */
export class HttpHost implements Host {
  readonly assets: readonly string[]
  readonly venue: StrategyVenue
  readonly waitQueue = null
  readonly lookahead = null
  /** Always null: the interface has only volumes of the last 24 hours. */
  readonly readVolume = (): null => null
  // Choice: a service shows prices, not the recording that it may replay, so bars are made of mids.
  readonly candles = []
  readonly tally = new RequestTally()
  readonly recorder: LiveRecorder
  /** Orders by id, as the responses to their creation had them. */
  readonly orders = new Map<string, Order>()
  private readonly options: HttpHostOptions
  private readonly reader: VenueClient
  private readonly updates: HttpUpdates
  private readonly times: SampleTimes
  private fillCount = 0

  private constructor(options: HttpHostOptions, reader: VenueClient, assets: readonly string[]) {
    const { clock, gridMillis } = options
    this.options = options
    this.reader = reader
    this.assets = assets
    this.venue = createVenueClient({ transport: this.addLatency(httpTransport(connectionOf(options))) })
    this.updates = new HttpUpdates(reader)
    this.recorder = new LiveRecorder(reader, assets)
    this.times = new SampleTimes(clock.nowMillis, gridMillis)
  }

  static async open(options: HttpHostOptions): Promise<HttpHost> {
    const reader = createVenueClient(connectionOf(options))
    const { pairs } = await reader.marketData.tradingPairs()
    const host = new HttpHost(
      options,
      reader,
      pairs.map(({ base }) => base),
    )
    await host.updates.skipExisting()
    await host.recorder.sample(options.clock.nowMillis, true)
    return host
  }

  get nowMillis(): number {
    return this.options.clock.nowMillis
  }

  get sync(): SyncVenueClient {
    throw new TypeError('context.sync works in process only; context.venue works over HTTP, too')
  }

  async advanceTo(atMillis: number): Promise<void> {
    const { recorder, times } = this
    const { clock } = this.options
    for (; times.nextMillis <= atMillis; times.skipNext()) {
      await clock.advanceTo(times.nextMillis)
      await recorder.sample(times.nextMillis, times.isOnGrid)
    }
    await clock.advanceTo(atMillis)
  }

  async observe(): Promise<Observation> {
    const { clock, subscriptions } = this.options
    const atMillis = clock.nowMillis
    const { prices } = await this.reader.marketData.prices()
    const byAsset = new Map(prices.map((price) => [price.asset, price]))
    const seen = this.assets.map((asset): FeedPrice => {
      const price = byAsset.get(asset) ?? missing('the service lists the price of every pair')
      return { asset, atMillis, bid: price.bid, ask: price.ask, mid: price.mid, last: price.last }
    })
    const fills = await this.updates.takeFills()
    this.fillCount += fills.length
    this.recorder.addObservation(atMillis, seen, fills)
    return createObservation({
      atMillis,
      prices: seen,
      fills: subscriptions.fills ? fills : [],
      orders: subscriptions.orders ? await this.updates.takeOrders() : [],
      quotes: subscriptions.quotes ? await this.updates.takeQuotes() : [],
      fillCount: this.fillCount,
    })
  }

  findBookPlace(): never {
    throw new RangeError(notInProcess)
  }

  async finish(): Promise<void> {
    const { clock } = this.options
    this.recorder.addObservation(clock.nowMillis, [], await this.updates.takeFills())
    await this.recorder.sampleEnd(clock.nowMillis)
  }

  /**
   * Wraps a transport so that each request takes its simulated latencies on the world's clock, one request after the
   * other.
   */
  private addLatency(transport: Transport): Transport {
    let last: Promise<unknown> = Promise.resolve()
    return (request) => {
      const answer = last.then(() => this.sendWithLatency(transport, request))
      last = answer.catch(() => undefined)
      return answer
    }
  }

  private async sendWithLatency(transport: Transport, request: TransportRequest): Promise<TransportAnswer> {
    const { latency, seed } = this.options
    const { operation } = request
    const name = nameMessage(request)
    if (!latency.order.isNone)
      await this.passTime(latency.order.draw(seed, `${operation}/${name}/${this.nowMillis}`))
    const answer = await transport(request)
    if (answer.status >= 400) this.tally.countRefused(operation, new VenueError(answer))
    else if (typeof answer.body === 'object' && answer.body !== null) {
      this.tally.countAccepted(operation, answer.body)
      if (operation === 'createOrder') this.keepOrder(answer.body)
    }
    if (!latency.response.isNone)
      await this.passTime(latency.response.draw(seed, `${operation}/${name}/${this.nowMillis}`))
    return answer
  }

  private async passTime(delayMillis: number): Promise<void> {
    const now = this.nowMillis
    await this.advanceTo(Math.min(now + delayMillis, Math.max(this.options.endMillis, now)))
  }

  private keepOrder(body: object): void {
    const bare = jsonField(body, 'data') ?? body
    if (isOrder(bare)) this.orders.set(bare.orderId, bare)
  }
}

function connectionOf({ apiKey, apiSecret, baseUrl }: HttpHostOptions) {
  return { apiKey, apiSecret, baseUrl }
}

function isOrder(body: unknown): body is Order {
  return typeof jsonField(body, 'orderId') === 'string'
}

const pageSize = 100
type ListedOrder = OrderList['orders'][number]
type ListedQuote = QuoteList['quotes'][number]

/**
 * Finds out by requests what has happened to an account since the last call, because the service has no feed. Lists
 * come newest first, and are read back as far as something may have changed.
 */
class HttpUpdates {
  private readonly client: VenueClient
  private readonly knownTrades = new Set<string>()
  private readonly liveOrders = new Map<string, string>()
  private readonly liveQuotes = new Map<string, string>()
  private newestOrder: string | null = null
  private newestQuote: string | null = null

  constructor(client: VenueClient) {
    this.client = client
  }

  /** Marks everything that existed before the run as known. */
  async skipExisting(): Promise<void> {
    await this.takeFills()
    const [orders, quotes] = [
      await this.client.orders.list({ limit: 1 }),
      await this.client.quotes.list({ limit: 1 }),
    ]
    this.newestOrder = orders.orders[0]?.orderId ?? null
    this.newestQuote = quotes.quotes[0]?.quoteId ?? null
  }

  /** Returns the account's new fills, oldest first. */
  async takeFills(): Promise<readonly OwnTrade[]> {
    const found: OwnTrade[] = []
    for (let page = 1; ; page += 1) {
      const { pagination, trades } = await this.client.portfolio.trades({ page, limit: pageSize })
      const fresh = trades.filter(({ tradeId }) => !this.knownTrades.has(tradeId))
      found.push(...fresh)
      if (fresh.length < trades.length || page >= pagination.totalPages) break
    }
    for (const { tradeId } of found) this.knownTrades.add(tradeId)
    return found.reverse()
  }

  /** Returns the orders whose status or filled quantity has changed, in order of creation. */
  async takeOrders(): Promise<readonly Order[]> {
    const rows = await this.listOrders()
    const changed: Order[] = []
    for (const row of rows.toReversed()) {
      const before = this.liveOrders.get(row.orderId) ?? 'open/0'
      const now = `${row.status}/${row.filledQuantity}`
      if (row.status === 'open' || row.status === 'partially_filled') this.liveOrders.set(row.orderId, now)
      else this.liveOrders.delete(row.orderId)
      if (now !== before) changed.push(await this.client.orders.get(row.orderId))
    }
    return changed
  }

  async takeQuotes(): Promise<readonly Quote[]> {
    const rows = await this.listQuotes()
    const changed: Quote[] = []
    for (const row of rows.toReversed()) {
      // The list does not state filled quantities, so every quote that is not plainly active is read in full.
      const quote = row.status === 'active' ? null : await this.client.quotes.get(row.quoteId)
      const now = quote === null ? 'active/0/0' : `${quote.status}/${quote.bidFilled}/${quote.askFilled}`
      const before = this.liveQuotes.get(row.quoteId) ?? 'active/0/0'
      if (row.status === 'active' || row.status === 'partially_filled') this.liveQuotes.set(row.quoteId, now)
      else this.liveQuotes.delete(row.quoteId)
      if (quote !== null && now !== before) changed.push(quote)
    }
    return changed
  }

  /** Lists new orders, and those that were live at the last call, newest first. */
  private async listOrders(): Promise<readonly ListedOrder[]> {
    const found: ListedOrder[] = []
    const missing = new Set(this.liveOrders.keys())
    const known = this.newestOrder
    let isNew = true
    for (let page = 1; isNew || missing.size > 0; page += 1) {
      const { orders, pagination } = await this.client.orders.list({ page, limit: pageSize })
      if (page === 1) this.newestOrder = orders[0]?.orderId ?? known
      for (const row of orders) {
        if (row.orderId === known) isNew = false
        if (isNew || missing.delete(row.orderId)) found.push(row)
      }
      if (page >= pagination.totalPages) break
    }
    return found
  }

  private async listQuotes(): Promise<readonly ListedQuote[]> {
    const found: ListedQuote[] = []
    const missing = new Set(this.liveQuotes.keys())
    const known = this.newestQuote
    let isNew = true
    for (let offset = 0; isNew || missing.size > 0; offset += pageSize) {
      const { pagination, quotes } = await this.client.quotes.list({ offset, limit: pageSize })
      if (offset === 0) this.newestQuote = quotes[0]?.quoteId ?? known
      for (const row of quotes) {
        if (row.quoteId === known) isNew = false
        if (isNew || missing.delete(row.quoteId)) found.push(row)
      }
      if (offset + pageSize >= pagination.total) break
    }
    return found
  }
}

interface SeenFill {
  readonly trade: OwnTrade
  readonly atMillis: number
  readonly mid: number | null
  readonly midAfter: (number | null)[]
}

type LivePoints = AccountColumns<number[]>

const createLivePoints = (assets: readonly string[]): LivePoints => ({
  atMillis: [],
  equity: [],
  flow: [],
  cash: [],
  assets: assets.map((asset) => ({ asset, price: [], position: [] })),
})

/** Removes the newest point if it is of an instant. */
function removeNewest({ assets, ...columns }: LivePoints, atMillis: number): void {
  if (columns.atMillis.at(-1) !== atMillis) return
  for (const column of Object.values(columns)) column.pop()
  for (const { position, price } of assets) for (const column of [position, price]) column.pop()
}

/**
 * Records what the figures of an account need, as far as the public interface shows it. Mids are those of the last
 * observation, so markouts are as fine as the ticks. Deposits and withdrawals during the run are not distinguished
 * from profit.
 */
class LiveRecorder {
  private readonly client: VenueClient
  private readonly points: LivePoints
  private readonly midnights: LivePoints
  private readonly fills: SeenFill[] = []
  private readonly mids = new Map<string, number>()

  constructor(client: VenueClient, assets: readonly string[]) {
    this.client = client
    this.points = createLivePoints(assets)
    this.midnights = createLivePoints(assets)
  }

  /** Adds a point to the grid, or to the midnights that the grid does not have. */
  async sample(atMillis: number, isOnGrid: boolean): Promise<void> {
    const [{ balances }, { positions }, { prices }, summary] = [
      await this.client.portfolio.balances(),
      await this.client.portfolio.positions(),
      await this.client.marketData.prices(),
      await this.client.portfolio.summary(),
    ]
    const points = isOnGrid ? this.points : this.midnights
    points.atMillis.push(atMillis)
    points.equity.push(summary.totalValue)
    points.flow.push(0)
    points.cash.push(summary.cashBalance)
    for (const { asset, position, price } of points.assets) {
      const held = positions.find((one) => one.asset === asset)
      position.push(balances.find((one) => one.asset === asset)?.total ?? 0)
      price.push(held?.currentPrice ?? prices.find((one) => one.asset === asset)?.mid ?? 0)
    }
  }

  /** Adds the fills of an observation, and its prices as the newest mids; `prices` may be empty. */
  addObservation(atMillis: number, prices: readonly FeedPrice[], trades: readonly OwnTrade[]): void {
    for (const trade of trades) {
      const mid = this.mids.get(trade.asset) ?? null
      const executedMillis = isoToMillis(trade.timestamp) ?? atMillis
      this.fills.push({ trade, atMillis: executedMillis, mid, midAfter: markoutMillis.map(() => null) })
    }
    for (const { asset, mid } of prices) this.mids.set(asset, mid)
    for (const fill of this.fills) {
      for (const [horizon, span] of markoutMillis.entries()) {
        if (fill.midAfter[horizon] === null && fill.atMillis + span <= atMillis)
          fill.midAfter[horizon] = this.mids.get(fill.trade.asset) ?? null
      }
    }
  }

  /**
   * Takes the last point of the equity. It replaces a point that was taken at the same instant before the last trades;
   * the first point is never replaced.
   */
  async sampleEnd(atMillis: number): Promise<void> {
    const { midnights, points } = this
    if (points.atMillis.length > 1) removeNewest(points, atMillis)
    removeNewest(midnights, atMillis)
    await this.sample(atMillis, true)
  }

  buildGrid(stepMillis: number): EquityGrid {
    const { midnights, points } = this
    return { stepMillis, ...points, ...(midnights.atMillis.length === 0 ? {} : { midnights }) }
  }

  buildRecords(): readonly FillRecord[] {
    return this.fills.map(({ atMillis, mid, midAfter, trade }) => ({
      fillId: trade.tradeId,
      orderId: trade.orderId,
      quoteId: null,
      atMillis,
      asset: trade.asset,
      side: trade.side,
      price: trade.price,
      quantity: trade.quantity,
      value: trade.value,
      fee: trade.fee,
      feeCurrency: trade.feeCurrency,
      feeUsd: trade.feeCurrency === trade.asset ? trade.fee * trade.price : trade.fee,
      realized: 0,
      isMaker: null,
      arrivalMid: mid,
      mid,
      midAfter,
      tradedBefore: null,
      cause: null,
    }))
  }
}
