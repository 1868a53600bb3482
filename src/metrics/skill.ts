import { inverseNormal, normalProbability } from '../numeric/portable-math.ts'
import { type Figure, figure, missing } from './figure.ts'
import { deviation, standardizedMoments, sum } from './samples.ts'

/*
 * How much of a Sharpe ratio is luck (Bailey and Lopez de Prado 2012 and 2014). Ratios are per period, not per year.
 */

const eulerMascheroni = 0.5772156649015329

/** Computes the Sharpe ratio per period, mean over standard deviation; missing if it is undefined. */
export function computePeriodSharpe(returns: ArrayLike<number>): Figure {
  const spread = deviation(returns)
  if (spread.value === null) return missing('it takes two returns')
  return isSteady(returns)
    ? missing('the returns do not vary')
    : figure(sum(returns) / returns.length / spread.value)
}

/**
 * Returns whether returns vary by no more than rounding. Equal returns differ by the rounding of the equity that they are
 * computed from, and a ratio of it would be noise.
 */
export function isSteady(returns: ArrayLike<number>): boolean {
  const spread = deviation(returns).value ?? 0
  return spread <= rounding * Math.abs(sum(returns) / returns.length) || spread === 0
}

/** The deviation that counts as none, as a part of the mean. */
const rounding = 1e-7

/** Computes the probability that the true Sharpe ratio per period is above `benchmark`. */
export function probabilisticSharpe(returns: ArrayLike<number>, benchmark: number): Figure {
  const sharpe = computePeriodSharpe(returns)
  if (sharpe.value === null) return sharpe
  const variance = computeEstimationVariance(returns, sharpe.value)
  if (variance.value === null) return variance
  const z = ((sharpe.value - benchmark) * Math.sqrt(returns.length - 1)) / Math.sqrt(variance.value)
  return figure(normalProbability(z))
}

/**
 * Computes the best Sharpe ratio to expect of a number of trials without skill. `spread` is the standard deviation of the
 * trials' own ratios.
 */
export function expectedBestSharpe(trials: number, spread: number): number {
  if (trials < 2) return 0
  const first = inverseNormal(1 - 1 / trials)
  const second = inverseNormal(1 - 1 / (trials * Math.E))
  return spread * ((1 - eulerMascheroni) * first + eulerMascheroni * second)
}

/**
 * Computes the probability that the true Sharpe ratio is above the best that the trials would have by luck. `trials` are
 * their Sharpe ratios per period.
 */
export function deflatedSharpe(returns: ArrayLike<number>, trials: ArrayLike<number>): Figure {
  if (trials.length < 2) return missing('it takes the ratios of two tries or more, as a sweep has them')
  const spread = deviation(trials)
  if (spread.value === null) return spread
  return probabilisticSharpe(returns, expectedBestSharpe(trials.length, spread.value))
}

/** Computes how many returns it takes to believe, at 95 %, that the Sharpe ratio is above 0. */
export function minimumTrackRecord(returns: ArrayLike<number>): Figure {
  const sharpe = computePeriodSharpe(returns)
  if (sharpe.value === null) return sharpe
  if (sharpe.value <= 0) return missing('the Sharpe ratio is not above 0')
  const variance = computeEstimationVariance(returns, sharpe.value)
  if (variance.value === null) return variance
  const z = inverseNormal(0.95) / sharpe.value
  return figure(1 + variance.value * z * z)
}

/** Computes 1 - g3 SR + (g4 - 1) / 4 SR^2, with skewness g3 and raw kurtosis g4. */
function computeEstimationVariance(returns: ArrayLike<number>, sharpe: number): Figure {
  const moments = standardizedMoments(returns)
  if (moments === null) return missing('the returns do not vary')
  const variance = 1 - moments.skewness * sharpe + ((moments.kurtosis - 1) / 4) * sharpe * sharpe
  return variance > 0 ? figure(variance) : missing('the sample is too skewed to have a standard error')
}
