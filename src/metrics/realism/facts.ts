import { log } from '../../numeric/portable-math.ts'
import { autocorrelations, decayExponent, greatestAutocorrelation, varianceRatio } from './memory.ts'
import {
  correlation,
  countJumps,
  excessKurtosis,
  type Numbers,
  tailIndex,
  toAbsolute,
  valueAt,
} from './moments.ts'

/*
 * The stylized facts of digital-asset markets, as figures of returns (market.md section 1; Cont, Quantitative Finance 1,
 * 2001). Every figure is of one path; the bands of `bands.ts` are for medians over several paths.
 */

/** Figures of one path by name. A figure is NaN if the path is too short for it. */
export type Figures = Readonly<Record<string, number>>

/** Computes facts 1, 3 to 6 and 13 from returns of minutes, of which there should be 50,000 or more. */
export function computeMinuteFigures(returns: Numbers): Figures {
  const sizes = toAbsolute(returns)
  const [first = Number.NaN, hour = Number.NaN, day = Number.NaN] = autocorrelations(sizes, [1, 60, 1440])
  const large = countJumps(returns, 8)
  const medium = countJumps(returns, 5)
  return {
    'kurtosis 1m': excessKurtosis(returns),
    'tail index 1m': tailIndex(sizes, 0.01),
    'linear memory 1m': greatestAutocorrelation(returns, 60),
    'variance ratio 60m': varianceRatio(returns, 60),
    'memory of size 1m': first,
    'memory of size 60m': hour,
    'memory of size 1440m': day,
    'memory decay': decayExponent(sizes, 10, 1000),
    'memory day over hour': day / hour,
    'jumps beyond 8 sd a day': large.perDay,
    'clustering of jumps beyond 5 sd': medium.dispersion,
  }
}

/** Computes facts 1 to 5 and 8 from returns of hours, of which there should be a year or more. */
export function computeHourFigures(returns: Numbers): Figures {
  const sizes = toAbsolute(returns)
  const [first = Number.NaN, day = Number.NaN, week = Number.NaN] = autocorrelations(sizes, [1, 24, 168])
  return {
    'kurtosis 1h': excessKurtosis(returns),
    'tail index 1h': tailIndex(sizes, 0.01),
    'up over down tail 1h': tailIndex(returns, 0.01) / tailIndex(Float64Array.from(returns, negate), 0.01),
    'linear memory 1h': greatestAutocorrelation(returns, 24),
    'memory of size 1h': first,
    'memory of size 24h': day,
    'memory of size 168h': week,
    'leverage 1h': correlation(Array.from(returns).slice(0, -1), sizes.subarray(1)),
  }
}

/** Computes the log returns over consecutive spans of `span` prices, from the first on. */
export function computeLogReturns(prices: Numbers, span: number): Float64Array {
  const count = Math.floor((prices.length - 1) / span)
  return Float64Array.from({ length: Math.max(0, count) }, (_, place) =>
    log(valueAt(prices, (place + 1) * span) / valueAt(prices, place * span)),
  )
}

const negate = (value: number): number => -value
