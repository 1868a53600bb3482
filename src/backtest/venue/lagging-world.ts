import { halfTicksNumber, priceNumber } from '../../api/answer.ts'
import { idleMidHalfTicks, type MidColumn, writeIdleMids } from '../../engine/idle/idle-prices.ts'
import {
  deferShownPrices,
  type ShownPrices,
  shownPrices,
  topOfBook,
} from '../../engine/reports/top-of-book.ts'
import { type State, stateOf } from '../../engine/state.ts'
import { type AccountRecorder, longestRefreshGapMillis } from '../../metrics/account-recorder.ts'
import { findMultipleAfter, SampleTimes } from '../../metrics/sample-times.ts'
import { missing } from '../../numeric/assert.ts'
import { element } from '../../numeric/columns.ts'
import { millis } from '../../numeric/units.ts'
import type { World } from '../../world/world.ts'
import type { FeedPrice } from '../strategy.ts'

/**
 * A world in a backtest, whose time and prices the strategy sees, while the world itself may lag behind. As long as
 * nothing can happen except that marks move (see `idleUntilMillis` of the world), only `nowMillis` moves; the world is
 * brought up to it when its state is needed. On the way the account's equity is sampled on a grid: in idle time from
 * the marks alone, otherwise at each instant of the grid.
 *
 * Prices are those of the last observation, with the figures of `GET /market-data/prices`. They are computed when they
 * are first read, and at the latest when something could change them. A mid needs no catching up.
 *
 * Invariants: the world is never ahead of `nowMillis`; a run that lags gives the same bytes as one that does not.
 */
export class LaggingWorld {
  readonly world: World
  /** A number that changes whenever the world has moved or may be about to: mids computed ahead before may be wrong. */
  version = 0
  private readonly recorder: AccountRecorder
  private readonly times: SampleTimes
  private atMillis: number
  private lagsUntilMillis: number
  /** The instant of the last observation. */
  private observedAtMillis = 0
  /** By place: the prices of the last observation; null where they have not been computed. */
  private readonly prices: (FeedPrice | null)[]
  /** By place: the mids of the last observation; -1 where they have not been computed. */
  private readonly mids: Float64Array
  /** By place: computes a price that was kept without being computed, as long as no time has passed; else null. */
  private readonly keptReaders: ((() => FeedPrice) | null)[]
  private isKept = true

  /** `gridMillis` is the time between two points of the equity. */
  constructor(world: World, recorder: AccountRecorder, gridMillis: number) {
    const { state } = world.venue
    const assetCount = state.assets.count - 1
    this.world = world
    this.recorder = recorder
    this.atMillis = world.now
    this.lagsUntilMillis = world.now
    this.times = new SampleTimes(world.now, gridMillis)
    this.prices = new Array<FeedPrice | null>(assetCount).fill(null)
    this.keptReaders = new Array<(() => FeedPrice) | null>(assetCount).fill(null)
    this.mids = new Float64Array(assetCount)
    recorder.sample(state)
  }

  get nowMillis(): number {
    return this.atMillis
  }

  /** The instant before which `nowMillis` may move without the world. */
  get idleUntilMillis(): number {
    return this.lagsUntilMillis
  }

  /**
   * Moves time on without a line in a journal, which has the instants of commands and the end. An instant in the past
   * counts as now. With `isObservedNext`, nobody will read the prices of the last observation again.
   */
  advanceTo(atMillis: number, isObservedNext = false): void {
    if (!isObservedNext) this.computeKeptPrices()
    if (atMillis < this.lagsUntilMillis && atMillis >= this.atMillis) {
      this.atMillis = atMillis
      return
    }
    this.atMillis = Math.max(atMillis, this.atMillis, this.world.now)
    this.catchUp()
    this.lagsUntilMillis = this.world.running.idleUntilMillis
  }

  /** Begins an observation: prices are now those of this instant, which is the present or lies before `idleUntilMillis`. */
  observeAt(atMillis: number): void {
    const { keptReaders, mids, prices } = this
    this.atMillis = atMillis
    this.observedAtMillis = atMillis
    this.isKept = false
    for (let place = 0; place < prices.length; place += 1) {
      if (prices[place] !== null) prices[place] = null
      if (keptReaders[place] !== null) keptReaders[place] = null
      mids[place] = notComputed
    }
  }

  /** Brings the world to the present, and keeps the prices of the last observation: a request may change the venue. */
  prepareRequest(): void {
    this.catchUp()
    this.keepPrices()
  }

  /** Moves the present to a world that has moved by itself, because a fault let time pass during a request. */
  followWorld(): void {
    this.atMillis = Math.max(this.atMillis, this.world.now)
  }

  /** Brings the world to the present. The caller may act on it, so mids computed ahead are no longer valid. */
  catchUp(): void {
    this.version += 1
    this.lagsUntilMillis = this.atMillis
    const { world } = this
    while (this.atMillis > world.now) {
      const idleMillis = Math.min(this.atMillis, world.running.idleUntilMillis - 1)
      if (idleMillis > world.now) this.passIdleTime(idleMillis)
      else this.step()
    }
  }

