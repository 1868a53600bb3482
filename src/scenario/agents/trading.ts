import { buy, immediateOrCancel, isTerminal, limit, market, type Side, sell } from '../../engine/codes.ts'
import { unnamed } from '../../engine/command.ts'
import { topOfBook } from '../../engine/reports/top-of-book.ts'
import type { State } from '../../engine/state.ts'
import {
  millis,
  type PriceTicks,
  priceTicks,
  type QuantitySteps,
  quantitySteps,
} from '../../numeric/units.ts'
import type { AgentOrder, AgentSpec, ScriptedVenue } from './behaviour.ts'

/** Returns the mid of the book in ticks, halves included. */
export function computeMidTicks(state: State, asset: number): number {
  return topOfBook(state, asset).midHalfTicks / 2
}

/**
 * Returns how many quantity steps this many USD are worth at a price in ticks, at most the pair's maximum; 0 when
 * below the pair's minimum.
 */
export function computeStepsWorth(state: State, asset: number, usd: number, ticks: number): QuantitySteps {
  const { tickUsd, stepUnits, pair } = state.assets.tradedAsset(asset)
  const wanted = Math.floor(usd / (ticks * tickUsd * stepUnits))
  const steps = Math.min(wanted, pair.maxQuantitySteps)
  return quantitySteps(steps >= pair.minQuantitySteps ? steps : 0)
}

/** Rounds a price away from the market to a tick within the pair's bounds: down for a bid, up for an ask. */
export function roundLimitTicks(state: State, asset: number, side: Side, ticks: number): PriceTicks {
  const { pair, maximumPriceTicks } = state.assets.tradedAsset(asset)
  const rounded = side === buy ? Math.floor(ticks) : Math.ceil(ticks)
  return priceTicks(Math.min(maximumPriceTicks, Math.max(pair.minPriceTicks, rounded)))
}

export function positionSteps(state: State, account: number, asset: number): number {
  return state.ledger.total(account, asset) / state.assets.tradedAsset(asset).stepAtoms
}

export function computeUsdWorth(state: State, asset: number, steps: number, ticks: number): number {
  const { tickUsd, stepUnits } = state.assets.tradedAsset(asset)
  return steps * stepUnits * ticks * tickUsd
}

type PlacedOrder = Omit<AgentOrder, 'price'> & { readonly priceTicks: PriceTicks }

/** Places an order and returns its row, or null when the venue refused it. Nothing is sent for a quantity of 0. */
export function placeOrder(venue: ScriptedVenue, spec: AgentSpec, order: PlacedOrder): number | null {
  if (order.quantitySteps <= 0) return null
  const outcome = venue.execute({
    kind: 'place-order',
    at: millis(venue.state.nowMillis),
    account: spec.account,
    asset: spec.asset,
    ...order,
    ...unnamed,
  })
  return outcome.ok ? outcome.row : null
}

export function takeAtMarket(venue: ScriptedVenue, spec: AgentSpec, side: Side, steps: QuantitySteps) {
  return placeOrder(venue, spec, {
    side,
    type: market,
    timeInForce: immediateOrCancel,
    quantitySteps: steps,
    priceTicks: priceTicks(0),
  })
}

export const takeWithinLimit = (
  venue: ScriptedVenue,
  spec: AgentSpec,
  side: Side,
  quantitySteps: QuantitySteps,
  priceTicks: PriceTicks,
) => placeOrder(venue, spec, { side, type: limit, timeInForce: immediateOrCancel, quantitySteps, priceTicks })

export function cancelOrder(venue: ScriptedVenue, spec: AgentSpec, order: number): void {
  if (isTerminal(venue.state.orders.status.get(order))) return
  venue.execute({ kind: 'cancel-order', at: millis(venue.state.nowMillis), account: spec.account, order })
}

export const toSide = (isBuy: boolean): Side => (isBuy ? buy : sell)
