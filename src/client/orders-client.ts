import { type CallOptions, call, requestOf, resultOf } from './call.ts'
import { ConnectionError } from './connection-error.ts'
import type { Link, Outcome } from './exchange.ts'
import { exchange } from './exchange.ts'
import type { BodyOf, QueryOf, ResponseOf } from './operation-types.ts'
import { delayMillis } from './retries.ts'
import { VenueError } from './venue-error.ts'

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

/**
 * Creates an order, once. When the answer is lost and the order has a `clientOrderId`, the order is looked up by
 * that, and sent again only if it does not exist; without a `clientOrderId` the loss is reported.
 *
 * An order that is found is answered as it is by then: it may have fills. Rejects with reason `unverified` when the
 * look-up fails, too: the key may lack the READ scope.
 */
async function placeOrder(link: Link, order: NewOrder, options: CallOptions = {}): Promise<Order> {
  const request = requestOf('createOrder', { body: order }, options)
  let outcome = await exchange(link, request, 'once')
  const clientOrderId = order.clientOrderId ?? null
  if (clientOrderId === null) return resultOf<'createOrder'>(outcome)
  for (let repetition = 1; outcome.kind === 'lost'; repetition += 1) {
    await link.clock.sleep(delayMillis(link.retries, repetition), options.signal)
    const found = await findPlaced(link, order, clientOrderId, options)
    if (found !== null) return found
    if (repetition > link.retries.afterFailure) break
    outcome = await exchange(link, request, 'once')
    if (isConflict(outcome)) {
      // The earlier request was slower than this one, but has arrived after all.
      const late = await findPlaced(link, order, clientOrderId, options)
      if (late !== null) return late
    }
  }
  return resultOf<'createOrder'>(outcome)
}

/** Null when there is no order with this client id, or only one with other terms. */
async function findPlaced(
  link: Link,
  order: NewOrder,
  clientOrderId: string,
  options: CallOptions,
): Promise<Order | null> {
  try {
    const request = requestOf('getOrderByClientId', { query: { clientOrderId } }, options)
    const found = resultOf<'getOrderByClientId'>(await exchange(link, request, 'repeatedly'))
    return isSameOrder(order, found) ? found : null
  } catch (failure) {
    if (failure instanceof VenueError && failure.statusCode === notFound) return null
    if (!(failure instanceof VenueError || failure instanceof ConnectionError)) throw failure
    const message = `order ${clientOrderId} may have been placed: its answer was lost, and it cannot be looked up`
    throw new ConnectionError('unverified', message, failure)
  }
}

const notFound = 404
const conflict = 409

function isConflict(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && outcome.answer.status === conflict
}

/** Compares the terms that no amendment changes. */
function isSameOrder(order: NewOrder, found: Order): boolean {
  return (
    order.side === found.side &&
    order.asset === found.asset &&
    (order.orderType ?? 'limit') === found.orderType &&
    (order.timeInForce ?? 'GTC') === found.timeInForce
  )
}

/**
 * The filter of a cancel-all, as given. Throws a TypeError when one of its fields is undefined: JSON would leave that
 * field out, and a cancel meant for one asset would cancel everything.
 */
export function checkFilter<Filter extends object>(filter: Filter | undefined): Filter | undefined {
  for (const [name, value] of Object.entries(filter ?? {})) {
    if (value === undefined) throw new TypeError(`${name} is undefined; leave it out to cancel everything`)
  }
  return filter
}
