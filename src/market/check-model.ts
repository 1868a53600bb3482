import { millisPerDay } from '../numeric/time-text.ts'
import type { FieldProblem } from './check-field.ts'
import {
  hundredYearsMillis,
  isIntegerWithin,
  isPrice,
  isWithin,
  noPrice,
  problem,
  range,
  spanRange,
} from './check-field.ts'
import type { GarchSpec, HawkesJumps, MarketModelSpec, ModelSpec, RegimesSpec } from './market-spec.ts'
import { jumpsWithinReach } from './models/jump-clusters.ts'
import { bootstrapProblem, candlesProblem, tradesProblem } from './recordings/check-recording.ts'
import type { Waypoint } from './scripted-path.ts'

/** The first thing that is wrong with a model; fields in the order of their declaration. */
export function modelProblem(model: ModelSpec): FieldProblem | null {
  switch (model.kind) {
    case 'constant':
      return null
    case 'waypoints':
      return range('model.noiseVol', model.noiseVol, 0, 100) ?? pointsProblem(model.points)
    case 'gbm':
      return range('model.vol', model.vol, 0, 100) ?? driftProblem(model.drift)
    case 'ou':
      if (!isPrice(model.mean)) return problem('model.mean', noPrice)
      return (
        spanRange('model.halfLifeMillis', model.halfLifeMillis, 1000, hundredYearsMillis) ??
        range('model.stationarySd', model.stationarySd, 0, 10)
      )
    case 'merton':
      return (
        range('model.vol', model.vol, 0, 100) ??
        driftProblem(model.drift) ??
        range('model.jumpsPerYear', model.jumpsPerYear, 0, 1e6) ??
        range('model.jumpMean', model.jumpMean, -1, 1) ??
        range('model.jumpSd', model.jumpSd, 0, 1)
      )
    case 'heston':
      return (
        range('model.meanVariance', model.meanVariance, 1e-8, 100) ??
        range('model.meanReversion', model.meanReversion, 0.01, 1e5) ??
        range('model.volOfVariance', model.volOfVariance, 1e-4, 1000) ??
        range('model.leverage', model.leverage, -0.99, 0.99) ??
        driftProblem(model.drift)
      )
    case 'garch':
      return garchProblem(model)
    case 'regimes':
      return regimesProblem(model)
    case 'hawkes':
      return range('model.vol', model.vol, 0, 100) ?? driftProblem(model.drift) ?? jumpsProblem(model.jumps)
    case 'bootstrap':
      return bootstrapProblem(model)
    case 'replay':
      return range('model.noiseVol', model.noiseVol, 0, 100) ?? candlesProblem(model.candles)
    case 'trades':
      return tradesProblem(model)
    case 'market':
      return marketModelProblem(model)
  }
}

function driftProblem(drift: number): FieldProblem | null {
  return range('model.drift', drift, -100, 100)
}

function pointsProblem(points: readonly Waypoint[]): FieldProblem | null {
  if (points.length === 0) return problem('model.points', 'is empty')
  let previousMillis = 0
  for (const [place, { offsetMillis, price }] of points.entries()) {
    if (!isIntegerWithin(offsetMillis, previousMillis, hundredYearsMillis)) {
      return problem(
        `model.points[${place}].offsetMillis`,
        'is not a whole number at or after the point before',
      )
    }
    if (!isPrice(price)) return problem(`model.points[${place}].price`, noPrice)
    previousMillis = offsetMillis
  }
  return null
}

