import { bisectPlaces } from '../../numeric/columns.ts'
import { Hash128, HashSum } from '../../numeric/hash.ts'

/**
 * A series of entries by ascending instant: appended at the end, removed at the front. Only the last one may change.
 */
export interface TimeSeries {
  readonly gone: number
  readonly count: number
  millisAt(place: number): number
  addTo(hash: Hash128, place: number): void
}

/**
 * A digest of a time series: the sum of the hashes of its blocks of time. As entries come and go at the ends, all
 * blocks but the first and the last stay the same, and the sum of their hashes is kept. The first is hashed again
 * only when entries were removed from it, and the hash of the last is continued: a busy market has thousands of
 * entries in each.
 *
 * Invariant: `between` is the sum over the blocks of `kept`, none of which has changed since it was hashed.
 */
export class BlockSums {
  private readonly blockMillis: number
  private readonly lanes = new Int32Array(4)
  private readonly between = new HashSum()
  /** The blocks that are kept, oldest first from `head` on: for each its number and the four words of its hash. */
  private kept: number[] = []
  private head = 0
  private readonly oldest = new GrowingBlock()
  private readonly newest = new GrowingBlock()

  constructor(blockMillis: number) {
    this.blockMillis = blockMillis
  }

  /** Returns the sum over all blocks of the series, which must be the same one at each call. */
  sum(series: TimeSeries): HashSum {
    const { count } = series
    if (count === 0) {
      this.clear()
      return new HashSum()
    }
    const first = this.blockAt(series, 0)
    const last = this.blockAt(series, count - 1)
    this.dropUpTo(first)
    let place = first === last ? 0 : this.placeAfterKept(series, first)
    while (this.blockAt(series, place) < last) place = this.keepBlock(series, place)
    const sum = this.between.copy()
    sum.add(this.newest.hash(series, last, place, count, this.lanes))
    if (first !== last)
      sum.add(this.oldest.hash(series, first, 0, this.placeAfter(series, first, 0), this.lanes))
    return sum
  }

  clear(): void {
    this.between.clear()
    this.kept = []
    this.head = 0
    this.oldest.clear()
    this.newest.clear()
  }

  /** Takes out the blocks up to this one, from which entries may have been removed. */
  private dropUpTo(block: number): void {
    const { kept, between } = this
    while ((kept[this.head] ?? Number.POSITIVE_INFINITY) <= block) {
      between.subtract(kept, this.head + 1)
      this.head += width
    }
    if (2 * this.head < kept.length) return
    this.kept = kept.slice(this.head)
    this.head = 0
  }

  /** Hashes and keeps the block that begins at a place; returns the place after it. */
  private keepBlock(series: TimeSeries, place: number): number {
    const block = this.blockAt(series, place)
    const end = this.placeAfter(series, block, place)
    this.between.add(this.newest.hash(series, block, place, end, this.lanes))
    this.kept.push(block, ...this.lanes)
    return end
  }

  private blockAt(series: TimeSeries, place: number): number {
    return Math.floor(series.millisAt(place) / this.blockMillis)
  }

  /** Returns the place after the last block that is kept, looked for from the end, near which it is; else after the first. */
  private placeAfterKept(series: TimeSeries, first: number): number {
    const { count } = series
    const newest = this.kept.at(-width)
    if (newest === undefined || this.head === this.kept.length) return this.placeAfter(series, first, 0)
    const endMillis = (newest + 1) * this.blockMillis
    let reach = 1
    while (reach < count && series.millisAt(count - reach) >= endMillis) reach *= 2
    return findMillis(series, Math.max(0, count - reach), count, endMillis)
  }

  /** Returns the place after a block, looked for from a place in or before it, near which it is. */
  private placeAfter(series: TimeSeries, block: number, from: number): number {
    const { count } = series
    const endMillis = (block + 1) * this.blockMillis
    let reach = 1
    while (from + reach < count && series.millisAt(from + reach) < endMillis) reach *= 2
    return findMillis(series, from, Math.min(count, from + reach), endMillis)
  }
}

/** Returns the first place of a range whose instant is not before another; its end if there is none. */
function findMillis(series: TimeSeries, from: number, to: number, millis: number): number {
  return from + bisectPlaces(to - from, (place) => series.millisAt(from + place) >= millis)
}

/**
 * The hash of one block, continued from where it was as long as the block begins with the same entry.
 *
 * Invariant: `running` has taken in the block's number and its entries before the `taken`th of the series (removed ones
 * counted); none of these can change any more.
 */
class GrowingBlock {
  private readonly running = new Hash128()
  private block = Number.NaN
  private begin = 0
  private hashed = 0

  /** Writes the hash of a block, which has the entries from one place up to another, into `lanes`; returns these. */
  hash(series: TimeSeries, block: number, from: number, to: number, lanes: Int32Array): Int32Array {
    const { running } = this
    const { gone, count } = series
    if (block !== this.block || gone + from !== this.begin) {
      running.reset()
      running.addInteger(block)
      this.block = block
      this.begin = gone + from
      this.hashed = gone + from
    }
    const settled = to === count ? to - 1 : to
    for (; this.hashed < gone + settled; this.hashed += 1) series.addTo(running, this.hashed - gone)
    if (settled === to) return running.finish(lanes)
    const whole = running.copy()
    series.addTo(whole, settled)
    return whole.finish(lanes)
  }

  clear(): void {
    this.block = Number.NaN
  }
}

/** The count of numbers that `kept` has for each block. */
const width = 5
