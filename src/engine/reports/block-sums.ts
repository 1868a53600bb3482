import { Hash128 } from '../../numeric/hash.ts'
import { HashSum } from '../../numeric/hash-sum.ts'

/** Entries by ascending instants, which come at the end and go at the front. Only the last one may change. */
export interface TimeSeries {
  readonly count: number
  millisAt(place: number): number
  addTo(hash: Hash128, place: number): void
}

/*
 * A digest of a time series: the sum of the hashes of its blocks of time. Entries come and go at the ends, so all blocks
 * but the first and the last stay as they are, and their sum is kept.
 *
 * Invariant: `between` is the sum over the blocks of `kept`; nothing of theirs has changed since they were hashed.
 */
export class BlockSums {
  private readonly blockMillis: number
  private readonly hash = new Hash128()
  private readonly lanes = new Int32Array(4)
  private readonly between = new HashSum()
  /** Number of a block and the four words of its hash in turn, oldest first, from `head` on. */
  private kept: number[] = []
  private head = 0

  constructor(blockMillis: number) {
    this.blockMillis = blockMillis
  }

  /** The sum over all blocks of the series, which must be the one that this was asked about before. */
  sumOf(series: TimeSeries): HashSum {
    const { count } = series
    if (count === 0) {
      this.forget()
      return new HashSum()
    }
    const first = this.blockAt(series, 0)
    const last = this.blockAt(series, count - 1)
    this.dropUpTo(first)
    let place = this.placeAfter(series, this.kept.at(-width) ?? first)
    while (place < count && this.blockAt(series, place) < last) place = this.keep(series, place)
    const sum = this.between.copy()
    this.hashBlock(series, 0)
    sum.add(this.lanes)
    if (last === first) return sum
    this.hashBlock(series, place)
    sum.add(this.lanes)
    return sum
  }

  /** The series is another one now. */
  forget(): void {
    this.between.clear()
    this.kept = []
    this.head = 0
  }

  /** Takes out the blocks from which something may have gone. */
  private dropUpTo(block: number): void {
    const { kept, between } = this
    while (this.head < kept.length && (kept[this.head] ?? 0) <= block) {
      between.subtract(kept, this.head + 1)
      this.head += width
    }
    if (2 * this.head < kept.length) return
    this.kept = kept.slice(this.head)
    this.head = 0
  }

  /** Hashes and keeps the block that begins at a place; the place after it. */
  private keep(series: TimeSeries, place: number): number {
    const end = this.hashBlock(series, place)
    this.between.add(this.lanes)
    this.kept.push(this.blockAt(series, place), ...this.lanes)
    return end
  }

  /** Leaves in `lanes` the hash of the block that begins at a place; the place after it. */
  private hashBlock(series: TimeSeries, place: number): number {
    const { hash } = this
    const block = this.blockAt(series, place)
    const end = this.placeAfter(series, block)
    hash.reset()
    hash.addInteger(block)
    for (let at = place; at < end; at += 1) series.addTo(hash, at)
    hash.finish(this.lanes)
    return end
  }

  private blockAt(series: TimeSeries, place: number): number {
    return Math.floor(series.millisAt(place) / this.blockMillis)
  }

  /** The first place behind a block. */
  private placeAfter(series: TimeSeries, block: number): number {
    const endMillis = (block + 1) * this.blockMillis
    let low = 0
    let high = series.count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (series.millisAt(middle) < endMillis) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Numbers that `kept` has for a block. */
const width = 5
