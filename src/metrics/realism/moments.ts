import { log } from '../../numeric/portable-math.ts'

/* Moments and tails of plain numbers. Undefined figures are NaN: too few values, or no spread. */

export type Numbers = ArrayLike<number>

/** NaN beyond the end. */
export const valueAt = (values: Numbers, place: number): number => values[place] ?? Number.NaN

export function mean(values: Numbers): number {
  let sum = 0
  for (let i = 0; i < values.length; i += 1) sum += valueAt(values, i)
  return sum / values.length
}

/** About the mean, divided by the number of values. */
export function variance(values: Numbers): number {
  const centre = mean(values)
  let sum = 0
  for (let i = 0; i < values.length; i += 1) {
    const distance = valueAt(values, i) - centre
    sum += distance * distance
  }
  return sum / values.length
}

/** Fourth moment over the squared second, less 3: 0 for a normal law. */
export function excessKurtosis(values: Numbers): number {
  const centre = mean(values)
  let second = 0
  let fourth = 0
  for (let i = 0; i < values.length; i += 1) {
    const distance = valueAt(values, i) - centre
    const square = distance * distance
    second += square
    fourth += square * square
  }
  return (fourth * values.length) / (second * second) - 3
}

/** Pearson's correlation of the pairs. */
export function correlation(left: Numbers, right: Numbers): number {
  const count = Math.min(left.length, right.length)
  const leftMean = mean(left)
  const rightMean = mean(right)
  let leftSquare = 0
  let rightSquare = 0
  let product = 0
  for (let i = 0; i < count; i += 1) {
    const x = valueAt(left, i) - leftMean
    const y = valueAt(right, i) - rightMean
    leftSquare += x * x
    rightSquare += y * y
    product += x * y
  }
  return product / Math.sqrt(leftSquare * rightSquare)
}

export function absolutes(values: Numbers): Float64Array {
  return Float64Array.from(values, (value) => (value < 0 ? -value : value))
}

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
