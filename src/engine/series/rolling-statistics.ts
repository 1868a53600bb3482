import { element, Float64Deque } from '../../numeric/columns.ts'
import type { Hash128 } from '../../numeric/hash.ts'
import { millisPerDay } from '../../numeric/time-text.ts'
import { divideBigHalfEven, powerOfTen } from '../../numeric/units.ts'
import { type Asset, cashScale } from '../tables/asset-table.ts'
import { BlockSums, type TimeSeries } from './block-sums.ts'
import type { MinuteHistory } from './minute-history.ts'
import { atoms, bucketWidth, high, instant, last, low, PrintRows, steps, trades } from './print-buckets.ts'

/** Figures of the rolling window (t - 24h, t]; prices in ticks. */
export interface RollingFigures {
  /** The last price at or before t - 24h, which may be of the history before the start. */
  readonly openTicks: number
  /** The highest price of the window's trades; 0 if it has none. */
  readonly highTicks: number
  /** The lowest price of the window's trades; 0 if it has none. */
  readonly lowTicks: number
  /** The last price since the start, however old; 0 if there has been no trade. */
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
  /** The price of the last print that has left the window; 0 while none has. */
  readonly evictedTicks: number
  readonly buckets: Float64Array
}

const largest = Number.MAX_SAFE_INTEGER
const blockMillis = 10_000

/**
 * The prints of one asset in the rolling window (t - 24h, t].
 *
 * Prints of one instant share a bucket: they leave the window together, so nothing is lost. Two monotone queues of bucket
 * numbers give the extremes, and running sums the volumes; the newest bucket enters them only when the next one
 * opens, so a print in the same millisecond changes just the bucket. Invariant: instants ascend. A bucket whose volume
 * would pass 2^53 is followed by another of the same instant; the sums are wide.
 */
class PrintWindow implements TimeSeries {
  /** The price of the last print that has left the window; 0 while none has. */
  evictedTicks = 0
  private readonly buckets = new PrintRows()
  /** The instant of the newest bucket; -1 when the window is empty. */
  private newestMillis = -1
  private readonly highs = new Extremes(1)
  private readonly lows = new Extremes(-1)
  private readonly closedSteps = new WideSum()
  private readonly closedAtoms = new WideSum()
  private closedTrades = 0
  private readonly sums = new BlockSums(blockMillis)

  get gone(): number {
    return this.buckets.gone
  }

  get count(): number {
    return this.buckets.count
  }

  /** Records one print; instants never go back. */
  record(atMillis: number, priceTicks: number, quantitySteps: number, notionalAtoms: number): void {
    if (atMillis === this.newestMillis) {
      const { rows, newest } = this.buckets
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
    const { rows, newest } = this.buckets
    rows[newest + high] = priceTicks
    rows[newest + low] = priceTicks
    rows[newest + last] = priceTicks
    rows[newest + steps] = quantitySteps
    rows[newest + atoms] = notionalAtoms
    rows[newest + trades] = 1
  }

  /** Records one print that will have left the window when it is next read, as will all before it. */
  passPrint(atMillis: number, priceTicks: number): void {
    if (this.buckets.count > 0) this.evict(atMillis + millisPerDay)
    this.evictedTicks = priceTicks
  }

  evict(nowMillis: number): void {
    const { buckets } = this
    const horizon = nowMillis - millisPerDay
    if (this.newestMillis >= 0 && this.newestMillis <= horizon) {
      this.closeNewest()
      buckets.close()
      this.newestMillis = -1
    }
    while (buckets.count > 0 && buckets.oldestField(instant) <= horizon) this.dropOldest()
  }

  /** Returns price of the last print, in the window or not; 0 before the first. */
  lastTicks(): number {
    return this.buckets.newest < 0 ? this.evictedTicks : this.buckets.newestField(last)
  }

  highTicks(): number {
    return Math.max(this.buckets.newestField(high), this.highs.first())
  }

