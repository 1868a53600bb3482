import type { Hash128 } from '../numeric/hash.ts'
import { millisPerDay } from '../numeric/time-text.ts'
import { Float64Deque } from './float64-deque.ts'

const minuteMillis = 60_000
const exactMillis = millisPerDay
const keptMillis = 30 * millisPerDay

export interface MarkHistorySnapshot {
  readonly minuteMillis: Float64Array
  readonly minuteTicks: Float64Array
  readonly recentMillis: Float64Array
  readonly recentTicks: Float64Array
}

/*
 * The mark prices of one asset since the start: every change of the last 24 hours, before that the last change of
 * each minute (m * 60 s, (m + 1) * 60 s] for 30 days, both counted back from the newest change.
 *
 * Invariants: instants ascend, and those of the minutes lie before those of the recent changes. Only `record` thins,
 * so the content is a function of what was recorded, never of what was read.
 */
export class MarkHistory {
  private readonly minutes = new MarkSeries()
  private readonly recent = new MarkSeries()

  /** The mark is `ticks` from `atMillis` on; the last word of an instant counts. Instants never go back. */
  record(atMillis: number, ticks: number): void {
    const { recent, minutes } = this
    recent.put(atMillis, ticks)
    const { instants } = recent
    const exactFrom = atMillis - exactMillis
    while (instants.at(instants.first) <= exactFrom) {
      const leaving = instants.at(instants.first)
      minutes.putInMinute(leaving, recent.ticks.at(recent.ticks.first))
      recent.dropFirst()
      minutes.dropBefore(atMillis - keptMillis)
    }
  }

  /** The mark at an instant; before the first that is kept, that one. 0 when nothing was recorded. */
  at(millis: number): number {
    const { recent, minutes } = this
    if (recent.count > 0 && recent.instants.at(recent.instants.first) <= millis) return recent.ticksAt(millis)
    return minutes.count > 0 ? minutes.ticksAt(millis) : recent.ticksAt(millis)
  }

  snapshot(): MarkHistorySnapshot {
    return {
      minuteMillis: this.minutes.instants.toArray(),
      minuteTicks: this.minutes.ticks.toArray(),
      recentMillis: this.recent.instants.toArray(),
      recentTicks: this.recent.ticks.toArray(),
    }
  }

  load(from: MarkHistorySnapshot): void {
    this.minutes.instants.load(from.minuteMillis)
    this.minutes.ticks.load(from.minuteTicks)
    this.recent.instants.load(from.recentMillis)
    this.recent.ticks.load(from.recentTicks)
  }

  addToDigest(hash: Hash128): void {
    const canonical = this.snapshot()
    hash.addFloat64Array(canonical.minuteMillis)
    hash.addFloat64Array(canonical.minuteTicks)
    hash.addFloat64Array(canonical.recentMillis)
    hash.addFloat64Array(canonical.recentTicks)
  }
}

/** Changes of a price by ascending instant. */
class MarkSeries {
  readonly instants = new Float64Deque()
  readonly ticks = new Float64Deque()

  get count(): number {
    return this.instants.count
  }

  put(atMillis: number, ticks: number): void {
    if (this.count > 0 && this.instants.at(this.instants.end - 1) === atMillis) {
      this.ticks.setLast(ticks)
      return
    }
    this.instants.push(atMillis)
    this.ticks.push(ticks)
  }

  /** As `put`, in place of an earlier change of the same minute. */
  putInMinute(atMillis: number, ticks: number): void {
    if (this.count > 0 && minuteOf(this.instants.at(this.instants.end - 1)) === minuteOf(atMillis)) {
      this.instants.setLast(atMillis)
      this.ticks.setLast(ticks)
      return
    }
    this.put(atMillis, ticks)
  }

  dropFirst(): void {
    this.instants.dropFirst()
    this.ticks.dropFirst()
  }

  /** Keeps the last change at or before the horizon, which is the price there. */
  dropBefore(horizonMillis: number): void {
    while (this.count > 1 && this.instants.at(this.instants.first + 1) <= horizonMillis) this.dropFirst()
  }

  /** The last change at or before an instant, else the first. */
  ticksAt(millis: number): number {
    if (this.count === 0) return 0
    let low = this.instants.first
    let high = this.instants.end - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.instants.at(middle) <= millis) low = middle
      else high = middle - 1
    }
    return this.ticks.at(low)
  }
}

/** Number of the minute that ends at or after an instant, so that a minute's last change is the price at its end. */
function minuteOf(atMillis: number): number {
  return Math.ceil(atMillis / minuteMillis)
}
