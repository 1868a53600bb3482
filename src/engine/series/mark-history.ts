import { millisPerDay } from '../../numeric/time-text.ts'
import { MarkSeries } from './mark-series.ts'

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