  lowTicks(): number {
    const newest = this.buckets.newestField(low)
    return newest === 0 || this.lows.isEmpty ? newest : Math.min(newest, this.lows.first())
  }

  totalSteps(): bigint {
    return this.closedSteps.toBigInt() + BigInt(this.buckets.newestField(steps))
  }

  totalAtoms(): bigint {
    return this.closedAtoms.toBigInt() + BigInt(this.buckets.newestField(atoms))
  }

  totalTrades(): number {
    return this.closedTrades + this.buckets.newestField(trades)
  }

  /** Returns the window as of now: the same for the same prints, whatever was read in between. */
  snapshot(nowMillis: number): PrintWindowSnapshot {
    this.evict(nowMillis)
    return { evictedTicks: this.evictedTicks, buckets: this.buckets.toArray() }
  }

  load(from: PrintWindowSnapshot): void {
    this.evict(Number.POSITIVE_INFINITY)
    this.sums.clear()
    this.evictedTicks = from.evictedTicks
    for (let start = 0; start < from.buckets.length; start += bucketWidth) {
      this.closeNewest()
      this.append(element(from.buckets, start))
      const { rows, newest } = this.buckets
      rows.set(from.buckets.subarray(start, start + bucketWidth), newest)
    }
  }

  /** Returns a digest of the window as of now; costs what has changed since the last call. */
  summary(nowMillis: number) {
    this.evict(nowMillis)
    return { evictedTicks: this.evictedTicks, buckets: [this.count, ...this.sums.sum(this).words()] }
  }

  millisAt(place: number): number {
    return this.buckets.field(place, instant)
  }

  addTo(hash: Hash128, place: number): void {
    for (let part = 0; part < bucketWidth; part += 1) hash.addInteger(this.buckets.field(place, part))
  }

  private append(atMillis: number): void {
    this.buckets.append(atMillis)
    this.newestMillis = atMillis
  }

  private closeNewest(): void {
    const { buckets } = this
    if (buckets.newest < 0) return
    const bucket = buckets.gone + buckets.count - 1
    this.highs.add(bucket, buckets.newestField(high))
    this.lows.add(bucket, buckets.newestField(low))
    this.closedSteps.add(buckets.newestField(steps))
    this.closedAtoms.add(buckets.newestField(atoms))
    this.closedTrades += buckets.newestField(trades)
  }

  private dropOldest(): void {
    const { buckets } = this
    this.evictedTicks = buckets.oldestField(last)
    this.closedSteps.subtract(buckets.oldestField(steps))
    this.closedAtoms.subtract(buckets.oldestField(atoms))
    this.closedTrades -= buckets.oldestField(trades)
    this.highs.drop(buckets.gone)
    this.lows.drop(buckets.gone)
    buckets.dropOldest()
  }
}

/**
 * The extreme value of the buckets that are there, by their numbers. Invariant: it holds the buckets whose value no later
 * one reaches, so that the first is the extreme.
 */
class Extremes {
  /** 1 for the highest value, -1 for the lowest. */
  private readonly direction: 1 | -1
  private readonly numbers = new Float64Deque()
  private readonly values = new Float64Deque()

  constructor(direction: 1 | -1) {
    this.direction = direction
  }

  get isEmpty(): boolean {
    return this.numbers.count === 0
  }

  add(bucket: number, value: number): void {
    const { direction, numbers, values } = this
    while (values.count > 0 && direction * (values.at(values.end - 1) - value) <= 0) {
      numbers.dropLast()
      values.dropLast()
    }
    numbers.push(bucket)
    values.push(value)
  }

  /** Drops a bucket, which is the oldest one that there is. */
  drop(bucket: number): void {
    const { numbers, values } = this
    if (numbers.at(numbers.first) !== bucket) return
    numbers.dropFirst()
    values.dropFirst()
  }

  /** Returns the extreme value; 0 when there is no bucket. */
  first(): number {
    const { values } = this
    return values.count === 0 ? 0 : values.at(values.first)
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
