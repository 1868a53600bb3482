import { element } from '../numeric/columns.ts'
import { log } from '../numeric/portable-math.ts'
import { selectQuantile } from '../numeric/quantile.ts'
import { type Figure, figure, missing, ratio } from './figure.ts'
import { correlation, power } from './samples.ts'

/*
 * Figures of the form of returns, as empyrical (github.com/quantopian/empyrical, empyrical/stats.py) and, with the same
 * formulas, quantstats (github.com/ranaroussi/quantstats, quantstats/stats.py) define them. Where those return NaN or
 * infinity, the figure is missing.
 */

const noReturns = 'it takes two returns'

/**
 * Computes the omega ratio: the sum of the returns above 0 over that of the returns below it. The returns are in excess of
 * the risk-free rate. Source: `omega_ratio` of empyrical with a required return of 0 (Keating and Shadwick 2002).
 */
export function computeOmega(beyond: Float64Array): Figure {
  if (beyond.length < 2) return missing(noReturns)
  let [gained, lost] = [0, 0]
  for (let place = 0; place < beyond.length; place += 1) {
    const value = element(beyond, place)
    if (value > 0) gained += value
    else lost -= value
  }
  return ratio(gained, lost, 'no return is below 0')
}

/**
 * Computes the tail ratio: the 95 % quantile of the returns over the 5 % quantile, both without sign. A ratio of 0.25 means
 * that losses are four times as large as gains. Source: `tail_ratio` of empyrical (quantiles of type 7).
 */
export function computeTailRatio(returns: Float64Array): Figure {
  if (returns.length === 0) return missing('there are no returns')
  const selected = returns.slice()
  const low = Math.abs(selectQuantile(selected, 0.05))
  return ratio(Math.abs(selectQuantile(selected, 0.95)), low, 'the 5 % quantile of the returns is 0')
}

/**
 * Computes the stability of growth: the R squared of a straight line through the sums of logarithmic returns. 1 is growth, or
 * decline, at one pace. Source: `stability_of_timeseries` of empyrical.
 */
export function computeStability(returns: Float64Array): Figure {
  if (returns.length < 2) return missing(noReturns)
  const steps = new Float64Array(returns.length)
  const sums = new Float64Array(returns.length)
  let total = 0
  for (let place = 0; place < returns.length; place += 1) {
    if (element(returns, place) <= -1) return missing('everything was lost')
    total += logOnePlus(element(returns, place))
    steps[place] = place
    sums[place] = total
  }
  // Two points always lie on a line.
  if (returns.length === 2) return element(sums, 0) === total ? missing(stillEquity) : figure(1)
  const fit = correlation(steps, sums)
  return fit.value === null ? missing(stillEquity) : figure(fit.value * fit.value)
}

const stillEquity = 'the equity does not vary'

/** Computes log(1 + x), exact for a small x as well (Kahan). */
function logOnePlus(x: number): number {
  const rounded = 1 + x
  return rounded === 1 ? x : (log(rounded) * x) / (rounded - 1)
}

/**
 * Computes what part of the market's yearly growth in its rising (1) or falling (-1) periods the account had in the same
 * periods. Source: `up_capture` and `down_capture` of empyrical: the annual return of the account's returns in those periods
 * over that of the market's. `periods` is how many returns make a year.
 */
export function computeCapture(
  own: Float64Array,
  market: Float64Array,
  periods: number,
  direction: 1 | -1,
): Figure {
  const isWithin = (_: number, place: number): boolean => direction * element(market, place) > 0
  const [ownPart, marketPart] = [own.filter(isWithin), market.filter(isWithin)]
  const never = `the market never ${direction === 1 ? 'rose' : 'fell'}`
  if (marketPart.length === 0) return missing(never)
  const growth = computeAnnualReturn(marketPart, periods)
  return figure(computeAnnualReturn(ownPart, periods) / growth)
}

/** Computes the compound growth of returns by the year. */
function computeAnnualReturn(returns: Float64Array, periods: number): number {
  let growth = 1
  for (let place = 0; place < returns.length; place += 1) growth *= 1 + element(returns, place)
  return growth <= 0 ? -1 : power(growth, periods / returns.length) - 1
}
