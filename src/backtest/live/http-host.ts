import { createVenueClient, type VenueClient } from '../../client/create-venue-client.ts'
import { fieldOf } from '../../client/field-of.ts'
import { httpTransport } from '../../client/http-transport.ts'
import type { Order } from '../../client/orders-client.ts'
import type { Transport, TransportAnswer, TransportRequest } from '../../client/transport.ts'
import { VenueError } from '../../client/venue-error.ts'
import { missing } from '../../numeric/assert.ts'
import type { Latency } from '../latency.ts'
import type { FeedPrice, SyncVenueClient, Venue } from '../strategy.ts'
import { type Host, keptObservation, type Observation, type Wants } from '../venue/host.ts'
import { messageName, messageOf } from '../venue/message.ts'
import { RequestTally } from '../venue/request-tally.ts'
import { HttpUpdates } from './http-updates.ts'
import type { LiveClock } from './live-clock.ts'
import { LiveRecorder } from './live-recorder.ts'

export interface HttpHostOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly apiSecret: string
  readonly clock: LiveClock
  readonly latency: Latency
  readonly seed: string
  readonly gridMillis: number
  readonly endMillis: number
  readonly wants: Wants
}

/** A service over HTTP as the host of a run. The strategy's client is the one that any program would use. */
export class HttpHost implements Host {
  readonly assets: readonly string[]
  readonly venue: Venue
  readonly waits = null
  readonly foresight = null
  /** The interface has only volumes of the last 24 hours. */
  readonly volumeOf = (): null => null
  readonly tally = new RequestTally()
  readonly recorder: LiveRecorder
  /** Orders as their answers had them. */
  readonly orders = new Map<string, Order>()
  private readonly options: HttpHostOptions
  private readonly reader: VenueClient
  private readonly updates: HttpUpdates
  private nextSampleMillis: number

  private constructor(options: HttpHostOptions, reader: VenueClient, assets: readonly string[]) {
    const { clock, gridMillis } = options
    this.options = options
    this.reader = reader
    this.assets = assets
    this.venue = createVenueClient({ transport: this.travelling(httpTransport(reachOf(options))) })
    this.updates = new HttpUpdates(reader)
    this.recorder = new LiveRecorder(reader, assets)
    this.nextSampleMillis = (Math.floor(clock.nowMillis / gridMillis) + 1) * gridMillis
  }

  static async open(options: HttpHostOptions): Promise<HttpHost> {
    const reader = createVenueClient(reachOf(options))
    const { pairs } = await reader.marketData.tradingPairs()
    const host = new HttpHost(
      options,
      reader,
      pairs.map(({ base }) => base),
    )
    await host.updates.begin()
    await host.recorder.sample(options.clock.nowMillis)
    return host
  }

  get nowMillis(): number {
    return this.options.clock.nowMillis
  }

  get sync(): SyncVenueClient {
    throw new TypeError('context.sync works in process only; context.venue works over HTTP, too')
  }

  async advanceTo(atMillis: number): Promise<void> {
    const { clock, gridMillis } = this.options
    while (this.nextSampleMillis <= atMillis) {
      await clock.advanceTo(this.nextSampleMillis)
      await this.recorder.sample(this.nextSampleMillis)
      this.nextSampleMillis += gridMillis
    }
    await clock.advanceTo(atMillis)
  }

  async observe(): Promise<Observation> {
    const { clock, wants } = this.options
    const atMillis = clock.nowMillis
    const { prices } = await this.reader.marketData.prices()
    const byAsset = new Map(prices.map((price) => [price.asset, price]))
    const seen = this.assets.map((asset): FeedPrice => {
      const price = byAsset.get(asset) ?? missing('the service tells the price of every pair')
      return { asset, atMillis, bid: price.bid, ask: price.ask, mid: price.mid, last: price.last }
    })
    const fills = await this.updates.fills()
    this.recorder.observe(atMillis, seen, fills)
    return keptObservation({
      atMillis,
      prices: seen,
      fills: wants.fills ? fills : [],
      orders: wants.orders ? await this.updates.orders() : [],
      quotes: wants.quotes ? await this.updates.quotes() : [],
    })
  }

  async finish(): Promise<void> {
    const { clock } = this.options
    this.recorder.observe(clock.nowMillis, [], await this.updates.fills())
    await this.recorder.finish(clock.nowMillis)
  }

  /** A simulated latency is time that passes on the world's clock, one request after the other. */
  private travelling(transport: Transport): Transport {
    let last: Promise<unknown> = Promise.resolve()
    return (request) => {
      const answer = last.then(() => this.carry(transport, request))
      last = answer.catch(() => undefined)
      return answer
    }
  }

  private async carry(transport: Transport, request: TransportRequest): Promise<TransportAnswer> {
    const { latency, seed } = this.options
    const { body, method, target } = request
    const message = messageOf(method, target, body)
    const { operation } = message
    const name = messageName(message)
    if (!latency.order.isNone)
      await this.travel(latency.order.of(seed, `${operation}/${name}/${this.nowMillis}`))
    const answer = await transport(request)
    if (answer.status >= 400) this.tally.refused(operation, new VenueError(answer))
    else if (typeof answer.body === 'object' && answer.body !== null) {
      this.tally.accepted(operation, answer.body)
      if (operation === 'createOrder') this.remember(answer.body)
    }
    if (!latency.response.isNone)
      await this.travel(latency.response.of(seed, `${operation}/${name}/${this.nowMillis}`))
    return answer
  }

  private async travel(delayMillis: number): Promise<void> {
    const now = this.nowMillis
    await this.advanceTo(Math.min(now + delayMillis, Math.max(this.options.endMillis, now)))
  }

  private remember(body: object): void {
    const bare = fieldOf(body, 'data') ?? body
    if (isOrder(bare)) this.orders.set(bare.orderId, bare)
  }
}

function reachOf({ apiKey, apiSecret, baseUrl }: HttpHostOptions) {
  return { apiKey, apiSecret, baseUrl }
}

function isOrder(body: unknown): body is Order {
  return typeof fieldOf(body, 'orderId') === 'string'
}
