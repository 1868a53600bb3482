import { type State, stateOf } from '../../engine/state.ts'
import type { ScriptedPath } from '../../market/scripted-path.ts'
import { powerOfTen } from '../../numeric/decimal.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { type Millis, millis, type PriceTicks, priceTicks } from '../../numeric/units.ts'

/**
 * What is left of another asset's scripted path, its logarithmic moves multiplied by beta, as points of this asset
 * from its present mark on. Null when the other asset is on no path.
 */
export function pathPoints(
  follows: { readonly asset: number; readonly beta: number },
  asset: number,
  state: State,
): readonly { readonly offsetMillis: Millis; readonly priceTicks: PriceTicks }[] | null {
  const path = pathInForce(state, follows.asset)
  if (path === null) return null
  const elapsed = state.nowMillis - state.config.startMillis - path.startOffsetMillis
  const leaderMark = state.markTicks.get(follows.asset)
  const { priceStep } = state.assets.traded(follows.asset).pair
  const base = (leaderMark * priceStep.units) / powerOfTen(priceStep.scale)
  const own = state.markTicks.get(asset)
  const points = path.points
    .filter((point, index) => index > 0 && point.offsetMillis >= elapsed)
    .map((point) => ({
      offsetMillis: millis(point.offsetMillis - elapsed),
      priceTicks: priceTicks(
        Math.max(1, Math.round(own * exp(follows.beta * (log(point.price) - log(base))))),
      ),
    }))
  return points.length === 0 ? null : points
}

/** The newest path of an asset that has begun, or begins now, and is not over. */
function pathInForce(state: State, asset: number): ScriptedPath | null {
  const newest = stateOf(state, asset).overrides.at(-1)
  const isPath = newest?.kind === 'path' && newest.endIndex > state.gridIndex
  return isPath ? newest : null
}
