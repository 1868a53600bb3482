import type { Figures } from '../../src/metrics/realism/facts.ts'
import { autocorrelations } from '../../src/metrics/realism/memory.ts'
import {
  correlation,
  excessKurtosis,
  mean,
  type Numbers,
  tailIndex,
  toAbsolute,
  valueAt,
  variance,
} from '../../src/metrics/realism/moments.ts'
import {
  compareVariances,
  computeSignShare,
  computeTopShare,
  meanWhere,
  sumNeighbours,
} from '../../src/metrics/realism/window-statistics.ts'
import { quantile } from '../support/statistics.ts'

/* The facts of the tables of market-recipe.md, by the definitions of its facts.py. */

/** Facts of a window of 50,000 minutes that begins at a full hour. */
export function minuteFacts(returns: Float64Array): Figures {
  const sizes = toAbsolute(returns)
  const hours = sumNeighbours(returns, 60)
  const squares = returns.map((value) => value * value)
  const [logs10, logs60] = [10, 60].map((span) => sumNeighbours(squares, span).map(logOf))
  const scaled = scaleLocally(returns)
  const inMinutes = (isIn: (minute: number) => boolean): number =>
    meanWhere(sizes, (place) => isIn(place % 60))
  return {
    'kurt 1m': excessKurtosis(returns),
    'kurt 15m': excessKurtosis(sumNeighbours(returns, 15)),
    'kurt 1h of minutes': excessKurtosis(hours),
    'hill 1m 1 %': tailIndex(sizes, 0.01),
    'hill 1m 2.5 %': tailIndex(sizes, 0.025),
    ...nameLags('acf |r| 1m', sizes, [1, 5, 15, 60, 240, 1_440, 10_080]),
    ...nameLags('acf r 1m', returns, [1]),
    VR15: compareVariances(returns, 15),
    VR60: compareVariances(returns, 60),
    'H logRV 10m': roughness(logs10 ?? []),
    'H logRV 1h': roughness(logs60 ?? []),
    'sd lnRV 1h': Math.sqrt(variance(logs60 ?? [])),
    ...nameLags('acf lnRV 1h', logs60 ?? [], [1, 24]),
    'zeta2 - 2 zeta1': multifractality(returns),
    ...aftershocks(sizes),
    'kurt local': excessKurtosis(scaled.map((value) => Math.min(60, Math.max(-60, value)))),
    'hill local 1 %': tailIndex(toAbsolute(scaled), 0.01),
    'quarter / rest': inMinutes((minute) => minute % 15 === 0) / inMinutes((minute) => minute % 15 !== 0),
    'first minute': inMinutes((minute) => minute === 0) / mean(sizes),
    zeros: returns.filter((value) => value === 0).length / returns.length,
    'P same': computeSignShare(returns),
    'lev 1m': correlation(returns.subarray(0, -1), sizes.subarray(1)),
    'top 1 % of variance': computeTopShare(returns, Math.floor(returns.length / 100)),
  }
}

/** Facts of years of hours that begin at midnight. */
export function hourFacts(returns: Float64Array): Figures {
  const sizes = toAbsolute(returns)
  const days = sumNeighbours(returns, 24)
  const daySizes = toAbsolute(days)
  const variances = sumNeighbours(
    returns.map((value) => value * value),
    24,
  )
  const logs = variances.map(logOf)
  const perYear = (least: number): number =>
    (daySizes.filter((value) => value > least).length / days.length) * 365
  const edge = quantile(sizes, 0.995)
  const wild = Array.from(sizes.keys()).filter(
    (place) => valueAt(sizes, place) > edge && place < sizes.length - 6,
  )
  const turned = wild.map((place) => -Math.sign(valueAt(returns, place)) * valueAt(returns, place + 1))
  return {
    'kurt 1h': excessKurtosis(returns),
    'kurt 1d': excessKurtosis(days),
    'hill 1h 2.5 %': tailIndex(sizes, 0.025),
    'hill 1d 5 %': tailIndex(daySizes, 0.05),
    ...nameLags('acf |r| 1h', sizes, [1, 3, 6, 24, 168, 720]),
    'P same 1h': computeSignShare(returns),
    ...nameLags('acf r 1h', returns, [1]),
    VR24: compareVariances(returns, 24),
    'lev 1h': correlation(returns.subarray(0, -1), sizes.subarray(1)),
    'sd lnRV d': Math.sqrt(variance(logs)),
    ...nameLags('acf lnRV d', logs, [1, 5, 20]),
    'lev d': correlation(days.subarray(0, -1), logs.subarray(1)),
    Zumbach: zumbach(days, variances),
    'Zumbach d':
      correlation(daySizes.subarray(0, -1), variances.subarray(1).map(smallLog)) -
      correlation(daySizes.subarray(1), variances.subarray(0, -1).map(smallLog)),
    'days > 5 %': perYear(0.05),
    'days > 10 %': perYear(0.1),
    'volatility a year': Math.sqrt(variance(returns) * 8_760),
    'rev 1h': mean(turned) / mean(wild.map((place) => valueAt(sizes, place))),
  }
}

