import type { PairConfig } from '../../engine/config.ts'
import { hasRefill } from '../../market/liquidity/liquidity.ts'
import { usualFigures } from '../../market/usual-figures.ts'
import { millis, type PartsPerMillion, partsPerMillion } from '../../numeric/units.ts'
import { cashAtoms, durationOr, ppmOf, priceTermOf, stepsOf, ticksOf } from '../file/amounts.ts'
import {
  booleanOr,
  complain,
  type Field,
  fieldOf,
  numberOr,
  optional,
  requiredField,
  textOf,
  wordOr,
} from '../file/fields.ts'
import { assetOf, assetsOf, pairOf } from '../file/references.ts'
import { isDamaged } from '../file/tree.ts'
import type { ActionScope } from './action-scope.ts'
import { compileSwitch, waypointsOf } from './compile-switch.ts'
import type { ScriptedAction } from './scripted-action.ts'

/** An action on prices, liquidity or trading. */
export function compileMarketAction(
  name: 'path' | 'liquidity' | 'halt' | 'resume' | 'pair',
  action: Field,
  scope: ActionScope,
): ScriptedAction {
  switch (name) {
    case 'path':
      return compilePath(action, scope)
    case 'liquidity':
      return compileLiquidity(action, scope)
    case 'pair':
      return compilePair(action, scope)
    case 'halt':
      return {
        kind: 'halt',
        assets: assetsOf(requiredField(action, 'asset'), scope),
        mode: wordOr(fieldOf(action, 'mode'), ['reject', 'rest'], 'reject'),
        forMillis: durationOr(fieldOf(action, 'for'), millis(0)),
      }
    case 'resume':
      return { kind: 'resume', assets: assetsOf(requiredField(action, 'asset'), scope) }
  }
}

function compilePath(action: Field, scope: ActionScope): ScriptedAction {
  const asset = assetOf(requiredField(action, 'asset'), scope)
  const noiseVol = noiseOf(action, asset, scope)
  const ways = pathWays.filter((keys) => keys.some((key) => fieldOf(action, key) !== null))
  if (ways.length !== 1) {
    complain(
      action,
      'say where the price goes by one of "waypoints", "price", "shock" and "betaTo", or how by "volX" and "drift" or "model"',
    )
  }
  const path = {
    kind: 'path',
    asset,
    noiseVol,
    points: [],
    follows: null,
    bend: null,
    switchTo: null,
  } as const
  checkNoise(action)
  if (fieldOf(action, 'model') !== null) return { ...path, ...compileSwitch(action, asset, scope) }
  const bend = bendOf(action)
  if (bend !== null) return { ...path, bend }
  const leader = fieldOf(action, 'betaTo')
  const beta = fieldOf(action, 'beta')
  const isUnsure = isDamaged(action.tree)
  if (beta !== null && leader === null && !isUnsure) complain(beta, '"beta" goes with "betaTo"')
  const target = fieldOf(action, 'price') ?? fieldOf(action, 'shock')
  const over = fieldOf(action, 'over')
  if (over !== null && target === null && !isUnsure) complain(over, '"over" goes with "price" or "shock"')
  if (leader !== null) {
    if (textOf(leader) === scope.assets[asset]?.symbol) complain(leader, 'an asset cannot follow itself')
    return { ...path, follows: { asset: assetOf(leader, scope), beta: numberOr(beta, 1) } }
  }
  const shock = fieldOf(action, 'shock')
  if (shock !== null && !/(%|bps)$/.test(textOf(shock)))
    complain(shock, 'a shock is a change from the mark, such as -5% or +120bps; where to go is "price"')
  const pair = pairOf(asset, scope)
  const points =
    target === null
      ? waypointsOf(fieldOf(action, 'waypoints'), (price) => priceTermOf(price, pair))
      : [{ offsetMillis: durationOr(over, millis(0)), price: priceTermOf(target, pair) }]
  return { ...path, points }
}

/** Noise only makes sense between points that say where the price goes. */
function checkNoise(action: Field): void {
  const noise = fieldOf(action, 'noiseVol') ?? fieldOf(action, 'noiseX')
  const without = ['model', 'volX', 'drift'].find((key) => fieldOf(action, key) !== null)
  if (noise === null || without === undefined) return
  complain(noise, `is the noise between points, and "${without}" has none`)
}

