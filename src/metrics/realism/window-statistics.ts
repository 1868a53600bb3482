import { exp, log } from '../../numeric/portable-math.ts'
import { excessKurtosis, mean, type Numbers, toAbsolute, valueAt, variance } from './moments.ts'

/* Statistics of short windows of returns, in forms that stay near each other whatever the window holds. */

/** Computes the sums of `span` neighbours that do not overlap. What is left at the end is dropped. */
export function sumNeighbours(values: Numbers, span: number): Float64Array {
  const sums = new Float64Array(Math.floor(values.length / span))
  for (let place = 0; place < sums.length; place += 1) {
    let sum = 0
    for (let i = place * span; i < (place + 1) * span; i += 1) sum += valueAt(values, i)
    sums[place] = sum
  }
  return sums
}

/** Computes the variance of sums that do not overlap over that of as many independent returns. */
export function compareVariances(returns: Numbers, span: number): number {
  return variance(sumNeighbours(returns, span)) / (span * variance(returns) + tiny)
}

/** Computes the logarithm of the excess kurtosis above -1, and at least that of 0.05. */
export function computeLogKurtosis(values: Numbers): number {
  return log(Math.max(excessKurtosis(values) + 1, 0.05))
}

/** Computes the cube root of the skewness. */
export function computeRootSkewness(values: Numbers): number {
  const centre = mean(values)
  let cubes = 0
  for (let i = 0; i < values.length; i += 1) {
    const distance = valueAt(values, i) - centre
    cubes += distance * distance * distance
  }
  const deviation = Math.sqrt(variance(values)) + smallDeviation
  return takeCubeRoot(cubes / values.length / (deviation * deviation * deviation))
}

function takeCubeRoot(value: number): number {
  if (value === 0) return 0
  const root = exp(log(Math.abs(value)) / 3)
  return value < 0 ? -root : root
}

/** Computes the logarithms of the sums of `span` squared returns; a ten-thousandth of the mean keeps them finite. */
export function computeLogVariances(returns: Numbers, span: number): Float64Array {
  const squares = Float64Array.from(returns, (value) => value * value)
  const floor = mean(squares) * span * 1e-4
  return sumNeighbours(squares, span).map((sum) => log(sum + floor))
}

/** Ordered absolute returns of a window, as ratios. */
export interface SizeStatistics {
  /** The 10th percentile over the median. */
  readonly low: number
  /** The 90th percentile over the median. */
  readonly high: number
  /** The 99th percentile over the median. */
  readonly highest: number
  /** The median over the standard deviation of the returns. */
  readonly median: number
  /** The maximum over the standard deviation of the returns. */
  readonly maximum: number
}

/** Computes the ratios of sizes. A median of 0 counts as a hundred-thousandth of a basis point. */
export function computeSizeRatios(returns: Numbers): SizeStatistics {
  const sorted = toAbsolute(returns).sort()
  const at = (share: number): number => valueAt(sorted, Math.floor(share * sorted.length))
  const median = Math.max(at(0.5), 1e-9)
  const deviation = Math.sqrt(variance(returns)) + smallDeviation
  return {
    low: at(0.1) / median,
    high: at(0.9) / median,
    highest: at(0.99) / median,
    median: median / deviation,
    maximum: valueAt(sorted, sorted.length - 1) / deviation,
  }
}

/** Computes the share of the squared returns that the greatest `count` of them have. */
export function computeTopShare(returns: Numbers, count: number): number {
  const squares = Float64Array.from(returns, (value) => value * value).sort()
  let top = 0
  let all = 0
  for (let i = 0; i < squares.length; i += 1) {
    all += valueAt(squares, i)
    if (i >= squares.length - count) top += valueAt(squares, i)
  }
  return top / all
}

/** Computes the share of returns that have the sign of the one before. */
export function computeSignShare(returns: Numbers): number {
  let count = 0
  for (let i = 1; i < returns.length; i += 1)
    if (valueAt(returns, i) * valueAt(returns, i - 1) > 0) count += 1
  return count / (returns.length - 1)
}

/** Computes the root of the share of returns that are 0 among the first `count`. */
export function computeRootZeros(returns: Numbers, count: number): number {
  let zeros = 0
  for (let i = 0; i < count; i += 1) if (valueAt(returns, i) === 0) zeros += 1
  return Math.sqrt(zeros / returns.length)
}

/** Computes the mean of the values whose place is chosen; NaN if none is. */
export function meanWhere(values: Numbers, isChosen: (place: number) => boolean): number {
  let sum = 0
  let count = 0
  for (let i = 0; i < values.length; i += 1) {
    if (!isChosen(i)) continue
    sum += valueAt(values, i)
    count += 1
  }
  return sum / count
}

/** Keeps a deviation of 0 from dividing. */
const smallDeviation = 1e-12
const tiny = 1e-300
