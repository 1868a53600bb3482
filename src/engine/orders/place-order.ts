import {
  accountRow,
  assetRow,
  canRest,
  fillOrKill,
  kindOrder,
  limit,
  market,
  type OrderRow,
  type OrderStatus,
  statusExpired,
  statusOpen,
  statusRejected,
} from '../codes.ts'
import type { Placement } from '../command.ts'
import { eventType } from '../events.ts'
import type { CommandResult, Rejection } from '../rejections.ts'
import {
  checkAccount,
  checkActive,
  checkNotional,
  checkOpenOrders,
  checkPrice,
  checkQuantity,
  checkRisk,
  checkTraded,
  describePlacement,
  isHoldable,
  isValuable,
  isWalkValuable,
  type ReachableLiquidity,
  walkBook,
} from '../risk/admission.ts'
import { type State, stateOf } from '../state.ts'

import { type Asset, computeNotional } from '../tables/asset-table.ts'
import { isHalted, matchTaker } from './matching.ts'
import { endOrder, holdInterest } from './transitions.ts'

/**
 * Creates an order: it is checked, reserved, accepted, and matched in the same instant. What is left of a GTC order
 * rests; what IOC and market orders cannot fill expires; FOK fills whole or expires with nothing done. A refused order
 * is stored only if the placement says so (`keepsRefused`).
 * Spec: Orders / Create order. Errors in the order of `rejections.ts`: unknown-account, unknown-asset,
 * duplicate-client-id (after mistakes of the order itself), pair-inactive, price-below-minimum, price-out-of-range,
 * quantity-below-minimum, quantity-above-maximum, amount-out-of-range, notional-below-minimum, risk, open-orders-limit.
 */
export function placeOrder(state: State, placement: Placement): CommandResult {
  const unknown = checkAccount(state, placement.account) ?? checkTraded(state, placement.asset)
  if (unknown !== null) return unknown
  const asset = state.assets.tradedAsset(placement.asset)
  const rejection = checkPlacement(state, placement, asset)
  if (rejection !== null) return rejection
  const walk = placement.type === market ? walkForPlacement(state, placement, null) : null
  const inadmissible = assessPlacement(state, placement, asset, walk)
  if (inadmissible !== null) {
    if (placement.keepsRefused && isRiskRefusal(inadmissible)) recordRefused(state, placement)
    return inadmissible
  }
  const row = openOrder(state, placement)
  if (placement.timeInForce === fillOrKill && !isFillable(state, placement)) {
    endOrder(state, row, statusExpired)
    return row
  }
  matchTaker(state, row, canRest(placement.type, placement.timeInForce))
  return row
}

function walkForPlacement(state: State, placement: Placement, limitTicks: number | null): ReachableLiquidity {
  const { account, asset, side, quantitySteps } = placement
  return walkBook(state, account, asset, side, quantitySteps, limitTicks)
}

function checkPlacement(state: State, placement: Placement, asset: Asset): Rejection | null {
  const { clientOrderId } = placement
  if (clientOrderId !== null) {
    const row = state.accounts.findOrAddLists(placement.account).clientOrderIds.get(clientOrderId)
    if (row !== undefined && !placement.allowsDuplicateId)
      return (
        checkBounds(asset, placement) ??
        checkLimitValue(asset, placement) ?? { code: 'duplicate-client-id', field: 'clientOrderId', row }
      )
  }
  return checkActive(state, placement.asset) ?? checkBounds(asset, placement)
}

function checkBounds(asset: Asset, { type, priceTicks, quantitySteps }: Placement): Rejection | null {
  return (
    (type === limit ? checkPrice(asset, 'price', priceTicks) : null) ??
    checkQuantity(asset, 'quantity', quantitySteps)
  )
}

/** Checks the value as far as it is known without looking at the book. */
function checkLimitValue(asset: Asset, { type, priceTicks, quantitySteps }: Placement): Rejection | null {
  if (type === market) return null
  if (!isValuable(asset, priceTicks, quantitySteps)) return { code: 'amount-out-of-range' }
  return checkNotional(asset, 'quantity', computeNotional(asset, priceTicks, quantitySteps))
}

/** Describes the placement as the venue's candidate and assesses it. Returns the rejection, or null. */
function assessPlacement(
  state: State,
  placement: Placement,
  asset: Asset,
  walk: ReachableLiquidity | null,
): Rejection | null {
  const { priceTicks, quantitySteps } = placement
  const isInRange = walk === null ? isValuable(asset, priceTicks, quantitySteps) : isWalkValuable(asset, walk)
  if (!isInRange) return { code: 'amount-out-of-range' }
  const { candidate } = state
  describePlacement(state, placement, asset, walk, candidate)
  if (!isHoldable(state, placement.account, placement.asset, quantitySteps, candidate.orderValueAtoms))
    return { code: 'amount-out-of-range' }
  return (
    checkNotional(asset, 'quantity', candidate.orderValueAtoms) ??
    checkRisk(state) ??
    checkOpenOrders(state, placement.account, placement.asset)
  )
}

function openOrder(state: State, placement: Placement): OrderRow {
  const row = recordOrder(state, placement, statusOpen)
  state.exposures.countOpen(placement.account, placement.asset, 1)
  state.sink.emit(
    eventType['order-accepted'],
    row,
    placement.account,
    placement.asset,
    placement.side,
    placement.priceTicks,
    placement.quantitySteps,
  )
  holdInterest(state, row, placement.side)
  return row
}

/** Returns whether balance or limits refuse the order; any other rejection is a mistake in the order itself. */
function isRiskRefusal({ code }: Rejection): boolean {
  return code === 'risk' || code === 'open-orders-limit'
}

/** Stores a refused order as one that ended before anything was reserved. */
function recordRefused(state: State, placement: Placement): void {
  const row = recordOrder(state, placement, statusRejected)
  const { account, asset, quantitySteps } = placement
  state.sink.emit(eventType['order-rejected'], row, account, asset, 0, quantitySteps, 0)
}

function recordOrder(state: State, placement: Placement, status: OrderStatus): OrderRow {
  const { accounts, orders, nowMillis } = state
  const { type } = placement
  const account = accountRow(placement.account)
  const row = orders.append()
  orders.priceTicks.set(row, type === limit ? placement.priceTicks : 0)
  orders.quantitySteps.set(row, placement.quantitySteps)
  orders.updatedAtMillis.set(row, nowMillis)
  orders.createdAtMillis.set(row, nowMillis)
  orders.account.set(row, account)
  orders.asset.set(row, assetRow(placement.asset))
  orders.feeSchedule.set(row, accounts.feeSchedule.get(account))
  orders.previousOfAccount.set(row, accounts.lastOrder.get(account))
  accounts.lastOrder.set(account, row)
  orders.kind.set(row, kindOrder)
  orders.side.set(row, placement.side)
  orders.type.set(row, type)
  orders.timeInForce.set(row, placement.timeInForce)
  orders.status.set(row, status)
  if (placement.metadata !== null) orders.metadata.set(row, placement.metadata)
  if (placement.clientOrderId !== null) {
    orders.clientIds.set(row, placement.clientOrderId)
    accounts.findOrAddLists(account).clientOrderIds.set(placement.clientOrderId, row)
  }
  return row
}

/**
 * Returns whether what an FOK order may hit at its price or better covers it. Nothing can be filled while the asset
 * is halted.
 */
function isFillable(state: State, placement: Placement): boolean {
  if (isHalted(stateOf(state, placement.asset))) return false
  const limitTicks = placement.type === limit ? placement.priceTicks : null
  return walkForPlacement(state, placement, limitTicks).fillableSteps === placement.quantitySteps
}
