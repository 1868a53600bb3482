import { accountRow, buy, isTerminal, type OrderRow, orderRow, type Side, sell } from '../codes.ts'
import type { AmendOrderCommand } from '../command.ts'
import { eventType } from '../events.ts'
import type { CommandResult, Rejection } from '../rejections.ts'
import {
  checkAccount,
  checkActive,
  checkNotional,
  checkOrder,
  checkPrice,
  checkQuantity,
  checkRisk,
  describeLive,
  isHoldable,
  isValuable,
  reserveAtoms,
  reserveRateOfRow,
} from '../risk/admission.ts'
import { type State, stateOf } from '../state.ts'
import { type Asset, computeNotional } from '../tables/asset-table.ts'
import { matchTaker } from './matching.ts'
import { announceCompletion, completeOrder, exchangeInterest } from './transitions.ts'

/**
 * Changes a live order's total quantity or price, all or nothing: a refused amendment changes nothing. A smaller
 * quantity at the same price keeps its place in the queue; anything else goes to the back, and may trade at once. A
 * total equal to what has filled makes the order filled. An amendment to what the order is changes nothing, not even
 * `updatedAt`. The order keeps its fee rates. Spec: Orders / Amend order. Errors in the order of `rejections.ts`; the
 * number of open orders is not checked. For an order that has ended, the price and the quantity of the amendment are
 * checked first. Choice: on a pair that refuses new orders an amendment is refused too; cancels work.
 */
export function amendOrder(state: State, command: AmendOrderCommand): CommandResult {
  const account = accountRow(command.account)
  const row = orderRow(command.order)
  const { orders } = state
  const unknown = checkAccount(state, account) ?? checkOrder(state, account, row)
  if (unknown !== null) return unknown
  const status = orders.status.get(row)
  const asset = orders.asset.get(row)
  const traded = state.assets.tradedAsset(asset)
  if (isTerminal(status)) return checkRequested(traded, command) ?? { code: 'terminal', status }
  const oldTicks = orders.priceTicks.get(row)
  const oldSteps = orders.quantitySteps.get(row)
  const filledSteps = orders.filledSteps.get(row)
  const ticks = command.priceTicks ?? oldTicks
  const totalSteps = command.quantitySteps ?? oldSteps
  const impossible = checkActive(state, asset) ?? checkTerms(traded, ticks, totalSteps, filledSteps)
  if (impossible !== null) return impossible
  const side = orders.side.get(row) === buy ? buy : sell
  state.candidate.start(state.holdings, account, asset)
  describeAmendment(state, row, side, traded, ticks, totalSteps)
  const value = state.candidate.orderValueAtoms
  if (!isHoldable(state, account, asset, totalSteps, value)) return { code: 'amount-out-of-range' }
  const tooSmall = checkNotional(traded, 'quantity', value)
  if (tooSmall !== null) return tooSmall
  if (ticks === oldTicks && totalSteps === oldSteps) return row
  // An amendment that ends the order needs no more assessment than a cancel.
  const refusal = totalSteps === filledSteps ? null : checkRisk(state)
  if (refusal !== null) return refusal
  applyAmendment(state, row, side, ticks, totalSteps)
  return row
}

/** Checks what the command itself asks for, whatever the order is. */
function checkRequested(asset: Asset, { priceTicks, quantitySteps }: AmendOrderCommand): Rejection | null {
  return (
    (priceTicks === null ? null : checkPrice(asset, 'price', priceTicks)) ??
    (quantitySteps === null ? null : checkQuantity(asset, 'quantity', quantitySteps))
  )
}

/** Checks what the order would become, apart from its account. */
function checkTerms(asset: Asset, ticks: number, totalSteps: number, filledSteps: number): Rejection | null {
  const basic = checkPrice(asset, 'price', ticks) ?? checkQuantity(asset, 'quantity', totalSteps)
  if (basic !== null) return basic
  if (totalSteps < filledSteps) return { code: 'quantity-below-filled', field: 'quantity', filledSteps }
  return isValuable(asset, ticks, totalSteps) ? null : { code: 'amount-out-of-range' }
}

/** Describes the amended order, and what it replaces, as the venue's candidate, which has been started. */
function describeAmendment(
  state: State,
  row: OrderRow,
  side: Side,
  asset: Asset,
  ticks: number,
  totalSteps: number,
): void {
  const { candidate, orders } = state
  const steps = totalSteps - orders.filledSteps.get(row)
  const reserve = reserveAtoms(asset, side, ticks, steps, reserveRateOfRow(state, row))
  const wanted = side === buy ? candidate.buy : candidate.sell
  wanted.set(steps, computeNotional(asset, ticks, steps), reserve)
  describeLive(state, row, asset, side === buy ? candidate.replacedBuy : candidate.replacedSell)
  candidate.setSizes(totalSteps, totalSteps, computeNotional(asset, ticks, totalSteps))
  candidate.sellTicks = ticks
}

/** Carries out the amendment that the venue's candidate describes. */
function applyAmendment(state: State, row: OrderRow, side: Side, ticks: number, totalSteps: number): void {
  const { account, asset } = state.candidate
  const { book } = stateOf(state, asset)
  const { orders } = state
  const oldSteps = orders.quantitySteps.get(row)
  const keepsPlace = ticks === orders.priceTicks.get(row) && totalSteps <= oldSteps
  const isComplete = totalSteps === orders.filledSteps.get(row)
  // Every live order rests between two commands.
  if (keepsPlace && !isComplete) book.reduce(row, oldSteps - totalSteps)
  else book.remove(row)
  exchangeInterest(state, row, side)
  orders.priceTicks.set(row, ticks)
  orders.quantitySteps.set(row, totalSteps)
  orders.updatedAtMillis.set(row, state.nowMillis)
  state.sink.emit(eventType['order-amended'], row, account, asset, side, ticks, totalSteps)
  if (isComplete) {
    completeOrder(state, row)
    announceCompletion(state, row)
  } else if (!keepsPlace) matchTaker(state, row, true)
}