/** An action has exactly one of these. */
const pathWays = [['waypoints'], ['price'], ['shock'], ['betaTo'], ['volX', 'drift'], ['model']]

/** How the present model is bent. */
function bendOf(action: Field): Extract<ScriptedAction, { kind: 'path' }>['bend'] {
  const volX = fieldOf(action, 'volX')
  const drift = fieldOf(action, 'drift')
  if (volX === null && drift === null) return null
  const ppm = (multiple: number) => partsPerMillion(Math.round(multiple * 1_000_000))
  return { volMultiplier: ppm(numberOr(volX, 1)), drift: ppm(numberOr(drift, 0)) }
}

/**
 * A volatility as stated, or as a multiple of that of the asset's model (of its kind's usual one where that has
 * none).
 */
function noiseOf(action: Field, asset: number, scope: ActionScope): PartsPerMillion {
  const noise = fieldOf(action, 'noiseVol')
  const times = fieldOf(action, 'noiseX')
  if (noise !== null && times !== null)
    complain(times, 'say the noise by "noiseVol" or by "noiseX", not by both')
  if (noise !== null) return ppmOf(noise, 6)
  if (times === null) return partsPerMillion(0)
  const model = scope.models[asset]
  const symbol = scope.assets[asset]?.symbol ?? ''
  const vol = model !== undefined && 'vol' in model ? model.vol : usualFigures(symbol).vol
  return partsPerMillion(Math.min(100_000_000, Math.round(numberOr(times, 1) * vol * 1_000_000)))
}

function compileLiquidity(action: Field, scope: ActionScope): ScriptedAction {
  const oneSided = fieldOf(action, 'oneSided')
  const assets = assetsOf(requiredField(action, 'asset'), scope)
  return {
    kind: 'liquidity',
    assets,
    conditions: {
      spreadMultiplier: numberOr(fieldOf(action, 'spreadX'), 1),
      depthMultiplier: numberOr(fieldOf(action, 'depthX'), 1),
      sides: oneSided === null ? 'both' : wordOr(oneSided, ['bids', 'asks', 'none'], 'none'),
      ...refreshOf(fieldOf(action, 'refreshX'), assets, scope),
    },
    isStale: booleanOr(fieldOf(action, 'stale'), false),
    forMillis: durationOr(fieldOf(action, 'for'), millis(0)),
    recoverHalfLifeMillis: durationOr(fieldOf(action, 'recoverHalfLife'), millis(0)),
  }
}

/** A ladder that is whole again at each step of the grid has no pace that could be changed. */
function refreshOf(
  field: Field | null,
  assets: readonly number[],
  scope: ActionScope,
): { readonly refreshMultiplier?: number } {
  if (field === null) return {}
  const refills = assets.some((row) => {
    const liquidity = scope.assets[row]?.liquidity
    return liquidity === undefined || hasRefill(liquidity)
  })
  if (!refills) {
    const reason =
      'has no meaning here: the ladder is whole again at each step of the grid, because its dynamics have no refillHalfLife'
    complain(field, `"refreshX" ${reason}`)
  }
  const times = numberOr(field, 1)
  return times === 1 ? {} : { refreshMultiplier: times }
}

function compilePair(action: Field, scope: ActionScope): ScriptedAction {
  const field = requiredField(action, 'asset')
  const assets = assetsOf(field, scope)
  const set = requiredField(action, 'set')
  // Steps differ between pairs: with several pairs, an amount must be exact in the steps of every one of them.
  const inSteps = <Count>(key: string, read: (value: Field, pair: PairConfig | null) => Count) => {
    const value = fieldOf(set, key)
    if (value === null) return null
    const [first = 1, ...others] = assets
    const countFor = (asset: number) => read(value, pairOf(asset, scope))
    const count = countFor(first)
    if (!others.every((asset) => countFor(asset) === count))
      complain(value, `${textOf(value)} is not the same number of steps for all pairs`)
    return count
  }
  return {
    kind: 'pair',
    assets,
    status: optional(set, 'status', (field) => wordOr(field, ['active', 'inactive'], 'active')),
    minQuantitySteps: inSteps('minQuantity', stepsOf),
    maxQuantitySteps: inSteps('maxQuantity', stepsOf),
    minPriceTicks: inSteps('minPrice', ticksOf),
    minNotionalAtoms: optional(set, 'minNotional', cashAtoms),
  }
}
