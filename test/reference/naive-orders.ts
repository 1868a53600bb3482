import { isTerminal } from '../../src/engine/codes.ts'
import type { AmendOrderCommand, CancelOrdersCommand, Outcome, Placement } from '../../src/engine/command.ts'
import type { Rejection } from '../../src/engine/rejections.ts'
import {
  describeCandidate,
  refuseAccount,
  refuseAsset,
  refuseBelowFilled,
  refuseNotional,
  refusePlacement,
  refusePrice,
  refuseQuantity,
  refuseRisk,
} from './naive-admission.ts'
import { emitOrder, endOrder, releaseAll, reserve } from './naive-ends.ts'
import { matchAndSettle } from './naive-matching.ts'
import { reserveNeeded } from './naive-risk.ts'
import { computeReserve } from './naive-values.ts'
import type { NaiveAsset, NaiveOrder, NaiveWorld } from './naive-world.ts'
import { acceptsOrders, accountOf, at, emit, isLive, remainingOf } from './naive-world.ts'

export const refuse = (rejection: Rejection): Outcome => ({ ok: false, rejection })
export const accept = (row: number, items: readonly Outcome[] = []): Outcome => ({ ok: true, row, items })

export function placeOrder(world: NaiveWorld, placement: Placement): Outcome {
  const rejection = refusePlacement(world, placement)
  if (rejection !== null) {
    const isForRisk = ['risk', 'open-orders-limit'].includes(rejection.code)
    if (isForRisk && placement.keepsRefused) endOrder(world, addPlaced(world, placement), 'rejected')
    return refuse(rejection)
  }
  const atoms = reserveNeeded(world, describeCandidate(world, placement))
  const order = addPlaced(world, placement)
  emitSides(world, order, 'order-accepted')
  reserve(world, order, atoms)
  matchAndSettle(world, order)
  return accept(order.row)
}

function addPlaced(world: NaiveWorld, placement: Placement): NaiveOrder {
  return addOrder(world, {
    quote: -1,
    account: placement.account,
    asset: placement.asset,
    side: placement.side,
    type: placement.type,
    timeInForce: placement.timeInForce,
    clientId: placement.clientOrderId,
    priceTicks: BigInt(placement.priceTicks),
    quantity: BigInt(placement.quantitySteps),
  })
}

export type NewOrder = Pick<
  NaiveOrder,
  'quote' | 'account' | 'asset' | 'side' | 'type' | 'timeInForce' | 'clientId' | 'priceTicks' | 'quantity'
>

export function addOrder(world: NaiveWorld, order: NewOrder): NaiveOrder {
  const { makerRate, takerRate } = accountOf(world, order.account)
  const row: NaiveOrder = {
    ...order,
    row: world.orders.length,
    makerRate,
    takerRate,
    filled: 0n,
    status: 0,
    priority: world.nextPriority,
    isResting: false,
    reserved: 0n,
  }
  world.nextPriority += 1
  world.orders.push(row)
  return row
}

export function amendOrder(world: NaiveWorld, command: AmendOrderCommand): Outcome {
  const found = findOrder(world, command.account, command.order)
  if ('code' in found) return refuse(found)
  const order = found
  if (isTerminal(order.status)) {
    const mistake = refuseGiven(at(world.assets, order.asset), command)
    return refuse(mistake ?? { code: 'terminal', status: order.status })
  }
  const quantity = command.quantitySteps === null ? order.quantity : BigInt(command.quantitySteps)
  const priceTicks = command.priceTicks === null ? order.priceTicks : BigInt(command.priceTicks)
  const rejection = refuseAmendment(world, order, quantity, priceTicks)
  if (rejection !== null) return refuse(rejection)
  if (quantity === order.quantity && priceTicks === order.priceTicks) return accept(order.row)
  const keepsPlace = priceTicks === order.priceTicks && quantity <= order.quantity
  releaseAll(world, order)
  order.quantity = quantity
  order.priceTicks = priceTicks
  reserve(world, order, computeReserve(world, order))
  emitSides(world, order, 'order-amended')
  if (remainingOf(order) === 0n) {
    order.status = 2
    order.isResting = false
    emitOrder(world, order, 'order-filled')
  } else if (!keepsPlace) {
    order.priority = world.nextPriority
    world.nextPriority += 1
    order.isResting = false
    matchAndSettle(world, order)
  }
  return accept(order.row)
}

function refuseGiven(asset: NaiveAsset, { priceTicks, quantitySteps }: AmendOrderCommand): Rejection | null {
  return (
    (priceTicks === null ? null : refusePrice(asset, 0, BigInt(priceTicks), 'price')) ??
    (quantitySteps === null ? null : refuseQuantity(asset, BigInt(quantitySteps), 'quantity'))
  )
}

function refuseAmendment(
  world: NaiveWorld,
  order: NaiveOrder,
  quantity: bigint,
  priceTicks: bigint,
): Rejection | null {
  if (!acceptsOrders(world, order.asset)) return { code: 'pair-inactive' }
  const asset = at(world.assets, order.asset)
  const steps = quantity - order.filled
  return (
    refusePrice(asset, 0, priceTicks, 'price') ??
    refuseQuantity(asset, quantity, 'quantity') ??
    refuseBelowFilled(quantity, order.filled, 'quantity') ??
    refuseNotional(asset, priceTicks * quantity, 'quantity') ??
    (steps === 0n || (quantity === order.quantity && priceTicks === order.priceTicks)
      ? null
      : refuseRisk(world, {
          ...order,
          priceTicks,
          totalSteps: quantity,
          totalTickSteps: priceTicks * quantity,
          steps,
          tickSteps: priceTicks * steps,
          besideTickSteps: 0n,
          without: [order],
        }))
  )
}

export function cancelOrder(world: NaiveWorld, account: number, row: number): Outcome {
  const found = findOrder(world, account, row)
  if ('code' in found) return refuse(found)
  if (isTerminal(found.status)) return refuse({ code: 'terminal', status: found.status })
  endOrder(world, found, 'cancelled')
  return accept(row)
}

/** Cancels orders in creation order, without the legs of quotes. */
export function cancelOrders(world: NaiveWorld, command: CancelOrdersCommand): Outcome {
  const unknown = refuseAccount(world, command.account)
  if (unknown !== null) return refuse(unknown)
  if (command.asset !== null) {
    const unlisted = refuseAsset(world, command.asset)
    if (unlisted !== null) return refuse(unlisted)
  }
  const ended = world.orders.filter(
    (order) =>
      order.quote === -1 &&
      order.account === command.account &&
      isLive(order) &&
      (command.asset === null || order.asset === command.asset) &&
      (command.side === null || order.side === command.side),
  )
  for (const order of ended) endOrder(world, order, 'cancelled')
  return accept(
    -1,
    ended.map((order) => accept(order.row)),
  )
}

/** Finds an account's own order; others' orders and the legs of quotes do not exist for it. */
function findOrder(world: NaiveWorld, account: number, row: number): NaiveOrder | Rejection {
  const unknown = refuseAccount(world, account)
  if (unknown !== null) return unknown
  const order = world.orders[row]
  if (order === undefined || order.account !== account || order.quote !== -1) return { code: 'unknown-order' }
  return order
}

function emitSides(world: NaiveWorld, order: NaiveOrder, name: string): void {
  emit(world, name, {
    subject: order.row,
    account: order.account,
    asset: order.asset,
    first: order.side,
    second: order.priceTicks,
    third: order.quantity,
  })
}
