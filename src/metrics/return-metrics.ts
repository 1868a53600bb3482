import { element } from '../numeric/columns.ts'
import { inverseNormal } from '../numeric/portable-math.ts'
import { selectLowestMean, selectQuantile } from '../numeric/quantile.ts'
import { millisPerDay, millisPerYear } from '../numeric/time-text.ts'
import type { EqualReturns, EquitySeries } from './equity-series.ts'
import { computeFigures, derive, deriveYearly, type Figure, figure, missing, rowBuilder } from './figure.ts'
import { computeOmega, computeStability, computeTailRatio } from './return-shape.ts'
import { autocorrelation, deviation, power, standardizedMoments, sum } from './samples.ts'
import {
  computePeriodSharpe,
  deflatedSharpe,
  isSteady,
  minimumTrackRecord,
  probabilisticSharpe,
} from './skill.ts'

/** What the figures of returns need beside the equity series. */
export interface ReturnInput {
  readonly days: number
  readonly drawdown: { readonly maximum: Figure }
  /** The Sharpe ratios per period of all variants that were tried; empty if unknown. */
  readonly trials: readonly number[]
  /**
   * The risk-free interest of one step. Sharpe and Sortino ratios and figures based on them use the returns in excess
   * of it.
   */
  readonly riskFree: number
}

const noShape = missing('the returns do not vary')

function measureReturns(series: EquitySeries, { days, drawdown, trials, riskFree }: ReturnInput) {
  const {
    index,
    profit,
    ratio: { stepMillis, values },
  } = series
  const beyond = riskFree === 0 ? values : values.map((value) => value - riskFree)
  const periods = millisPerYear / stepMillis
  const total = figure((index.at(-1) ?? 1) - 1)
  const perPeriod = computePeriodSharpe(beyond)
  return {
    profit,
    total,
    values,
    beyond,
    trials,
    periods,
    days,
    maximum: drawdown.maximum,
    cagr: computeCagr(total, days),
    perPeriod,
    sharpe: deriveYearly(perPeriod, days, (value) => value * Math.sqrt(periods)),
    moments: isSteady(values) ? null : standardizedMoments(values),
    neighbours: values.length > 2 && isSteady(values) ? noShape : autocorrelation(values),
  }
}

const row = rowBuilder<ReturnType<typeof measureReturns>>()

/** The figures of a run's returns. */
export const returns = {
  /** The compound return of the grid, flows removed. */
  total: row.sum('fraction', ({ total }) => total, 'Total return'),
  profit: row.sum('usd', ({ profit }) => profit),
  /** The compound annual growth rate, for runs of at least 30 days. */
  cagr: row.figure('fraction', ({ cagr }) => cagr, 'Compound annual growth'),
  volatility: row.smallFigure(
    'fraction',
    ({ days, periods, values }) =>
      deriveYearly(deviation(values), days, (value) => value * Math.sqrt(periods)),
    'Volatility a year',
  ),
  sharpe: row.figure('ratio', ({ sharpe }) => sharpe, 'Sharpe'),
  /** The standard error of the yearly Sharpe ratio (Lo 2002). */
  sharpeError: row.smallFigure('ratio', ({ days, perPeriod, periods, values }) =>
    deriveYearly(perPeriod, days, (value) =>
      Math.sqrt(((1 + (value * value) / 2) / values.length) * periods),
    ),
  ),
  /** The mean return in its standard errors: the Sharpe ratio of one return, times the root of how many there are. */
  tStatistic: row.figure(
    'ratio',
    ({ perPeriod, values }) => derive(perPeriod, (value) => value * Math.sqrt(values.length)),
    'Mean return, in standard errors',
  ),
  /** The Sharpe ratio divided by a penalty for autocorrelation. */
  smartSharpe: row.figure(
    'ratio',
    ({ sharpe, neighbours, values }) => computeSmartSharpe(sharpe, neighbours, values.length),
    'Sharpe, for autocorrelation',
  ),
  sortino: row.figure(
    'ratio',
    ({ beyond, days, periods }) =>
      deriveYearly(computeSortino(beyond), days, (value) => value * Math.sqrt(periods)),
    'Sortino',
  ),
  calmar: row.figure('ratio', ({ cagr, maximum }) => computeCalmar(cagr, maximum), 'Calmar'),
  omega: row.figure('ratio', ({ beyond }) => computeOmega(beyond), 'Omega'),
  tailRatio: row.figure('ratio', ({ values }) => computeTailRatio(values), 'Tail ratio'),
  stability: row.figure('ratio', ({ values }) => computeStability(values), 'Stability of growth'),
  skewness: row.figure(
    'ratio',
    ({ moments }) => (moments === null ? noShape : figure(moments.skewness)),
    'Skewness',
  ),
  /** The kurtosis itself, not the excess over 3. */
  kurtosis: row.figure(
    'ratio',
    ({ moments }) => (moments === null ? noShape : figure(moments.kurtosis)),
    'Kurtosis (normal: 3)',
  ),
  autocorrelation: row.figure('ratio', ({ neighbours }) => neighbours, 'Autocorrelation'),
  /** The probability that the true Sharpe ratio is above 0. */
  probabilisticSharpe: row.figure(
    'share',
    ({ beyond }) => probabilisticSharpe(beyond, 0),
    'Probability that Sharpe > 0',
  ),
  /** The probability that the true Sharpe ratio is above the best that the trials would have by luck. */
  deflatedSharpe: row.figure(
    'share',
    ({ beyond, trials }) => deflatedSharpe(beyond, trials),
    'Deflated Sharpe',
  ),
  /** The number of returns that it takes to believe, at 95 %, that the Sharpe ratio is above 0. */
  minimumTrackRecord: row.smallFigure(
    'count',
    ({ beyond }) => minimumTrackRecord(beyond),
    'Returns needed to believe it',
  ),
}

