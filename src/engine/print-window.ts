import type { Hash128 } from '../numeric/hash.ts'
import { Float64Deque } from './float64-deque.ts'
import { WideSum } from './wide-sum.ts'

const dayMillis = 86_400_000
const largest = Number.MAX_SAFE_INTEGER

/** The window's buckets, oldest first, one place each. */
export interface PrintWindowSnapshot {
  /** Price of the last print that has left the window; 0: none has. */
  readonly evictedTicks: number
  readonly atMillis: Float64Array
  readonly highTicks: Float64Array
  readonly lowTicks: Float64Array
  readonly lastTicks: Float64Array
  readonly volumeSteps: Float64Array
  readonly volumeAtoms: Float64Array
  readonly trades: Float64Array
}

/*
 * The prints of one asset in the rolling window (t - 24h, t].
 *
 * Prints of one instant are one bucket: they leave the window together, so nothing is lost. The newest bucket is
 * held in plain fields, which is all that a print in the same millisecond touches; closed buckets are in deques
 * that grow with the prints of a day. Two monotone queues of bucket numbers give the extremes, sums the volumes.
 * Invariants: instants ascend; `highs` holds the buckets that no later one tops, `lows` those that none undercuts.
 * A bucket whose volume would pass 2^53 is followed by another of the same instant; the sums are wide.
 */
export class PrintWindow {
  /** Price of the last print that has left the window; 0: none has. */
  evictedTicks = 0
  /** Price of the last print of all; 0 before the first. */
  lastTicks = 0
  private atMillis = -1
  private highTicks = 0
  private lowTicks = 0
  private volumeSteps = 0
  private volumeAtoms = 0
  private trades = 0
  private readonly closedAtMillis = new Float64Deque()
  private readonly closedHighTicks = new Float64Deque()
  private readonly closedLowTicks = new Float64Deque()
  private readonly closedLastTicks = new Float64Deque()
  private readonly closedVolumeSteps = new Float64Deque()
  private readonly closedVolumeAtoms = new Float64Deque()
  private readonly closedTrades = new Float64Deque()
  private readonly highs = new Float64Deque()
  private readonly lows = new Float64Deque()
  private readonly sumSteps = new WideSum()
  private readonly sumAtoms = new WideSum()
  private sumTrades = 0

  /** One print; instants never go back. */
  record(atMillis: number, priceTicks: number, quantitySteps: number, notionalAtoms: number): void {
    const steps = this.volumeSteps + quantitySteps
    const atoms = this.volumeAtoms + notionalAtoms
    if (atMillis !== this.atMillis || steps > largest || atoms > largest) {
      this.closeBucket()
      this.evict(atMillis)
      this.openBucket(atMillis, priceTicks, quantitySteps, notionalAtoms)
      return
    }
    this.volumeSteps = steps
    this.volumeAtoms = atoms
    this.trades += 1
    this.lastTicks = priceTicks
    if (priceTicks > this.highTicks) this.highTicks = priceTicks
    else if (priceTicks < this.lowTicks) this.lowTicks = priceTicks
  }

  /** Lets go of what is no longer in (now - 24h, now]. */
  evict(nowMillis: number): void {
    const horizon = nowMillis - dayMillis
    const { closedAtMillis } = this
    while (closedAtMillis.count > 0 && closedAtMillis.at(closedAtMillis.first) <= horizon) this.evictFirst()
    if (this.trades > 0 && this.atMillis <= horizon) {
      this.evictedTicks = this.lastTicks
      this.clearBucket()
    }
  }

  /** Highest price of the window; 0 when it is empty. */
  high(): number {
    const closed = this.highs.count === 0 ? 0 : this.closedHighTicks.at(this.highs.at(this.highs.first))
    return this.trades > 0 && this.highTicks > closed ? this.highTicks : closed
  }

  /** Lowest price of the window; 0 when it is empty. */
  low(): number {
    if (this.lows.count === 0) return this.trades > 0 ? this.lowTicks : 0
    const closed = this.closedLowTicks.at(this.lows.at(this.lows.first))
    return this.trades > 0 && this.lowTicks < closed ? this.lowTicks : closed
  }

  totalSteps(): bigint {
    return this.sumSteps.toBigInt() + BigInt(this.volumeSteps)
  }

  totalAtoms(): bigint {
    return this.sumAtoms.toBigInt() + BigInt(this.volumeAtoms)
  }

  totalTrades(): number {
    return this.sumTrades + this.trades
  }

