import { errorTypes } from '../../api/error-types.ts'
import { clientFields, limitEntries } from '../../api/handlers/client-view.ts'
import { isObject } from '../../api/json.ts'
import { everyOperationId, type OperationId, routeOf } from '../../api/operations/operations.ts'
import { listedOrderStatuses } from '../../api/operations/orders.ts'
import { listValues, type ReadingKey } from '../../api/readings/readings.ts'
import { itemShape } from '../../api/wire-shapes.ts'
import type { Shape } from '../../shape/shape.ts'
import {
  asObject,
  type Exchange,
  type ExchangeHistory,
  type Finding,
  isEnvelope,
  isFieldRefused,
  isFilled,
  isRiskRefusal,
  isSuccess,
  isVenueError,
  type JsonObject,
  listItems,
  type Rule,
  toFinding,
} from './drift-exchange.ts'
import { checkAuthentication, checkWrongMethod, inputRules, rememberInput } from './drift-input-rules.ts'

/*
 * Rules about how the venue reads the open points of the specification. A rule returns the values that fit one recorded
 * exchange; all other values are refuted. It returns nothing when the exchange shows nothing.
 */

/** Applies all rules to one exchange, and adds the exchange to the history. Exchanges must come in order. */
export function applyRules(exchange: Exchange, memory: ExchangeHistory): readonly Finding[] {
  // Without a recorded body, what is absent from it proves nothing.
  const applied = exchange.raw === null ? headRules : [...headRules, ...bodyRules]
  const findings =
    exchange.operation === null
      ? checkWrongMethod(exchange)
      : applied.flatMap((rule) => rule(exchange, memory))
  remember(exchange, memory)
  // A value that no reading has is an answer that nobody foresaw.
  return findings.filter(({ key, fits }) => listValues(key).some((value) => fits.includes(value)))
}

/** Returns an empty history of an account at a host. */
export const createHistory = (): ExchangeHistory => ({
  endedIds: new Set(),
  clientIds: new Map(),
  refusedClientIds: new Set(),
  assets: new Set(),
  minima: new Map(),
})

function checkEnvelope({ raw, status }: Exchange): readonly Finding[] {
  if (status >= 300 || !isObject(raw)) return []
  return [toFinding('envelope', isEnvelope(raw) ? 'wrapped' : 'bare')]
}

const creatingOperations: readonly (OperationId | null)[] = ['createOrder', 'createOrders', 'submitQuote']

function checkBatchStatus(exchange: Exchange): readonly Finding[] {
  const { operation, status, body } = exchange
  if (operation === 'createOrders' || operation === 'updateQuotes') {
    const results = listItems(body, 'results')
    const failed = results.filter(({ success }) => success === false).length
    if (failed > 0 && status === 207) return [toFinding('batchStatus', '207')]
    if (failed > 0 && failed === results.length)
      return [toFinding('batchStatus', status === 422 ? '422' : 'same')]
    if (failed > 0 && isSuccess(exchange)) return [toFinding('batchStatus', 'same', '422')]
  }
  return []
}

function checkStatus({ operation, method, status }: Exchange): readonly Finding[] {
  if (operation === 'createOrders' || operation === 'updateQuotes') return []
  if (method !== 'POST' || (status !== 200 && status !== 201)) return []
  if (creatingOperations.includes(operation)) {
    return [
      status === 200 ? toFinding('createdStatus', '200') : toFinding('createdStatus', '201', 'every-post'),
    ]
  }
  return [
    status === 201 ? toFinding('createdStatus', 'every-post') : toFinding('createdStatus', '200', '201'),
  ]
}

function checkError(exchange: Exchange): readonly Finding[] {
  const { status, raw } = exchange
  if (!isVenueError(exchange) || !isObject(raw)) return []
  const found: Finding[] = []
  const isValidation = status === 400
  if (typeof raw['message'] === 'string')
    found.push(toFinding('error.message', 'string', ...(isValidation ? [] : ['list'])))
  else if (Array.isArray(raw['message']))
    found.push(toFinding('error.message', 'array', ...(isValidation ? ['list'] : [])))
  const isType = (value: unknown): value is string => errorTypes.some((type) => type === value)
  const places: readonly (readonly [string, unknown])[] = [
    ['details.type', asObject(raw['details'])['type']],
    ['code', raw['code']],
    ['errorCode', raw['errorCode']],
    ['error', raw['error']],
  ]
  const place = places.find(([, value]) => isType(value))
  // Errors with these statuses always have a type, so its absence is the venue's choice.
  if (place !== undefined) found.push(toFinding('error.typeField', place[0]))
  else if ([401, 403, 429].includes(status)) found.push(toFinding('error.typeField', 'none'))
  const type = place?.[1]
  const text = String(status)
  if (type === 'INSUFFICIENT_BALANCE') {
    found.push(toFinding('error.balanceType', 'INSUFFICIENT_BALANCE'), toFinding('error.balanceStatus', text))
  }
  if (type === 'TIMESTAMP_EXPIRED') found.push(toFinding('auth.timestampStatus', text))
  if (type === 'INVALID_SIGNATURE') found.push(toFinding('auth.signatureStatus', text))
  return found
}

