import { bisectPlaces, Float64Deque } from '../../numeric/columns.ts'
import type { Hash128, HashSum } from '../../numeric/hash.ts'
import { millisPerDay, millisPerMinute } from '../../numeric/time-text.ts'
import { BlockSums, type TimeSeries } from './block-sums.ts'

const exactMillis = millisPerDay
const keptMillis = 30 * millisPerDay
const recentBlockMillis = 60_000

export interface MarkHistorySnapshot {
  readonly minuteMillis: Float64Array
  readonly minuteTicks: Float64Array
  readonly recentMillis: Float64Array
  readonly recentTicks: Float64Array
}

/**
 * The mark prices of one asset: every change in the last 24 hours, and for 30 days the last change of each minute (m
 * 60 s, (m + 1) * 60 s], both counted back from the newest change.
 *
 * Invariants: instants ascend, and all of `minutes` lie before those of `recent`. Only `record` drops changes, so the
 * content is a function of what was recorded, whatever was read.
 */
export class MarkHistory {
  private readonly minutes = new MarkSeries(millisPerDay)
  private readonly recent = new MarkSeries(recentBlockMillis)

  /**
   * Records that the mark is `ticks` from `atMillis` on. The last call for an instant counts; instants never go back.
   */
  record(atMillis: number, ticks: number): void {
    const { recent, minutes } = this
    recent.put(atMillis, ticks)
    const exactFrom = atMillis - exactMillis
    while (recent.beginsBy(exactFrom)) {
      recent.moveFirstTo(minutes)
      minutes.dropBefore(atMillis - keptMillis)
    }
  }

  /**
   * Returns the mark at an instant, in ticks; before the first change that is kept, that one. 0 when nothing was
   * recorded.
   */
  at(millis: number): number {
    const { recent, minutes } = this
    const isOlder = minutes.count > 0 && !recent.beginsBy(millis)
    return (isOlder ? minutes : recent).ticksAt(millis)
  }

  snapshot(): MarkHistorySnapshot {
    const { minutes, recent } = this
    return {
      minuteMillis: minutes.instants.toArray(),
      minuteTicks: minutes.ticks.toArray(),
      recentMillis: recent.instants.toArray(),
      recentTicks: recent.ticks.toArray(),
    }
  }

  load(from: MarkHistorySnapshot): void {
    this.minutes.load(from.minuteMillis, from.minuteTicks)
    this.recent.load(from.recentMillis, from.recentTicks)
  }

  /**
   * Returns, for each of the two series, the number of changes and the sum of their hashes: in blocks of a day, and
   * of a minute.
   */
  summary() {
    const { minutes, recent } = this
    return {
      minutes: [minutes.count, ...minutes.sum().words()],
      recent: [recent.count, ...recent.sum().words()],
    }
  }
}

/** Changes of a price by ascending instant: appended at the end, dropped at the front. */
class MarkSeries implements TimeSeries {
  readonly instants = new Float64Deque()
  readonly ticks = new Float64Deque()
  private readonly sums: BlockSums

  constructor(blockMillis: number) {
    this.sums = new BlockSums(blockMillis)
  }

  get gone(): number {
    return this.instants.first
  }

  get count(): number {
    return this.instants.count
  }

  /** Returns whether the first change of a series that has some is not after an instant. */
  beginsBy(millis: number): boolean {
    return this.instants.at(this.instants.first) <= millis
  }

  /** Appends a change. The last call for an instant counts; instants never go back. */
  put(atMillis: number, ticks: number): void {
    const { instants } = this
    if (instants.count > 0 && instants.at(instants.end - 1) === atMillis) this.dropLast()
    this.append(atMillis, ticks)
  }

  /** Moves the first change to a series of minutes, where it replaces an earlier one of the same minute. */
  moveFirstTo(minutes: MarkSeries): void {
    const { instants, ticks } = this
    const atMillis = instants.at(instants.first)
    const { instants: others } = minutes
    if (others.count > 0 && toMinute(others.at(others.end - 1)) === toMinute(atMillis)) minutes.dropLast()
    minutes.append(atMillis, ticks.at(ticks.first))
    this.dropFirst()
  }

  /** Drops what is before a horizon, except the last change at or before it, which is the price there. */
  dropBefore(horizonMillis: number): void {
    const { instants } = this
    while (instants.count > 1 && instants.at(instants.first + 1) <= horizonMillis) this.dropFirst()
  }

  /** Returns the price by the last change at or before an instant, else by the first; 0 where there is none. */
  ticksAt(millis: number): number {
    if (this.count === 0) return 0
    const next = bisectPlaces(this.count, (place) => this.millisAt(place) > millis)
    return this.ticks.at(this.ticks.first + Math.max(0, next - 1))
  }

  millisAt(place: number): number {
    return this.instants.at(this.instants.first + place)
  }

  addTo(hash: Hash128, place: number): void {
    hash.addInteger(this.millisAt(place))
    hash.addInteger(this.ticks.at(this.ticks.first + place))
  }

  /** Returns a digest of all changes; costs what has changed since the last call. */
  sum(): HashSum {
    return this.sums.sum(this)
  }

  load(instants: Float64Array, ticks: Float64Array): void {
    this.instants.load(instants)
    this.ticks.load(ticks)
    this.sums.clear()
  }

  private append(atMillis: number, ticks: number): void {
    this.instants.push(atMillis)
    this.ticks.push(ticks)
  }

  private dropFirst(): void {
    this.instants.dropFirst()
    this.ticks.dropFirst()
  }

  private dropLast(): void {
    this.instants.dropLast()
    this.ticks.dropLast()
  }
}

/**
 * Returns the number of the minute that ends at or next after an instant: its last change is then the price at its
 * end.
 */
function toMinute(atMillis: number): number {
  return Math.ceil(atMillis / millisPerMinute)
}
