import { orderStatusNames, orderTypeNames, timeInForceNames } from '../../engine/codes.ts'
import { closed, described, listOf } from './closed.ts'
import * as common from './common.ts'
import type { Schema } from './infer.ts'

/* Spec: Order, Fill, and the bodies, queries and responses of the nine order operations. */

export const orderStatus = {
  enum: orderStatusNames,
  description:
    'open (active, waiting to be filled), partially_filled, filled, cancelled, rejected, or expired (for IOC and FOK)',
} as const satisfies Schema
export const orderType = {
  enum: orderTypeNames,
  description: 'A limit order has a price; a market order takes what there is.',
} as const satisfies Schema
export const timeInForce = {
  enum: timeInForceNames,
  description:
    'GTC remains active until filled or cancelled; IOC fills immediately, and the unfilled remainder is cancelled; FOK ' +
    'must fill completely or is cancelled entirely',
} as const satisfies Schema

export const order = closed({
  orderId: described(common.text, 'unique order identifier'),
  clientOrderId: described(common.nullableText, 'as the caller supplied it; null when none was given'),
  side: common.side,
  asset: described(common.text, 'asset symbol'),
  quantity: described(common.number, 'ordered quantity, greater than 0'),
  price: described(common.nullableNumber, 'limit price; null for market orders'),
  orderType,
  timeInForce,
  status: orderStatus,
  filledQuantity: described(common.number, 'quantity filled so far'),
  remainingQuantity: described(common.number, 'quantity still unfilled'),
  averagePrice: described(common.nullableNumber, 'average fill price; null when nothing has been filled'),
  metadata: described(common.metadata, 'key-value pairs as the caller supplied them'),
  createdAt: described(common.timestamp, 'when the order was created'),
  updatedAt: described(common.timestamp, 'when the order last changed'),
})

export const listedOrder = closed({
  orderId: described(common.text, 'unique order identifier'),
  clientOrderId: described(common.nullableText, 'as the caller supplied it; null when none was given'),
  side: common.side,
  asset: described(common.text, 'asset symbol'),
  quantity: described(common.number, 'ordered quantity, greater than 0'),
  price: described(common.nullableNumber, 'limit price; null for market orders'),
  status: orderStatus,
  filledQuantity: described(common.number, 'quantity filled so far'),
  createdAt: described(common.timestamp, 'when the order was created'),
})

export const orderList = closed({
  orders: described(listOf(listedOrder), 'the orders of this page, in the shape of lists'),
  pagination: common.pagination,
})

export const cancelledOrder = closed({
  orderId: described(common.text, 'the order that was cancelled'),
  status: orderStatus,
  cancelledAt: described(common.timestamp, 'when it was cancelled'),
})

export const fill = closed({
  fillId: described(common.text, 'unique identifier of the fill'),
  orderId: described(common.text, 'the order that was filled'),
  price: described(common.number, 'price at which it was filled'),
  quantity: described(common.number, 'quantity that was filled'),
  side: common.side,
  fee: described(common.number, 'fee for this fill, in feeCurrency'),
  feeCurrency: described(common.text, 'currency symbol of the fee'),
  executedAt: described(common.timestamp, 'when it was filled'),
})

export const fillList = closed({ fills: described(listOf(fill), 'the fills of the order') })

/**
 * Choice: one shape whose fields depend on `success`, because generators make of alternatives a type that keeps the
 * fields of the first one only. Of a success: orderId and clientOrderId; of a failure: error and index.
 */
export const batchItem = {
  type: 'object',
  additionalProperties: false,
  required: ['success'],
  properties: {
    success: described(common.boolean, 'whether the order was created'),
    orderId: described(common.text, 'of a success: unique order identifier'),
    clientOrderId: described(
      common.nullableText,
      'of a success: as the caller supplied it; null when none was given',
    ),
    error: described(common.text, 'of a failure: why, in words'),
    index: described(common.integer, 'of a failure: position in the input, from 0'),
  },
} as const satisfies Schema

export const batchResult = closed({
  results: described(listOf(batchItem), 'one per input order, in input order'),
  summary: common.batchSummary,
})

export const cancelledOrders = closed({
  cancelledCount: described(common.integer, 'how many orders were cancelled'),
  cancelledOrders: described(listOf(common.text), 'their order ids'),
})

/** The price of a market order is ignored; the handler checks that a limit order has one. */
export const createOrderBody = {
  type: 'object',
  additionalProperties: false,
  required: ['side', 'asset', 'quantity'],
  properties: {
    side: common.side,
    asset: common.symbol,
    quantity: described(common.positiveNumber, 'greater than 0, in steps of the trading pair'),
    price: described(
      common.optionalPositiveNumber,
      'limit price, in steps of the trading pair: required for limit orders, ignored for market orders',
    ),
    orderType: described({ enum: [...orderTypeNames, null] }, 'limit when left out'),
    timeInForce: described({ enum: [...timeInForceNames, null] }, 'GTC when left out'),
    clientOrderId: common.optionalClientId,
    metadata: common.optionalMetadata,
  },
} as const satisfies Schema

export const amendOrderBody = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    quantity: described(common.optionalPositiveNumber, 'the whole quantity from now on'),
    price: described(common.optionalPositiveNumber, 'the limit price from now on'),
  },
} as const satisfies Schema

/** Items are checked one by one as `createOrderBody`: an invalid one fails by itself. */
export const createBatchBody = closed({
  orders: {
    type: 'array',
    minItems: 1,
    maxItems: 100,
    items: {},
    description: 'at most 100 orders, each with the fields and rules of a single one',
  },
})

/** Nobody means null as a filter here: it is refused, and nothing is cancelled. */
export const cancelAllOrdersBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    asset: described(common.symbol, 'only orders for this asset'),
    side: common.side,
  },
} as const satisfies Schema

/** Spec: the list filter takes four of the six statuses; reading `filters.unlisted` decides about the others. */
export const listedOrderStatus = {
  enum: ['open', 'partially_filled', 'filled', 'cancelled'],
} as const satisfies Schema

/** A word that is no status at all is answered with the documented ones, or taken by that reading. */
export const listOrdersQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['page', 'limit'],
  properties: {
    statuses: {
      type: 'array',
      minItems: 1,
      items: { anyOf: [listedOrderStatus, common.filterWord] },
      description: 'only orders in one of these states',
    },
    asset: described(common.symbol, 'only orders for this asset'),
    side: common.side,
    page: common.page,
    limit: common.limit,
  },
} as const satisfies Schema

export const byClientIdQuery = closed({ clientOrderId: common.clientId })