function garchProblem(model: GarchSpec): FieldProblem | null {
  const { alpha, beta, asymmetry } = model
  const found =
    range('model.vol', model.vol, 0, 100) ??
    (isIntegerWithin(model.barMinutes, 1, 1440)
      ? null
      : problem('model.barMinutes', 'is not of whole minutes, from 1m to 1d')) ??
    range('model.alpha', alpha, 0, 1) ??
    range('model.beta', beta, 0, 1) ??
    range('model.asymmetry', asymmetry, -1, 1) ??
    range('model.tails', model.tails, 2.05, 1000)
  if (found !== null) return found
  if (!(alpha + beta > 0 && alpha + beta <= 0.9999)) {
    return problem('model.beta', 'with alpha is not above 0 and at most 0.9999, so the variance has no mean')
  }
  const least = alpha - (asymmetry < 0 ? -asymmetry : asymmetry) / 2
  return least >= 0
    ? null
    : problem('model.asymmetry', 'is more than twice alpha, so a variance could be negative')
}

function regimesProblem({ vol, regimes, transitions }: RegimesSpec): FieldProblem | null {
  const found = range('model.vol', vol, 0, 100)
  if (found !== null) return found
  if (regimes.length === 0 || regimes.length > 20)
    return problem('model.regimes', 'does not have 1 to 20 entries')
  for (const [place, { volMultiple, drift }] of regimes.entries()) {
    const field = `model.regimes[${place}]`
    const wrong =
      range(`${field}.volMultiple`, volMultiple, 0, 1000) ?? range(`${field}.drift`, drift, -100, 100)
    if (wrong !== null) return wrong
  }
  if (regimes.every(({ volMultiple }) => volMultiple < 1e-6)) {
    return problem('model.regimes', 'has no volMultiple above 0.000001')
  }
  if (transitions.length !== regimes.length) {
    return problem('model.transitions', `has ${transitions.length} rows for ${regimes.length} regimes`)
  }
  for (const [place, row] of transitions.entries()) {
    const wrong = rowProblem(`model.transitions[${place}]`, row, regimes.length)
    if (wrong !== null) return wrong
  }
  return null
}

function rowProblem(field: string, row: readonly number[], length: number): FieldProblem | null {
  if (row.length !== length) return problem(field, `has ${row.length} values for ${length} regimes`)
  let sum = 0
  for (const [place, value] of row.entries()) {
    const wrong = range(`${field}[${place}]`, value, 0, 1)
    if (wrong !== null) return wrong
    sum += value
  }
  return isWithin(sum, 1 - 1e-6, 1 + 1e-6) ? null : problem(field, `adds up to ${sum}, not to 1`)
}

function jumpsProblem(jumps: HawkesJumps): FieldProblem | null {
  const found =
    range('model.jumps.perDay', jumps.perDay, 0, 10_000) ??
    range('model.jumps.branching', jumps.branching, 0, 0.95) ??
    spanRange('model.jumps.decayMillis', jumps.decayMillis, 1000, millisPerDay) ??
    range('model.jumps.size', jumps.size, 0, 1000) ??
    range('model.jumps.tilt', jumps.tilt, -10, 10)
  if (found !== null) return found
  const message = 'is too many for such a branching and decay: over 100000 of them would be felt at once'
  return jumpsWithinReach(jumps) > maximumJumpsWithinReach ? problem('model.jumps.perDay', message) : null
}

/** Beyond it, a day of the market would take seconds. */
const maximumJumpsWithinReach = 100_000

function marketModelProblem(model: MarketModelSpec): FieldProblem | null {
  const found =
    range('model.vol', model.vol, 0, 100) ??
    driftProblem(model.drift) ??
    range('model.marketShare', model.marketShare, -10, 10) ??
    range('model.altShare', model.altShare, -10, 10) ??
    range('model.ownShare', model.ownShare, 0, 10) ??
    range('model.dailyVolumeUsd', model.dailyVolumeUsd, 0, 1e15)
  if (found !== null) return found
  const { marketShare, altShare, ownShare } = model
  if (Math.max(Math.abs(marketShare), Math.abs(altShare), ownShare) < 1e-6) {
    return problem(
      'model.ownShare',
      'is below 0.000001 as both other shares are: nothing would move the price',
    )
  }
  return null
}
