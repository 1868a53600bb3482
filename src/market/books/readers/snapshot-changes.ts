import { element } from '../../../numeric/columns.ts'
import { bookRowKinds, bookRowSides } from '../recorded-book.ts'
import type { RowQueue } from './row-queue.ts'

/** The levels of a side as a snapshot shows them, best first. */
class SideLevels {
  readonly prices: Float64Array
  readonly quantities: Float64Array
  count = 0

  constructor(depth: number) {
    this.prices = new Float64Array(depth)
    this.quantities = new Float64Array(depth)
  }

  /** Returns the quantity at a price; 0 where there is none. */
  find(price: number): number {
    for (let place = 0; place < this.count; place += 1)
      if (this.prices[place] === price) return element(this.quantities, place)
    return 0
  }
}

/**
 * Turns snapshots of the best levels into the rows of a book: what has changed since the snapshot before. A level that has
 * left the window is gone: nothing is known of it any more.
 *
 * Choice: levels that are gone come before new ones, so that a price that moves through old levels crosses none of them.
 */
export class SnapshotChanges {
  private readonly queue: RowQueue
  private readonly depth: number
  private bids: SideLevels
  private asks: SideLevels
  private nextBids: SideLevels
  private nextAsks: SideLevels
  private isFirst = true

  /** `depth` is the most levels of a side. */
  constructor(queue: RowQueue, depth: number) {
    this.queue = queue
    this.depth = depth
    this.bids = new SideLevels(depth)
    this.asks = new SideLevels(depth)
    this.nextBids = new SideLevels(depth)
    this.nextAsks = new SideLevels(depth)
  }

  /** Starts a snapshot and forgets the one that was not finished. */
  begin(): void {
    this.nextBids.count = 0
    this.nextAsks.count = 0
  }

  /** Adds a level to the snapshot, best first; levels beyond the depth are left out. A quantity of 0 is no level. */
  addLevel(side: number, price: number, quantity: number): void {
    const levels = side === bookRowSides.bid ? this.nextBids : this.nextAsks
    if (quantity === 0 || levels.count === this.depth) return
    levels.prices[levels.count] = price
    levels.quantities[levels.count] = quantity
    levels.count += 1
  }

  /** Ends a snapshot: adds the rows of what has changed, all at one time, no earlier than those before. */
  finish(atMicros: number, filePlace: number): void {
    const { bids, asks, isFirst, nextAsks, nextBids, queue } = this
    const at = Math.max(atMicros, queue.newestMicros)
    const kind = isFirst ? bookRowKinds.snapshot : bookRowKinds.depth
    addGoneLevels(queue, bookRowSides.bid, bids, nextBids, at, filePlace)
    addGoneLevels(queue, bookRowSides.ask, asks, nextAsks, at, filePlace)
    addChangedLevels(queue, kind, bookRowSides.bid, bids, nextBids, at, filePlace)
    addChangedLevels(queue, kind, bookRowSides.ask, asks, nextAsks, at, filePlace)
    this.isFirst = false
    ;[this.bids, this.nextBids] = [nextBids, bids]
    ;[this.asks, this.nextAsks] = [nextAsks, asks]
  }
}

function addGoneLevels(
  queue: RowQueue,
  side: number,
  before: SideLevels,
  after: SideLevels,
  at: number,
  place: number,
): void {
  for (let level = 0; level < before.count; level += 1) {
    const price = element(before.prices, level)
    // The levels mostly are the same ones, or have moved by one or two.
    if (after.prices[level] === price && level < after.count) continue
    if (after.find(price) === 0) queue.add(at, bookRowKinds.depth, side, price, 0, place)
  }
}

function addChangedLevels(
  queue: RowQueue,
  kind: number,
  side: number,
  before: SideLevels,
  after: SideLevels,
  at: number,
  place: number,
): void {
  for (let level = 0; level < after.count; level += 1) {
    const price = element(after.prices, level)
    const quantity = element(after.quantities, level)
    const isSame = level < before.count && before.prices[level] === price
    const known = isSame ? element(before.quantities, level) : before.find(price)
    if (known !== quantity) queue.add(at, kind, side, price, quantity, place)
  }
}
