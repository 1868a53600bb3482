import type { Candle, HawkesJumps, ModelSpec, RegimesSpec } from '../../market/market-spec.ts'
import { millis } from '../../numeric/units.ts'
import { durationOr } from '../read/amounts.ts'
import { complain, type Field, fieldOf, itemsOf, numberOf, numberOr, textOf } from '../read/fields.ts'
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

/** A random model of the kinds that `stochasticModels` describes; null for any other kind. */
export function compileStochasticModel(
  kind: string,
  field: Field,
  symbol: string,
  candles: readonly Candle[],
): ModelSpec | null {
  const number = (key: string, fallback: number): number => numberOr(fieldOf(field, key), fallback)
  const vol = number('vol', assetDefaults(symbol).vol)
  const drift = number('drift', 0)
  const defaults = modelDefaults(symbol)
  switch (kind) {
    case 'merton':
      return {
        kind,
        vol,
        drift,
        jumpsPerYear: number('jumpsPerYear', mertonDefaults.jumpsPerYear),
        jumpMean: number('jumpMean', mertonDefaults.jumpMean),
        jumpSd: number('jumpSd', defaults.jumpSd),
      }
    case 'heston':
      return {
        kind,
        meanVariance: number('meanVariance', hestonDefaults.meanVariance),
        meanReversion: number('meanReversion', hestonDefaults.meanReversion),
        volOfVariance: number('volOfVariance', hestonDefaults.volOfVariance),
        leverage: number('leverage', hestonDefaults.leverage),
        drift,
      }
    case 'garch': {
      const { garch } = defaults
      return {
        kind,
        vol,
        barMinutes: durationOr(fieldOf(field, 'bar'), millis(3_600_000)) / 60_000,
        alpha: number('alpha', garch.alpha),
        beta: number('beta', garch.beta),
        asymmetry: number('asymmetry', garch.asymmetry),
        tails: number('tails', garch.tails),
      }
    }
    case 'regimes':
      return { kind, vol, ...compileRegimes(field) }
    case 'hawkes':
      return { kind, vol, drift, jumps: compileJumps(fieldOf(field, 'jumps')) }
    case 'bootstrap': {
      const meanPieceMillis = durationOr(fieldOf(field, 'meanPiece'), millis(86_400_000))
      return { kind, candles, meanPieceMillis }
    }
    case 'market':
      return marketModel(field, symbol)
    default:
      return null
  }
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