  /** Returns what the last observation shows of the asset at a place. */
  price(place: number): FeedPrice {
    const known = this.prices[place]
    if (known !== null && known !== undefined) return known
    const price = this.keptReaders[place]?.() ?? this.readPrice(place)
    this.prices[place] = price
    this.keptReaders[place] = null
    return price
  }

  /** Returns the mid of the asset at a place in the last observation, in USD, without computing the rest of its price. */
  mid(place: number): number {
    const known = element(this.mids, place)
    return known === notComputed ? this.readMid(place) : known
  }

  /** Returns all prices of the last observation as a list that later observations do not change. */
  copyPrices(): readonly FeedPrice[] {
    this.keepPrices()
    this.computeKeptPrices()
    return this.prices.map((price) => price ?? missing('a kept observation has every price'))
  }

  /** Writes the mids of an idle asset at future instants, `stepMillis` apart, in USD. */
  writeMids(
    place: number,
    fromMillis: number,
    stepMillis: number,
    column: MidColumn,
    mids: Float64Array,
  ): void {
    const { state } = this.world.venue
    const asset = place + 1
    writeIdleMids(state, asset, fromMillis, stepMillis, column, mids)
    const { pair } = state.assets.tradedAsset(asset)
    const { count, first, step } = column
    for (let row = 0, at = first; row < count; row += 1, at += step)
      mids[at] = halfTicksNumber(pair, element(mids, at))
  }

  /** Keeps prices that have not been read yet. Most strategies never read them, so they are computed later if possible. */
  private keepPrices(): void {
    if (this.isKept) return
    this.isKept = true
    const { faults, scenario, venue } = this.world
    // Otherwise something besides trades could change a ladder before time passes.
    const mayWait = faults.rules.length + scenario.timeline.length + scenario.agents.length === 0
    for (let place = 0; place < this.prices.length; place += 1) {
      if (this.prices[place] !== null) continue
      if (mayWait && !stateOf(venue.state, place + 1).ladder.isTouched)
        this.keptReaders[place] = this.makeReader(place, deferShownPrices(venue.state, place + 1))
      else this.prices[place] = this.readPrice(place)
    }
  }

  private computeKeptPrices(): void {
    for (let place = 0; place < this.prices.length; place += 1)
      if (this.keptReaders[place] !== null) this.price(place)
  }

  private readMid(place: number): number {
    const price = this.isKept ? this.price(place) : this.prices[place]
    const mid =
      price === null || price === undefined
        ? midAt(this.world.venue.state, place + 1, this.observedAtMillis)
        : price.mid
    this.mids[place] = mid
    return mid
  }

  private readPrice(place: number): FeedPrice {
    this.catchUp()
    return this.makeReader(place, () => shownPrices(this.world.venue.state, place + 1))()
  }

  private makeReader(place: number, shown: () => ShownPrices): () => FeedPrice {
    const atMillis = this.observedAtMillis
    const { state } = this.world.venue
    const { pair, symbol } = state.assets.tradedAsset(place + 1)
    const lastTicks = state.lastTicks.get(place + 1)
    return () => {
      const { bidTicks, askTicks } = shown()
      const mid = halfTicksNumber(pair, bidTicks + askTicks)
      return {
        asset: symbol,
        atMillis,
        bid: priceNumber(pair, bidTicks),
        ask: priceNumber(pair, askTicks),
        mid,
        last: lastTicks === 0 ? mid : priceNumber(pair, lastTicks),
      }
    }
  }

  /** Moves the world through idle time, up to an instant or to where the recorder has to look at its past. */
  private passIdleTime(untilMillis: number): void {
    const { recorder, times, world } = this
    const { state } = world.venue
    recorder.refresh(state)
    const stopMillis = Math.min(untilMillis, recorder.refreshDueMillis(state))
    recorder.sampleIdle(state, times, stopMillis, () => world.time.passTimeTo(millis(stopMillis)))
  }

  private step(): void {
    const { recorder, times, world } = this
    const { state } = world.venue
    const lookMillis = findMultipleAfter(world.now, longestRefreshGapMillis)
    const nextMillis = Math.min(times.nextMillis, lookMillis, this.atMillis)
    world.time.passTimeTo(millis(Math.max(nextMillis, world.now)))
    if (world.now === lookMillis) recorder.refresh(state)
    for (; times.nextMillis <= world.now; times.skipNext())
      recorder.sample(state, times.isOnGrid ? recorder.points : recorder.midnights)
  }
}

const notComputed = -1

/** Returns the mid of an asset at the venue's present, or at a later instant before which the venue is idle, in USD. */
export function midAt(state: State, asset: number, atMillis: number): number {
  const halfTicks =
    state.nowMillis < atMillis
      ? idleMidHalfTicks(state, asset, atMillis)
      : topOfBook(state, asset).midHalfTicks
  return halfTicksNumber(state.assets.tradedAsset(asset).pair, halfTicks)
}
