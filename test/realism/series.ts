import { type Numbers, valueAt } from '../../src/metrics/realism/moments.ts'
import { hourOfDay, isWeekend } from '../../src/numeric/time-text.ts'

/* Returns to days, and the times of day. */

/** Of each day, the sum of the squared returns of its parts (`perDay` of them). */
export function realizedVariances(returns: Numbers, perDay: number): Float64Array {
  const days = Math.floor(returns.length / perDay)
  const sums = new Float64Array(days)
  for (let i = 0; i < days * perDay; i += 1) {
    const day = Math.floor(i / perDay)
    sums[day] = valueAt(sums, day) + valueAt(returns, i) * valueAt(returns, i)
  }
  return sums
}

/** Sums of `span` neighbours. */
export function aggregated(returns: Numbers, span: number): Float64Array {
  const sums = new Float64Array(Math.floor(returns.length / span))
  for (let i = 0; i < sums.length * span; i += 1) {
    const place = Math.floor(i / span)
    sums[place] = valueAt(sums, place) + valueAt(returns, i)
  }
  return sums
}

export interface SeasonFigures {
  /** The busiest UTC hour's mean absolute return over the quietest one's. */
  readonly peakOverTrough: number
  readonly peakHour: number
  /** Weekend over weekday. */
  readonly weekend: number
}

/** The season of absolute returns, of which the first begins at `startMillis` and lasts `spanMillis`. */
export function seasonOf(returns: Numbers, startMillis: number, spanMillis: number): SeasonFigures {
  const sums = new Float64Array(24)
  const counts = new Float64Array(24)
  const ofWeek = new Float64Array(2)
  const ofWeekCounts = new Float64Array(2)
  for (let i = 0; i < returns.length; i += 1) {
    const atMillis = startMillis + i * spanMillis
    const size = Math.abs(valueAt(returns, i))
    const hour = hourOfDay(atMillis)
    sums[hour] = valueAt(sums, hour) + size
    counts[hour] = valueAt(counts, hour) + 1
    const part = isWeekend(atMillis) ? 1 : 0
    ofWeek[part] = valueAt(ofWeek, part) + size
    ofWeekCounts[part] = valueAt(ofWeekCounts, part) + 1
  }
  const means = sums.map((sum, hour) => sum / valueAt(counts, hour))
  const peak = Math.max(...means)
  const weekdayMean = valueAt(ofWeek, 0) / valueAt(ofWeekCounts, 0)
  return {
    peakOverTrough: peak / Math.min(...means),
    peakHour: means.indexOf(peak),
    weekend: valueAt(ofWeek, 1) / valueAt(ofWeekCounts, 1) / weekdayMean,
  }
}

/**
 * The median number of steps until the sum of the returns is first beyond `up`, from every `stride`-th start, and
 * until it is first below `down`; starts from which that never happens count as the longest.
 */
export function firstPassages(
  returns: Numbers,
  up: number,
  down: number,
  stride: number,
): { readonly up: number; readonly down: number } {
  const ups: number[] = []
  const downs: number[] = []
  for (let start = 0; start < returns.length; start += stride) {
    let sum = 0
    let upAt = Number.POSITIVE_INFINITY
    let downAt = Number.POSITIVE_INFINITY
    for (let i = start; i < returns.length; i += 1) {
      sum += valueAt(returns, i)
      if (sum >= up && upAt === Number.POSITIVE_INFINITY) upAt = i - start + 1
      if (sum <= down && downAt === Number.POSITIVE_INFINITY) downAt = i - start + 1
      if (upAt < Number.POSITIVE_INFINITY && downAt < Number.POSITIVE_INFINITY) break
    }
    ups.push(upAt)
    downs.push(downAt)
  }
  return { up: middle(ups), down: middle(downs) }
}

function middle(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  return valueAt(sorted, sorted.length >> 1)
}
