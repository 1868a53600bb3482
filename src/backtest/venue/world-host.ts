import type { ApiContext } from '../../api/context.ts'
import { matchRoute } from '../../api/router.ts'
import { type OperationId, routeOf } from '../../api/routes/routes.ts'
import { createVenueClient } from '../../client/create-venue-client.ts'
import type { Transport } from '../../client/transport.ts'
import { VenueError } from '../../client/venue-error.ts'
import { none } from '../../engine/codes.ts'
import type { MidColumn } from '../../engine/house/unattended.ts'
import { stateOf } from '../../engine/state.ts'
import { ordersOf } from '../../engine/tables/account-lists.ts'
import {
  AccountRecorder,
  type AccountRecorderState,
  longestLookMillis,
} from '../../metrics/account-recorder.ts'
import { TradeWitness, type TradeWitnessState } from '../../metrics/trade-witness.ts'
import { millis } from '../../numeric/units.ts'
import type { RateUsage } from '../../world/rate-limiter.ts'
import type { World } from '../../world/world.ts'
import type { Delay, Latency } from '../latency.ts'
import type { SyncVenueClient, Venue } from '../strategy.ts'
import { Desk, type Journey, type Message } from './desk.ts'
import { type Foresight, type Host, keptObservation, type Observation, Waits, type Wants } from './host.ts'
import { messageName } from './message-name.ts'
import { QuotingObserver, type QuotingState } from './quoting-observer.ts'
import { RequestTally, type RequestTallyState } from './request-tally.ts'
import { syncVenueClient } from './sync-client.ts'
import { WorldFeed, type WorldFeedState } from './world-feed.ts'
import { WorldUpdates, type WorldUpdatesState } from './world-updates.ts'

export interface WorldHostOptions {
  readonly world: World
  /** The account's row. */
  readonly account: number
  readonly latency: Latency
  /** Of the equity. */
  readonly gridMillis: number
  readonly endMillis: number
  readonly wants: Wants
  /** Which client the strategy's `venue` is: answers at once, or promises as over HTTP. */
  readonly client: 'sync' | 'async'
  /** Whether the venue's rate limits hold, by its own time. */
  readonly isRateLimited: boolean
}

/** When an order was decided upon, and the mark at that instant. */
export interface Decision {
  readonly atMillis: number
  readonly markTicks: number
}

/** A world in this process as the place of a run. */
export class WorldHost implements Host, Journey, Foresight {
  readonly assets: readonly string[]
  readonly sync: SyncVenueClient
  readonly venue: Venue
  readonly waits: Waits | null
  readonly recorder: AccountRecorder
  readonly witness: TradeWitness
  readonly quoting: QuotingObserver
  readonly tally = new RequestTally()
  /** By order row; only where orders travel. */
  readonly decisions = new Map<number, Decision>()
  private readonly options: WorldHostOptions
  private readonly world: World
  private readonly feed: WorldFeed
  private readonly updates: WorldUpdates
  /** The present as the strategy sees it; the world itself may lag behind. */
  private atMillis: number
  /** Up to which instant it may: until then nothing happens that cannot be foreseen. */
  private foreseenUntilMillis: number
  /** Whether the strategy has been told of everything up to there. */
  private isObserved = false
  version = 0
  private nextSampleMillis: number
  private nextLookMillis: number
  private decidedAtMillis = 0
  private ordersBefore = 0

  constructor(options: WorldHostOptions) {
    const { world, account } = options
    this.options = options
    this.world = world
    const { state } = world.venue
    this.assets = Array.from({ length: state.assets.count - 1 }, (_, place) => state.assets.symbol(place + 1))
    // A command gets its number when it is done.
    this.witness = new TradeWitness(state, () => world.sequence + 1)
    world.events.listen(this.witness)
    this.recorder = new AccountRecorder(state, account, this.witness)
    this.quoting = new QuotingObserver(account, world.now)
    this.atMillis = world.now
    this.foreseenUntilMillis = world.now
    this.feed = new WorldFeed(
      () => world.venue.state,
      () => this.catchUp(),
      this.assets.length,
    )
    this.updates = new WorldUpdates(() => this.context())
    this.sync = syncVenueClient(new Desk(world, account, this, this.tally))
    this.waits = options.client === 'async' ? new Waits() : null
    this.venue = this.waits === null ? this.sync : this.asyncClient(this.waits)
    this.recorder.sample(state)
    this.nextSampleMillis = firstAfter(world.now, options.gridMillis)
    this.nextLookMillis = world.now + longestLookMillis
  }

  get nowMillis(): number {
    return this.atMillis
  }

  /**
   * In silence: a journal has the commands with their instants, and the end; time between them needs no line. While
   * nothing can happen but that marks move, the world is left where it is until somebody needs it.
   */
  advanceTo(atMillis: number): void {
    if (atMillis < this.foreseenUntilMillis && atMillis >= this.atMillis) this.atMillis = atMillis
    else this.moveOn(Math.max(atMillis, this.atMillis))
  }

