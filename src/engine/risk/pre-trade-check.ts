import { priceTicks, quantitySteps } from '../../numeric/units.ts'
import type { Assessment } from '../assessment.ts'
import { Candidate } from '../assessment.ts'
import type { Side } from '../codes.ts'
import { goodTillCancelled, limit } from '../codes.ts'
import type { Placement } from '../command.ts'
import type { Rejection } from '../rejections.ts'
import type { State } from '../state.ts'
import { Assessor } from './assess.ts'
import { describePlacement } from './describe-order.ts'
import { checkNotional, checkPrice, checkQuantity, checkTraded, isValuable } from './guards.ts'

/** A limit order that is only asked about. */
export interface OrderTerms {
  readonly account: number
  readonly asset: number
  readonly side: Side
  readonly priceTicks: number
  readonly quantitySteps: number
}

/**
 * Whether the terms of an order are possible, by the same rules and in the same order as for a real one; null when they
 * are. That the pair is active, and that balances stay exact, is not asked. Errors: unknown-asset,
 * price-below-minimum, price-out-of-range, quantity-below-minimum, quantity-above-maximum, amount-out-of-range,
 * notional-below-minimum.
 */
export function checkOrderTerms(state: State, terms: OrderTerms): Rejection | null {
  const unknown = checkTraded(state, terms.asset)
  if (unknown !== null) return unknown
  const asset = state.assets.traded(terms.asset)
  const wrong =
    checkPrice(asset, 'price', terms.priceTicks) ?? checkQuantity(asset, 'quantity', terms.quantitySteps)
  if (wrong !== null) return wrong
  if (!isValuable(asset, terms.priceTicks, terms.quantitySteps)) return { code: 'amount-out-of-range' }
  const value = state.assets.notional(terms.asset, terms.priceTicks, terms.quantitySteps)
  return checkNotional(asset, 'quantity', value)
}

/** The six checks on an order with possible terms, as its creation would make them. Nothing is reserved. */
export function assessOrder(state: State, terms: OrderTerms): Assessment {
  const assessor = new Assessor()
  const candidate = new Candidate()
  describePlacement(state, placementOf(terms), state.assets.traded(terms.asset), null, candidate)
  assessor.approves(state, candidate)
  return assessor.assessment()
}

function placementOf(terms: OrderTerms): Placement {
  return {
    account: terms.account,
    asset: terms.asset,
    side: terms.side,
    type: limit,
    timeInForce: goodTillCancelled,
    quantitySteps: quantitySteps(terms.quantitySteps),
    priceTicks: priceTicks(terms.priceTicks),
    clientOrderId: null,
    allowsDuplicateId: false,
    keepsRefused: false,
    metadata: null,
  }
}
