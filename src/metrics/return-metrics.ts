import { inverseNormal } from '../numeric/portable-math.ts'
import { millisPerDay, millisPerYear } from '../numeric/time-text.ts'
import type { EqualReturns, EquitySeries } from './equity-series.ts'
import { derive, type Figure, figure, missing, ratio } from './figure.ts'
import type { DrawdownMetrics, ReturnMetrics, TailFigures, TailMetrics } from './metrics.ts'
import { autocorrelation, deviation, power, quantile, shape, sum } from './samples.ts'
import { deflatedSharpe, minimumTrackRecord, periodSharpe, probabilisticSharpe } from './skill.ts'

const cagrDays = 30

export interface ReturnInput {
  readonly days: number
  readonly drawdown: DrawdownMetrics
  /** Sharpe ratios per period of all variants that were tried, where somebody counted. */
  readonly trials: readonly number[]
  /** The rate of a step: Sharpe and Sortino ratios, and what is made of them, are of the returns beyond it. */
  readonly riskFree: number
}

export function returnMetrics(series: EquitySeries, input: ReturnInput): ReturnMetrics {
  const {
    index,
    profit,
    ratio: { stepMillis, values },
  } = series
  const { days, drawdown, trials, riskFree } = input
  const beyond = riskFree === 0 ? values : values.map((value) => value - riskFree)
  const periods = millisPerYear / stepMillis
  const total = figure((index.at(-1) ?? 1) - 1)
  const cagr = cagrOf(total, days)
  const perPeriod = periodSharpe(beyond)
  const moments = shape(values)
  const neighbours = autocorrelation(values)
  const sharpe = derive(perPeriod, (value) => value * Math.sqrt(periods))
  const noShape = missing('the returns do not vary')
  return {
    total,
    profit,
    cagr,
    volatility: derive(deviation(values), (value) => value * Math.sqrt(periods)),
    sharpe,
    sharpeError: derive(perPeriod, (value) =>
      Math.sqrt(((1 + (value * value) / 2) / values.length) * periods),
    ),
    smartSharpe: smartSharpe(sharpe, neighbours, values.length),
    sortino: sortinoOf(beyond, periods),
    calmar: calmarOf(cagr, drawdown.maximum),
    skewness: moments === null ? noShape : figure(moments.skewness),
    kurtosis: moments === null ? noShape : figure(moments.kurtosis),
    autocorrelation: neighbours,
    probabilisticSharpe: probabilisticSharpe(beyond, 0),
    deflatedSharpe: deflatedSharpe(beyond, trials),
    minimumTrackRecord: minimumTrackRecord(beyond),
  }
}

/** The returns of the grid, and overlapping sums of 24 hours of them. */
export function tailMetrics(equal: EqualReturns): TailMetrics {
  const steps = Math.round(millisPerDay / equal.stepMillis)
  const day =
    steps >= 1 && steps * equal.stepMillis === millisPerDay ? overlappingSums(equal.values, steps) : []
  return { grid: tailFigures(equal.values), day: tailFigures(day) }
}

export function overlappingSums(values: readonly number[], steps: number): number[] {
  const sums: number[] = []
  for (let end = steps; end <= values.length; end += 1) sums.push(sum(values.slice(end - steps, end)))
  return sums
}

function tailFigures(returns: readonly number[]): TailFigures {
  const at95 = historical(returns, 0.95)
  const at99 = historical(returns, 0.99)
  return {
    valueAtRisk95: at95.valueAtRisk,
    shortfall95: at95.shortfall,
    cornishFisher95: cornishFisher(returns, 0.95),
    valueAtRisk99: at99.valueAtRisk,
    shortfall99: at99.shortfall,
    cornishFisher99: cornishFisher(returns, 0.99),
  }
}

function historical(
  returns: readonly number[],
  confidence: number,
): { readonly valueAtRisk: Figure; readonly shortfall: Figure } {
  const bound = quantile(returns, 1 - confidence)
  if (bound.value === null) {
    const reason = missing('there are no returns of that span')
    return { valueAtRisk: reason, shortfall: reason }
  }
  const { value } = bound
  const beyond = returns.filter((one) => one <= value)
  return {
    valueAtRisk: figure(0 - value),
    shortfall: ratio(0 - sum(beyond), beyond.length, 'no return lies beyond'),
  }
}

/** The normal quantile, corrected for skewness and excess kurtosis. */
function cornishFisher(returns: readonly number[], confidence: number): Figure {
  if (returns.length === 0) return missing('there are no returns of that span')
  const spread = deviation(returns)
  const moments = shape(returns)
  if (spread.value === null || moments === null) return missing('the returns do not vary')
  const z = inverseNormal(1 - confidence)
  const { skewness } = moments
  const excess = moments.kurtosis - 3
  const corrected =
    z +
    ((z * z - 1) * skewness) / 6 +
    ((z * z * z - 3 * z) * excess) / 24 -
    ((2 * z * z * z - 5 * z) * skewness * skewness) / 36
  return figure(0 - (sum(returns) / returns.length + corrected * spread.value))
}

function cagrOf(total: Figure, days: number): Figure {
  if (total.value === null) return total
  if (days < cagrDays) return missing(`the run is shorter than ${cagrDays} days`)
  return total.value <= -1 ? missing('everything was lost') : figure(power(1 + total.value, 365 / days) - 1)
}

/** Downside deviation over all returns, not only those below 0. */
function sortinoOf(returns: readonly number[], periods: number): Figure {
  if (returns.length < 2) return missing('it takes two returns')
  const squares = sum(returns.map((one) => Math.min(one, 0) * Math.min(one, 0)))
  if (squares === 0) return missing('no return is below 0')
  const downside = Math.sqrt(squares / returns.length)
  return figure((sum(returns) / returns.length / downside) * Math.sqrt(periods))
}

function calmarOf(cagr: Figure, maximum: Figure): Figure {
  if (cagr.value === null) return cagr
  if (maximum.value === null || maximum.value === 0) return missing('there was no drawdown')
  return figure(cagr.value / Math.abs(maximum.value))
}

/**
 * Divided by sqrt(1 + 2 sum (1 - k / n) rho^k). Choice: as in quantstats, n is the number of returns and rho the
 * absolute autocorrelation, so a negative one does not raise the ratio.
 */
function smartSharpe(sharpe: Figure, neighbours: Figure, count: number): Figure {
  if (sharpe.value === null) return sharpe
  if (neighbours.value === null) return neighbours
  const rho = Math.abs(neighbours.value)
  let penalty = 0
  let weight = 1
  for (let lag = 1; lag < count && weight > 1e-12; lag += 1) {
    weight *= rho
    penalty += (1 - lag / count) * weight
  }
  return figure(sharpe.value / Math.sqrt(1 + 2 * penalty))
}