/** Computes the figures of a run's returns. */
export const computeReturns = (series: EquitySeries, input: ReturnInput) =>
  computeFigures(returns, measureReturns(series, input))

/** Describes the figures of the tail of returns over one span. Losses are positive fractions. */
const defineTail = (of: 'grid' | 'day', span: string) => {
  const { smallFigure } = rowBuilder<ReturnType<typeof measureTails>>()
  return {
    valueAtRisk95: smallFigure(
      'fraction',
      (measured) => measured[of].at95.valueAtRisk,
      `Value at risk 95 %, ${span}`,
    ),
    shortfall95: smallFigure(
      'fraction',
      (measured) => measured[of].at95.shortfall,
      `Expected shortfall 95 %, ${span}`,
    ),
    cornishFisher95: smallFigure(
      'fraction',
      (measured) => measured[of].cornishFisher(0.95),
      `Cornish-Fisher 95 %, ${span}`,
    ),
    valueAtRisk99: smallFigure(
      'fraction',
      (measured) => measured[of].at99.valueAtRisk,
      `Value at risk 99 %, ${span}`,
    ),
    shortfall99: smallFigure(
      'fraction',
      (measured) => measured[of].at99.shortfall,
      `Expected shortfall 99 %, ${span}`,
    ),
    cornishFisher99: smallFigure('fraction', (measured) => measured[of].cornishFisher(0.99)),
  }
}

/** The figures of the tail of returns. */
export const tail = {
  /** The losses over one step of the grid. */
  grid: defineTail('grid', 'a step'),
  /** The losses over overlapping spans of 24 hours. */
  day: defineTail('day', 'a day'),
}

/** Computes the figures of the tail of a grid's returns. */
export const tailMetrics = (equal: EqualReturns) => computeFigures(tail, measureTails(equal))

/** Measures the tails of the grid's returns and of their overlapping sums over 24 hours. */
function measureTails(equal: EqualReturns) {
  const steps = Math.round(millisPerDay / equal.stepMillis)
  const isDivisor = steps >= 1 && steps * equal.stepMillis === millisPerDay
  const day = isDivisor ? sumOverlapping(equal.values, steps) : new Float64Array(0)
  return { grid: measureTail(equal.values), day: measureTail(day) }
}

/**
 * Computes the sums of every `steps` neighbouring values. It works on four sums at a time, because the additions of a single
 * one wait for each other.
 */
export function sumOverlapping(values: Float64Array, steps: number): Float64Array {
  const count = Math.max(0, values.length - steps + 1)
  const sums = new Float64Array(count + 3)
  const padded = new Float64Array(values.length + 3)
  padded.set(values)
  for (let begin = 0; begin < count; begin += 4) {
    let [first, second, third, fourth] = [0, 0, 0, 0]
    for (let place = begin; place < begin + steps; place += 1) {
      first += element(padded, place)
      second += element(padded, place + 1)
      third += element(padded, place + 2)
      fourth += element(padded, place + 3)
    }
    sums[begin] = first
    sums[begin + 1] = second
    sums[begin + 2] = third
    sums[begin + 3] = fourth
  }
  return sums.subarray(0, count)
}