interface Reduction {
  readonly key: ReadingKey
  /** The field that holds the items; '' for the body itself. */
  readonly list: string
  readonly fullField: string
}

const reductions: { readonly [Operation in OperationId]?: Reduction } = {
  getPrice: { key: 'shapes.price', list: '', fullField: 'volume24h' },
  listPrices: { key: 'shapes.price', list: 'prices', fullField: 'volume24h' },
  listTradingPairs: { key: 'shapes.pair', list: 'pairs', fullField: 'quantityStep' },
  listStatistics: { key: 'shapes.stats', list: 'stats', fullField: 'vwap' },
  getBalance: { key: 'shapes.balance', list: '', fullField: 'pendingDeposit' },
  listBalances: { key: 'shapes.balance', list: 'balances', fullField: 'pendingDeposit' },
  listPositions: { key: 'shapes.position', list: 'positions', fullField: 'costBasis' },
  getExposure: { key: 'shapes.exposure', list: '', fullField: 'cashBalance' },
  getSummary: { key: 'shapes.summary', list: '', fullField: 'openPositions' },
  getUtilization: { key: 'shapes.utilization', list: '', fullField: 'breachedLimits' },
}

function checkShape(exchange: Exchange): readonly Finding[] {
  const { operation, body } = exchange
  if (!isSuccess(exchange) || operation === null) return []
  // A venue may add fields to some answers only, so an answer without extra fields shows nothing.
  const found = hasUnknownField(operation, body) ? [toFinding('answers.extraFields', 'some')] : []
  const shape = reductions[operation]
  const sample =
    shape === undefined ? undefined : shape.list === '' ? asObject(body) : listItems(body, shape.list)[0]
  if (shape !== undefined && sample !== undefined && isFilled(sample))
    found.push(toFinding(shape.key, shape.fullField in sample ? 'full' : 'reduced'))
  const fields = asObject(body)
  if (!isFilled(fields)) return found
  if (operation === 'getLimits' && !Array.isArray(fields['limits'])) {
    found.push(
      toFinding(
        'shapes.limits',
        'maxOrderValue' in asObject(fields['limits'] ?? fields) ? 'full' : 'reduced',
      ),
    )
  }
  if (operation === 'getMaxQuantity') {
    const details = asObject(fields['details'])
    if (isFilled(details))
      found.push(toFinding('shapes.maxQuantity', isObject(details['byBalance']) ? 'full' : 'reduced'))
  }
  if (operation === 'simulateOrder') found.push(...checkSimulation(fields, exchange))
  if (operation === 'getPosition') found.push(...checkPosition(fields))
  if (operation === 'getAssetExposure')
    found.push(toFinding('exposure.one', 'weight' in fields ? 'entry' : 'risk'))
  if (operation === 'listPositions')
    for (const item of listItems(body, 'positions')) found.push(...checkSign(item))
  const fill = operation === 'listOrderFills' ? listItems(body, 'fills')[0] : undefined
  if (fill !== undefined) found.push(toFinding('fills.side', 'side' in fill ? 'present' : 'absent'))
  const line = listItems(body, 'transactions').find(({ type }) => type !== 'trade')
  if (operation === 'listTransactions' && line !== undefined)
    found.push(toFinding('transactions.nonTrade', 'orderId' in line ? 'null' : 'omitted'))
  return found
}