  /** The window as of now: the same for the same prints, whatever was read in between. */
  snapshot(nowMillis: number): PrintWindowSnapshot {
    this.evict(nowMillis)
    return {
      evictedTicks: this.evictedTicks,
      atMillis: this.withNewest(this.closedAtMillis, this.atMillis),
      highTicks: this.withNewest(this.closedHighTicks, this.highTicks),
      lowTicks: this.withNewest(this.closedLowTicks, this.lowTicks),
      lastTicks: this.withNewest(this.closedLastTicks, this.lastTicks),
      volumeSteps: this.withNewest(this.closedVolumeSteps, this.volumeSteps),
      volumeAtoms: this.withNewest(this.closedVolumeAtoms, this.volumeAtoms),
      trades: this.withNewest(this.closedTrades, this.trades),
    }
  }

  load(from: PrintWindowSnapshot): void {
    while (this.closedAtMillis.count > 0) this.evictFirst()
    this.clearBucket()
    this.evictedTicks = from.evictedTicks
    this.lastTicks = from.evictedTicks
    for (let place = 0; place < from.atMillis.length; place += 1) {
      this.closeBucket()
      this.atMillis = from.atMillis[place] ?? 0
      this.highTicks = from.highTicks[place] ?? 0
      this.lowTicks = from.lowTicks[place] ?? 0
      this.lastTicks = from.lastTicks[place] ?? 0
      this.volumeSteps = from.volumeSteps[place] ?? 0
      this.volumeAtoms = from.volumeAtoms[place] ?? 0
      this.trades = from.trades[place] ?? 0
    }
  }

  addToDigest(hash: Hash128, nowMillis: number): void {
    const canonical = this.snapshot(nowMillis)
    hash.addInteger(canonical.evictedTicks)
    hash.addFloat64Array(canonical.atMillis)
    hash.addFloat64Array(canonical.highTicks)
    hash.addFloat64Array(canonical.lowTicks)
    hash.addFloat64Array(canonical.lastTicks)
    hash.addFloat64Array(canonical.volumeSteps)
    hash.addFloat64Array(canonical.volumeAtoms)
    hash.addFloat64Array(canonical.trades)
  }

  private openBucket(
    atMillis: number,
    priceTicks: number,
    quantitySteps: number,
    notionalAtoms: number,
  ): void {
    this.atMillis = atMillis
    this.highTicks = priceTicks
    this.lowTicks = priceTicks
    this.lastTicks = priceTicks
    this.volumeSteps = quantitySteps
    this.volumeAtoms = notionalAtoms
    this.trades = 1
  }

  /** Moves the newest bucket, if there is one, among the closed. */
  private closeBucket(): void {
    if (this.trades === 0) return
    const { highs, lows } = this
    const bucket = this.closedAtMillis.end
    this.closedAtMillis.push(this.atMillis)
    this.closedHighTicks.push(this.highTicks)
    this.closedLowTicks.push(this.lowTicks)
    this.closedLastTicks.push(this.lastTicks)
    this.closedVolumeSteps.push(this.volumeSteps)
    this.closedVolumeAtoms.push(this.volumeAtoms)
    this.closedTrades.push(this.trades)
    while (highs.count > 0 && this.closedHighTicks.at(highs.at(highs.end - 1)) <= this.highTicks)
      highs.dropLast()
    highs.push(bucket)
    while (lows.count > 0 && this.closedLowTicks.at(lows.at(lows.end - 1)) >= this.lowTicks) lows.dropLast()
    lows.push(bucket)
    this.sumSteps.add(this.volumeSteps)
    this.sumAtoms.add(this.volumeAtoms)
    this.sumTrades += this.trades
    this.clearBucket()
  }

  private evictFirst(): void {
    const bucket = this.closedAtMillis.first
    this.evictedTicks = this.closedLastTicks.at(bucket)
    this.sumSteps.subtract(this.closedVolumeSteps.at(bucket))
    this.sumAtoms.subtract(this.closedVolumeAtoms.at(bucket))
    this.sumTrades -= this.closedTrades.at(bucket)
    if (this.highs.at(this.highs.first) === bucket) this.highs.dropFirst()
    if (this.lows.at(this.lows.first) === bucket) this.lows.dropFirst()
    this.closedAtMillis.dropFirst()
    this.closedHighTicks.dropFirst()
    this.closedLowTicks.dropFirst()
    this.closedLastTicks.dropFirst()
    this.closedVolumeSteps.dropFirst()
    this.closedVolumeAtoms.dropFirst()
    this.closedTrades.dropFirst()
  }

  private clearBucket(): void {
    this.atMillis = -1
    this.volumeSteps = 0
    this.volumeAtoms = 0
    this.trades = 0
  }

  private withNewest(closed: Float64Deque, newest: number): Float64Array {
    const rows = closed.toArray()
    if (this.trades === 0) return rows
    const all = new Float64Array(rows.length + 1)
    all.set(rows)
    all[rows.length] = newest
    return all
  }
}
