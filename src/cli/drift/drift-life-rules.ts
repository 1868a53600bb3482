import type { OperationId } from '../../api/operations/operations.ts'
import {
  asObject,
  type Exchange,
  type Finding,
  findErrorType,
  isBodyAlone,
  isFieldRefused,
  isRiskRefusal,
  isSuccess,
  isVenueError,
  type JsonObject,
  refusedField,
  toFinding,
} from './drift-exchange.ts'
import {
  type AccountHistory,
  hasKept,
  isKnownBefore,
  isTerminal,
  nameCancel,
  nameRecord,
  type Rule,
} from './drift-history.ts'

/* Rules about what becomes of orders and quotes: how they are created, amended, cancelled and ended. */

const creatingOperations: readonly (OperationId | null)[] = ['createOrder', 'submitQuote']

/**
 * Checks the status of a POST. 200 for an order with a client id shows nothing: a venue that answers a repeated id with
 * the first order creates nothing. Neither does it where the request was not recorded.
 */
export function checkStatus(exchange: Exchange): readonly Finding[] {
  const { operation, method, status } = exchange
  if (operation === 'createOrders' || operation === 'updateQuotes' || !isSuccess(exchange)) return []
  if (method !== 'POST' || (status !== 200 && status !== 201)) return []
  if (!creatingOperations.includes(operation))
    return [
      status === 201 ? toFinding('createdStatus', 'every-post') : toFinding('createdStatus', '200', '201'),
    ]
  if (!isNew(exchange)) return []
  return [
    status === 200 ? toFinding('createdStatus', '200') : toFinding('createdStatus', '201', 'every-post'),
  ]
}

/** Returns whether a successful answer surely shows what this request has created, not what an earlier one had. */
function isNew({ status, requestBody }: Exchange): boolean {
  if (status === 201) return true
  const sent = asObject(requestBody)
  const ids = ['clientOrderId', 'client_order_id', 'clientQuoteId', 'client_quote_id']
  return Object.keys(sent).length > 0 && ids.every((name) => (sent[name] ?? null) === null)
}

const orderOperations: readonly (OperationId | null)[] = [
  'getOrder',
  'getOrderByClientId',
  'createOrder',
  'amendOrder',
]

/** Checks the form of an order: its id, and fields without a value. */
function checkOrderForm(exchange: Exchange): readonly Finding[] {
  if (!orderOperations.includes(exchange.operation) || !isSuccess(exchange)) return []
  const order = asObject(exchange.body)
  const { orderId, averagePrice, clientOrderId, filledQuantity } = order
  const form = typeof orderId === 'string' ? checkIdFormat(orderId) : []
  if (averagePrice === null || clientOrderId === null) return [...form, toFinding('nulls', 'explicit')]
  const isOmitted = !('averagePrice' in order) && filledQuantity === 0
  return isOmitted ? [...form, toFinding('nulls', 'omitted')] : form
}

function checkIdFormat(id: string): readonly Finding[] {
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(id))
    return [toFinding('ids.format', 'uuid')]
  return /^[a-z]+_\d+$/.test(id) ? [toFinding('ids.format', 'counter')] : []
}

/**
 * Checks whether the response to a new order has its final status. An order that cannot rest is never open after
 * matching.
 */
function checkCreateResponse(exchange: Exchange): readonly Finding[] {
  if (exchange.operation !== 'createOrder' || !isSuccess(exchange) || !isNew(exchange)) return []
  const order = asObject(exchange.body)
  if (matchedStatuses.includes(order['status'])) return [toFinding('orders.createResponse', 'final')]
  return order['status'] === 'open' && isImmediate(order)
    ? [toFinding('orders.createResponse', 'accepted')]
    : []
}

/** What an order is once it has met the book. Another word, or none, shows nothing. */
const matchedStatuses: readonly unknown[] = ['partially_filled', 'filled', 'cancelled', 'expired']

const isImmediate = ({ orderType, timeInForce }: JsonObject): boolean =>
  orderType === 'market' || timeInForce === 'IOC' || timeInForce === 'FOK'

