import type { Candle, HawkesJumps, ModelSpec, RegimesSpec } from '../../market/market-spec.ts'
import { candlesAsTrades } from '../../market/recordings/recording.ts'
import type { Waypoint } from '../../market/scripted-path.ts'
import { assert } from '../../numeric/assert.ts'
import { millis } from '../../numeric/units.ts'
import { changeOf, durationOr, positivePrice } from '../read/amounts.ts'
import {
  complain,
  type Field,
  fieldOf,
  itemsOf,
  numberOf,
  numberOr,
  textOf,
  textOr,
  wordOr,
} from '../read/fields.ts'
import { assetDefaults } from './defaults.ts'
import {
  hestonDefaults,
  isStablecoin,
  jumpDefaults,
  mertonDefaults,
  modelDefaults,
  regimeDefaults,
  stablecoinDefaults,
} from './model-defaults.ts'

/** The model of an asset that states none: `market`; for stablecoins, a return to one dollar. */
export function defaultModel(symbol: string, price: number): ModelSpec {
  if (isStablecoin(symbol, price)) return { kind: 'ou', mean: 1, ...stablecoinDefaults }
  return marketModel(null, symbol)
}

/** The model under the key `model`, of an asset or of anything else that has one. Changes count from `price`. */
export function compileModel(
  asset: Field,
  symbol: string,
  price: number,
  candles: readonly Candle[],
): ModelSpec {
  const field = fieldOf(asset, 'model')
  if (field === null) return defaultModel(symbol, price)
  const kind = textOr(fieldOf(field, 'kind'), 'market')
  assert(isStatedKind(kind), 'the schema has checked that this is a kind of model')
  const number = (key: string, fallback: number): number => numberOr(fieldOf(field, key), fallback)
  return compilers[kind]({
    field,
    symbol,
    price,
    candles,
    number,
    vol: number('vol', assetDefaults(symbol).vol),
  })
}

interface StatedModel {
  readonly field: Field
  readonly symbol: string
  readonly price: number
  readonly candles: readonly Candle[]
  readonly vol: number
  number(key: string, fallback: number): number
}

/** A recording of trades is stated as a `replay`. */
type StatedKind = Exclude<ModelSpec['kind'], 'trades'>

const compilers: { readonly [Kind in StatedKind]: (model: StatedModel) => ModelSpec } = {
  constant: () => ({ kind: 'constant' }),
  waypoints: ({ field, price, number }) => ({
    kind: 'waypoints',
    points: compilePoints(field, price),
    noiseVol: number('noiseVol', 0),
  }),
  gbm: ({ vol, number }) => ({ kind: 'gbm', vol, drift: number('drift', 0) }),
  ou: ({ field, price, number }) => {
    const mean = fieldOf(field, 'mean')
    return {
      kind: 'ou',
      mean: mean === null ? price : positivePrice(mean),
      halfLifeMillis: durationOr(fieldOf(field, 'halfLife'), millis(600_000)),
      stationarySd: number('stationarySd', 0.01),
    }
  },
  replay: ({ field, candles }) => compileReplay(field, candles),
  merton: ({ symbol, vol, number }) => ({
    kind: 'merton',
    vol,
    drift: number('drift', 0),
    jumpsPerYear: number('jumpsPerYear', mertonDefaults.jumpsPerYear),
    jumpMean: number('jumpMean', mertonDefaults.jumpMean),
    jumpSd: number('jumpSd', modelDefaults(symbol).jumpSd),
  }),
  heston: ({ number }) => ({
    kind: 'heston',
    meanVariance: number('meanVariance', hestonDefaults.meanVariance),
    meanReversion: number('meanReversion', hestonDefaults.meanReversion),
    volOfVariance: number('volOfVariance', hestonDefaults.volOfVariance),
    leverage: number('leverage', hestonDefaults.leverage),
    drift: number('drift', 0),
  }),
  garch: ({ field, symbol, vol, number }) => {
    const { garch } = modelDefaults(symbol)
    return {
      kind: 'garch',
      vol,
      barMinutes: durationOr(fieldOf(field, 'bar'), millis(3_600_000)) / 60_000,
      alpha: number('alpha', garch.alpha),
      beta: number('beta', garch.beta),
      asymmetry: number('asymmetry', garch.asymmetry),
      tails: number('tails', garch.tails),
    }
  },
  regimes: ({ field, vol }) => ({ kind: 'regimes', vol, ...compileRegimes(field) }),
  hawkes: ({ field, vol, number }) => ({
    kind: 'hawkes',
    vol,
    drift: number('drift', 0),
    jumps: compileJumps(fieldOf(field, 'jumps')),
  }),
  bootstrap: ({ field, candles }) => ({
    kind: 'bootstrap',
    candles,
    meanPieceMillis: durationOr(fieldOf(field, 'meanPiece'), millis(86_400_000)),
  }),
  market: ({ field, symbol }) => marketModel(field, symbol),
}

