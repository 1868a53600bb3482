import type { ApiContext } from '../../api/context.ts'
import { createVenueClient, makeMethods } from '../../client/create-venue-client.ts'
import type { MidColumn } from '../../engine/idle/idle-prices.ts'
import type { CandleTable } from '../../market/recordings/candle-table.ts'
import { AccountRecorder } from '../../metrics/account-recorder.ts'
import { TradeRecorder } from '../../metrics/trade-recorder.ts'
import { millis } from '../../numeric/units.ts'
import type { World } from '../../world/world.ts'
import type { ReadVolume } from '../bars.ts'
import type { BookPlace, StrategyVenue, SyncVenueClient } from '../strategy.ts'
import { AccountUpdates } from './account-updates.ts'
import {
  createObservation,
  type Host,
  type Lookahead,
  type Observation,
  type Subscriptions,
  WaitQueue,
} from './host.ts'
import { InProcessSession } from './in-process-session.ts'
import { LaggingWorld } from './lagging-world.ts'
import { type Decision, LatencyNetwork, type NetworkOptions } from './latency-network.ts'
import { QueueRecorder } from './queue-recorder.ts'
import { QuotingObserver } from './quoting-observer.ts'
import { createVolumeReader, listRecordedCandles } from './recordings.ts'
import { RequestTally } from './request-tally.ts'
import { ShownBooks } from './shown-books.ts'

export interface WorldHostOptions extends NetworkOptions {
  readonly world: World
  readonly gridMillis: number
  readonly subscriptions: Subscriptions
  /** Whether the strategy's `venue` answers at once (`sync`) or returns promises, as over HTTP. */
  readonly client: 'sync' | 'async'
}

export class WorldHost implements Host, Lookahead {
  readonly assets: readonly string[]
  readonly sync: SyncVenueClient
  readonly venue: StrategyVenue
  readonly waitQueue: WaitQueue | null
  readonly recorder: AccountRecorder
  readonly trades: TradeRecorder
  readonly quoting: QuotingObserver
  readonly queue: QueueRecorder
  readonly tally = new RequestTally()
  readonly readVolume: ReadVolume
  readonly candles: readonly (CandleTable | null)[]
  private readonly options: WorldHostOptions
  private readonly world: World
  private readonly lagging: LaggingWorld
  private readonly network: LatencyNetwork
  private readonly updates: AccountUpdates
  private readonly books: ShownBooks
  /** The version of the world that the last observation showed. */
  private observedVersion = -1
  private looksAhead = false

  constructor(options: WorldHostOptions) {
    const { world, account, client, endMillis, gridMillis } = options
    this.options = options
    this.world = world
    const { state } = world.venue
    this.readVolume = createVolumeReader(world)
    this.candles = listRecordedCandles(world)
    this.assets = Array.from({ length: state.assets.count - 1 }, (_, place) => state.assets.symbol(place + 1))
    // A command is numbered when it is done, so the one under way has the next number.
    this.trades = new TradeRecorder(state, () => world.sequence + 1)
    world.events.setListener(this.trades)
    const points = Math.ceil((endMillis - world.now) / gridMillis) + 2
    this.recorder = new AccountRecorder(state, account, this.trades, points)
    this.quoting = new QuotingObserver(account, world.now)
    this.queue = new QueueRecorder(state, account)
    this.lagging = new LaggingWorld(world, this.recorder, gridMillis)
    this.updates = new AccountUpdates(() => this.createContext())
    this.books = new ShownBooks(state, account, () => this.createContext())
    const travel = new LatencyNetwork(this.lagging, this.tally, options)
    this.network = travel
    const session = new InProcessSession(world, account, travel, this.tally)
    this.sync = makeMethods<SyncVenueClient>((endpoint, given) => session.callOperation(endpoint, given))
    this.waitQueue = client === 'async' ? new WaitQueue() : null
    this.venue = this.waitQueue === null ? this.sync : this.createAsyncClient(this.waitQueue)
  }

  get nowMillis(): number {
    return this.lagging.nowMillis
  }

  /**
   * The instant and mark at which each order was decided, by order row; empty where requests take no time to arrive.
   */
  get decisions(): ReadonlyMap<number, Decision> {
    return this.network.decisions
  }