function checkSimulation(fields: JsonObject, { requestBody }: Exchange): readonly Finding[] {
  const state = asObject(fields['currentState'])
  const asset = String(asObject(requestBody)['asset'] ?? '').toLowerCase()
  if (!isFilled(state)) return []
  const found = [toFinding('shapes.simulation', 'leverage' in state ? 'full' : 'reduced')]
  const prefix = Object.keys(state)
    .find((name) => name.endsWith('Position'))
    ?.slice(0, -'Position'.length)
  if (prefix === undefined) return found
  const fits = [
    ...(prefix === asset ? ['symbol'] : []),
    ...(prefix === 'btc' ? ['btc'] : []),
    ...(prefix === 'asset' ? ['asset'] : []),
  ]
  return fits.length === 0 ? found : [...found, toFinding('simulate.prefix', ...fits)]
}

function checkPosition(fields: JsonObject): readonly Finding[] {
  const inner = fields['position']
  const position = isObject(inner) ? inner : fields
  return [
    toFinding('positions.one', isObject(inner) ? 'wrapped' : 'bare'),
    toFinding('shapes.position', 'costBasis' in position ? 'full' : 'reduced'),
    ...checkSign(position),
  ]
}

function checkSign({ quantity, side }: JsonObject): readonly Finding[] {
  if (typeof quantity !== 'number') return []
  if (quantity < 0) return [toFinding('positions.sign', 'signed')]
  return side === 'short' ? [toFinding('positions.sign', 'absolute')] : []
}

const orderOperations: readonly (OperationId | null)[] = [
  'getOrder',
  'getOrderByClientId',
  'createOrder',
  'amendOrder',
]

function checkOrder(exchange: Exchange, memory: ExchangeHistory): readonly Finding[] {
  const { operation, status, parameter, requestBody } = exchange
  const order = asObject(exchange.body)
  const asked = asObject(requestBody)
  const found: Finding[] = []
  if (orderOperations.includes(operation) && isSuccess(exchange)) {
    const { orderId, averagePrice } = order
    if (typeof orderId === 'string') found.push(...checkIdFormat(orderId))
    if (averagePrice === null || order['clientOrderId'] === null) found.push(toFinding('nulls', 'explicit'))
    else if (!('averagePrice' in order) && order['filledQuantity'] === 0)
      found.push(toFinding('nulls', 'omitted'))
  }
  if (operation === 'createOrder') {
    if (isSuccess(exchange)) found.push(...checkCreateResponse(order, asked))
    found.push(...checkDuplicate(exchange, asked, order, memory))
    if (typeof asked['quantity'] === 'string') found.push(...checkCoercion(exchange))
  }
  if (operation === 'getOrder' && isSuccess(exchange)) found.push(...checkImmediateEnd(order, memory))
  if (operation === 'cancelOrder' && memory.endedIds.has(parameter) && isAnswer(exchange))
    found.push(toFinding('orders.cancelTerminal', isSuccess(exchange) ? '200' : String(status)))
  return found
}

/** Returns whether the venue itself answered what was asked: neither a limit, a key nor a server in between. */
const isAnswer = (exchange: Exchange): boolean =>
  isSuccess(exchange) ||
  (isVenueError(exchange) && ![401, 403, 429].includes(exchange.status) && exchange.status < 500)

