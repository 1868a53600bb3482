import { assert } from '../../numeric/assert.ts'
import { element, Float64Deque } from '../../numeric/columns.ts'
import type { Hash128 } from '../../numeric/hash.ts'
import { millisPerDay } from '../../numeric/time-text.ts'
import { divideBigHalfEven, powerOfTen } from '../../numeric/units.ts'
import { type Asset, cashScale } from '../tables/asset-table.ts'
import { BlockSums, type TimeSeries } from './block-sums.ts'
import type { MinuteHistory } from './minute-history.ts'

/** Figures of the rolling window (t - 24h, t]; prices in ticks. */
export interface RollingFigures {
  /** The last price at or before t - 24h, which may be of the history before the start. */
  readonly openTicks: number
  /** The extreme price of the window's trades; 0: no trade in the window. */
  readonly highTicks: number
  /** The extreme price of the window's trades; 0: no trade in the window. */
  readonly lowTicks: number
  /** The last print since the start, however old; 0: none yet. */
  readonly lastTicks: number
  /** The volume in steps: exact below 2^53, beyond it the nearest double. */
  readonly volumeSteps: number
  /** The volume in USD atoms: exact below 2^53, beyond it the nearest double. */
  readonly volumeAtoms: number
  readonly trades: number
  /** The volume-weighted average price in 10^-8 USD per unit, half-even, within [low, high]; null without volume. */
  readonly vwapE8: number | null
}

/**
 * The rolling 24-hour statistics of one asset: the prints since the start, which are state, and the minutes before
 * it, which are derived and made when first asked for. Reading changes neither snapshot nor digest.
 */
export class RollingStatistics {
  private readonly asset: Asset
  private readonly window = new PrintWindow()
  private readonly history: MinuteHistory

  constructor(asset: Asset, history: MinuteHistory) {
    this.asset = asset
    this.history = history
  }

  /**
   * Records one print. `readMillis` is the earliest instant at which anybody will read the figures: a print that will
   * have left the window by then only becomes the price before it.
   */
  record(atMillis: number, ticks: number, steps: number, atoms: number, readMillis = atMillis): void {
    if (atMillis <= readMillis - millisPerDay) this.window.passPrint(atMillis, ticks)
    else this.window.record(atMillis, ticks, steps, atoms)
  }

  /** Returns the figures of the window that ends now. The first read makes the history, if it was not prepared. */
  read(nowMillis: number): RollingFigures {
    const { window } = this
    window.evict(nowMillis)
    const past = this.history.figures(nowMillis)
    const highTicks = Math.max(window.highTicks(), past.highTicks)
    const lowTicks = lowerTicks(window.lowTicks(), past.lowTicks)
    const volumeSteps = window.totalSteps() + past.volumeSteps
    const volumeAtoms = window.totalAtoms() + past.volumeAtoms
    return {
      openTicks: window.evictedTicks === 0 ? past.openTicks : window.evictedTicks,
      highTicks,
      lowTicks,
      lastTicks: window.lastTicks(),
      volumeSteps: Number(volumeSteps),
      volumeAtoms: Number(volumeAtoms),
      trades: window.totalTrades() + past.trades,
      vwapE8: volumeSteps === 0n ? null : this.vwapE8(volumeSteps, volumeAtoms, lowTicks, highTicks),
    }
  }

  get preparedSteps(): number {
    return this.history.preparedSteps
  }

  /** Makes a part of the history ahead of the first read. Returns whether all of it is made. */
  prepare(): boolean {
    return this.history.prepare()
  }

  snapshot(nowMillis: number): PrintWindowSnapshot {
    return this.window.snapshot(nowMillis)
  }

  load(snapshot: PrintWindowSnapshot): void {
    this.window.load(snapshot)
  }

  summary(nowMillis: number) {
    return this.window.summary(nowMillis)
  }

  /**
   * Returns the volume-weighted average price, 10^-8 USD per unit. The value of each print is rounded to the atom, so
   * the quotient may lie beyond the extremes and is clamped.
   */
  private vwapE8(steps: bigint, atoms: bigint, lowTicks: number, highTicks: number): number {
    const { priceStep, quantityStep } = this.asset.pair
    const mean = divideBigHalfEven(
      atoms * BigInt(powerOfTen(8 + quantityStep.scale)),
      steps * BigInt(quantityStep.units) * BigInt(powerOfTen(cashScale)),
    )
    const perTick = BigInt(priceStep.units) * BigInt(powerOfTen(8))
    const tickScale = BigInt(powerOfTen(priceStep.scale))
    const lowest = divideBigHalfEven(BigInt(lowTicks) * perTick, tickScale)
    const highest = divideBigHalfEven(BigInt(highTicks) * perTick, tickScale)
    if (mean < lowest) return Number(lowest)
    if (mean > highest) return Number(highest)
    return Number(mean)
  }
}