  private moveOn(atMillis: number): void {
    const { world, options } = this
    while (this.nextSampleMillis <= atMillis || this.nextLookMillis <= atMillis) {
      const stopMillis = Math.min(this.nextSampleMillis, this.nextLookMillis)
      this.moveTo(stopMillis)
      if (stopMillis === this.nextSampleMillis) {
        this.recorder.sample(world.venue.state)
        this.nextSampleMillis += options.gridMillis
      } else this.recorder.refresh(world.venue.state)
      this.nextLookMillis = stopMillis + longestLookMillis
    }
    this.moveTo(atMillis)
    this.foreseenUntilMillis = Math.min(
      world.running.foreseenUntilMillis,
      this.nextSampleMillis,
      this.nextLookMillis,
    )
  }

  get foresight(): Foresight {
    return this
  }

  get untilMillis(): number {
    return this.isObserved ? this.foreseenUntilMillis : this.atMillis
  }

  writeMids(place: number, fromMillis: number, stepMillis: number, column: MidColumn, mids: Float64Array) {
    this.feed.writeMids(place, fromMillis, stepMillis, column, mids)
  }

  stand(atMillis: number): Observation {
    this.atMillis = atMillis
    this.feed.look(atMillis)
    this.quoting.look(this.world.venue.state, atMillis)
    this.seen.atMillis = atMillis
    this.seen.fills = nothing
    this.seen.orders = nothing
    this.seen.quotes = nothing
    return this.seen
  }

  /** Lets the world come to where time stands. */
  private catchUp(): void {
    this.version += 1
    this.isObserved = false
    this.foreseenUntilMillis = this.atMillis
    if (this.atMillis > this.world.now) this.world.time.proceedTo(millis(this.atMillis))
  }

  observe(): Observation {
    const { atMillis, feed, options, updates, world } = this
    const { wants } = options
    this.isObserved = true
    feed.look(atMillis)
    this.quoting.look(world.venue.state, atMillis)
    if (!options.latency.feed.isNone) return this.copied()
    this.seen.atMillis = atMillis
    this.seen.fills = wants.fills ? updates.fills() : nothing
    this.seen.orders = wants.orders ? updates.orders() : nothing
    this.seen.quotes = wants.quotes ? updates.quotes() : nothing
    return this.seen
  }

  depart(message: Message): void {
    const { latency, world } = this.options
    this.catchUp()
    this.feed.keep()
    const { operation, parameter, target, body } = message
    if (latency.order.isNone) {
      this.passLimit(operation)
      return
    }
    const name = messageName(operation, parameter, target, body)
    this.decidedAtMillis = world.now
    this.ordersBefore = ordersOf(world.venue.state, this.options.account).count
    this.travel(latency.order.of(world.seed, `${operation}/${name}/${world.now}`))
    this.passLimit(operation)
    this.catchUp()
  }

  comeBack(message: Message): void {
    const { latency, world } = this.options
    this.atMillis = Math.max(this.atMillis, world.now)
    if (!latency.order.isNone) this.noteDecisions(this.decidedAtMillis, this.ordersBefore)
    if (latency.response.isNone) return
    const { operation, parameter, target, body } = message
    const name = messageName(operation, parameter, target, body)
    this.travel(latency.response.of(world.seed, `${operation}/${name}/${world.now}`))
  }

  /** Where the observer of the account stands, the world itself left out, as plain data. */
  capture(): WorldHostState {
    this.catchUp()
    return {
      nextSampleMillis: this.nextSampleMillis,
      nextLookMillis: this.nextLookMillis,
      recorder: this.recorder.capture(),
      witness: this.witness.capture(),
      quoting: this.quoting.capture(),
      tally: this.tally.capture(),
      updates: this.updates.capture(),
      feed: this.feed.capture(),
      decisions: [...this.decisions],
      rates: this.options.isRateLimited ? this.world.limiter.usageBy(limiterKey) : null,
    }
  }

  /** Goes on where a host of a world like this one was. What it saw last is answered. */
  restore(from: WorldHostState): Observation {
    this.nextSampleMillis = from.nextSampleMillis
    this.nextLookMillis = from.nextLookMillis
    this.recorder.restore(from.recorder)
    this.witness.restore(from.witness)
    this.quoting.restore(from.quoting)
    this.tally.restore(from.tally)
    this.updates.restore(from.updates)
    this.feed.restore(from.feed)
    for (const [order, decision] of from.decisions) this.decisions.set(order, decision)
    if (from.rates !== null) this.world.limiter.goOn(limiterKey, from.rates)
    this.seen.atMillis = from.feed.atMillis
    return this.seen
  }

  /** The last point of the grid. Nothing listens to the world any more. */
  finish(): void {
    this.catchUp()
    const { state } = this.world.venue
    this.world.execute({ kind: 'advance', at: this.world.now })
    this.quoting.look(state, state.nowMillis)
    this.recorder.sampleEnd(state)
    this.world.events.listen(null)
  }

  private moveTo(atMillis: number): void {
    // A fault may have let time pass during a request.
    this.atMillis = Math.max(atMillis, this.world.now)
    this.catchUp()
  }

