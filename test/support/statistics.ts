import { quantileOfSorted } from '../../src/numeric/quantile.ts'

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export function variance(values: readonly number[]): number {
  return covariance(values, values, 0)
}

export function autocorrelation(values: readonly number[], lag: number): number {
  return correlation(values, values, lag)
}

/** Correlation of `left` with the values of `right` that come `lag` places before, by the moments of the whole series. */
export function correlation(left: readonly number[], right: readonly number[], lag: number): number {
  return covariance(left, right, lag) / Math.sqrt(variance(left) * variance(right))
}

function covariance(left: readonly number[], right: readonly number[], lag: number): number {
  const leftMean = mean(left)
  const rightMean = mean(right)
  return mean(left.slice(lag).map((value, place) => (value - leftMean) * ((right[place] ?? 0) - rightMean)))
}

export function quantile(values: ArrayLike<number>, share: number): number {
  return quantileOfSorted(Float64Array.from(values).sort(), share)
}

export function median(values: ArrayLike<number>): number {
  return quantile(values, 0.5)
}
