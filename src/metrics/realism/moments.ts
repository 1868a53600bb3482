import { log } from '../../numeric/portable-math.ts'

/** A list of plain numbers. Figures of lists that have too few values or do not vary are NaN. */
export type Numbers = ArrayLike<number>

/** Returns the number at an index, NaN beyond the end. */
export const valueAt = (values: Numbers, place: number): number => values[place] ?? Number.NaN

export function mean(values: Numbers): number {
  let sum = 0
  for (let i = 0; i < values.length; i += 1) sum += valueAt(values, i)
  return sum / values.length
}

/** Computes the variance about the mean, with the number of values in the divisor. */
export function variance(values: Numbers): number {
  const centre = mean(values)
  let sum = 0
  for (let i = 0; i < values.length; i += 1) {
    const distance = valueAt(values, i) - centre
    sum += distance * distance
  }
  return sum / values.length
}

/** Computes the fourth moment over the squared second, less 3: 0 for a normal distribution. */
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

/** Computes Pearson's correlation of pairs. The longer list is cut to the length of the shorter one. */
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

export function toAbsolute(values: Numbers): Float64Array {
  return Float64Array.from(values, (value) => (value < 0 ? -value : value))
}

/** Computes Hill's estimate of the tail index from the greatest `share` of the values; NaN if they are few or not above 0. */
export function tailIndex(values: Numbers, share: number): number {
  const sorted = Float64Array.from(values).sort()
  const count = Math.floor(sorted.length * share)
  const threshold = valueAt(sorted, sorted.length - 1 - count)
  if (count < 10 || !(threshold > 0)) return Number.NaN
  let sum = 0
  for (let i = sorted.length - count; i < sorted.length; i += 1) sum += log(valueAt(sorted, i) / threshold)
  return count / sum
}

/** How many returns of minutes stand out, and how they cluster. */
export interface Jumps {
  /** The mean number of jumps per day. */
  readonly perDay: number
  /** The variance over the mean of the counts per day: 1 for a Poisson process, more if jumps cluster. */
  readonly dispersion: number
}

/**
 * Counts the returns of minutes that exceed `threshold` local standard deviations. The local deviation is estimated from the
 * mean absolute return of the two hours before and after, as for a normal distribution.
 */
export function countJumps(minuteReturns: Numbers, threshold: number): Jumps {
  const sizes = toAbsolute(minuteReturns)
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

/** The minutes before and after a return from which its local deviation is estimated. */
const reach = 120
/** The ratio of a normal distribution's standard deviation to its mean absolute value: sqrt(pi / 2). */
const normalRatio = 1.2533141373155001
