import { log } from '../../numeric/portable-math.ts'
import { autocorrelations } from './memory.ts'
import { correlation, type Numbers, toAbsolute, valueAt, variance } from './moments.ts'
import {
  compareVariances,
  computeLogKurtosis,
  computeLogVariances,
  computeRootSkewness,
  computeRootZeros,
  computeSignShare,
  computeSizeRatios,
  computeTopShare,
  meanWhere,
  sumNeighbours,
} from './window-statistics.ts'

/*
 * What a classifier looks at to tell a window of a generated market from one of a recorded market. Source: feats.py of
 * market-recipe.md; the names are those of its tables of features.
 */

/** Values by name, of one window. */
export type FeatureRow = Readonly<Record<string, number>>

/** A kind of window. Windows begin at multiples of their length since `originMillis`. */
export interface WindowKind {
  readonly name: 'day of minutes' | 'week of hours'
  readonly stepMillis: number
  readonly length: number
  readonly originMillis: number
  /** Windows of the same span of this length are fitted or judged, and trained or tested, together. */
  readonly blockMillis: number
  readonly compute: (returns: Numbers) => FeatureRow
}

const dayMillis = 86_400_000

/** Days from midnight UTC, in blocks of a week. */
export const daysOfMinutes: WindowKind = {
  name: 'day of minutes',
  stepMillis: 60_000,
  length: 1_440,
  originMillis: 0,
  blockMillis: 7 * dayMillis,
  compute: computeDayFeatures,
}

/** Weeks from Monday, in blocks of four weeks. 1970-01-05 was a Monday. */
export const weeksOfHours: WindowKind = {
  name: 'week of hours',
  stepMillis: 3_600_000,
  length: 168,
  originMillis: 4 * dayMillis,
  blockMillis: 28 * dayMillis,
  compute: computeWeekFeatures,
}

/** Lists the names of a kind's features in the order of their values. */
export function listFeatures(kind: WindowKind): readonly string[] {
  return Object.keys(kind.compute(Float64Array.from({ length: kind.length }, (_, place) => (place % 7) - 3)))
}

function computeDayFeatures(returns: Numbers): FeatureRow {
  const sizes = toAbsolute(returns)
  const ratios = computeSizeRatios(returns)
  const [logs5, logs60] = [computeLogVariances(returns, 5), computeLogVariances(returns, 60)]
  const meanIn = (isIn: (minute: number, hour: number) => boolean): number =>
    meanWhere(sizes, (place) => isIn(place % 60, Math.floor(place / 60)))
  const all = meanIn(() => true)
  return {
    ...describeLinear(returns, [1, 2, 3, 5, 10]),
    ...describeSizes(sizes, [1, 2, 5, 15, 30, 60, 240]),
    kurt: computeLogKurtosis(returns),
    kurt15: computeLogKurtosis(sumNeighbours(returns, 15)),
    kurt60: computeLogKurtosis(sumNeighbours(returns, 60)),
    skew: computeRootSkewness(returns),
    'q10/q50': ratios.low,
    'q90/q50': ratios.high,
    'q99/q50': ratios.highest,
    'med/sd': ratios.median,
    'max/sd': ratios.maximum,
    top10_var: computeTopShare(returns, 10),
    sd_lnRV5: Math.sqrt(variance(logs5)),
    acf_lnRV5: valueAt(autocorrelations(logs5, [1]), 0),
    sd_lnRV1h: Math.sqrt(variance(logs60)),
    acf_lnRV1h: valueAt(autocorrelations(logs60, [1]), 0),
    VR5: compareVariances(returns, 5),
    VR15: compareVariances(returns, 15),
    VR60: compareVariances(returns, 60),
    lev: computeLeverage(returns, sizes),
    zeros: computeRootZeros(returns, returns.length),
    sign_same: computeSignShare(returns),
    quarter: meanIn((minute) => minute % 15 === 0) / meanIn((minute) => minute % 15 !== 0),
    first_min: meanIn((minute) => minute === 0) / all,
    first5: meanIn((minute) => minute < 5) / meanIn((minute) => minute >= 5),
    'us/asia': log(
      (240 * meanIn((_, hour) => hour >= 13 && hour <= 16) + 1e-12) /
        (240 * meanIn((_, hour) => hour >= 4 && hour <= 7) + 1e-12),
    ),
    midnight: meanIn((_, hour) => hour === 0) / all,
  }
}

function computeWeekFeatures(returns: Numbers): FeatureRow {
  const sizes = toAbsolute(returns)
  const ratios = computeSizeRatios(returns)
  const days = sumNeighbours(sizes, 24)
  const meanBetween = (from: number, to: number): number => meanWhere(days, (day) => day >= from && day <= to)
  const meanIn = (from: number, to: number): number =>
    meanWhere(sizes, (place) => place % 24 >= from && place % 24 <= to)
  return {
    ...describeLinear(returns, [1, 2, 3, 24]),
    ...describeSizes(sizes, [1, 2, 3, 6, 12, 24, 48]),
    kurt: computeLogKurtosis(returns),
    kurt4h: computeLogKurtosis(sumNeighbours(returns, 4)),
    skew: computeRootSkewness(returns),
    'q10/q50': ratios.low,
    'q90/q50': ratios.high,
    'med/sd': ratios.median,
    'max/sd': ratios.maximum,
    top5_var: computeTopShare(returns, 5),
    sign_same: computeSignShare(returns),
    VR4: compareVariances(returns, 4),
    VR24: compareVariances(returns, 24),
    sdlogRVd: Math.sqrt(variance(computeLogVariances(returns, 24))),
    wkend: log(meanBetween(5, 6) / meanBetween(0, 4)),
    'sat/sun': log(meanBetween(5, 5) / meanBetween(6, 6)),
    'us/asia': log(meanIn(13, 16) / meanIn(4, 7)),
    lev: computeLeverage(returns, sizes),
    zeros: computeRootZeros(returns, returns.length - 1),
  }
}

function describeLinear(returns: Numbers, lags: readonly number[]): FeatureRow {
  const values = autocorrelations(returns, lags)
  return {
    log_sd: log(Math.sqrt(variance(returns)) + 1e-12),
    ...Object.fromEntries(lags.map((lag, place) => [`acf_r_${lag}`, valueAt(values, place)])),
  }
}

function describeSizes(sizes: Numbers, lags: readonly number[]): FeatureRow {
  const values = autocorrelations(sizes, lags)
  return Object.fromEntries(lags.map((lag, place) => [`acf_a_${lag}`, valueAt(values, place)]))
}

/** Computes the correlation of each return with the size of the next. */
function computeLeverage(returns: Numbers, sizes: Numbers): number {
  const count = sizes.length - 1
  return correlation(Float64Array.from(returns).subarray(0, count), Float64Array.from(sizes).subarray(1))
}
