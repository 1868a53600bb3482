import { element, Float64Column } from '../../numeric/columns.ts'
import { powerOfTen } from '../../numeric/decimal.ts'
import type { Hash128 } from '../../numeric/hash.ts'
import { millisPerDay } from '../../numeric/time-text.ts'
import { divideBigHalfEven } from '../../numeric/wide.ts'
import type { Asset } from '../tables/asset-table.ts'
import { cashScale } from '../tables/asset-table.ts'
import type { TimeSeries } from './block-sums.ts'
import { BlockSums } from './block-sums.ts'
import type { MinuteHistory } from './minute-history.ts'

/** Figures of the rolling window (t - 24h, t]; prices in ticks. */
export interface RollingFigures {
  /** Last price at or before t - 24h, which may be of the history before the start. */
  readonly openTicks: number
  /** 0: no trade in the window. */
  readonly highTicks: number
  /** 0: no trade in the window. */
  readonly lowTicks: number
  /** Last print since the start, however old; 0: none yet. */
  readonly lastTicks: number
  /** Exact below 2^53, beyond it the nearest double. */
  readonly volumeSteps: number
  /** USD atoms; exact below 2^53, beyond it the nearest double. */
  readonly volumeAtoms: number
  readonly trades: number
  /** 10^-8 USD per unit, half-even, within [low, high]; null without volume. */
  readonly vwapE8: number | null
}

export type RollingStatisticsSnapshot = PrintWindowSnapshot

