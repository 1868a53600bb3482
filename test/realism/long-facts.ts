import type { Figures } from '../../src/metrics/realism/facts.ts'
import { autocorrelations } from '../../src/metrics/realism/memory.ts'
import {
  correlation,
  excessKurtosis,
  type Numbers,
  toAbsolute,
  valueAt,
  variance,
} from '../../src/metrics/realism/moments.ts'
import { log } from '../../src/numeric/portable-math.ts'
import { quantile } from '../support/statistics.ts'
import { aggregated, realizedVariances, seasonOf } from './series.ts'

/* The facts that no run's report tests: of days, volume, seasons and pairs (market.md section 1). */

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
  const sizes = toAbsolute(returns)
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
  const sizes = toAbsolute(left)
  const edge = quantile(sizes, 0.99)
  const places = Array.from(sizes.keys()).filter((place) => valueAt(sizes, place) > edge)
  const pick = (values: Numbers): number[] => places.map((place) => valueAt(values, place))
  return {
    correlation: all,
    'rise in stress': correlation(pick(left), pick(right)) - all,
    'lower tail dependence': lowerTailDependence(left, right, 0.01),
  }
}

/** Facts 11 and 12 by the minute, and how alike the volatilities of two assets are by the day. */
export function minutePairFigures(left: Numbers, right: Numbers): Figures {
  const [leftLogs = [], rightLogs = []] = [left, right].map((returns) =>
    realizedVariances(returns, 1_440).map((value) => log(value) / 2),
  )
  return {
    'correlation 1m': correlation(left, right),
    'lower tail dependence 1m': lowerTailDependence(left, right, 0.01),
    'log-volatilities 1d': correlation(leftLogs, rightLogs),
  }
}

/** Spearman's correlation: that of the ranks. */
export function rankCorrelation(left: Numbers, right: Numbers): number {
  return correlation(ranks(left), ranks(right))
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
