import type { ApiContext } from '../../api/context.ts'
import { createVenueClient, methods } from '../../client/create-venue-client.ts'
import type { MidColumn } from '../../engine/idle/idle-prices.ts'
import type { CandleTable } from '../../market/recordings/candle-table.ts'
import { AccountRecorder } from '../../metrics/account-recorder.ts'
import { TradeRecorder } from '../../metrics/trade-recorder.ts'
import { millis } from '../../numeric/units.ts'
import type { World } from '../../world/world.ts'
import type { VolumeOf } from '../bars.ts'
import type { StrategyVenue, SyncVenueClient } from '../strategy.ts'
import { AccountUpdates } from './account-updates.ts'
import {
  type Host,
  keptObservation,
  type Observation,
  type PriceLookahead,
  VirtualTimers,
  type Wants,
} from './host.ts'
import { InProcessSession } from './in-process-session.ts'
import { LaggingWorld } from './lagging-world.ts'
import { type Decision, LatencyNetwork, type TravelOptions } from './latency-network.ts'
import { QuotingObserver } from './quoting-observer.ts'
import { recordedCandles, volumesOf } from './recordings.ts'
import { RequestTally } from './request-tally.ts'

export interface WorldHostOptions extends TravelOptions {
  readonly world: World
  readonly gridMillis: number
  readonly wants: Wants
  /** Which client the strategy's `venue` is: answers at once, or promises as over HTTP. */
  readonly client: 'sync' | 'async'
}

export class WorldHost implements Host, PriceLookahead {
  readonly assets: readonly string[]
  readonly sync: SyncVenueClient
  readonly venue: StrategyVenue
  readonly waits: VirtualTimers | null
  readonly recorder: AccountRecorder
  readonly witness: TradeRecorder
  readonly quoting: QuotingObserver
  readonly tally = new RequestTally()
  readonly volumeOf: VolumeOf
  readonly candles: readonly (CandleTable | null)[]
  private readonly options: WorldHostOptions
  private readonly world: World
  private readonly lagging: LaggingWorld
  private readonly travel: LatencyNetwork
  private readonly updates: AccountUpdates
  /** The version of the world up to which the strategy has been informed. */
  private observedVersion = -1
  private looksAhead = false

  constructor(options: WorldHostOptions) {
    const { world, account, client, endMillis, gridMillis } = options
    this.options = options
    this.world = world
    const { state } = world.venue
    this.volumeOf = volumesOf(world)
    this.candles = recordedCandles(world)
    this.assets = Array.from({ length: state.assets.count - 1 }, (_, place) => state.assets.symbol(place + 1))
    // A command gets its number when it is done.
    this.witness = new TradeRecorder(state, () => world.sequence + 1)
    world.events.listen(this.witness)
    const points = Math.ceil((endMillis - world.now) / gridMillis) + 2
    this.recorder = new AccountRecorder(state, account, this.witness, points)
    this.quoting = new QuotingObserver(account, world.now)
    this.lagging = new LaggingWorld(world, this.recorder, gridMillis)
    this.updates = new AccountUpdates(() => this.context())
    const travel = new LatencyNetwork(this.lagging, this.tally, options)
    this.travel = travel
    const session = new InProcessSession(world, account, travel, this.tally)
    this.sync = methods<SyncVenueClient>((endpoint, given) => session.carryOut(endpoint, given))
    this.waits = client === 'async' ? new VirtualTimers() : null
    this.venue = this.waits === null ? this.sync : this.asyncClient(this.waits)
  }

  get nowMillis(): number {
    return this.lagging.nowMillis
  }

  /** By order row; only where orders take time to arrive. */
  get decisions(): ReadonlyMap<number, Decision> {
    return this.travel.decisions
  }

  advanceTo(atMillis: number, isObservedNext = false): void {
    this.quoting.lookAgain(this.world.venue.state, this.lagging.nowMillis)
    // Who looks ahead at mids could look no further, and would go on from tick to tick.
    if (this.looksAhead && atMillis >= this.rememberedUntilMillis) this.lagging.catchUp()
    this.lagging.advanceTo(atMillis, isObservedNext)
  }

  observe(): Observation {
    const { lagging, options, updates, world } = this
    const { nowMillis, version } = lagging
    this.observedVersion = version
    lagging.observeAt(nowMillis)
    this.quoting.look(world.venue.state, nowMillis)
    // What takes time to reach the strategy must not change on its way.
    const prices = options.latency.feed.isNone ? null : lagging.copyPrices()
    const { wants } = options
    const fills = wants.fills ? updates.fills() : nothing
    const orders = wants.orders ? updates.orders() : nothing
    const quotes = wants.quotes ? updates.quotes() : nothing
    if (prices === null) return this.show(nowMillis, fills, orders, quotes)
    return keptObservation({ atMillis: nowMillis, prices, fills, orders, quotes })
  }

  get foresight(): PriceLookahead {
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
    return now + venue.state.market.rememberedMillis
  }

  writeMids(place: number, fromMillis: number, stepMillis: number, column: MidColumn, mids: Float64Array) {
    this.looksAhead = true
    this.lagging.writeMids(place, fromMillis, stepMillis, column, mids)
  }

  stand(atMillis: number): Observation {
    this.quoting.lookAgain(this.world.venue.state, this.lagging.nowMillis)
    this.lagging.observeAt(atMillis)
    this.quoting.look(this.world.venue.state, atMillis)
    return this.show(atMillis, nothing, nothing, nothing)
  }

  /** Takes the last point of the equity; nothing listens to the world any more. */
  finish(): void {
    this.lagging.catchUp()
    const { state } = this.world.venue
    this.world.execute({ kind: 'advance', at: this.world.now })
    this.quoting.look(state, state.nowMillis)
    this.recorder.sampleEnd(state)
    this.world.events.listen(null)
  }

  /** One object for all observations, as they are made by the million; prices are read when they are asked for. */
  private readonly seen: Mutable<Observation> = {
    atMillis: 0,
    fills: nothing,
    orders: nothing,
    quotes: nothing,
    price: (place) => this.lagging.price(place),
    mid: (place) => this.lagging.mid(place),
  }

  private show(
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
    return seen
  }

  private context(): ApiContext {
    const { account, world } = this.options
    return {
      state: world.venue.state,
      account,
      readings: world.readings,
      now: millis(this.nowMillis),
      execute: (command) => world.execute(command),
    }
  }

  private asyncClient(waits: VirtualTimers): StrategyVenue {
    const clock = {
      nowMillis: () => this.nowMillis,
      sleep: (span: number) => waits.until(this.travel.withinRun(span)),
    }
    return createVenueClient({ transport: this.travel.transport(waits), clock })
  }
}

type Mutable<Fields> = { -readonly [Name in keyof Fields]: Fields[Name] }

const nothing: readonly never[] = []
