import type { Interest } from './candidate.ts'
import {
  checkAccount,
  checkActive,
  checkNotional,
  checkOrder,
  checkPrice,
  checkQuantity,
  isHoldable,
  isValuable,
} from './checks.ts'
import { buy, isTerminal, sell } from './codes.ts'
import type { AmendOrderCommand, Outcome } from './commands.ts'
import { eventType } from './events.ts'
import { exchangeInterest, reserveRate } from './interest.ts'
import { matchTaker } from './matching.ts'
import { accepted, refused } from './outcomes.ts'
import { settleTaker } from './place-order.ts'
import type { Rejection } from './rejections.ts'
import { reserveAtoms } from './reserve.ts'
import { leaveBook } from './resting.ts'
import type { State } from './state.ts'
import { announceCompletion, completeOrder } from './transitions.ts'
import { stateOf } from './walk.ts'

/**
 * Changes a live order's total quantity or price, all or nothing: a refused amendment touches nothing. Smaller at the
 * same price keeps its place; anything else goes to the back, and may trade at once. Equal to what has filled: the
 * order is filled. The order keeps its fee rates.
 * Spec: Orders / Amend order. Errors in the order of `rejections.ts`.
 * Choice: on a pair that refuses new orders an amendment is refused too; cancels work.
 */
export function amendOrder(state: State, command: AmendOrderCommand): Outcome {
  const { orders } = state
  const row = command.order
  const unknown = checkAccount(state, command.account) ?? checkOrder(state, command.account, row)
  if (unknown !== null) return refused(unknown)
  if (isTerminal(orders.status.get(row))) return refused({ code: 'terminal', status: orders.status.get(row) })
  const ticks = command.priceTicks ?? orders.priceTicks.get(row)
  const totalSteps = command.quantitySteps ?? orders.quantitySteps.get(row)
  const rejection = checkAmendment(state, row, ticks, totalSteps)
  if (rejection !== null) return refused(rejection)
  if (ticks === orders.priceTicks.get(row) && totalSteps === orders.quantitySteps.get(row))
    return accepted(row)
  describeAmendment(state, row, ticks, totalSteps)
  // What ends an order is no more to be assessed than a cancel.
  const isComplete = totalSteps === orders.filledSteps.get(row)
  if (!isComplete && !state.assessor.approves(state, state.candidate))
    return refused({ code: 'risk', assessment: state.assessor.assessment() })
  apply(state, row, ticks, totalSteps)
  return accepted(row)
}

function checkAmendment(state: State, row: number, ticks: number, totalSteps: number): Rejection | null {
  const { orders } = state
  const assetRow = orders.asset.get(row)
  const asset = state.assets.traded(assetRow)
  const filledSteps = orders.filledSteps.get(row)
  const basic =
    checkActive(state, assetRow) ??
    checkPrice(asset, 'price', ticks) ??
    checkQuantity(asset, 'quantity', totalSteps)
  if (basic !== null) return basic
  if (totalSteps < filledSteps) return { code: 'quantity-below-filled', field: 'quantity', filledSteps }
  if (!isValuable(asset, ticks, totalSteps)) return { code: 'amount-out-of-range' }
  const value = state.assets.notional(assetRow, ticks, totalSteps)
  if (!isHoldable(state, orders.account.get(row), assetRow, totalSteps, value))
    return { code: 'amount-out-of-range' }
  return checkNotional(asset, 'quantity', value)
}

/** Writes the amended order, and what it replaces, as the venue's candidate. */
function describeAmendment(state: State, row: number, ticks: number, totalSteps: number): void {
  const { orders, assets, candidate } = state
  const asset = orders.asset.get(row)
  const side = orders.side.get(row) === buy ? buy : sell
  const steps = totalSteps - orders.filledSteps.get(row)
  const reserve = reserveAtoms(assets.traded(asset), side, ticks, steps, reserveRate(state, row))
  candidate.start(orders.account.get(row), asset)
  const wanted = side === buy ? candidate.buy : candidate.sell
  wanted.set(steps, assets.notional(asset, ticks, steps), reserve)
  describeLive(state, row, side === buy ? candidate.replacedBuy : candidate.replacedSell)
  candidate.size(totalSteps, totalSteps, assets.notional(asset, ticks, totalSteps))
  candidate.sellTicks = ticks
}

/** Writes what a live row has left in the market. */
export function describeLive(state: State, row: number, into: Interest): void {
  const { orders, assets } = state
  const steps = orders.remainingSteps(row)
  const value = assets.notional(orders.asset.get(row), orders.priceTicks.get(row), steps)
  into.set(steps, value, orders.reservedAtoms.get(row))
}

/** Makes the order what the venue's candidate describes. */
function apply(state: State, row: number, ticks: number, totalSteps: number): void {
  const { orders, candidate } = state
  const asset = orders.asset.get(row)
  const oldSteps = orders.quantitySteps.get(row)
  const keepsPlace = ticks === orders.priceTicks.get(row) && totalSteps <= oldSteps
  const isComplete = totalSteps === orders.filledSteps.get(row)
  if (keepsPlace && !isComplete) stateOf(state, asset).book.reduce(row, oldSteps - totalSteps)
  else leaveBook(state, row)
  const isBuy = orders.side.get(row) === buy
  if (isBuy) exchangeInterest(state, row, candidate.replacedBuy, candidate.buy)
  else exchangeInterest(state, row, candidate.replacedSell, candidate.sell)
  orders.priceTicks.set(row, ticks)
  orders.quantitySteps.set(row, totalSteps)
  orders.updatedAtMillis.set(row, state.nowMillis)
  const account = orders.account.get(row)
  state.sink.emit(eventType['order-amended'], row, account, asset, isBuy ? buy : sell, ticks, totalSteps)
  if (isComplete) {
    completeOrder(state, row)
    announceCompletion(state, row)
  } else if (!keepsPlace) {
    matchTaker(state, row)
    settleTaker(state, row, true)
  }
}
