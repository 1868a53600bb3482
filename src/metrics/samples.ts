import { element } from '../numeric/columns.ts'
import { exp, log } from '../numeric/portable-math.ts'
import { selectQuantile } from '../numeric/quantile.ts'
import { createStream } from '../numeric/random.ts'
import { type Figure, figure, missing } from './figure.ts'

/** Returns a list of numbers as a typed array: itself if it is one, else a copy. */
export function toDoubles(values: ArrayLike<number>): Float64Array {
  return values instanceof Float64Array ? values : new Float64Array(values)
}

/** Computes the mean; missing if there are no values. */
export function mean(from: ArrayLike<number>): Figure {
  const values = toDoubles(from)
  if (values.length === 0) return missing('there are no values')
  return figure(computeMean(values))
}

/** Computes the mean of a list that is not empty. The mean of equal values is exactly that value. */
export function computeMean(from: ArrayLike<number>): number {
  const values = toDoubles(from)
  const first = element(values, 0)
  let total = 0
  let isSame = true
  for (let place = 0; place < values.length; place += 1) {
    const value = element(values, place)
    isSame &&= value === first
    total += value
  }
  return isSame ? first : total / values.length
}

/** Computes the sample standard deviation, with n - 1 in the divisor; missing for fewer than two values. */
export function deviation(from: ArrayLike<number>): Figure {
  const values = toDoubles(from)
  if (values.length < 2) return missing('it takes two values')
  const middle = computeMean(values)
  let squares = 0
  for (let place = 0; place < values.length; place += 1) {
    const gap = element(values, place) - middle
    squares += gap * gap
  }
  return figure(Math.sqrt(squares / (values.length - 1)))
}

/** Computes skewness and kurtosis from moments with n in the divisor; null if the values do not vary. */
export function standardizedMoments(
  from: ArrayLike<number>,
): { readonly skewness: number; readonly kurtosis: number } | null {
  const values = toDoubles(from)
  const count = values.length
  if (count < 2) return null
  const middle = computeMean(values)
  let second = 0
  let third = 0
  let fourth = 0
  for (let place = 0; place < count; place += 1) {
    const gap = element(values, place) - middle
    second += gap * gap
    third += gap * gap * gap
    fourth += gap * gap * gap * gap
  }
  if (second === 0) return null
  second /= count
  return {
    skewness: third / count / (second * Math.sqrt(second)),
    kurtosis: fourth / count / (second * second),
  }
}

/** Computes the autocorrelation of neighbours; missing for fewer than three values or if they do not vary. */
export function autocorrelation(from: ArrayLike<number>): Figure {
  const values = toDoubles(from)
  if (values.length < 3) return missing('it takes three values')
  const middle = computeMean(values)
  let products = 0
  let squares = 0
  let before = 0
  for (let place = 0; place < values.length; place += 1) {
    const gap = element(values, place) - middle
    products += gap * before
    squares += gap * gap
    before = gap
  }
  return squares === 0 ? missing('the values do not vary') : figure(products / squares)
}

/**
 * Computes Pearson's correlation of two lists of equal length; missing for fewer than three pairs or if one does not
 * vary.
 */
export function correlation(one: ArrayLike<number>, other: ArrayLike<number>): Figure {
  const left = toDoubles(one)
  const right = toDoubles(other)
  if (left.length < 3) return missing('it takes three pairs')
  const leftMean = computeMean(left)
  const rightMean = computeMean(right)
  let products = 0
  let leftSquares = 0
  let rightSquares = 0
  for (let place = 0; place < left.length; place += 1) {
    const leftGap = element(left, place) - leftMean
    const rightGap = element(right, place) - rightMean
    products += leftGap * rightGap
    leftSquares += leftGap * leftGap
    rightSquares += rightGap * rightGap
  }
  const spread = Math.sqrt(leftSquares) * Math.sqrt(rightSquares)
  return spread === 0 ? missing('one of them does not vary') : figure(products / spread)
}

/** Computes a quantile, linear between neighbours (type 7); missing if there are no values. `share` is from 0 to 1. */
export function quantile(values: ArrayLike<number>, share: number): Figure {
  if (values.length === 0) return missing('there are no values')
  return figure(selectQuantile(new Float64Array(values), share))
}