/** Checks a quantity that was sent as text. A venue that refuses an order for money has read its quantity. */
function checkCoercion(exchange: Exchange): readonly Finding[] {
  if (isSuccess(exchange) || isRiskRefusal(exchange)) return [toFinding('body.coerce', 'coerce')]
  return isFieldRefused(exchange, 'quantity') ? [toFinding('body.coerce', '400')] : []
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
function checkCreateResponse({ status }: JsonObject, order: JsonObject): readonly Finding[] {
  if (matchedStatuses.includes(status)) return [toFinding('orders.createResponse', 'final')]
  return status === 'open' && isImmediate(order) ? [toFinding('orders.createResponse', 'accepted')] : []
}

/** What an order is once it has met the book. Another word, or none, shows nothing. */
const matchedStatuses: readonly unknown[] = ['partially_filled', 'filled', 'cancelled', 'expired']

const isImmediate = ({ orderType, timeInForce }: JsonObject): boolean =>
  orderType === 'market' || timeInForce === 'IOC' || timeInForce === 'FOK'

function checkDuplicate(
  exchange: Exchange,
  { clientOrderId }: JsonObject,
  { orderId }: JsonObject,
  { clientIds }: ExchangeHistory,
): readonly Finding[] {
  if (typeof clientOrderId !== 'string') return []
  const before = clientIds.get(clientOrderId)
  if (before === undefined) return []
  if (exchange.status === 409 && isVenueError(exchange)) return [toFinding('clientId.duplicate', '409')]
  if (!isSuccess(exchange)) return []
  return [toFinding('clientId.duplicate', orderId === before ? 'return' : 'allow')]
}

/** Checks the final status of an order that cannot rest and that nobody has cancelled. */
function checkImmediateEnd(order: JsonObject, memory: ExchangeHistory): readonly Finding[] {
  const { orderId, status } = order
  if (!isImmediate(order) || typeof orderId !== 'string' || memory.endedIds.has(orderId)) return []
  return status === 'expired' || status === 'cancelled' ? [toFinding('orders.endOfImmediate', status)] : []
}

function checkQuote(exchange: Exchange, memory: ExchangeHistory): readonly Finding[] {
  const { operation, parameter, status, requestBody } = exchange
  const quote = asObject(exchange.body)
  const found: Finding[] = []
  const isChange = operation === 'cancelQuote' || operation === 'updateQuote'
  if (isChange && memory.endedIds.has(parameter) && isAnswer(exchange)) {
    // A venue that answers a repeated cancel with 200 still refuses an update with 409.
    const isOpen = operation === 'updateQuote' && status === 409
    found.push(
      toFinding(
        'quotes.terminal',
        ...(isOpen ? ['409', '200'] : [isSuccess(exchange) ? '200' : String(status)]),
      ),
    )
  }
  const seconds = asObject(requestBody)['validForSeconds']
  if (operation === 'updateQuote' && isSuccess(exchange) && typeof seconds === 'number')
    found.push(...checkExtension(quote, seconds))
  const failed = listItems(exchange.body, 'results').find(({ success }) => success === false)
  if (operation === 'updateQuotes' && failed !== undefined)
    found.push(toFinding('bulk.failure', 'error' in failed ? 'full' : 'plain'))
  return found
}

/**
 * Checks from which instant a quote's new seconds count: the update, the creation or the former expiry. A venue reads
 * its clock more than once, so instants may differ by a second, or by less when creation and update are close together.
 */
function checkExtension(quote: JsonObject, seconds: number): readonly Finding[] {
  const readMillis = (name: string): number => Date.parse(String(quote[name]))
  const [created, updated] = [readMillis('createdAt'), readMillis('updatedAt')]
  const counted = readMillis('expiresAt') - seconds * 1000
  if (!(updated > created)) return []
  const off = Math.min(1000, (updated - created) / 4)
  if (Math.abs(counted - updated) <= off) return [toFinding('quotes.extend', 'now')]
  if (Math.abs(counted - created) <= off) return [toFinding('quotes.extend', 'created')]
  return counted > updated + 1000 ? [toFinding('quotes.extend', 'expiry')] : []
}

const listedStatuses: readonly string[] = listedOrderStatuses

function checkList(exchange: Exchange): readonly Finding[] {
  const { operation, query, body } = exchange
  const found: Finding[] = []
  const isList = operation === 'listOrders' || operation === 'listQuotes'
  if (isList && isSuccess(exchange)) {
    const times = listItems(body, operation === 'listOrders' ? 'orders' : 'quotes').map(({ createdAt }) =>
      Date.parse(String(createdAt)),
    )
    found.push(...checkOrderOfTimes(times))
  }
  const statuses = query.get('statuses') ?? ''
  if (
    operation === 'listOrders' &&
    statuses.split(',').some((word) => word !== '' && !listedStatuses.includes(word))
  ) {
    if (isFieldRefused(exchange, 'statuses')) found.push(toFinding('filters.unlisted', '400'))
    else if (isSuccess(exchange)) found.push(toFinding('filters.unlisted', 'accept', 'ignore'))
  }
  if (isList && Number(query.get('limit') ?? 1) > 100) found.push(...checkLimit(exchange))
  return found
}

/** Checks a list whose instants all go in one direction. Lists that are sorted by something else show nothing. */
function checkOrderOfTimes(times: readonly number[]): readonly Finding[] {
  const steps = times.slice(1).map((time, place) => time - (times[place] ?? Number.NaN))
  if (steps.some(Number.isNaN) || steps.every((step) => step === 0)) return []
  if (steps.every((step) => step <= 0)) return [toFinding('lists.order', 'newest')]
  return steps.every((step) => step >= 0) ? [toFinding('lists.order', 'oldest')] : []
}

/** Checks a limit above the most. It was clamped when the page says so, and not when more items came. */
function checkLimit(exchange: Exchange): readonly Finding[] {
  if (isFieldRefused(exchange, 'limit')) return [toFinding('params.outOfRange', '400')]
  const { limit } = asObject(asObject(exchange.body)['pagination'])
  return isSuccess(exchange) && limit === 100 ? [toFinding('params.outOfRange', 'clamp')] : []
}

function checkHeaders(exchange: Exchange): readonly Finding[] {
  const found: Finding[] = []
  const resetText = exchange.headers.get('x-ratelimit-reset') ?? ''
  const reset = /^\d+$/.test(resetText) ? Number(resetText) : Number.NaN
  if (reset > 1e12) found.push(toFinding('rate.resetUnit', 'milliseconds'))
  else if (reset > 1e9) found.push(toFinding('rate.resetUnit', 'seconds'))
  else if (reset >= 0) found.push(toFinding('rate.resetUnit', 'delta'))
  // The recorder's clock may be wrong, so the venue's own counts: it answered within the second of its Date header.
  const answeredMillis = Date.parse(exchange.headers.get('date') ?? '') + 999
  const aheadMillis = Number(exchange.requestHeaders.get('x-api-timestamp')) - answeredMillis
  const bounds = [1000, 5000, 30_000]
  if (isSuccess(exchange) && aheadMillis > 1000) {
    const fits = bounds.filter((bound) => aheadMillis <= bound).map(String)
    found.push(toFinding('auth.futureMs', ...fits, 'unlimited'))
  }
  return found
}

/** Rules that a status and headers alone can show something to. */
const headRules: readonly Rule[] = [checkStatus, checkHeaders, checkAuthentication]

/** Rules that look at the body of the response. */
const bodyRules: readonly Rule[] = [
  ...[checkEnvelope, checkBatchStatus, checkError, checkShape, checkOrder, checkQuote, checkList],
  ...inputRules,
]

const terminalStatuses: readonly unknown[] = ['filled', 'cancelled', 'expired', 'rejected']

function remember(exchange: Exchange, memory: ExchangeHistory): void {
  rememberInput(exchange, memory)
  if (!isSuccess(exchange)) return
  const body = asObject(exchange.body)
  const { orderId, quoteId, clientOrderId, status } = body
  if (terminalStatuses.includes(status)) {
    if (typeof orderId === 'string') memory.endedIds.add(orderId)
    if (typeof quoteId === 'string') memory.endedIds.add(quoteId)
  }
  if (exchange.operation === 'cancelOrder' || exchange.operation === 'cancelQuote')
    memory.endedIds.add(exchange.parameter)
  const given = asObject(exchange.requestBody)['clientOrderId']
  const id = typeof clientOrderId === 'string' ? clientOrderId : given
  if (exchange.operation === 'createOrder' && typeof id === 'string' && typeof orderId === 'string')
    memory.clientIds.set(id, orderId)
}

/** Returns whether a successful response has an undocumented field. Metadata and maps by symbol may have any field. */
function hasUnknownField(operation: OperationId, body: unknown): boolean {
  return hasUnknownName(routeOf(operation).response, body)
}

function hasUnknownName(schema: Shape | undefined, value: unknown): boolean {
  if (schema === undefined || typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some((item) => hasUnknownName(itemShape(schema), item))
  const { properties = {}, additionalProperties } = schema
  const further = typeof additionalProperties === 'object' ? additionalProperties : undefined
  return Object.entries(value).some(
    ([name, field]) =>
      (additionalProperties === false && !knownNames().has(name)) ||
      hasUnknownName(properties[name] ?? further, field),
  )
}

let names: ReadonlySet<string> | null = null

/** Returns all documented field names. Readings move fields between shapes, so a name counts as known everywhere. */
function knownNames(): ReadonlySet<string> {
  const renamed = ['position', 'positions', 'byExposure']
  const added = [...[...clientFields.values()].map(({ fields }) => fields), limitEntries]
  const documented = everyOperationId.map((id) => routeOf(id).response)
  names ??= new Set([...renamed, ...[...documented, ...added].flatMap(listNames)])
  return names
}

function listNames(shape: Shape): string[] {
  const { properties = {}, anyOf = [], additionalProperties } = shape
  const items = itemShape(shape)
  const parts = [...Object.values(properties), ...anyOf, ...(items === undefined ? [] : [items])]
  if (typeof additionalProperties === 'object') parts.push(additionalProperties)
  return [...Object.keys(properties), ...parts.flatMap(listNames)]
}