const isStatedKind = (kind: string): kind is StatedKind => Object.hasOwn(compilers, kind)

function compileReplay(field: Field, candles: readonly Candle[]): ModelSpec {
  const gaps = fieldOf(field, 'gaps')
  const gapAfter = fieldOf(field, 'gapAfter')
  const noiseVol = fieldOf(field, 'noiseVol')
  const trades = candlesAsTrades(candles)
  if (trades === null) {
    if (gapAfter !== null) complain(gapAfter, 'is for recordings of trades; these are candles')
    return {
      kind: 'replay',
      candles,
      gaps: wordOr(gaps, ['hold', 'interpolate', 'halt'], 'hold'),
      noiseVol: numberOr(noiseVol, 0),
    }
  }
  if (noiseVol !== null) complain(noiseVol, 'is for recordings of candles; these are trades')
  const word = wordOr(gaps, ['hold', 'interpolate', 'halt'], 'hold')
  if (gaps !== null && word === 'interpolate') {
    complain(gaps, 'nothing is interpolated between trades; say hold or halt')
  }
  return {
    kind: 'trades',
    trades,
    gapMillis: durationOr(gapAfter, millis(3_600_000)),
    gaps: word === 'halt' ? 'halt' : 'hold',
  }
}

/**
 * The points of an asset's own model. Percentages are of its start price, and it starts there. With `asReturnsFrom`,
 * prices keep only their ratio to that one, so that a past event can be replayed at today's prices.
 */
function compilePoints(model: Field, price: number): readonly Waypoint[] {
  const points: Waypoint[] = []
  const origin = fieldOf(model, 'asReturnsFrom')
  const ratio = origin === null ? 1 : price / positivePrice(origin)
  for (const pair of itemsOf(fieldOf(model, 'points'))) {
    const [offset, target] = itemsOf(pair)
    if (offset === undefined || target === undefined) continue
    const offsetMillis = durationOr(offset, millis(0))
    if (points.length === 0 && offsetMillis > 0) points.push({ offsetMillis: 0, price })
    if (offsetMillis < (points.at(-1)?.offsetMillis ?? 0)) complain(offset, 'offsets never fall')
    const change = changeOf(target)
    points.push({
      offsetMillis,
      price:
        change === null ? positivePrice(target) * ratio : (price * (1_000_000 + change.change)) / 1_000_000,
    })
  }
  return points.length > 0 ? points : [{ offsetMillis: 0, price }]
}

function marketModel(field: Field | null, symbol: string): ModelSpec {
  const number = (key: string, fallback: number): number => numberOr(fieldOf(field, key), fallback)
  const { loadings, dailyVolumeUsd } = modelDefaults(symbol)
  const volume = fieldOf(field, 'dailyVolumeUsd')
  return {
    kind: 'market',
    vol: number('vol', assetDefaults(symbol).vol),
    drift: number('drift', 0),
    marketShare: number('marketShare', loadings.marketShare),
    altShare: number('altShare', loadings.altShare),
    ownShare: number('ownShare', loadings.ownShare),
    dailyVolumeUsd: volume === null ? dailyVolumeUsd : Number(textOf(volume)),
  }
}

/** Regimes and transitions are stated together, or else both are the defaults. */
function compileRegimes(field: Field): Pick<RegimesSpec, 'regimes' | 'transitions'> {
  const regimes = fieldOf(field, 'regimes')
  const transitions = fieldOf(field, 'transitions')
  if (regimes === null && transitions === null) return regimeDefaults
  if (regimes === null || transitions === null) {
    complain(field, '"regimes" and "transitions" are given together, or neither')
    return regimeDefaults
  }
  return {
    regimes: itemsOf(regimes).map((regime) => ({
      volMultiple: numberOr(fieldOf(regime, 'volMultiple'), 1),
      drift: numberOr(fieldOf(regime, 'drift'), 0),
    })),
    transitions: itemsOf(transitions).map((row) => itemsOf(row).map(numberOf)),
  }
}

function compileJumps(field: Field | null): HawkesJumps {
  const number = (key: string, fallback: number): number => numberOr(fieldOf(field, key), fallback)
  return {
    perDay: number('perDay', jumpDefaults.perDay),
    branching: number('branching', jumpDefaults.branching),
    decayMillis: durationOr(fieldOf(field, 'decay'), millis(jumpDefaults.decayMillis)),
    size: number('size', jumpDefaults.size),
    tilt: number('tilt', jumpDefaults.tilt),
  }
}