/** Checks orders with one client id. Which of them came first does not matter. */
function checkDuplicate(exchange: Exchange, history: AccountHistory): readonly Finding[] {
  const { clientOrderId } = asObject(exchange.requestBody)
  if (exchange.operation !== 'createOrder' || typeof clientOrderId !== 'string') return []
  const creations = history.clientIds.get(clientOrderId) ?? []
  if (creations.length > 0 && exchange.status === 409 && isVenueError(exchange))
    return [toFinding('clientId.duplicate', '409')]
  if (!isSuccess(exchange) || creations.length < 2) return []
  const { orderId, createdAt } = asObject(exchange.body)
  const same = creations.filter((one) => one.orderId === orderId && one.createdAt === createdAt)
  if (same.length > 1) return [toFinding('clientId.duplicate', 'return')]
  // A venue that was wiped in between does not know the first order.
  const isOther = creations.some(
    (one) =>
      one.orderId !== orderId &&
      hasKept(
        history,
        Math.min(one.endMillis, exchange.endMillis),
        Math.max(one.startMillis, exchange.startMillis),
      ),
  )
  return isOther ? [toFinding('clientId.duplicate', 'allow')] : []
}

/**
 * Checks a quantity that was sent as text. A venue that has accepted the order, or refuses it for money, has read its
 * quantity. One that refuses the quantity may still have read it, unless it fits the trading pair.
 */
function checkCoercion(exchange: Exchange, { pairs }: AccountHistory): readonly Finding[] {
  const { quantity, price, asset } = asObject(exchange.requestBody)
  if (exchange.operation !== 'createOrder' || typeof quantity !== 'string') return []
  if (isSuccess(exchange) || isRiskRefusal(exchange)) return [toFinding('body.coerce', 'coerce')]
  const pair = pairs.get(String(asset))
  if (!isFieldRefused(exchange, 'quantity') || pair === undefined) return []
  if (!isBodyAlone(exchange) || !/^\d{1,9}(\.\d{1,8})?$/.test(quantity)) return []
  const amount = Number(quantity)
  const steps = amount / pair.step
  const isFitting =
    amount > 0 &&
    amount >= pair.minimum &&
    amount <= pair.maximum &&
    Math.abs(steps - Math.round(steps)) < 1e-9 &&
    typeof price === 'number' &&
    amount * price >= pair.minimumNotional
  return isFitting ? [toFinding('body.coerce', '400')] : []
}

/**
 * Checks the final status of an order that cannot rest. One that met an order of its own account ends as cancelled under
 * every reading, so it shows nothing; a FOK order that could not be filled whole has met nothing, so it always counts.
 */
function checkImmediateEnd(exchange: Exchange): readonly Finding[] {
  const order = asObject(exchange.body)
  if (!orderOperations.includes(exchange.operation) || !isSuccess(exchange) || !isImmediate(order)) return []
  if (order['status'] === 'expired') return [toFinding('orders.endOfImmediate', 'expired')]
  const isKilled = order['status'] === 'cancelled' && order['timeInForce'] === 'FOK'
  return isKilled && order['filledQuantity'] === 0 ? [toFinding('orders.endOfImmediate', 'cancelled')] : []
}

/** Checks the look-up, by client id, of an order that failed a risk or balance check. */
function checkRefusedOrder(exchange: Exchange, history: AccountHistory): readonly Finding[] {
  const { operation, query, status, body, endMillis } = exchange
  const id = query.get('clientOrderId') ?? ''
  const refusedMillis = history.refusedClientIds.get(id)
  if (operation !== 'getOrderByClientId' || !isKnownBefore(refusedMillis, exchange)) return []
  if (status === 404 && isVenueError(exchange))
    return hasKept(history, refusedMillis, endMillis) ? [toFinding('orders.rejectMode', 'none')] : []
  // An order that was accepted under this id may have been rejected later.
  if (history.clientIds.has(id)) return []
  return isSuccess(exchange) && asObject(body)['status'] === 'rejected'
    ? [toFinding('orders.rejectMode', 'stored')]
    : []
}

/** Checks the cancel of an order that is done. */
function checkCancel(exchange: Exchange, history: AccountHistory): readonly Finding[] {
  const { operation, status } = exchange
  if (operation !== 'cancelOrder') return []
  if (isSuccess(exchange))
    return isCancelOfEnded(exchange, history) ? [toFinding('orders.cancelTerminal', '200')] : []
  return isRefusalOfEnded(exchange, history) ? [toFinding('orders.cancelTerminal', String(status))] : []
}

