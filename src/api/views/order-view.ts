import {
  canRest,
  limit,
  orderStatusNames,
  orderTypeNames,
  sideNames,
  statusExpired,
  timeInForceNames,
} from '../../engine/codes.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { amountNumber, priceNumber, quantityNumber } from '../amounts.ts'
import { type ApiContext, idsOf } from '../context.ts'
import { idOf } from '../ids.ts'
import type * as schemas from '../operations/orders.ts'
import { averagePrice } from './average-price.ts'
import { nameOf } from './name-of.ts'

export type OrderJson = RecordOf<typeof schemas.order>
export type ListedOrderJson = RecordOf<typeof schemas.orderList>['orders'][number]
export type FillJson = RecordOf<typeof schemas.fillList>['fills'][number]
export type OrderStatusName = (typeof orderStatusNames)[number]

/** Spec: Order, in its present state. */
export function orderView(context: ApiContext, row: number): OrderJson {
  const { assets, orders } = context.state
  const { pair } = assets.traded(orders.asset.get(row))
  return viewOf(context, row, {
    status: orderStatus(context, row),
    filledQuantity: quantityNumber(pair, orders.filledSteps.get(row)),
    remainingQuantity: quantityNumber(pair, orders.remainingSteps(row)),
    averagePrice: averagePrice(context.state, row),
    updatedAtMillis: orders.updatedAtMillis.get(row),
  })
}

/** Spec: Create order, the response: open, nothing filled, whatever has happened to it since. */
export function acceptedOrderView(context: ApiContext, row: number): OrderJson {
  const { assets, orders } = context.state
  const { pair } = assets.traded(orders.asset.get(row))
  return viewOf(context, row, {
    status: 'open',
    filledQuantity: 0,
    remainingQuantity: quantityNumber(pair, orders.quantitySteps.get(row)),
    averagePrice: null,
    updatedAtMillis: orders.createdAtMillis.get(row),
  })
}

interface Progress
  extends Pick<OrderJson, 'status' | 'filledQuantity' | 'remainingQuantity' | 'averagePrice'> {
  readonly updatedAtMillis: number
}

function viewOf(context: ApiContext, row: number, progress: Progress): OrderJson {
  const { assets, orders } = context.state
  const { pair } = assets.traded(orders.asset.get(row))
  return {
    orderId: orderId(context, row),
    clientOrderId: orders.clientId(row),
    side: nameOf(sideNames, orders.side.get(row)),
    asset: assets.symbol(orders.asset.get(row)),
    quantity: quantityNumber(pair, orders.quantitySteps.get(row)),
    price: limitPrice(context, row),
    orderType: nameOf(orderTypeNames, orders.type.get(row)),
    timeInForce: nameOf(timeInForceNames, orders.timeInForce.get(row)),
    status: progress.status,
    filledQuantity: progress.filledQuantity,
    remainingQuantity: progress.remainingQuantity,
    averagePrice: progress.averagePrice,
    metadata: orders.metadata.get(row) ?? {},
    createdAt: millisToIso(orders.createdAtMillis.get(row)),
    updatedAt: millisToIso(progress.updatedAtMillis),
  }
}

/** Spec: Order, the fields in a list. */
export function listedOrderView(context: ApiContext, row: number): ListedOrderJson {
  const { assets, orders } = context.state
  const { pair } = assets.traded(orders.asset.get(row))
  return {
    orderId: orderId(context, row),
    clientOrderId: orders.clientId(row),
    side: nameOf(sideNames, orders.side.get(row)),
    asset: assets.symbol(orders.asset.get(row)),
    quantity: quantityNumber(pair, orders.quantitySteps.get(row)),
    price: limitPrice(context, row),
    status: orderStatus(context, row),
    filledQuantity: quantityNumber(pair, orders.filledSteps.get(row)),
    createdAt: millisToIso(orders.createdAtMillis.get(row)),
  }
}

/** Spec: Fill. */
export function fillView(context: ApiContext, row: number): FillJson {
  const { assets, fills } = context.state
  const { pair } = assets.traded(fills.asset.get(row))
  const feeAsset = fills.feeAsset.get(row)
  return {
    fillId: idOf(idsOf(context), 'fill', row),
    orderId: orderId(context, fills.order.get(row)),
    price: priceNumber(pair, fills.priceTicks.get(row)),
    quantity: quantityNumber(pair, fills.quantitySteps.get(row)),
    side: nameOf(sideNames, fills.side.get(row)),
    fee: amountNumber(assets, feeAsset, fills.feeAtoms.get(row)),
    feeCurrency: assets.symbol(feeAsset),
    executedAt: millisToIso(fills.atMillis.get(row)),
  }
}

export function orderId(context: ApiContext, row: number): string {
  return idOf(idsOf(context), 'order', row)
}

/** The status's name on the wire: reading `orders.endOfImmediate` renames the end of an IOC, FOK or market order. */
export function orderStatus(context: ApiContext, row: number): OrderStatusName {
  const { orders } = context.state
  const status = orders.status.get(row)
  const isImmediate = !canRest(orders.type.get(row), orders.timeInForce.get(row))
  if (status === statusExpired && isImmediate && context.readings['orders.endOfImmediate'] === 'cancelled')
    return 'cancelled'
  return nameOf(orderStatusNames, status)
}

function limitPrice(context: ApiContext, row: number): number | null {
  const { assets, orders } = context.state
  if (orders.type.get(row) !== limit) return null
  return priceNumber(assets.traded(orders.asset.get(row)).pair, orders.priceTicks.get(row))
}