const logOf = (value: number): number => Math.log(value + 1e-12)
const smallLog = (value: number): number => Math.log(value + 1e-9)

const nameLags = (name: string, values: Numbers, lags: readonly number[]): Figures =>
  Object.fromEntries(autocorrelations(values, lags).map((value, place) => [`${name} ${lags[place]}`, value]))

const slope = (xs: readonly number[], ys: readonly number[]): number =>
  correlation(xs, ys) * Math.sqrt(variance(ys) / variance(xs))

/** The Hurst exponent of a logarithm of volatility over 1 to 12 steps. */
function roughness(logs: Numbers): number {
  const lags = Array.from({ length: 12 }, (_, place) => place + 1)
  const moments = lags.map((lag) => {
    let sum = 0
    for (let i = lag; i < logs.length; i += 1) sum += (valueAt(logs, i) - valueAt(logs, i - lag)) ** 2
    return Math.log(sum / (logs.length - lag))
  })
  return slope(lags.map(Math.log), moments) / 2
}

function multifractality(returns: Float64Array): number {
  const spans = [1, 5, 15, 60, 240, 1_440]
  const [first = 0, second = 0] = [1, 2].map((power) =>
    slope(
      spans.map(Math.log),
      spans.map((span) =>
        Math.log(mean(sumNeighbours(returns, span).map((value) => Math.abs(value) ** power))),
      ),
    ),
  )
  return second - 2 * first
}

/** Sizes after the wildest thousandth of minutes over those before, which lie an hour apart. */
function aftershocks(sizes: Float64Array): Figures {
  const edge = quantile(sizes, 0.999)
  const over = Array.from(sizes.keys()).filter(
    (place) => valueAt(sizes, place) > edge && place > 61 && place < sizes.length - 61,
  )
  const shocks = over.filter((place, index) => index === 0 || place - (over[index - 1] ?? 0) > 60)
  const about = (from: number, to: number): number =>
    mean(shocks.map((place) => mean(sizes.subarray(place + from, place + to))))
  return {
    'aftershock 1-10': about(1, 11) / about(-10, 0),
    'aftershock 30-60': about(30, 60) / about(-60, -30),
  }
}

/** Returns over the root mean square of the hour before. */
function scaleLocally(returns: Float64Array): Float64Array {
  const scaled = new Float64Array(returns.length - 61)
  for (let place = 0; place < scaled.length; place += 1) {
    const hour = returns.subarray(place + 1, place + 61)
    const level = Math.sqrt(mean(hour.map((value) => value * value)))
    scaled[place] = valueAt(returns, place + 61) / Math.max(level, 1e-7)
  }
  return scaled
}

/** Of past trends of five days with later volatility, less that of past volatility with later trends. */
function zumbach(days: Float64Array, variances: Float64Array): number {
  const span = 5
  const places = Array.from({ length: days.length - 2 * span }, (_, place) => place + span)
  const sum = (values: Float64Array, from: number): number =>
    values.subarray(from, from + span).reduce((total, value) => total + value, 0)
  const trend = (from: number): number => smallLog(sum(days, from) ** 2)
  const rough = (from: number): number => smallLog(sum(variances, from))
  return (
    correlation(
      places.map((at) => trend(at - span)),
      places.map(rough),
    ) -
    correlation(
      places.map(trend),
      places.map((at) => rough(at - span)),
    )
  )
}
