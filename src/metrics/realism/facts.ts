import { log } from '../../numeric/portable-math.ts'
import { autocorrelations, decayExponent, greatestAutocorrelation, varianceRatio } from './memory.ts'
import type { Numbers } from './moments.ts'
import {
  absolutes,
  correlation,
  excessKurtosis,
  quantile,
  rankCorrelation,
  valueAt,
  variance,
} from './moments.ts'
import { aggregated, realizedVariances, seasonOf } from './series.ts'
import { countJumps, lowerTailDependence, tailIndex } from './tails.ts'

/*
 * The stylized facts of digital-asset markets, as figures of returns (market.md section 1; Cont, Quantitative Finance
 * 1, 2001). Every figure is of one path; judgements are made on medians over several (`bands.ts`). NaN: the path is
 * too short.
 */

export type Figures = Readonly<Record<string, number>>

/** Facts 1, 3 to 6 and 13, of the returns of minutes: a window of 50,000 or more. */
export function minuteFigures(returns: Numbers): Figures {
  const sizes = absolutes(returns)
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

/** Facts 1 to 5 and 8, of the returns of hours: a year or more. */
export function hourFigures(returns: Numbers): Figures {
  const sizes = absolutes(returns)
  const [first = Number.NaN, day = Number.NaN, week = Number.NaN] = autocorrelations(sizes, [1, 24, 168])
  return {
    'kurtosis 1h': excessKurtosis(returns),
    'tail index 1h': tailIndex(sizes, 0.01),
    'up over down tail 1h': tailIndex(returns, 0.01) / tailIndex(Float64Array.from(returns, minus), 0.01),
    'linear memory 1h': greatestAutocorrelation(returns, 24),
    'memory of size 1h': first,
    'memory of size 24h': day,
    'memory of size 168h': week,
    'leverage 1h': correlation(Array.from(returns).slice(0, -1), sizes.subarray(1)),
  }
}

/** Facts 2 and 7, of the returns of parts of days (`perDay` of them): a year or more. */
export function dayFigures(returns: Numbers, perDay: number): Figures {
  const days = aggregated(returns, perDay)
  const realized = realizedVariances(returns, perDay)
  const logs = realized.map((value) => log(value) / 2)
  const [first = Number.NaN, twentieth = Number.NaN] = autocorrelations(logs, [1, 20])
  return {
    'kurtosis 1d': excessKurtosis(days),
    'sd of log realized volatility': Math.sqrt(variance(logs)),
    'memory of it 1d': first,
    'memory of it 20d': twentieth,
    'kurtosis of return over it': excessKurtosis(
      days.map((value, day) => value / Math.sqrt(valueAt(realized, day))),
    ),
  }
}

/** Fact 9, of minutes with volume. */
export function volumeFigures(returns: Numbers, volumes: Numbers): Figures {
  const sizes = absolutes(returns)
  return {
    'size and volume': correlation(sizes, volumes),
    'ranks of size and volume': rankCorrelation(sizes, volumes),
    'memory of volume 1m': valueAt(autocorrelations(volumes, [1]), 0),
    'power of volume in range 1h': powerOfVolume(returns, volumes),
  }
}

/** The slope of the logarithm of an hour's volume on that of its range; hours that lack either are left out. */
function powerOfVolume(returns: Numbers, volumes: Numbers): number {
  const ranges: number[] = []
  const traded: number[] = []
  for (let from = 0; from + 60 <= returns.length; from += 60) {
    let [level, highest, lowest, volume] = [0, 0, 0, 0]
    for (let i = from; i < from + 60; i += 1) {
      level += valueAt(returns, i)
      highest = Math.max(highest, level)
      lowest = Math.min(lowest, level)
      volume += valueAt(volumes, i)
    }
    if (highest === lowest || !(volume > 0)) continue
    ranges.push(log(highest - lowest))
    traded.push(log(volume))
  }
  return correlation(ranges, traded) * Math.sqrt(variance(traded) / variance(ranges))
}

/** Fact 10, of returns whose first begins at `startMillis`. */
export function seasonFigures(returns: Numbers, startMillis: number, spanMillis: number): Figures {
  const { peakOverTrough, peakHour, weekend } = seasonOf(returns, startMillis, spanMillis)
  const isUsual = peakHour === 0 || (peakHour >= 13 && peakHour <= 15)
  return {
    'peak over trough hour': peakOverTrough,
    'peak at 0 or 13 to 15 h': isUsual ? 1 : 0,
    'weekend over weekday': weekend,
  }
}

/** Facts 11 and 12, of the same hours of two assets; `given` adds what happens when the left one moves a lot. */
export function pairFigures(left: Numbers, right: Numbers): Figures {
  const all = correlation(left, right)
  const sizes = absolutes(left)
  const edge = quantile(sizes, 0.99)
  const places = Array.from(sizes.keys()).filter((place) => valueAt(sizes, place) > edge)
  const pick = (values: Numbers): number[] => places.map((place) => valueAt(values, place))
  return {
    correlation: all,
    'rise in stress': correlation(pick(left), pick(right)) - all,
    'lower tail dependence': lowerTailDependence(left, right, 0.01),
  }
}

const minus = (value: number): number => -value