function lowerTicks(left: number, right: number): number {
  if (left === 0) return right
  return right === 0 ? left : Math.min(left, right)
}

/** The window's buckets, oldest first, each as instant, high, low, last, steps, atoms and number of trades. */
export interface PrintWindowSnapshot {
  /** The price of the last print that has left the window; 0: none has. */
  readonly evictedTicks: number
  readonly buckets: Float64Array
}

/* Places within a bucket. */
const instant = 0
const high = 1
const low = 2
const last = 3
const steps = 4
const atoms = 5
const trades = 6
const width = 7

const largest = Number.MAX_SAFE_INTEGER
const blockMillis = 10_000
const blockShift = 8
const blockMask = 255
const noBuckets = new Float64Array(0)

/**
 * The prints of one asset in the rolling window (t - 24h, t].
 *
 * Prints of one instant share a bucket: they leave the window together, so nothing is lost. Buckets lie in blocks of
 * 256, which come and go with the window, so it grows without copying what is there. Two monotone queues of bucket
 * numbers give the extremes, and running sums the volumes; the newest bucket enters them only when the next one
 * opens, so a print in the same millisecond changes just the bucket. Invariants: instants ascend; `highs` holds the
 * buckets whose high no later one reaches, `lows` those whose low no later one reaches. A bucket whose volume would
 * pass 2^53 is followed by another of the same instant; the sums are wide.
 */
class PrintWindow implements TimeSeries {
  /** The price of the last print that has left the window; 0: none has. */
  evictedTicks = 0
  /** The blocks of the window, from the one with the oldest bucket on. */
  private readonly blocks: Float64Array[] = []
  /** How many buckets have left the window, which is the number of the oldest one. */
  gone = 0
  count = 0
  /**
   * The block of the newest bucket. `newest` is where the bucket begins in it, and `newestMillis` its instant; both
   * are -1 when the window is empty.
   */
  private rows: Float64Array = noBuckets
  private newest = -1
  private newestMillis = -1
  private readonly highs = new Float64Deque()
  private readonly lows = new Float64Deque()
  private readonly closedSteps = new WideSum()
  private readonly closedAtoms = new WideSum()
  private closedTrades = 0
  private readonly sums = new BlockSums(blockMillis)

  /** Records one print; instants never go back. */
  record(atMillis: number, priceTicks: number, quantitySteps: number, notionalAtoms: number): void {
    if (atMillis === this.newestMillis) {
      const { rows, newest } = this
      const stepsSum = element(rows, newest + steps) + quantitySteps
      const atomsSum = element(rows, newest + atoms) + notionalAtoms
      if (stepsSum <= largest && atomsSum <= largest) {
        rows[newest + steps] = stepsSum
        rows[newest + atoms] = atomsSum
        rows[newest + trades] = element(rows, newest + trades) + 1
        rows[newest + last] = priceTicks
        if (priceTicks > element(rows, newest + high)) rows[newest + high] = priceTicks
        else if (priceTicks < element(rows, newest + low)) rows[newest + low] = priceTicks
        return
      }
    }
    this.evict(atMillis)
    this.closeNewest()
    this.append(atMillis)
    const { rows, newest } = this
    rows[newest + high] = priceTicks
    rows[newest + low] = priceTicks
    rows[newest + last] = priceTicks
    rows[newest + steps] = quantitySteps
    rows[newest + atoms] = notionalAtoms
    rows[newest + trades] = 1
  }

  /** Records one print that will have left the window when it is next read, as will all before it. */
  passPrint(atMillis: number, priceTicks: number): void {
    if (this.count > 0) this.evict(atMillis + millisPerDay)
    this.evictedTicks = priceTicks
  }

  evict(nowMillis: number): void {
    const horizon = nowMillis - millisPerDay
    if (this.newestMillis >= 0 && this.newestMillis <= horizon) {
      this.closeNewest()
      this.newest = -1
      this.newestMillis = -1
    }
    while (this.count > 0 && this.field(this.gone, instant) <= horizon) this.dropOldest()
  }

  /** Returns price of the last print, in the window or not; 0 before the first. */
  lastTicks(): number {
    return this.newest < 0 ? this.evictedTicks : this.newestField(last)
  }

  highTicks(): number {
    const { highs } = this
    return Math.max(this.newestField(high), highs.count === 0 ? 0 : this.field(highs.at(highs.first), high))
  }

