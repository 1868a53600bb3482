import {
  checkAccount,
  checkActive,
  checkNotional,
  checkOrder,
  checkPrice,
  checkQuantity,
} from '../checks/checks.ts'
import { describeLive } from '../checks/describe-order.ts'
import { isHoldable, isValuable } from '../checks/exact-amounts.ts'
import { accepted, refused } from '../checks/outcomes.ts'
import { reserveAtoms } from '../checks/reserve.ts'
import { reserveRateOfRow } from '../checks/reserve-rate.ts'
import { buy, isTerminal, sell } from '../codes.ts'
import type { AmendOrderCommand, Outcome } from '../command.ts'
import { eventType } from '../events.ts'
import type { Rejection } from '../rejections.ts'
import { type State, stateOf } from '../state.ts'
import { notionalOf } from '../tables/asset-table.ts'
import * as orderAt from '../tables/order-fields.ts'
import { announceCompletion, completeOrder } from '../transitions/endings.ts'
import { exchangeInterest } from '../transitions/interest.ts'
import { matchTaker } from '../transitions/matching.ts'
import { leaveBook } from '../transitions/resting.ts'
import { settleTaker } from './place-order.ts'

/**
 * Changes a live order's total quantity or price, all or nothing: a refused amendment changes nothing. A smaller
 * quantity at the same price keeps its place in the queue; anything else goes to the back, and may trade at once. A
 * total equal to what has filled makes the order filled. An amendment to what the order is changes nothing, not even
 * `updatedAt`. The order keeps its fee rates.
 * Spec: Orders / Amend order. Errors in the order of `rejections.ts`; the number of open orders is not checked.
 * Choice: on a pair that refuses new orders an amendment is refused too; cancels work.
 */
export function amendOrder(state: State, command: AmendOrderCommand): Outcome {
  const row = command.order
  const unknown = checkAccount(state, command.account) ?? checkOrder(state, command.account, row)
  if (unknown !== null) return refused(unknown)
  const { bytes, doubles } = state.orders.store
  const status = Number(bytes[(row << 7) + orderAt.status])
  if (isTerminal(status)) return refused({ code: 'terminal', status })
  const oldTicks = Number(doubles[(row << 4) + orderAt.priceTicks])
  const oldSteps = Number(doubles[(row << 4) + orderAt.quantitySteps])
  const ticks = command.priceTicks ?? oldTicks
  const totalSteps = command.quantitySteps ?? oldSteps
  const rejection = checkAmendment(state, row, ticks, totalSteps)
  if (rejection !== null) return refused(rejection)
  if (ticks === oldTicks && totalSteps === oldSteps) return accepted(row)
  describeAmendment(state, row, ticks, totalSteps)
  // An amendment that ends the order needs no more assessment than a cancel.
  const isComplete = totalSteps === doubles[(row << 4) + orderAt.filledSteps]
  if (!isComplete && !state.assessor.approves(state, state.candidate))
    return refused({ code: 'risk', assessment: state.assessor.assessment() })
  apply(state, row, ticks, totalSteps)
  return accepted(row)
}

function checkAmendment(state: State, row: number, ticks: number, totalSteps: number): Rejection | null {
  const { doubles, integers } = state.orders.store
  const assetRow = Number(integers[(row << 5) + orderAt.asset])
  const asset = state.assets.traded(assetRow)
  const filledSteps = Number(doubles[(row << 4) + orderAt.filledSteps])
  const basic =
    checkActive(state, assetRow) ??
    checkPrice(asset, 'price', ticks) ??
    checkQuantity(asset, 'quantity', totalSteps)
  if (basic !== null) return basic
  if (totalSteps < filledSteps) return { code: 'quantity-below-filled', field: 'quantity', filledSteps }
  if (!isValuable(asset, ticks, totalSteps)) return { code: 'amount-out-of-range' }
  const value = notionalOf(asset, ticks, totalSteps)
  const account = Number(integers[(row << 5) + orderAt.account])
  if (!isHoldable(state, account, assetRow, totalSteps, value)) return { code: 'amount-out-of-range' }
  return checkNotional(asset, 'quantity', value)
}

/** Describes the amended order, and what it replaces, as the venue's candidate. */
function describeAmendment(state: State, row: number, ticks: number, totalSteps: number): void {
  const { assets, candidate } = state
  const { bytes, doubles, integers } = state.orders.store
  const asset = Number(integers[(row << 5) + orderAt.asset])
  const side = bytes[(row << 7) + orderAt.side] === buy ? buy : sell
  const traded = assets.traded(asset)
  const steps = totalSteps - Number(doubles[(row << 4) + orderAt.filledSteps])
  const reserve = reserveAtoms(traded, side, ticks, steps, reserveRateOfRow(state, row))
  candidate.start(Number(integers[(row << 5) + orderAt.account]), asset)
  const wanted = side === buy ? candidate.buy : candidate.sell
  wanted.set(steps, notionalOf(traded, ticks, steps), reserve)
  describeLive(state, row, side === buy ? candidate.replacedBuy : candidate.replacedSell)
  candidate.size(totalSteps, totalSteps, notionalOf(traded, ticks, totalSteps))
  candidate.sellTicks = ticks
}

/** Carries out the amendment that the venue's candidate describes. */
function apply(state: State, row: number, ticks: number, totalSteps: number): void {
  const { candidate } = state
  const { bytes, doubles, integers } = state.orders.store
  const at = row << 4
  const asset = Number(integers[(row << 5) + orderAt.asset])
  const oldSteps = Number(doubles[at + orderAt.quantitySteps])
  const keepsPlace = ticks === doubles[at + orderAt.priceTicks] && totalSteps <= oldSteps
  const isComplete = totalSteps === doubles[at + orderAt.filledSteps]
  if (keepsPlace && !isComplete) stateOf(state, asset).book.reduce(row, oldSteps - totalSteps)
  else leaveBook(state, row)
  const isBuy = bytes[(row << 7) + orderAt.side] === buy
  if (isBuy) exchangeInterest(state, row, candidate.replacedBuy, candidate.buy)
  else exchangeInterest(state, row, candidate.replacedSell, candidate.sell)
  doubles[at + orderAt.priceTicks] = ticks
  doubles[at + orderAt.quantitySteps] = totalSteps
  doubles[at + orderAt.updatedAtMillis] = state.nowMillis
  const account = Number(integers[(row << 5) + orderAt.account])
  state.sink.emit(eventType['order-amended'], row, account, asset, isBuy ? buy : sell, ticks, totalSteps)
  if (isComplete) {
    completeOrder(state, row)
    announceCompletion(state, row)
  } else if (!keepsPlace) {
    matchTaker(state, row)
    settleTaker(state, row, true)
  }
}
