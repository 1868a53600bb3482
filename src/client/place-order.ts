import { type CallOptions, requestOf, resultOf } from './call.ts'
import { ConnectionError } from './connection-error.ts'
import { exchange, type Link, type Outcome } from './exchange.ts'
import type { BodyOf, ResponseOf } from './operation-types.ts'
import { delayMillis } from './retries.ts'
import { VenueError } from './venue-error.ts'

type NewOrder = BodyOf<'createOrder'>
type Order = ResponseOf<'createOrder'>

/**
 * Creates an order, once. When the answer is lost and the order has a `clientOrderId`, the order is looked up by
 * that, and sent again only if it does not exist; without a `clientOrderId` the loss is reported.
 *
 * An order that is found is answered as it is by then: it may have fills. Rejects with reason `unverified` when the
 * look-up fails, too: the key may lack the READ scope.
 */
export async function placeOrder(link: Link, order: NewOrder, options: CallOptions = {}): Promise<Order> {
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