  lowTicks(): number {
    const { lows } = this
    const newest = this.newestField(low)
    return newest === 0 || lows.count === 0 ? newest : Math.min(newest, this.field(lows.at(lows.first), low))
  }

  totalSteps(): bigint {
    return this.closedSteps.toBigInt() + BigInt(this.newestField(steps))
  }

  totalAtoms(): bigint {
    return this.closedAtoms.toBigInt() + BigInt(this.newestField(atoms))
  }

  totalTrades(): number {
    return this.closedTrades + this.newestField(trades)
  }

  /** Returns the window as of now: the same for the same prints, whatever was read in between. */
  snapshot(nowMillis: number): PrintWindowSnapshot {
    this.evict(nowMillis)
    const buckets = new Float64Array(this.count * width)
    for (let place = 0; place < this.count; place += 1) {
      for (let part = 0; part < width; part += 1)
        buckets[place * width + part] = this.field(this.gone + place, part)
    }
    return { evictedTicks: this.evictedTicks, buckets }
  }

  load(from: PrintWindowSnapshot): void {
    this.evict(Number.POSITIVE_INFINITY)
    this.sums.clear()
    this.evictedTicks = from.evictedTicks
    for (let start = 0; start < from.buckets.length; start += width) {
      this.closeNewest()
      this.append(element(from.buckets, start))
      this.rows.set(from.buckets.subarray(start, start + width), this.newest)
    }
  }

  /** Returns a digest of the window as of now; costs what has changed since the last call. */
  summary(nowMillis: number) {
    this.evict(nowMillis)
    return { evictedTicks: this.evictedTicks, buckets: [this.count, ...this.sums.sum(this).words()] }
  }

  millisAt(place: number): number {
    return this.field(this.gone + place, instant)
  }

  addTo(hash: Hash128, place: number): void {
    for (let part = 0; part < width; part += 1) hash.addInteger(this.field(this.gone + place, part))
  }

  private append(atMillis: number): void {
    const bucket = this.gone + this.count
    const place = (bucket >>> blockShift) - (this.gone >>> blockShift)
    this.blocks[place] ??= new Float64Array(width << blockShift)
    this.rows = this.blocks[place]
    this.newest = (bucket & blockMask) * width
    this.rows[this.newest + instant] = atMillis
    this.newestMillis = atMillis
    this.count += 1
  }

  private closeNewest(): void {
    if (this.newest < 0) return
    const { highs, lows } = this
    const bucket = this.gone + this.count - 1
    const highest = this.newestField(high)
    while (highs.count > 0 && this.field(highs.at(highs.end - 1), high) <= highest) highs.dropLast()
    highs.push(bucket)
    const lowest = this.newestField(low)
    while (lows.count > 0 && this.field(lows.at(lows.end - 1), low) >= lowest) lows.dropLast()
    lows.push(bucket)
    this.closedSteps.add(this.newestField(steps))
    this.closedAtoms.add(this.newestField(atoms))
    this.closedTrades += this.newestField(trades)
  }

  private dropOldest(): void {
    const { gone, highs, lows } = this
    this.evictedTicks = this.field(gone, last)
    this.closedSteps.subtract(this.field(gone, steps))
    this.closedAtoms.subtract(this.field(gone, atoms))
    this.closedTrades -= this.field(gone, trades)
    if (highs.at(highs.first) === gone) highs.dropFirst()
    if (lows.at(lows.first) === gone) lows.dropFirst()
    if ((gone & blockMask) === blockMask) this.blocks.shift()
    this.gone += 1
    this.count -= 1
  }

  /** Returns a part of the newest bucket; 0 when the window is empty. */
  private newestField(part: number): number {
    return this.newest < 0 ? 0 : element(this.rows, this.newest + part)
  }

  private field(bucket: number, part: number): number {
    const block = this.blocks[(bucket >>> blockShift) - (this.gone >>> blockShift)]
    assert(block !== undefined, 'a bucket of the window has a block')
    return element(block, (bucket & blockMask) * width + part)
  }
}

const modulus = 9007199254740992 // 2^53

/** An exact running sum of safe integers that are not negative; the sum may pass 2^53. */
export class WideSum {
  private high = 0
  private low = 0

  add(value: number): void {
    if (this.low < modulus - value) {
      this.low += value
    } else {
      this.low -= modulus - value
      this.high += 1
    }
  }

  subtract(value: number): void {
    if (this.low >= value) {
      this.low -= value
    } else {
      this.low += modulus - value
      this.high -= 1
    }
  }

  toBigInt(): bigint {
    return BigInt(this.high) * BigInt(modulus) + BigInt(this.low)
  }
}