export function sum(from: ArrayLike<number>): number {
  const values = toDoubles(from)
  let total = 0
  for (let place = 0; place < values.length; place += 1) total += element(values, place)
  return total
}

/** Computes base^exponent for a base above 0, with the same bits on every engine. */
export function power(base: number, exponent: number): number {
  return exp(exponent * log(base))
}

const resamples = 400
const leastBlocks = 6

/**
 * Computes the interval in which 95 % of the weighted means of similar samples would lie, by bootstrap. It resamples blocks
 * of time, because neighbours resemble each other. `atMillis` are the instants of the values, oldest first, and
 * `reachMillis` is how far each value looks ahead. Equal seeds give equal results.
 *
 * Choice: a block is at least as long as that reach, because values that look at the same time depend on each other. There
 * are at most n^(2/3) blocks for n values, so that blocks grow with the sample, as runs of fills on one side require. Fewer
 * than six blocks say nothing, so the interval is missing.
 */
export function bootstrapInterval(
  values: readonly number[],
  weights: readonly number[],
  { atMillis, reachMillis }: { readonly atMillis: readonly number[]; readonly reachMillis: number },
  seed: string,
): { readonly low: Figure; readonly high: Figure } {
  const count = values.length
  if (count < 2) return { low: missing('it takes two fills'), high: missing('it takes two fills') }
  const fromMillis = atMillis[0] ?? 0
  const spanMillis = (atMillis.at(-1) ?? Number.NaN) - fromMillis
  const most = Math.max(leastBlocks, Math.round(power(count, 2 / 3)))
  const blocks = Math.min(most, Math.floor(spanMillis / Math.max(1, reachMillis)))
  if (blocks < leastBlocks) {
    const reason = missing('the fills lie within fewer than six such spans')
    return { low: reason, high: reason }
  }
  const products = new Float64Array(blocks)
  const masses = new Float64Array(blocks)
  for (const [place, value] of values.entries()) {
    const share = ((atMillis[place] ?? fromMillis) - fromMillis) / spanMillis
    const block = Math.min(blocks - 1, Math.floor(share * blocks))
    const weight = weights[place] ?? 0
    products[block] = element(products, block) + weight * value
    masses[block] = element(masses, block) + weight
  }
  const stream = createStream(seed, 'bootstrap', '', 0)
  const means: number[] = []
  for (let resample = 0; resample < resamples; resample += 1) {
    let product = 0
    let mass = 0
    for (let draw = 0; draw < blocks; draw += 1) {
      const block = stream.integer(blocks)
      product += element(products, block)
      mass += element(masses, block)
    }
    if (mass > 0) means.push(product / mass)
  }
  const center = sum(products) / sum(masses)
  const widen = (bound: Figure): Figure =>
    bound.value === null ? bound : figure(center + (bound.value - center) * widenPercentiles(blocks))
  return { low: widen(quantile(means, 0.025)), high: widen(quantile(means, 0.975)) }
}

/**
 * Returns by how much the percentiles of a bootstrap of few blocks are too narrow: they spread like a mean that knows its
 * deviation, with n in the divisor. Student's t and n - 1 make up for both. Measured coverage: 93 to 96 % from 7 values on.
 */
function widenPercentiles(blocks: number): number {
  return (studentQuantile975(blocks - 1) / normalQuantile975) * Math.sqrt(blocks / (blocks - 1))
}

const normalQuantile975 = 1.959963984540054

/** The 97.5 % quantiles of Student's t for one degree of freedom to four, for which the expansion is too coarse. */
const firstStudentQuantiles = [12.706204736, 4.302652729, 3.182446305, 2.776445105]

/**
 * Computes the 97.5 % quantile of Student's t by the expansion in the normal quantile (Abramowitz and Stegun 26.7.5): right
 * to 0.001. `degrees` is at least 1.
 */
export function studentQuantile975(degrees: number): number {
  const known = firstStudentQuantiles[degrees - 1]
  if (known !== undefined) return known
  const z = normalQuantile975
  const z2 = z * z
  const first = (z * (z2 + 1)) / 4
  const second = (z * ((5 * z2 + 16) * z2 + 3)) / 96
  const third = (z * (((3 * z2 + 19) * z2 + 17) * z2 - 15)) / 384
  const fourth = (z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945)) / 92_160
  return z + (first + (second + (third + fourth / degrees) / degrees) / degrees) / degrees
}
