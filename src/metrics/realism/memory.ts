import { log } from '../../numeric/portable-math.ts'
import { mean, type Numbers, valueAt, variance } from './moments.ts'

/** Computes the autocorrelations of a series at some lags. */
export function autocorrelations(values: Numbers, lags: readonly number[]): readonly number[] {
  const centre = mean(values)
  const total = variance(values) * values.length
  return lags.map((lag) => {
    let sum = 0
    for (let i = lag; i < values.length; i += 1) {
      sum += (valueAt(values, i) - centre) * (valueAt(values, i - lag) - centre)
    }
    return sum / total
  })
}

/** Computes the greatest absolute autocorrelation at the lags from 1 to `most`. */
export function greatestAutocorrelation(values: Numbers, most: number): number {
  const lags = Array.from({ length: most }, (_, place) => place + 1)
  return autocorrelations(values, lags).reduce(
    (greatest, value) => Math.max(greatest, value < 0 ? -value : value),
    0,
  )
}

/** Computes the variance of sums of `span` neighbours over `span` variances: 1 without memory (Lo and MacKinlay 1988). */
export function varianceRatio(returns: Numbers, span: number): number {
  const count = returns.length - span + 1
  const centre = mean(returns)
  let sum = 0
  for (let i = 0; i < span; i += 1) sum += valueAt(returns, i)
  let squares = 0
  for (let i = 0; i < count; i += 1) {
    const distance = sum - span * centre
    squares += distance * distance
    if (i + span < returns.length) sum += valueAt(returns, i + span) - valueAt(returns, i)
  }
  return squares / count / (span * variance(returns))
}

/**
 * Computes the exponent of the power law that the autocorrelation follows between two lags: minus the slope of its logarithm
 * on that of the lag, at lags 25 % apart. Lags at which it is not above 0.001 are left out. NaN if fewer than three remain.
 */
export function decayExponent(values: Numbers, fromLag: number, toLag: number): number {
  const lags: number[] = []
  for (let lag = fromLag; lag <= toLag; lag = Math.max(lag + 1, Math.round(lag * 1.25))) lags.push(lag)
  const correlations = autocorrelations(values, lags)
  const points = lags.flatMap((lag, place) => {
    const value = valueAt(correlations, place)
    return value > 0.001 ? [[log(lag), log(value)] as const] : []
  })
  if (points.length < 3) return Number.NaN
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  let product = 0
  let square = 0
  for (const [x, y] of points) {
    product += (x - meanX) * (y - meanY)
    square += (x - meanX) * (x - meanX)
  }
  return -product / square
}