/**
 * Returns whether a successful cancel was of something that had ended: it says how, or another cancel of it succeeded,
 * too, so that the later one of the two came when it was done.
 */
function isCancelOfEnded(exchange: Exchange, { cancels }: AccountHistory): boolean {
  const { status } = asObject(exchange.body)
  return (isTerminal(status) && status !== 'cancelled') || (cancels.get(nameCancel(exchange)) ?? 0) > 1
}

/** Returns whether the venue refused a request because of an order or a quote that had ended. */
function isRefusalOfEnded(exchange: Exchange, history: AccountHistory): boolean {
  const { operation, parameter, status, endMillis } = exchange
  const kind = operation === 'cancelOrder' ? 'order' : 'quote'
  const endedMillis = history.lives.get(nameRecord(kind, parameter))?.endedMillis
  if (!isVenueError(exchange) || !isKnownBefore(endedMillis, exchange)) return false
  return status !== 404 || hasKept(history, endedMillis, endMillis)
}

/** Checks the cancel or the update of a quote that is done. */
function checkEndedQuote(exchange: Exchange, history: AccountHistory): readonly Finding[] {
  const { operation, status } = exchange
  if (operation === 'cancelQuote' && isSuccess(exchange))
    return isCancelOfEnded(exchange, history) ? [toFinding('quotes.terminal', '200')] : []
  if (operation !== 'cancelQuote' && operation !== 'updateQuote') return []
  if (!isRefusalOfEnded(exchange, history)) return []
  if (status === 400 && !isWithoutOtherReason(exchange, history)) return []
  // A venue that answers a repeated cancel with 200 still refuses an update with 409.
  const isOpen = operation === 'updateQuote' && status === 409
  return [toFinding('quotes.terminal', ...(isOpen ? ['409', '200'] : [String(status)]))]
}

/**
 * Returns whether nothing else explains a 400: neither a field, nor the query, nor the sender. Some venues refuse bad
 * signatures with 400, too, which only the type shows.
 */
const isWithoutOtherReason = (exchange: Exchange, { showsTypes }: AccountHistory): boolean =>
  refusedField(exchange) === undefined &&
  exchange.search === '' &&
  showsTypes &&
  findErrorType(exchange) === null

/**
 * Checks from which instant a quote's new seconds count: the update, the creation or the former expiry. A venue reads
 * its clock more than once, so instants may differ by a second, or by less when creation and update are close together.
 */
function checkExtension(exchange: Exchange, { expiries }: AccountHistory): readonly Finding[] {
  const quote = asObject(exchange.body)
  const seconds = asObject(exchange.requestBody)['validForSeconds']
  if (exchange.operation !== 'updateQuote' || !isSuccess(exchange) || typeof seconds !== 'number') return []
  const readMillis = (name: string): number => Date.parse(String(quote[name]))
  const [created, updated] = [readMillis('createdAt'), readMillis('updatedAt')]
  const counted = readMillis('expiresAt') - seconds * 1000
  if (!(updated > created)) return []
  const off = Math.min(1000, (updated - created) / 4)
  if (Math.abs(counted - created) <= off) return [toFinding('quotes.extend', 'created')]
  if (counted > updated + 1000) return [toFinding('quotes.extend', 'expiry')]
  if (Math.abs(counted - updated) > off) return []
  // A quote that was about to expire would have been extended from nearly the same instant.
  const known = (expiries.get(exchange.parameter) ?? []).filter(({ millis }) =>
    isKnownBefore(millis, exchange),
  )
  const isFar = known.length > 0 && known.every(({ expiresAt }) => Math.abs(expiresAt - updated) > 2000)
  return [toFinding('quotes.extend', 'now', ...(isFar || counted === updated ? [] : ['expiry']))]
}

export const lifeRules: readonly Rule[] = [
  ...[checkOrderForm, checkCreateResponse, checkDuplicate, checkCoercion, checkImmediateEnd],
  ...[checkRefusedOrder, checkCancel, checkEndedQuote, checkExtension],
]
