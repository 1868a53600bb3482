import { log } from '../../numeric/portable-math.ts'
import type { Numbers } from './moments.ts'
import { absolutes, quantile, valueAt } from './moments.ts'

/** Hill's estimate of the tail index from the greatest `share` of the values, which are above 0 there. */
export function tailIndex(values: Numbers, share: number): number {
  const sorted = Float64Array.from(values).sort()
  const count = Math.floor(sorted.length * share)
  const threshold = valueAt(sorted, sorted.length - 1 - count)
  if (count < 10 || !(threshold > 0)) return Number.NaN
  let sum = 0
  for (let i = sorted.length - count; i < sorted.length; i += 1) sum += log(valueAt(sorted, i) / threshold)
  return count / sum
}

/** The chance that the right one is among its lowest `share` when the left one is among its own. */
export function lowerTailDependence(left: Numbers, right: Numbers, share: number): number {
  const leftEdge = quantile(left, share)
  const rightEdge = quantile(right, share)
  let both = 0
  let one = 0
  for (let i = 0; i < left.length; i += 1) {
    if (valueAt(left, i) > leftEdge) continue
    one += 1
    if (valueAt(right, i) <= rightEdge) both += 1
  }
  return both / one
}

export interface Jumps {
  /** Minutes per day whose return exceeds this many local deviations. */
  readonly perDay: number
  /** Variance over mean of the days' counts: 1 for a Poisson process, more where they cluster. */
  readonly dispersion: number
}

/**
 * Returns of minutes that stand out from their surroundings: beyond `threshold` local deviations, which are estimated
 * from the mean absolute return of the two hours before and after, as for a normal distribution.
 */
export function countJumps(minuteReturns: Numbers, threshold: number): Jumps {
  const sizes = absolutes(minuteReturns)
  const days = Math.floor(sizes.length / 1440)
  const counts = new Float64Array(days)
  let sum = 0
  for (let i = 0; i < 2 * reach; i += 1) sum += valueAt(sizes, i)
  for (let i = reach; i < days * 1440 - reach; i += 1) {
    sum += valueAt(sizes, i + reach)
    const own = valueAt(sizes, i)
    const local = ((sum - own) / (2 * reach)) * normalRatio
    if (own > threshold * local && own > 0)
      counts[Math.floor(i / 1440)] = valueAt(counts, Math.floor(i / 1440)) + 1
    sum -= valueAt(sizes, i - reach)
  }
  let total = 0
  let squares = 0
  for (const count of counts) {
    total += count
    squares += count * count
  }
  const perDay = total / days
  return { perDay, dispersion: (squares / days - perDay * perDay) / perDay }
}

const reach = 120
/** A normal law's deviation over its mean absolute value: sqrt(pi / 2). */
const normalRatio = 1.2533141373155001
