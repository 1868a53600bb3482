import { impactProblem, permanentMaximum } from '../../market/liquidity/check-liquidity.ts'
import type { ImpactSpec, LiquidityDynamics, LiquiditySpec } from '../../market/liquidity/liquidity.ts'
import type { ModelSpec } from '../../market/models/price-models.ts'
import { usualFigures } from '../../market/usual-figures.ts'
import { millis } from '../../numeric/units.ts'
import { durationOr } from '../read/amounts.ts'
import {
  booleanOr,
  complain,
  type Field,
  fieldOf,
  itemsOf,
  numberOr,
  textOf,
  textOr,
} from '../read/fields.ts'
import { isWhole } from '../read/tree.ts'
import { inWordsOfFile } from './market-flaw.ts'

/** The venue's ladder of an asset. Where nothing is stated: `power`, with the usual figures of its symbol. */
export function compileLiquidity(field: Field | null, symbol: string): LiquiditySpec {
  const defaults = usualFigures(symbol)
  const number = (key: string, fallback: number): number => numberOr(fieldOf(field, key), fallback)
  const spreadBps = number('spreadBps', defaults.spreadBps)
  const dynamics = (depth10bpUsd: number): { dynamics?: LiquidityDynamics } =>
    compileDynamics(fieldOf(field, 'dynamics'), depth10bpUsd)
  switch (textOr(fieldOf(field, 'kind'), 'power')) {
    case 'none':
      return { kind: 'none' }
    case 'exponential': {
      const maxUsd = number('maxUsd', defaults.depth10bpUsd * 5)
      return {
        kind: 'exponential',
        spreadBps,
        maxUsd,
        scaleBps: number('scaleBps', 20),
        ...dynamics(maxUsd / 5),
      }
    }
    case 'flat': {
      const levelUsd = number('levelUsd', defaults.depth10bpUsd / 10)
      return {
        kind: 'flat',
        spreadBps,
        levelUsd,
        stepBps: number('stepBps', 1),
        levels: number('levels', 20),
        ...dynamics(levelUsd * 10),
      }
    }
    case 'ladder':
      return {
        kind: 'ladder',
        bids: compileRungs(fieldOf(field, 'bids')),
        asks: compileRungs(fieldOf(field, 'asks')),
      }
    default: {
      const depth10bpUsd = number('depth10bpUsd', defaults.depth10bpUsd)
      return { kind: 'power', spreadBps, depth10bpUsd, ...dynamics(depth10bpUsd) }
    }
  }
}

/**
 * What takers do to an asset's price: as the asset states, else as the market states. Only a ladder that follows the
 * mid is moved; with fixed prices, or without a ladder, there is no impact.
 */
export function compileImpact(
  market: Field,
  asset: Field,
  symbol: string,
  liquidity: LiquiditySpec,
  model: ModelSpec,
): ImpactSpec | undefined {
  if (liquidity.kind === 'none' || liquidity.kind === 'ladder') return undefined
  const own = fieldOf(asset, 'impact')
  const common = fieldOf(market, 'impact')
  const stated = own ?? common
  if (stated !== null && isNone(stated)) return undefined
  const given = (key: string): Field | null => wordOf(own, key) ?? wordOf(common, key)
  const vol = 'vol' in model ? model.vol : usualFigures(symbol).vol
  const adv = fieldOf(fieldOf(asset, 'liquidity'), 'advUsd') ?? fieldOf(asset, 'advUsd')
  const impact = {
    y: numberOr(given('y'), 0.7),
    dailyVol: numberOr(given('dailyVol'), Math.min(1, vol / Math.sqrt(365))),
    advUsd: numberOr(adv, usualFigures(symbol).advUsd),
    halfLifeMillis: durationOr(given('halfLife'), millis(1_200_000)),
    permanent: 0,
  }
  const most = permanentMaximum(impact, liquidity)
  const permanent = numberOr(given('permanent'), Math.min(0.15, most))
  const checked = { ...impact, permanent }
  const flaw = impactProblem(checked, liquidity)
  const isKnown = [stated, fieldOf(asset, 'liquidity')].every((part) => part === null || isWhole(part.tree))
  if (flaw !== null && isKnown) {
    const { field, message } = inWordsOfFile(flaw)
    const place = given(field)
    complain(place ?? stated ?? asset, place === null ? `${field} ${message}` : message)
  }
  return checked
}

/** Figures of market.md section 3. */
function compileDynamics(field: Field | null, depth10bpUsd: number): { dynamics?: LiquidityDynamics } {
  if (field !== null && isNone(field)) return {}
  const number = (key: string, fallback: number): number => numberOr(fieldOf(field, key), fallback)
  const span = (key: string, fallback: number): number => durationOr(fieldOf(field, key), millis(fallback))
  return {
    dynamics: {
      spreadExponent: number('spreadExponent', 0.9),
      depthExponent: number('depthExponent', 1),
      hasSeasons: booleanOr(fieldOf(field, 'seasons'), true),
      flickerSd: number('flicker', 0.3),
      flickerHalfLifeMillis: span('flickerHalfLife', 5000),
      refillHalfLifeMillis: span('refillHalfLife', 2000),
      pull: number('pull', 0.5),
      pullHalfLifeMillis: span('pullHalfLife', 60_000),
      skew: number('skew', 0.5),
      inventoryUsd: number('inventoryUsd', Math.max(1, depth10bpUsd)),
    },
  }
}

const isNone = (field: Field): boolean => field.tree.kind === 'scalar' && textOf(field) === 'none'

const wordOf = (field: Field | null, key: string): Field | null =>
  field === null || isNone(field) ? null : fieldOf(field, key)

function compileRungs(field: Field | null): readonly (readonly [number, number])[] {
  return itemsOf(field).map((rung) => {
    const [price, quantity] = itemsOf(rung)
    return [
      price === undefined ? 0 : Number(textOf(price)),
      quantity === undefined ? 0 : Number(textOf(quantity)),
    ]
  })
}
