import { halfTicksNumber, priceNumber } from '../../api/answer.ts'
import { type MidColumn, writeIdleMids } from '../../engine/idle/idle-prices.ts'
import { type ShownPrices, shownLater, shownPrices } from '../../engine/reports/top-of-book.ts'
import { type State, stateOf } from '../../engine/state.ts'
import { missing } from '../../numeric/assert.ts'
import { element } from '../../numeric/columns.ts'
import type { FeedPrice } from '../strategy.ts'
import { midAt } from './past-worlds.ts'

/*
 * A world's prices as a client sees them at one instant: the figures of `GET /market-data/prices`. They are worked
 * out when they are first asked for, and all of them as soon as anything could change them. A mid can be told without
 * moving a world that lags behind.
 */
export class WorldFeed {
  atMillis = 0
  private readonly state: () => State
  private readonly catchUp: () => void
  private readonly prices: (FeedPrice | null)[]
  /** At this look; -1 when not read yet. */
  private readonly mids: Float64Array
  private isKept = true
  /** Reads prices that were kept and not asked for, as long as no time passes. */
  private readonly later: ((() => FeedPrice) | null)[]
  private readonly mayWait: () => boolean

  /**
   * `catchUp` brings the world to the instant of the look; `mayWait` says whether until time passes next nothing but
   * trades can change a ladder.
   */
  constructor(state: () => State, catchUp: () => void, mayWait: () => boolean, assetCount: number) {
    this.state = state
    this.catchUp = catchUp
    this.mayWait = mayWait
    this.later = new Array<(() => FeedPrice) | null>(assetCount).fill(null)
    this.prices = new Array<FeedPrice | null>(assetCount).fill(null)
    this.mids = new Float64Array(assetCount)
  }

  look(atMillis: number): void {
    const { mids, prices } = this
    this.atMillis = atMillis
    this.isKept = false
    for (let place = 0; place < prices.length; place += 1) {
      if (prices[place] !== null) prices[place] = null
      if (this.later[place] !== null) this.later[place] = null
      mids[place] = unknown
    }
  }

  /** The venue is about to change: keeps what has not been read yet, as most strategies never read it. */
  keep(): void {
    if (this.isKept) return
    this.isKept = true
    for (let place = 0; place < this.prices.length; place += 1) {
      if (this.prices[place] !== null) continue
      if (this.mayWait() && !stateOf(this.state(), place + 1).ladder.isTouched)
        this.later[place] = this.reader(place, shownLater(this.state(), place + 1))
      else this.prices[place] = this.read(place)
    }
  }

  /** Time is about to pass: computes what was kept. */
  settle(): void {
    for (let place = 0; place < this.prices.length; place += 1)
      if (this.later[place] !== null) this.price(place)
  }

  /** A copy that later reads do not change. */
  copy(): readonly FeedPrice[] {
    this.keep()
    this.settle()
    return this.prices.map((price) => price ?? missing('a kept feed has every price'))
  }

  price(place: number): FeedPrice {
    const known = this.prices[place]
    if (known !== null && known !== undefined) return known
    const price = this.later[place]?.() ?? this.read(place)
    this.prices[place] = price
    this.later[place] = null
    return price
  }

  /** As in `price`, without the rest of it. */
  mid(place: number): number {
    const known = element(this.mids, place)
    return known === unknown ? this.readMid(place) : known
  }

  /** The mids of an unattended asset at instants to come, a step apart. */
  writeMids(
    place: number,
    fromMillis: number,
    stepMillis: number,
    column: MidColumn,
    mids: Float64Array,
  ): void {
    const state = this.state()
    const asset = place + 1
    writeIdleMids(state, asset, fromMillis, stepMillis, column, mids)
    const { pair } = state.assets.traded(asset)
    const { count, first, step } = column
    for (let row = 0, at = first; row < count; row += 1, at += step)
      mids[at] = halfTicksNumber(pair, element(mids, at))
  }

  private readMid(place: number): number {
    const price = this.isKept ? this.price(place) : this.prices[place]
    const mid =
      price === null || price === undefined ? midAt(this.state(), place + 1, this.atMillis) : price.mid
    this.mids[place] = mid
    return mid
  }

  private read(place: number): FeedPrice {
    this.catchUp()
    return this.reader(place, () => shownPrices(this.state(), place + 1))()
  }

  private reader(place: number, shown: () => ShownPrices): () => FeedPrice {
    const { atMillis } = this
    const state = this.state()
    const { pair, symbol } = state.assets.traded(place + 1)
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
}

const unknown = -1
