import { element } from '../../numeric/columns.ts'
import type { Hash128 } from '../../numeric/hash.ts'
import type { HashSum } from '../../numeric/hash-sum.ts'
import { millisPerDay, millisPerMinute } from '../../numeric/time-text.ts'
import type { TimeSeries } from './block-sums.ts'
import { BlockSums } from './block-sums.ts'

const exactMillis = millisPerDay
const keptMillis = 30 * millisPerDay
const recentBlockMillis = 60_000

export interface MarkHistorySnapshot {
  readonly minuteMillis: Float64Array
  readonly minuteTicks: Float64Array
  readonly recentMillis: Float64Array
  readonly recentTicks: Float64Array
}

/** Of each series the number of changes and the sum of their hashes: in blocks of a day, and of a minute. */
export interface MarkHistorySummary {
  readonly minutes: readonly number[]
  readonly recent: readonly number[]
}

/*
 * The mark prices of one asset: every change in the last 24 hours, and for 30 days the last change of each minute
 * (m * 60 s, (m + 1) * 60 s], both counted back from the newest change.
 *
 * Invariants: instants ascend, and all of `minutes` lie before those of `recent`. Only `record` thins, so the content
 * is a function of what was recorded, whatever was read.
 */
export class MarkHistory {
  private readonly minutes = new MarkSeries(millisPerDay)
  private readonly recent = new MarkSeries(recentBlockMillis)

  /** The mark is `ticks` from `atMillis` on. The last call for an instant counts; instants never go back. */
  record(atMillis: number, ticks: number): void {
    const { recent, minutes } = this
    recent.put(atMillis, ticks)
    const exactFrom = atMillis - exactMillis
    while (recent.firstMillis <= exactFrom) {
      minutes.putInMinute(recent.firstMillis, recent.firstTicks)
      recent.dropFirst()
      minutes.dropBefore(atMillis - keptMillis)
    }
  }

  /** The mark at an instant, in ticks; before the first change that is kept, that one. 0 when nothing was recorded. */
  at(millis: number): number {
    const { recent, minutes } = this
    const isOlder = minutes.count > 0 && millis < recent.firstMillis
    return (isOlder ? minutes : recent).ticksAt(millis)
  }

  snapshot(): MarkHistorySnapshot {
    const minutes = this.minutes.toArrays()
    const recent = this.recent.toArrays()
    return {
      minuteMillis: minutes.instants,
      minuteTicks: minutes.ticks,
      recentMillis: recent.instants,
      recentTicks: recent.ticks,
    }
  }

  load(from: MarkHistorySnapshot): void {
    this.minutes.load(from.minuteMillis, from.minuteTicks)
    this.recent.load(from.recentMillis, from.recentTicks)
  }

  summary(): MarkHistorySummary {
    const { minutes, recent } = this
    return {
      minutes: [minutes.count, ...minutes.sum().words()],
      recent: [recent.count, ...recent.sum().words()],
    }
  }
}

const firstCapacity = 64

/*
 * Changes of a price by ascending instant, in a growing ring: appended at the end, dropped at the front. A market
 * adds one at nearly every step of its grid. The capacity cannot be observed.
 */
class MarkSeries implements TimeSeries {
  gone = 0
  count = 0
  private instants = new Float64Array(firstCapacity)
  private ticks = new Float64Array(firstCapacity)
  private head = 0
  private readonly sums: BlockSums

  /** The digest is made in blocks of this many milliseconds. */
  constructor(blockMillis: number) {
    this.sums = new BlockSums(blockMillis)
  }

  get firstMillis(): number {
    return element(this.instants, this.head)
  }

  get firstTicks(): number {
    return element(this.ticks, this.head)
  }

  /** The last call for an instant counts; instants never go back. */
  put(atMillis: number, ticks: number): void {
    if (this.count > 0) {
      const last = this.placeOf(this.count - 1)
      if (this.instants[last] === atMillis) {
        this.ticks[last] = ticks
        return
      }
    }
    this.append(atMillis, ticks)
  }

  /** As `put`, but replaces an earlier change of the same minute. */
  putInMinute(atMillis: number, ticks: number): void {
    if (this.count > 0) {
      const last = this.placeOf(this.count - 1)
      if (minuteOf(element(this.instants, last)) === minuteOf(atMillis)) {
        this.instants[last] = atMillis
        this.ticks[last] = ticks
        return
      }
    }
    this.append(atMillis, ticks)
  }

  dropFirst(): void {
    this.head = this.placeOf(1)
    this.gone += 1
    this.count -= 1
  }

  /** Drops what is before a horizon, except the last change at or before it, which is the price there. */
  dropBefore(horizonMillis: number): void {
    while (this.count > 1 && element(this.instants, this.placeOf(1)) <= horizonMillis) this.dropFirst()
  }

  /** The price by the last change at or before an instant, else by the first; 0 where there is none. */
  ticksAt(millis: number): number {
    if (this.count === 0) return 0
    let low = 0
    let high = this.count - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (element(this.instants, this.placeOf(middle)) <= millis) low = middle
      else high = middle - 1
    }
    return element(this.ticks, this.placeOf(low))
  }

  millisAt(place: number): number {
    return element(this.instants, this.placeOf(place))
  }

  addTo(hash: Hash128, place: number): void {
    const at = this.placeOf(place)
    hash.addInteger(element(this.instants, at))
    hash.addInteger(element(this.ticks, at))
  }

  /** A digest of all changes; costs what has changed since the last call. */
  sum(): HashSum {
    return this.sums.sumOf(this)
  }

  /** Copies of the instants and the prices, oldest first. */
  toArrays(): { readonly instants: Float64Array; readonly ticks: Float64Array } {
    return { instants: this.ordered(this.instants, this.count), ticks: this.ordered(this.ticks, this.count) }
  }

  load(instants: Float64Array, ticks: Float64Array): void {
    let capacity = firstCapacity
    while (capacity < instants.length) capacity *= 2
    this.instants = new Float64Array(capacity)
    this.ticks = new Float64Array(capacity)
    this.instants.set(instants)
    this.ticks.set(ticks)
    this.head = 0
    this.count = instants.length
    this.sums.forget()
  }

  private append(atMillis: number, ticks: number): void {
    if (this.count === this.instants.length) this.grow()
    const place = this.placeOf(this.count)
    this.instants[place] = atMillis
    this.ticks[place] = ticks
    this.count += 1
  }

  private placeOf(number: number): number {
    return (this.head + number) & (this.instants.length - 1)
  }

  private grow(): void {
    const capacity = 2 * this.count
    this.instants = this.ordered(this.instants, capacity)
    this.ticks = this.ordered(this.ticks, capacity)
    this.head = 0
  }

  private ordered(ring: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
    const array = new Float64Array(length)
    const whole = Math.min(this.count, ring.length - this.head)
    array.set(ring.subarray(this.head, this.head + whole))
    array.set(ring.subarray(0, this.count - whole), whole)
    return array
  }
}

/** Number of the minute that ends at or next after an instant: its last change is then the price at its end. */
function minuteOf(atMillis: number): number {
  return Math.ceil(atMillis / millisPerMinute)
}