function measureTail(returns: Float64Array) {
  // Both quantiles select in one copy: the first selection leaves an order that makes the second faster.
  const selected = returns.slice()
  const at95 = measureLosses(selected, 0.05)
  const at99 = measureLosses(selected, 0.01)
  const spread = deviation(returns)
  const moments = isSteady(returns) ? null : standardizedMoments(returns)
  const cornishFisher = (confidence: number): Figure => {
    if (returns.length === 0) return missing(noReturns)
    if (spread.value === null || moments === null) return missing('the returns do not vary')
    if (!isCornishFisherMonotonic(moments))
      return missing('the returns are too skewed or too fat-tailed for it')
    const loss =
      0 - (sum(returns) / returns.length + computeCornishFisherQuantile(confidence, moments) * spread.value)
    return loss < 0 ? missing('the expansion gives a gain') : figure(loss)
  }
  return { at95, at99, cornishFisher }
}

const noReturns = 'there are no returns of that span'

/**
 * Measures the historical value at risk and the expected shortfall of the worst `share` of the returns. It is the mean of
 * the worst n * share returns, not of all at or below the quantile: of a strategy that is mostly idle, the quantile is 0, and
 * its zeros would dilute the loss. `selected` has the returns in any order, and is reordered.
 */
function measureLosses(
  selected: Float64Array,
  share: number,
): { readonly valueAtRisk: Figure; readonly shortfall: Figure } {
  if (selected.length === 0) return { valueAtRisk: missing(noReturns), shortfall: missing(noReturns) }
  const bound = selectQuantile(selected, share)
  return { valueAtRisk: figure(0 - bound), shortfall: figure(0 - selectLowestMean(selected, share)) }
}

/**
 * Returns whether the Cornish-Fisher expansion rises with the normal quantile. Outside of that domain it puts a 99 % loss
 * below a 95 % one (Maillard, "A User's Guide to the Cornish Fisher Expansion", 2012). Its derivative is a parabola, which
 * must be above 0.
 *
 * Choice: between the 0.1 % quantiles, not everywhere. A sample of normal returns has a kurtosis a little below 3 as often as
 * above it, and would otherwise be refused for what the expansion does where no return ever is.
 */
function isCornishFisherMonotonic({ kurtosis, skewness }: Moments): boolean {
  const excess = kurtosis - 3
  const square = excess / 8 - (skewness * skewness) / 6
  const linear = skewness / 3
  const constant = 1 - excess / 8 + (5 * skewness * skewness) / 36
  const slopeAt = (z: number): number => (square * z + linear) * z + constant
  const lowest = -linear / (2 * square)
  const isWithin = square > 0 && Math.abs(lowest) < farthestQuantile
  return Math.min(slopeAt(-farthestQuantile), slopeAt(farthestQuantile), isWithin ? slopeAt(lowest) : 1) > 0
}

const farthestQuantile = 3.09

interface Moments {
  readonly kurtosis: number
  readonly skewness: number
}

/** Computes the normal quantile corrected for skewness and excess kurtosis (Cornish-Fisher). */
function computeCornishFisherQuantile(confidence: number, { kurtosis, skewness }: Moments): number {
  const z = inverseNormal(1 - confidence)
  return (
    z +
    ((z * z - 1) * skewness) / 6 +
    ((z * z * z - 3 * z) * (kurtosis - 3)) / 24 -
    ((2 * z * z * z - 5 * z) * skewness * skewness) / 36
  )
}

function computeCagr(total: Figure, days: number): Figure {
  return total.value !== null && total.value <= -1
    ? missing('everything was lost')
    : deriveYearly(total, days, (value) => power(1 + value, 365 / days) - 1)
}

/** Computes the Sortino ratio per period. Its downside deviation is over all returns, not only those below 0. */
function computeSortino(returns: Float64Array): Figure {
  if (returns.length < 2) return missing('it takes two returns')
  const squares = sum(returns.map((one) => Math.min(one, 0) * Math.min(one, 0)))
  if (squares === 0) return missing('no return is below 0')
  const downside = Math.sqrt(squares / returns.length)
  return figure(sum(returns) / returns.length / downside)
}

function computeCalmar(cagr: Figure, maximum: Figure): Figure {
  if (cagr.value === null) return cagr
  if (maximum.value === null || maximum.value === 0) return missing('there was no drawdown')
  return figure(cagr.value / Math.abs(maximum.value))
}

/**
 * Divides a Sharpe ratio by sqrt(1 + 2 sum (1 - k / n) rho^k). Choice: as in quantstats, n is the number of returns and rho
 * the absolute autocorrelation, so a negative autocorrelation does not raise the ratio.
 */
function computeSmartSharpe(sharpe: Figure, neighbours: Figure, count: number): Figure {
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
