import { quantileOfSorted } from '../../numeric/quantile.ts'
/* Moments and order statistics of plain numbers. Undefined figures are NaN: too few values, or no spread. */

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

/** Spearman's correlation: that of the ranks. */
export function rankCorrelation(left: Numbers, right: Numbers): number {
  return correlation(ranks(left), ranks(right))
}

export function quantile(values: Numbers, share: number): number {
  return quantileOfSorted(Float64Array.from(values).sort(), share)
}

export function median(values: Numbers): number {
  return quantile(values, 0.5)
}

export function absolutes(values: Numbers): Float64Array {
  return Float64Array.from(values, (value) => (value < 0 ? -value : value))
}

/** From 1; equal values share the mean of their ranks. */
function ranks(values: Numbers): Float64Array {
  const order = Array.from({ length: values.length }, (_, place) => place).sort(
    (left, right) => valueAt(values, left) - valueAt(values, right),
  )
  const result = new Float64Array(values.length)
  for (let from = 0; from < order.length; ) {
    let to = from + 1
    while (to < order.length && values[valueAt(order, to)] === values[valueAt(order, from)]) to += 1
    for (let i = from; i < to; i += 1) result[valueAt(order, i)] = (from + to + 1) / 2
    from = to
  }
  return result
}
