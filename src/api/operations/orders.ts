import { orderStatusNames, orderTypeNames, timeInForceNames } from '../../engine/codes.ts'
import { oneOfWords, shapeTyped } from '../../shape/shape.ts'
import { describe, listOf, object, oneOf, partial } from '../wire-shapes.ts'
import * as common from './common.ts'
import { operation } from './operation.ts'

/* The resources (Spec: Order, Fill), and the bodies, queries and responses of the nine order operations. */

export const orderStatus = describe(
  oneOfWords(...orderStatusNames),
  'open (active, waiting to be filled), partially_filled, filled, cancelled, rejected, or expired (for IOC and FOK); readings orders.createResponse and orders.endOfImmediate',
)
export const orderType = describe(
  oneOfWords(...orderTypeNames),
  'A limit order has a price; a market order takes what there is.',
)
export const timeInForce = describe(
  oneOfWords(...timeInForceNames),
  'GTC remains active until filled or cancelled; IOC fills immediately, and the unfilled remainder is cancelled; FOK ' +
    'must fill completely or is cancelled entirely',
)

export const order = object({
  orderId: describe(common.text, 'unique order identifier'),
  clientOrderId: describe(common.nullableText, 'as the caller supplied it; null when none was given'),
  side: common.side,
  asset: describe(common.text, 'asset symbol'),
  quantity: describe(
    common.number,
    'ordered quantity in units of the asset, greater than 0; an amendment changes it',
  ),
  price: describe(common.nullableNumber, 'limit price in USD; null for market orders'),
  orderType,
  timeInForce,
  status: orderStatus,
  filledQuantity: describe(common.number, 'quantity filled so far'),
  remainingQuantity: describe(common.number, 'quantity still unfilled: quantity less filledQuantity'),
  averagePrice: describe(
    common.nullableNumber,
    'average fill price in USD, weighted by quantity, 8 decimals; null when nothing has been filled',
  ),
  metadata: describe(common.metadata, 'key-value pairs as the caller supplied them'),
  createdAt: describe(common.timestamp, 'when the order was created'),
  updatedAt: describe(common.timestamp, 'when the order last changed: a fill, an amendment or its end'),
})

const { orderId, clientOrderId, side, asset, quantity, price, filledQuantity, createdAt } = order.properties

export const listedOrder = object({
  orderId,
  clientOrderId,
  side,
  asset,
  quantity,
  price,
  status: orderStatus,
  filledQuantity,
  createdAt,
})

export const orderList = object({
  orders: describe(listOf(listedOrder), 'the orders of this page, in the shape of lists'),
  pagination: common.pagination,
})

export const cancelledOrder = object({
  orderId: describe(common.text, 'the order that was cancelled'),
  status: orderStatus,
  cancelledAt: describe(common.timestamp, 'when it was cancelled'),
})

export const fill = object({
  fillId: describe(common.text, 'unique identifier of the fill'),
  orderId: describe(common.text, 'the order that was filled'),
  price: describe(common.number, 'price in USD at which it was filled: that of the order that rested'),
  quantity: describe(common.number, 'quantity that was filled'),
  side: common.side,
  fee: describe(common.number, 'fee for this fill, in feeCurrency; negative for a rebate'),
  feeCurrency: describe(common.text, 'currency symbol of the fee'),
  executedAt: describe(common.timestamp, 'when it was filled'),
})

export const fillList = object({ fills: describe(listOf(fill), 'the fills of the order') })

/**
 * The result of one order of a batch. A success has orderId and clientOrderId, a failure error and index. Choice: it
 * is one shape, because of alternatives generators make a type that keeps the fields of the first one only.
 */
export const batchItem = partial(
  {
    success: describe(common.boolean, 'whether the order was created'),
    orderId: describe(common.text, 'of a success: unique order identifier'),
    clientOrderId: describe(
      common.nullableText,
      'of a success: as the caller supplied it; null when none was given',
    ),
    error: describe(common.text, 'of a failure: why, in words for people'),
    index: describe(common.integer, 'of a failure: position in the input, from 0'),
  },
  ['success'],
)

export const batchResult = object({
  results: describe(
    listOf(batchItem),
    'one per input order, in input order; the status of the answer when some fail: reading batchStatus',
  ),
  summary: common.batchSummary,
})

export const cancelledOrders = object({
  cancelledCount: describe(common.integer, 'how many orders were cancelled'),
  cancelledOrders: describe(listOf(common.text), 'their order ids'),
})

const wordsOrNull = <const Word extends string>(words: readonly Word[]) =>
  shapeTyped<Word | null>({ enum: [...words, null] })

