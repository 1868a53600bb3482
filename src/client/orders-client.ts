import { type CallOptions, call } from './call.ts'
import { checkFilter } from './check-filter.ts'
import type { Link } from './exchange.ts'
import type { BodyOf, QueryOf, ResponseOf } from './operation-types.ts'
import { placeOrder } from './place-order.ts'

export type NewOrder = BodyOf<'createOrder'>
export type OrderAmendment = BodyOf<'amendOrder'>
export type OrderFilter = BodyOf<'cancelOrders'>
export type OrderQuery = QueryOf<'listOrders'>
export type Order = ResponseOf<'getOrder'>
export type OrderList = ResponseOf<'listOrders'>
export type CancelledOrder = ResponseOf<'cancelOrder'>
export type CancelledOrders = ResponseOf<'cancelOrders'>
export type FillList = ResponseOf<'listOrderFills'>
export type BatchResult = ResponseOf<'createOrders'>

/** Spec: Endpoints, Orders. */
export interface OrdersClient {
  /** With a `clientOrderId`, a lost answer is looked up, so the order is never placed twice. */
  create(order: NewOrder, options?: CallOptions): Promise<Order>
  list(query?: OrderQuery, options?: CallOptions): Promise<OrderList>
  get(orderId: string, options?: CallOptions): Promise<Order>
  getByClientId(clientOrderId: string, options?: CallOptions): Promise<Order>
  /** `quantity` is the new total. */
  amend(orderId: string, amendment: OrderAmendment, options?: CallOptions): Promise<Order>
  cancel(orderId: string, options?: CallOptions): Promise<CancelledOrder>
  fills(orderId: string, options?: CallOptions): Promise<FillList>
  /** Up to 100 orders, each of which may fail by itself; see `results`. */
  createBatch(orders: readonly NewOrder[], options?: CallOptions): Promise<BatchResult>
  /** All open orders unless there is a filter. A filter with an undefined field is refused: it would cancel all. */
  cancelAll(filter?: OrderFilter, options?: CallOptions): Promise<CancelledOrders>
}

export function ordersClient(link: Link): OrdersClient {
  return {
    create: (order, options) => placeOrder(link, order, options),
    list: (query, options) => call(link, 'listOrders', { query }, options),
    get: (orderId, options) => call(link, 'getOrder', { parameter: orderId }, options),
    getByClientId: (clientOrderId, options) =>
      call(link, 'getOrderByClientId', { query: { clientOrderId } }, options),
    amend: (orderId, amendment, options) =>
      call(link, 'amendOrder', { parameter: orderId, body: amendment }, options),
    cancel: (orderId, options) => call(link, 'cancelOrder', { parameter: orderId }, options),
    fills: (orderId, options) => call(link, 'listOrderFills', { parameter: orderId }, options),
    createBatch: (orders, options) => call(link, 'createOrders', { body: { orders } }, options),
    cancelAll: async (filter, options) => call(link, 'cancelOrders', { body: checkFilter(filter) }, options),
  }
}
