import { afterGivingBack, afterTaking, flowAt, impactAt } from '../../market/liquidity/impact.ts'
import { exp } from '../../numeric/portable-math.ts'
import type { Side } from '../codes.ts'
import { buy } from '../codes.ts'
import { type State, stateOf } from '../state.ts'

/*
 * How clients who take move a price: what they take from the venue's ladder is counted at once, and the mark follows at
 * the market's next step.
 *
 * Choice: only trades with the ladder count. A trade between clients says nothing about the rest of the world, and two
 * accounts of one owner could otherwise move a price at no cost. Synthetic takers are part of the fundamental.
 */

export function impactFactorOf(state: State, asset: number): number {
  return impactFactorAt(state, asset, state.nowMillis)
}

/** Factor on the fundamental at a later instant, without trades until then. */
export function impactFactorAt(state: State, asset: number, atMillis: number): number {
  const { impact: spec } = state.assets.config(asset)
  const { impact } = stateOf(state, asset)
  if (spec === undefined || (impact.flowUsd === 0 && impact.permanent === 0)) return 1
  return exp(impactAt(spec, impact, atMillis))
}

/** Factor on the fundamental that will remain when the transient impact has faded. */
export function lastingFactorOf(state: State, asset: number): number {
  const { permanent } = stateOf(state, asset).impact
  return permanent === 0 ? 1 : exp(permanent)
}

/** Whether some impact is still to fade, so that the mark may move by itself. */
export function isImpactFading(state: State, asset: number): boolean {
  const { impact: spec } = state.assets.config(asset)
  const { impact } = stateOf(state, asset)
  return spec !== undefined && impact.flowUsd !== 0 && flowAt(spec, impact, state.nowMillis) !== 0
}

/** A client's taker on `side` has taken from the venue's ladder. */
export function noteTaken(state: State, asset: number, side: Side, ticks: number, steps: number): void {
  note(state, asset, side, ticks, steps, afterTaking)
}

/** The venue's ladder has taken what a client on `side` had resting. */
export function noteGivenBack(state: State, asset: number, side: Side, ticks: number, steps: number): void {
  note(state, asset, side, ticks, steps, afterGivingBack)
}

/** Updates the impact by one of its laws: with the signed USD traded, and how far from the ladder's fair price. */
function note(
  state: State,
  asset: number,
  side: Side,
  ticks: number,
  steps: number,
  after: typeof afterTaking,
): void {
  const { impact: spec } = state.assets.config(asset)
  if (spec === undefined) return
  const assetState = stateOf(state, asset)
  const value = signedUsd(state, asset, side, ticks, steps)
  const beyond = ticks / assetState.ladder.fairTicks - 1
  assetState.impact = after(spec, assetState.impact, state.nowMillis, value, beyond)
}

function signedUsd(state: State, asset: number, side: Side, ticks: number, steps: number): number {
  const { tickUsd, stepUnits } = state.assets.traded(asset)
  const usd = ticks * tickUsd * (steps * stepUnits)
  return side === buy ? usd : -usd
}