  advanceTo(atMillis: number, isObservedNext = false): void {
    this.quoting.observeAgain(this.world.venue.state, this.lagging.nowMillis)
    // Mids cannot be computed ahead beyond this instant; without catching up, the run would go from tick to tick.
    if (this.looksAhead && atMillis >= this.rememberedUntilMillis) this.lagging.catchUp()
    this.lagging.advanceTo(atMillis, isObservedNext)
  }

  observe(): Observation {
    const { lagging, options, updates, world } = this
    const { nowMillis, version } = lagging
    this.observedVersion = version
    lagging.observeAt(nowMillis)
    this.quoting.observe(world.venue.state, nowMillis)
    this.queue.observe(world.venue.state, nowMillis)
    // Prices that take time to reach the strategy must not change on their way.
    const prices = options.latency.feed.isNone ? null : lagging.copyPrices()
    const { subscriptions } = options
    const books = prices === null ? nothing : prices.map((_, place) => this.books.copy(place))
    const fills = subscriptions.fills ? updates.takeFills() : nothing
    const orders = subscriptions.orders ? updates.takeOrders() : nothing
    const quotes = subscriptions.quotes ? updates.takeQuotes() : nothing
    if (prices === null) return this.updateObservation(nowMillis, fills, orders, quotes)
    const fillCount = updates.countFills()
    return createObservation({ atMillis: nowMillis, prices, books, fills, orders, quotes, fillCount })
  }

  get lookahead(): Lookahead {
    return this
  }

  get version(): number {
    return this.lagging.version
  }

  get untilMillis(): number {
    const { idleUntilMillis, nowMillis, version } = this.lagging
    return this.observedVersion === version ? idleUntilMillis : nowMillis
  }

  get midsUntilMillis(): number {
    return Math.min(this.untilMillis, this.rememberedUntilMillis)
  }

  private get rememberedUntilMillis(): number {
    const { now, venue } = this.world
    return now + venue.state.market.cachedMillis
  }

  writeMids(place: number, fromMillis: number, stepMillis: number, column: MidColumn, mids: Float64Array) {
    this.looksAhead = true
    this.lagging.writeMids(place, fromMillis, stepMillis, column, mids)
  }

  observeAt(atMillis: number): Observation {
    this.quoting.observeAgain(this.world.venue.state, this.lagging.nowMillis)
    this.lagging.observeAt(atMillis)
    this.quoting.observe(this.world.venue.state, atMillis)
    this.queue.observe(this.world.venue.state, atMillis)
    return this.updateObservation(atMillis, nothing, nothing, nothing)
  }

  findBookPlace(orderId: string): BookPlace | null {
    this.lagging.catchUp()
    return this.books.findBookPlace(orderId)
  }

  /** Takes the last point of the equity, and stops listening to the world's events. */
  finish(): void {
    this.lagging.catchUp()
    const { state } = this.world.venue
    this.world.execute({ kind: 'advance', at: this.world.now })
    this.quoting.observe(state, state.nowMillis)
    this.queue.observe(state, state.nowMillis)
    this.recorder.sampleEnd(state)
    this.world.events.setListener(null)
  }

  /** One object serves all observations, because there are millions; prices are computed when they are read. */
  private readonly seen: Mutable<Observation> = {
    atMillis: 0,
    fills: nothing,
    orders: nothing,
    quotes: nothing,
    fillCount: 0,
    price: (place) => this.lagging.price(place),
    mid: (place) => this.lagging.mid(place),
    book: (place) => {
      this.lagging.catchUp()
      return this.books.read(place)
    },
  }

  private updateObservation(
    atMillis: number,
    fills: Observation['fills'],
    orders: Observation['orders'],
    quotes: Observation['quotes'],
  ): Observation {
    const { seen } = this
    seen.atMillis = atMillis
    seen.fills = fills
    seen.orders = orders
    seen.quotes = quotes
    seen.fillCount = this.updates.countFills()
    return seen
  }

  private createContext(): ApiContext {
    const { account, world } = this.options
    return {
      state: world.venue.state,
      account,
      readings: world.readings,
      now: millis(this.nowMillis),
      execute: (command) => world.execute(command),
    }
  }

  private createAsyncClient(waitQueue: WaitQueue): StrategyVenue {
    const clock = {
      nowMillis: () => this.nowMillis,
      sleep: (span: number) => waitQueue.waitUntil(this.network.clampToRun(span)),
    }
    return createVenueClient({ transport: this.network.createTransport(waitQueue), clock })
  }
}

type Mutable<Fields> = { -readonly [Name in keyof Fields]: Fields[Name] }

const nothing: readonly never[] = []
