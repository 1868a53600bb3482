import { orderStatusNames, orderTypeNames, timeInForceNames } from '../../engine/codes.ts'
import { closed, listOf } from './closed.ts'
import * as common from './common.ts'
import type { Schema } from './infer.ts'

/* Spec: Order, Fill, and the bodies, queries and responses of the nine order operations. */

export const orderStatus = { enum: orderStatusNames } as const satisfies Schema
export const orderType = { enum: orderTypeNames } as const satisfies Schema
export const timeInForce = { enum: timeInForceNames } as const satisfies Schema

export const order = closed({
  orderId: common.text,
  clientOrderId: common.nullableText,
  side: common.side,
  asset: common.text,
  quantity: common.number,
  price: common.nullableNumber,
  orderType,
  timeInForce,
  status: orderStatus,
  filledQuantity: common.number,
  remainingQuantity: common.number,
  averagePrice: common.nullableNumber,
  metadata: common.metadata,
  createdAt: common.timestamp,
  updatedAt: common.timestamp,
})

export const listedOrder = closed({
  orderId: common.text,
  clientOrderId: common.nullableText,
  side: common.side,
  asset: common.text,
  quantity: common.number,
  price: common.nullableNumber,
  status: orderStatus,
  filledQuantity: common.number,
  createdAt: common.timestamp,
})

export const orderList = closed({
  orders: listOf(listedOrder),
  pagination: common.pagination,
})

export const cancelledOrder = closed({
  orderId: common.text,
  status: orderStatus,
  cancelledAt: common.timestamp,
})

export const fill = closed({
  fillId: common.text,
  orderId: common.text,
  price: common.number,
  quantity: common.number,
  side: common.side,
  fee: common.number,
  feeCurrency: common.text,
  executedAt: common.timestamp,
})

export const fillList = closed({ fills: listOf(fill) })

export const batchResult = closed({
  results: {
    type: 'array',
    items: {
      anyOf: [
        closed({
          success: { const: true },
          orderId: common.text,
          clientOrderId: common.nullableText,
        }),
        closed({ success: { const: false }, error: common.text, index: common.integer }),
      ],
    },
  },
  summary: common.batchSummary,
})

export const cancelledOrders = closed({
  cancelledCount: common.integer,
  cancelledOrders: listOf(common.text),
})

/** The price of a market order is ignored; the handler checks that a limit order has one. */
export const createOrderBody = {
  type: 'object',
  additionalProperties: false,
  required: ['side', 'asset', 'quantity'],
  properties: {
    side: common.side,
    asset: common.symbol,
    quantity: common.positiveNumber,
    price: common.optionalPositiveNumber,
    orderType: { enum: [...orderTypeNames, null], default: 'limit' },
    timeInForce: { enum: [...timeInForceNames, null], default: 'GTC' },
    clientOrderId: common.optionalClientId,
    metadata: common.optionalMetadata,
  },
} as const satisfies Schema

export const amendOrderBody = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: { quantity: common.optionalPositiveNumber, price: common.optionalPositiveNumber },
} as const satisfies Schema

/** Items are checked one by one as `createOrderBody`: an invalid one fails by itself. */
export const createBatchBody = closed({ orders: { type: 'array', minItems: 1, maxItems: 100, items: {} } })

/** Nobody means null as a filter here: it is refused, and nothing is cancelled. */
export const cancelAllOrdersBody = {
  type: 'object',
  additionalProperties: false,
  properties: { asset: common.symbol, side: common.side },
} as const satisfies Schema

/** Spec: the list filter takes four of the six statuses; reading `filters.unlisted` decides about the others. */
export const listedOrderStatus = {
  enum: ['open', 'partially_filled', 'filled', 'cancelled'],
} as const satisfies Schema

/** A word that is no status at all is answered with the documented ones. */
export const listOrdersQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['page', 'limit'],
  properties: {
    statuses: { type: 'array', minItems: 1, items: { anyOf: [listedOrderStatus, orderStatus] } },
    asset: common.symbol,
    side: common.side,
    page: common.page,
    limit: common.limit,
  },
} as const satisfies Schema

export const byClientIdQuery = closed({ clientOrderId: common.clientId })
