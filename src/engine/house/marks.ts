import { computeFundamental } from '../../market/path-override.ts'
import { element } from '../../numeric/columns.ts'
import { type AnyAssetRow, none } from '../codes.ts'
import { eventType } from '../events.ts'
import { fadingImpactFactorAt, impactFactorAt, lastingImpactFactor } from '../price-impact.ts'
import { type State, stateOf } from '../state.ts'

/* An asset's mark: the fundamental times the clients' impact, to the nearest tick. */

/** Returns the mark at a grid index, with the impact that is left at an instant. */
export function markTicksAt(state: State, asset: AnyAssetRow, gridIndex: number, atMillis: number): number {
  const { tickUsd, maximumPriceTicks } = state.assets.tradedAsset(asset)
  const { overrides } = stateOf(state, asset)
  const fundamental = computeFundamental(state.market, asset - 1, overrides, gridIndex)
  return toTicks(fundamental * impactFactorAt(state, asset, atMillis), tickUsd, maximumPriceTicks)
}

/**
 * Returns the marks at grid indices `step` apart if nobody trades. The model writes all prices that no script has
 * changed.
 */
export function writeMarks(
  state: State,
  asset: AnyAssetRow,
  indices: { readonly first: number; readonly step: number; readonly count: number },
): Float64Array {
  const { startMillis, gridMillis } = state.config
  const { tickUsd, maximumPriceTicks } = state.assets.tradedAsset(asset)
  const { impact, overrides } = stateOf(state, asset)
  const { count, first, step } = indices
  const marks = new Float64Array(count)
  const isOwn = overrides.length === 0
  // What has faded away does not come back, and most marks lie long after a trade.
  let isFading = impact.flowUsd !== 0
  const lastingFactor = lastingImpactFactor(state, asset)
  let factor = lastingFactor
  if (isOwn) state.market.writeFundamentals(asset - 1, indices, marks)
  for (let row = 0; row < count; row += 1) {
    const gridIndex = first + row * step
    const fundamental = isOwn
      ? element(marks, row)
      : computeFundamental(state.market, asset - 1, overrides, gridIndex)
    if (isFading) {
      const fading = fadingImpactFactorAt(state, asset, startMillis + gridIndex * gridMillis)
      isFading = fading !== null
      factor = fading ?? lastingFactor
    }
    marks[row] = toTicks(fundamental * factor, tickUsd, maximumPriceTicks)
  }
  return marks
}

export function updateMark(state: State, asset: AnyAssetRow): void {
  setMark(state, asset, markTicksAt(state, asset, state.gridIndex, state.nowMillis))
}

export function setMark(state: State, asset: AnyAssetRow, ticks: number): void {
  if (ticks === state.markTicks.get(asset)) return
  state.markTicks.set(asset, ticks)
  state.priceUpdatedAtMillis.set(asset, state.nowMillis)
  state.exposures.noteMarksMoved()
  stateOf(state, asset).marks.record(state.nowMillis, ticks)
  state.sink.emit(eventType.price, none, none, asset, ticks, 0, 0)
}

function toTicks(priceUsd: number, tickUsd: number, maximumPriceTicks: number): number {
  return Math.min(Math.max(Math.round(priceUsd / tickUsd), 1), maximumPriceTicks)
}