/*
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

  record(atMillis: number, priceTicks: number, quantitySteps: number, notionalAtoms: number): void {
    this.window.record(atMillis, priceTicks, quantitySteps, notionalAtoms)
  }

  /** Figures of the window that ends now. The first read makes the history, if it was not prepared. */
  read(nowMillis: number): RollingFigures {
    const { window } = this
    window.evict(nowMillis)
    const past = this.history.figures(nowMillis)
    const highTicks = Math.max(window.highTicks(), past.highTicks)
    const lowTicks = lowerOf(window.lowTicks(), past.lowTicks)
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

  /** Makes a part of the history ahead of the first read. True when nothing is left to make. */
  prepare(): boolean {
    return this.history.prepare()
  }

  snapshot(nowMillis: number): RollingStatisticsSnapshot {
    return this.window.snapshot(nowMillis)
  }

  load(snapshot: RollingStatisticsSnapshot): void {
    this.window.load(snapshot)
  }

  summary(nowMillis: number): PrintWindowSummary {
    return this.window.summary(nowMillis)
  }

  /** The value of each print is rounded to the atom, so the quotient may lie beyond the extremes and is clamped. */
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

function lowerOf(left: number, right: number): number {
  if (left === 0) return right
  return right === 0 ? left : Math.min(left, right)
}

/** The window's buckets, oldest first, each as instant, high, low, last, steps, atoms and number of trades. */
interface PrintWindowSnapshot {
  /** Price of the last print that has left the window; 0: none has. */
  readonly evictedTicks: number
  readonly buckets: Float64Array
}

interface PrintWindowSummary {
  readonly evictedTicks: number
  /** Their number and the sum of their hashes in blocks of ten seconds. */
  readonly buckets: readonly number[]
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
const firstCapacity = 64
const blockMillis = 10_000

/*
 * The prints of one asset in the rolling window (t - 24h, t].
 *
 * Prints of one instant share a bucket: they leave the window together, so nothing is lost. Buckets lie in a ring that
 * grows with the prints of a day. Two monotone queues of bucket numbers give the extremes, and running sums the
 * volumes; the newest bucket enters them only when the next one opens, so a print in the same millisecond changes
 * just the bucket.
 * Invariants: instants ascend; `highs` holds the buckets whose high no later one reaches, `lows` those whose low no
 * later one reaches. A bucket whose volume would pass 2^53 is followed by another of the same instant; the sums are
 * wide.
 */
class PrintWindow implements TimeSeries {
  /** Price of the last print that has left the window; 0: none has. */
  evictedTicks = 0
  private rows = new Float64Column(firstCapacity * width)
  private capacity = firstCapacity
  /** How many buckets have left the window, which is the number of the oldest one. */
  gone = 0
  count = 0
  private head = 0
  /** Where the newest bucket begins in `rows`, and its instant; -1 when the window is empty. */
  private newest = -1
  private newestMillis = -1
  private readonly highs = new Float64Deque()
  private readonly lows = new Float64Deque()
  private readonly closedSteps = new WideSum()
  private readonly closedAtoms = new WideSum()
  private closedTrades = 0
  private readonly sums = new BlockSums(blockMillis)

  /** One print; instants never go back. */
  record(atMillis: number, priceTicks: number, quantitySteps: number, notionalAtoms: number): void {
    if (atMillis === this.newestMillis) {
      const { rows, newest } = this
      const stepsSum = rows.get(newest + steps) + quantitySteps
      const atomsSum = rows.get(newest + atoms) + notionalAtoms
      if (stepsSum <= largest && atomsSum <= largest) {
        rows.set(newest + steps, stepsSum)
        rows.set(newest + atoms, atomsSum)
        rows.add(newest + trades, 1)
        rows.set(newest + last, priceTicks)
        if (priceTicks > rows.get(newest + high)) rows.set(newest + high, priceTicks)
        else if (priceTicks < rows.get(newest + low)) rows.set(newest + low, priceTicks)
        return
      }
    }
    this.evict(atMillis)
    this.closeNewest()
    this.append(atMillis)
    const { rows, newest } = this
    rows.set(newest + high, priceTicks)
    rows.set(newest + low, priceTicks)
    rows.set(newest + last, priceTicks)
    rows.set(newest + steps, quantitySteps)
    rows.set(newest + atoms, notionalAtoms)
    rows.set(newest + trades, 1)
  }

  evict(nowMillis: number): void {
    const horizon = nowMillis - millisPerDay
    if (this.newestMillis >= 0 && this.newestMillis <= horizon) {
      this.closeNewest()
      this.newest = -1
      this.newestMillis = -1
    }
    while (this.count > 0 && this.rows.get(this.head * width + instant) <= horizon) this.dropOldest()
  }

  /** Price of the last print, in the window or not; 0 before the first. */
  lastTicks(): number {
    return this.newest < 0 ? this.evictedTicks : this.rows.get(this.newest + last)
  }

  /** Highest price of the window; 0 when it is empty. */
  highTicks(): number {
    const newest = this.newest < 0 ? 0 : this.rows.get(this.newest + high)
    return this.highs.count === 0
      ? newest
      : Math.max(newest, this.field(this.highs.at(this.highs.first), high))
  }

  /** Lowest price of the window; 0 when it is empty. */
  lowTicks(): number {
    if (this.newest < 0) return 0
    const newest = this.rows.get(this.newest + low)
    return this.lows.count === 0 ? newest : Math.min(newest, this.field(this.lows.at(this.lows.first), low))
  }

  totalSteps(): bigint {
    return this.closedSteps.toBigInt() + BigInt(this.newest < 0 ? 0 : this.rows.get(this.newest + steps))
  }

  totalAtoms(): bigint {
    return this.closedAtoms.toBigInt() + BigInt(this.newest < 0 ? 0 : this.rows.get(this.newest + atoms))
  }

  totalTrades(): number {
    return this.closedTrades + (this.newest < 0 ? 0 : this.rows.get(this.newest + trades))
  }

  /** The window as of now: the same for the same prints, whatever was read in between. */
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
    this.sums.forget()
    this.evictedTicks = from.evictedTicks
    for (let start = 0; start < from.buckets.length; start += width) {
      this.closeNewest()
      this.append(element(from.buckets, start))
      for (let part = 1; part < width; part += 1)
        this.rows.set(this.newest + part, element(from.buckets, start + part))
    }
  }

  /** A digest of the window as of now; costs what has changed since the last call. */
  summary(nowMillis: number): PrintWindowSummary {
    this.evict(nowMillis)
    return { evictedTicks: this.evictedTicks, buckets: [this.count, ...this.sums.sumOf(this).words()] }
  }

  millisAt(place: number): number {
    return this.field(this.gone + place, instant)
  }

  addTo(hash: Hash128, place: number): void {
    for (let part = 0; part < width; part += 1) hash.addInteger(this.field(this.gone + place, part))
  }

  private append(atMillis: number): void {
    if (this.count === this.capacity) this.grow()
    this.newest = ((this.head + this.count) & (this.capacity - 1)) * width
    this.count += 1
    this.newestMillis = atMillis
    this.rows.set(this.newest + instant, atMillis)
  }

  /** Adds the newest bucket, if there is one, to sums and queues. */
  private closeNewest(): void {
    if (this.newest < 0) return
    const { rows, newest, highs, lows } = this
    const bucket = this.gone + this.count - 1
    const highest = rows.get(newest + high)
    while (highs.count > 0 && this.field(highs.at(highs.end - 1), high) <= highest) highs.dropLast()
    highs.push(bucket)
    const lowest = rows.get(newest + low)
    while (lows.count > 0 && this.field(lows.at(lows.end - 1), low) >= lowest) lows.dropLast()
    lows.push(bucket)
    this.closedSteps.add(rows.get(newest + steps))
    this.closedAtoms.add(rows.get(newest + atoms))
    this.closedTrades += rows.get(newest + trades)
  }

  private dropOldest(): void {
    const { rows, highs, lows } = this
    const oldest = this.head * width
    this.evictedTicks = rows.get(oldest + last)
    this.closedSteps.subtract(rows.get(oldest + steps))
    this.closedAtoms.subtract(rows.get(oldest + atoms))
    this.closedTrades -= rows.get(oldest + trades)
    if (highs.at(highs.first) === this.gone) highs.dropFirst()
    if (lows.at(lows.first) === this.gone) lows.dropFirst()
    this.head = (this.head + 1) & (this.capacity - 1)
    this.gone += 1
    this.count -= 1
  }

  private field(bucket: number, part: number): number {
    return this.rows.get(((this.head + (bucket - this.gone)) & (this.capacity - 1)) * width + part)
  }

  private grow(): void {
    const rows = new Float64Column(2 * this.capacity * width)
    for (let place = 0; place < this.count; place += 1) {
      for (let part = 0; part < width; part += 1)
        rows.set(place * width + part, this.field(this.gone + place, part))
    }
    this.rows = rows
    this.capacity *= 2
    this.head = 0
  }
}

const firstDequeCapacity = 64

/**
 * Doubles in a growing ring: appended at the end, removed at both ends. A value keeps its number, which counts all
 * values before it, for as long as it is there. The capacity cannot be observed.
 */
export class Float64Deque {
  first = 0
  /** One more than the number of the newest value. */
  end = 0
  private values = new Float64Array(firstDequeCapacity)
  private head = 0

  get count(): number {
    return this.end - this.first
  }

  /** The value with a number from `first` to `end - 1`. */
  at(number: number): number {
    return element(this.values, (this.head + (number - this.first)) & (this.values.length - 1))
  }

  push(value: number): void {
    const count = this.end - this.first
    if (count === this.values.length) this.grow()
    this.values[(this.head + count) & (this.values.length - 1)] = value
    this.end += 1
  }

  dropFirst(): void {
    this.head = (this.head + 1) & (this.values.length - 1)
    this.first += 1
  }

  dropLast(): void {
    this.end -= 1
  }

  private grow(): void {
    const grown = new Float64Array(this.values.length * 2)
    grown.set(this.values.subarray(this.head))
    grown.set(this.values.subarray(0, this.head), this.values.length - this.head)
    this.values = grown
    this.head = 0
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