/** The body of an order. The price of a market order is ignored; the handler checks that a limit order has one. */
export const createOrderBody = partial(
  {
    side: common.side,
    asset: common.symbol,
    quantity: describe(
      common.positiveNumber,
      'in units of the asset, greater than 0, in steps of the trading pair and within its minQuantity and maxQuantity',
    ),
    price: describe(
      common.optionalPositiveNumber,
      'limit price, in steps of the trading pair: required for limit orders, ignored for market orders',
    ),
    orderType: describe(
      wordsOrNull(orderTypeNames),
      'a limit order has a price, a market order takes what there is; limit when left out',
    ),
    timeInForce: describe(
      wordsOrNull(timeInForceNames),
      'GTC rests until it is filled or cancelled, IOC fills what it can at once, FOK fills whole or not at all; GTC when left out',
    ),
    clientOrderId: common.optionalClientId,
    metadata: common.optionalMetadata,
  },
  ['side', 'asset', 'quantity'],
)

export const amendOrderBody = partial(
  {
    quantity: describe(
      common.optionalPositiveNumber,
      'the whole quantity from now on, what has been filled included; not below filledQuantity',
    ),
    price: describe(
      common.optionalPositiveNumber,
      'the limit price from now on, in steps of the trading pair; a new price loses the place in the queue',
    ),
  },
  [],
  { minProperties: 1 },
)

/** The body of a batch. Its items are checked one by one as `createOrderBody`: an invalid one fails by itself. */
const createBatchBody = object({
  orders: describe(
    listOf(common.anything, { minItems: 1, maxItems: 100 }),
    'at most 100 orders, each with the fields and rules of a single one',
  ),
})

/**
 * The filter of the orders to cancel. Null is not accepted: nobody means it as a filter, so it is refused and nothing
 * is cancelled.
 */
const cancelAllOrdersBody = partial({
  asset: describe(common.symbol, 'only orders for this asset'),
  side: common.side,
})

/**
 * The statuses that the filter of the list takes: four of the six (Spec). Reading `filters.unlisted` decides about
 * the others.
 */
export const listedOrderStatuses = ['open', 'partially_filled', 'filled', 'cancelled'] as const

/**
 * The query of the list of orders. A word that is not a status is refused with the documented ones, or accepted
 * (reading `filters.unlisted`).
 */
export const listOrdersQuery = partial(
  {
    statuses: describe(
      listOf(oneOf(oneOfWords(...listedOrderStatuses), common.filterWord), { minItems: 1 }),
      'only orders in one of these states; other words by reading filters.unlisted',
    ),
    asset: describe(common.symbol, 'only orders for this asset'),
    side: common.side,
    page: common.page,
    limit: common.limit,
  },
  ['page', 'limit'],
)

/* The order operations (Spec: Endpoints, Orders), by the names of the methods of the client. */
export const orders = {
  /**
   * Creates an order. With a `clientOrderId` the client looks up an order whose answer was lost, so that it is never
   * placed twice.
   */
  create: operation({
    id: 'createOrder',
    method: 'POST',
    path: '/api/sdk/orders',
    scope: 'TRADE',
    makes: 'order',
    body: createOrderBody,
    response: order,
    summary: 'Create order',
    errors: [409, 422],
  }),
  list: operation({
    id: 'listOrders',
    method: 'GET',
    path: '/api/sdk/orders',
    query: listOrdersQuery,
    response: orderList,
    summary: 'List orders',
  }),
  get: operation({
    id: 'getOrder',
    method: 'GET',
    path: '/api/sdk/orders/:orderId',
    response: order,
    summary: 'Get order',
  }),
  getByClientId: operation({
    id: 'getOrderByClientId',
    method: 'GET',
    path: '/api/sdk/orders/by-client-id',
    query: object({ clientOrderId: common.clientId }),
    response: order,
    summary: 'Get order by client id',
    errors: [404],
    argument: 'clientOrderId',
  }),
  /** Changes an order. `quantity` is the new total. */
  amend: operation({
    id: 'amendOrder',
    method: 'PATCH',
    path: '/api/sdk/orders/:orderId',
    scope: 'TRADE',
    body: amendOrderBody,
    response: order,
    summary: 'Amend order',
    errors: [409, 422],
  }),
  cancel: operation({
    id: 'cancelOrder',
    method: 'DELETE',
    path: '/api/sdk/orders/:orderId',
    scope: 'TRADE',
    response: cancelledOrder,
    summary: 'Cancel order',
    errors: [409],
  }),
  fills: operation({
    id: 'listOrderFills',
    method: 'GET',
    path: '/api/sdk/orders/:orderId/fills',
    response: fillList,
    summary: 'Get order fills',
  }),
  /** Creates up to 100 orders, each of which may fail by itself; see `results`. */
  createBatch: operation({
    id: 'createOrders',
    method: 'POST',
    path: '/api/sdk/orders/batch',
    scope: 'TRADE',
    makes: 'batch',
    body: createBatchBody,
    bodyItem: createOrderBody,
    response: batchResult,
    summary: 'Create batch orders',
  }),
  /**
   * Cancels all open orders, or those that the filter selects. A filter with an undefined field is refused, because
   * it would cancel all orders.
   */
  cancelAll: operation({
    id: 'cancelOrders',
    method: 'DELETE',
    path: '/api/sdk/orders/batch',
    scope: 'TRADE',
    body: cancelAllOrdersBody,
    isBodyOptional: true,
    response: cancelledOrders,
    summary: 'Cancel all orders',
  }),
}