  /** A request over the rate limit waits for the next window, as the client library lets it. */
  private passLimit(operation: OperationId): void {
    for (let wait = this.limitWait(operation); wait > 0; wait = this.limitWait(operation)) this.travel(wait)
  }

  /** How long a request has to wait, 0 when it may pass: at the run's end all may. */
  private limitWait(operation: OperationId): number {
    const { endMillis, isRateLimited, world } = this.options
    if (!isRateLimited || this.atMillis >= endMillis) return 0
    const algorithm = world.readings['rate.algorithm']
    const verdict = world.limiter.take(limiterKey, routeOf(operation).category, algorithm, this.atMillis)
    if (verdict.isAllowed) return 0
    this.tally.rateLimited += 1
    return Math.max(1, verdict.resetMillis - this.atMillis)
  }

  private travel(delayMillis: number): void {
    this.advanceTo(this.withinRun(delayMillis))
  }

  /** After a delay, though not beyond the run's end. */
  private withinRun(delayMillis: number): number {
    const { atMillis } = this
    return Math.min(atMillis + delayMillis, Math.max(this.options.endMillis, atMillis))
  }

  /** The orders made since `before`: what they were decided upon. */
  private noteDecisions(atMillis: number, before: number): void {
    const { state } = this.world.venue
    const list = ordersOf(state, this.options.account)
    for (let place = before; place < list.count; place += 1) {
      const row = list.at(place)
      const markTicks = stateOf(state, state.orders.asset.get(row)).marks.at(atMillis)
      this.decisions.set(row, { atMillis, markTicks })
    }
  }

  private readonly seen: Mutable<Observation> = {
    atMillis: 0,
    fills: nothing,
    orders: nothing,
    quotes: nothing,
    prices: null,
    price: (place) => this.feed.price(place),
    mid: (place) => this.feed.mid(place),
  }

  /** What is on its way to the strategy stays as it was. */
  private copied(): Observation {
    const { options, updates } = this
    const { wants } = options
    return keptObservation({
      atMillis: this.atMillis,
      prices: this.feed.copy(),
      fills: wants.fills ? updates.fills() : nothing,
      orders: wants.orders ? updates.orders() : nothing,
      quotes: wants.quotes ? updates.quotes() : nothing,
    })
  }

  private context(): ApiContext {
    const { account, world } = this.options
    return {
      state: world.venue.state,
      account,
      readings: world.readings,
      now: millis(this.atMillis),
      execute: (command) => world.execute(command),
    }
  }

  /** The client library with promises: requests under way at one time pass each other by their latencies. */
  private asyncClient(waits: Waits): Venue {
    const { account, latency, world } = this.options
    const accountId = world.venue.state.accounts.id(account)
    const transport: Transport = async ({ method, target, body, signal }) => {
      signal?.throwIfAborted()
      this.catchUp()
      this.feed.keep()
      const match = matchRoute(method, target.split('?')[0] ?? target)
      const operation = match.kind === 'found' ? match.operation : 'listPrices'
      const parameter = match.kind === 'found' ? match.parameter : ''
      const name = messageName(operation, parameter, target, body)
      const decidedAtMillis = world.now
      const letPass = (delay: Delay) =>
        waits.until(this.withinRun(delay.of(world.seed, `${operation}/${name}/${world.now}`)))
      if (!latency.order.isNone) await letPass(latency.order)
      for (let wait = this.limitWait(operation); wait > 0; wait = this.limitWait(operation))
        await waits.until(this.withinRun(wait))
      this.catchUp()
      const before = latency.order.isNone ? none : ordersOf(world.venue.state, account).count
      const { status, body: answered } = world.request(accountId, method, target, body)
      this.atMillis = Math.max(this.atMillis, world.now)
      if (before !== none) this.noteDecisions(decidedAtMillis, before)
      const answer = { status, body: answered, header: () => null }
      if (status >= 400) this.tally.refused(operation, new VenueError(answer))
      else this.tally.accepted(operation, answered)
      if (!latency.response.isNone) await letPass(latency.response)
      return answer
    }
    const clock = {
      nowMillis: () => this.atMillis,
      sleep: (span: number) => waits.until(this.withinRun(span)),
    }
    return createVenueClient({ transport, clock })
  }
}

export interface WorldHostState {
  readonly nextSampleMillis: number
  readonly nextLookMillis: number
  readonly recorder: AccountRecorderState
  readonly witness: TradeWitnessState
  readonly quoting: QuotingState
  readonly tally: RequestTallyState
  readonly updates: WorldUpdatesState
  readonly feed: WorldFeedState
  readonly decisions: readonly (readonly [order: number, decision: Decision])[]
  /** What the strategy has used of the rate limits, where they hold: windows are transport, which no snapshot has. */
  readonly rates: RateUsage | null
}

type Mutable<Fields> = { -readonly [Name in keyof Fields]: Fields[Name] }

const nothing: readonly never[] = []

/** A strategy has no key; its requests are counted by this name. */
const limiterKey = 'backtest'

/** The first instant of a grid, counted from 1970, after an instant. */
function firstAfter(atMillis: number, gridMillis: number): number {
  return (Math.floor(atMillis / gridMillis) + 1) * gridMillis
}
