import { computeImpact, flowAt, impactAt, recordGiveBack, recordTake } from '../market/liquidity/impact.ts'
import { exp } from '../numeric/portable-math.ts'
import { type AnyAssetRow, type AssetRow, buy, type Side } from './codes.ts'
import { type State, stateOf } from './state.ts'

/*
 * How clients who take move a price. What they take from the venue's ladder counts at once; the mark follows at the
 * market's next step.
 *
 * Choice: only trades with the ladder count. A trade between clients says nothing about the rest of the world, and two
 * accounts of one owner could otherwise move a price at no cost. Synthetic takers are part of the fundamental.
 */

/** Returns the factor that impact puts on an asset's fundamental at an instant, if nobody trades until then. */
export function impactFactorAt(state: State, asset: AnyAssetRow, atMillis: number): number {
  const { impact: spec } = state.assets.config(asset)
  const { impact } = stateOf(state, asset)
  if (spec === undefined || (impact.flowUsd === 0 && impact.permanent === 0)) return 1
  return exp(impactAt(spec, impact, atMillis))
}

/** Returns the factor on an asset's fundamental that will remain when the transient impact has faded. */
export function lastingImpactFactor(state: State, asset: AnyAssetRow): number {
  const { permanent } = stateOf(state, asset).impact
  return permanent === 0 ? 1 : exp(permanent)
}

/**
 * Returns `impactFactorAt` while some impact is still to fade, so that the mark may move by itself; null when none
 * is.
 */
export function fadingImpactFactorAt(state: State, asset: AnyAssetRow, atMillis: number): number | null {
  const { impact: spec } = state.assets.config(asset)
  const { impact } = stateOf(state, asset)
  if (spec === undefined || impact.flowUsd === 0) return null
  const flowUsd = flowAt(spec, impact, atMillis)
  return flowUsd === 0 ? null : exp(computeImpact(spec, impact, flowUsd))
}

/** Applies the impact of a client's taker on `side` that took `steps` at `ticks` from the venue's ladder. */
export function applyTaking(state: State, asset: AssetRow, side: Side, ticks: number, steps: number): void {
  applyImpact(state, asset, side, ticks, steps, recordTake)
}

/** Applies the impact of the venue's ladder taking `steps` at `ticks` from a client's interest on `side`. */
export function applyGivingBack(
  state: State,
  asset: AssetRow,
  side: Side,
  ticks: number,
  steps: number,
): void {
  applyImpact(state, asset, side, ticks, steps, recordGiveBack)
}

/**
 * Updates an asset's impact by one of the two laws, from the signed USD traded and from how far the price was from the
 * ladder's fair price.
 */
function applyImpact(
  state: State,
  asset: AssetRow,
  side: Side,
  ticks: number,
  steps: number,
  after: typeof recordTake,
): void {
  const { impact: spec } = state.assets.config(asset)
  if (spec === undefined) return
  const assetState = stateOf(state, asset)
  const value = signedUsd(state, asset, side, ticks, steps)
  const beyond = ticks / assetState.ladder.fairTicks - 1
  assetState.impact = after(spec, assetState.impact, state.nowMillis, value, beyond)
}

function signedUsd(state: State, asset: AssetRow, side: Side, ticks: number, steps: number): number {
  const { tickUsd, stepUnits } = state.assets.tradedAsset(asset)
  const usd = ticks * tickUsd * (steps * stepUnits)
  return side === buy ? usd : -usd
}
