import { isObject } from '../../api/json.ts'
import { routeOf } from '../../api/operations/operations.ts'
import { listedOrderStatuses } from '../../api/operations/orders.ts'
import { listedQuoteStatuses } from '../../api/operations/quotes.ts'
import type { ReadingKey } from '../../api/readings/readings.ts'
import {
  asObject,
  type Exchange,
  type Finding,
  isBodyAlone,
  isFieldRefused,
  isSoundQuery,
  isSuccess,
  isVenueError,
  listItems,
  readPlainNumber,
  refusedField,
  toFinding,
} from './drift-exchange.ts'
import type { AccountHistory, Rule } from './drift-history.ts'

/*
 * Rules about how the venue treats its input: unknown words, values out of range, and names. An error counts only where
 * nothing else in the request can be its reason. Readings that no recording can show are in `unobservableReadings`.
 */

/** The readings that no recording of a client can show, each with the reason. */
export const unobservableReadings: { readonly [Key in ReadingKey]?: string } = {
  'auth.clock': 'the time of a real venue is wall time',
  'rate.clock': 'the time of a real venue is wall time',
  'signature.key': 'only the holder of the secret knows what it was keyed with',
  'signature.query': 'only the holder of the secret knows what was signed',
  'scopes.implied': 'a recording does not show which scopes a key has',
  'rate.algorithm': 'it shows in the instants at which the venue counted, which are not those of the client',
  'time.dayStart': 'dayPnl would have to be compared with prices and fills of a whole day',
}

/** Checks how a known path answers another method. The fills of a quote are no known path at every venue. */
export function checkWrongMethod(exchange: Exchange): readonly Finding[] {
  const { isWrongMethod, method, path, status } = exchange
  const isUsual = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method)
  if (!isWrongMethod || !isUsual || !isVenueError(exchange) || /\/quotes\/[^/]+\/fills$/.test(path)) return []
  return status === 404 || status === 405 ? [toFinding('http.wrongMethod', String(status))] : []
}

/** Checks parameters that the operation does not have: the venue ignores them, or names one in an error. */
function checkUnknownParameters(exchange: Exchange): readonly Finding[] {
  const { operation, query } = exchange
  if (operation === null) return []
  const { query: known, body } = routeOf(operation)
  const unknown = [...query.keys()].filter((name) => name !== '' && !Object.hasOwn(known.properties, name))
  if (unknown.length === 0) return []
  if (isSuccess(exchange)) return [toFinding('query.unknown', 'ignore')]
  // The field of an error may be one of a body.
  const isRefused = body === null && isSoundQuery(exchange) && isFieldRefused(exchange, ...unknown)
  return isRefused && !otherFields.includes(refusedField(exchange)) ? [toFinding('query.unknown', '400')] : []
}

/** What errors name besides fields and parameters. */
const otherFields: readonly unknown[] = ['query', 'body', 'Prefer', 'scope']

/** Checks fields that the operation does not have. Those in snake_case belong to the reading `body.names`. */
function checkUnknownFields(exchange: Exchange): readonly Finding[] {
  const { operation, requestBody } = exchange
  const known = operation === null ? undefined : routeOf(operation).body?.properties
  if (known === undefined) return []
  const snakeCase = findSnakeCaseFields(exchange)
  const unknown = Object.keys(asObject(requestBody)).filter(
    (name) => !Object.hasOwn(known, name) && !snakeCase.has(name),
  )
  if (unknown.length === 0) return []
  if (isSuccess(exchange)) return [toFinding('body.unknown', 'ignore')]
  const isRefused = isBodyAlone(exchange) && isFieldRefused(exchange, ...unknown)
  return isRefused && !otherFields.includes(refusedField(exchange)) ? [toFinding('body.unknown', '400')] : []
}

/** The lists of what is traded; the others have cash, too. */
const tradedLists: readonly unknown[] = ['listPrices', 'listStatistics', 'listOrders', 'listQuotes']

/** Checks a list that was filtered by an asset in none of the venue's own lists. */
function checkUnknownAsset(exchange: Exchange, { traded, held }: AccountHistory): readonly Finding[] {
  const { operation, query, parameter } = exchange
  if (operation === null || parameter !== '' || exchange.method !== 'GET') return []
  const { properties, required = [] } = routeOf(operation).query
  const name = ['asset', 'assets'].find((word) => Object.hasOwn(properties, word))
  // An unknown asset is an error wherever the asset is required, whatever this reading says.
  if (name === undefined || required.includes(name)) return []
  const asked = (query.get(name) ?? '').split(',').filter((word) => word !== '')
  if (asked.length === 0) return []
  if (exchange.status === 404 && isVenueError(exchange)) return [toFinding('assets.unknown', '404')]
  const known = tradedLists.includes(operation) ? traded : held
  const isUnknown = known !== null && asked.some((symbol) => !known.has(symbol))
  return isSuccess(exchange) && isUnknown ? [toFinding('assets.unknown', 'omit')] : []
}

function checkSmallOrder(exchange: Exchange, { pairs }: AccountHistory): readonly Finding[] {
  const { operation, requestBody, status } = exchange
  if (operation !== 'createOrder' || (status !== 400 && status !== 422)) return []
  if (refusedField(exchange) !== 'quantity' || !isBodyAlone(exchange)) return []
  const { asset, quantity } = asObject(requestBody)
  const minimum = pairs.get(String(asset))?.minimum ?? Number.NaN
  const isSmall = typeof quantity === 'number' && quantity > 0 && quantity < minimum
  return isSmall ? [toFinding('pairs.violation', String(status))] : []
}

/** Finds the fields of a request body that are written in snake_case, each with its documented name. */
function findSnakeCaseFields(exchange: Exchange): ReadonlyMap<string, string> {
  const { operation, requestBody } = exchange
  const properties = operation === null ? {} : (routeOf(operation).body?.properties ?? {})
  const names = Object.keys(asObject(requestBody)).flatMap((given): [string, string][] => {
    const name = given.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    return name !== given && Object.hasOwn(properties, name) ? [[given, name]] : []
  })
  return new Map(names)
}

/** The values that a new order or quote gets for fields that are left out. */
const defaultsOfNew: { readonly [name: string]: unknown } = {
  orderType: 'limit',
  timeInForce: 'GTC',
  validForSeconds: 30,
}

/**
 * Checks fields of new orders and quotes that were sent in snake_case. The venue accepts such a name when the answer has
 * the value that was sent, and the answer would have another one without it. It does not when an error names the field, or
 * the answer has what it has without it.
 */
function checkSnakeCaseNames(exchange: Exchange): readonly Finding[] {
  const { operation, body, requestBody, status } = exchange
  if (operation !== 'createOrder' && operation !== 'submitQuote') return []
  const [answer, sent] = [asObject(body), asObject(requestBody)]
  return [...findSnakeCaseFields(exchange)].flatMap(([given, name]): readonly Finding[] => {
    if (name in sent) return []
    if (isFieldRefused(exchange, given))
      return isBodyAlone(exchange) ? [toFinding('body.names', 'camel')] : []
    // An answer of 200 may be an earlier order's, which has a client id that was sent again.
    if (!isSuccess(exchange) || status !== 201 || !(name in answer)) return []
    const [asked, answered] = [sent[given], answer[name]]
    const isTaken = asked === answered || (typeof asked === 'string' && Number(asked) === answered)
    const own = defaultsOfNew[name] ?? null
    if (isTaken) return answered === own ? [] : [toFinding('body.names', 'either')]
    return answered === own && asked !== null ? [toFinding('body.names', 'camel')] : []
  })
}

/** Checks the maximum depth. Fewer than 51 levels show nothing: the venue may have used the nearest allowed depth. */
function checkDepth(exchange: Exchange): readonly Finding[] {
  const depth = readPlainNumber(exchange, 'depth')
  if (exchange.operation !== 'getOrderBook' || !(depth > 50 && depth <= 100)) return []
  if (isFieldRefused(exchange, 'depth')) return [toFinding('depth.maximum', '50')]
  return isSuccess(exchange) && listItems(exchange.body, 'bids').length > 50
    ? [toFinding('depth.maximum', '100')]
    : []
}

/** Checks whether a page of quotes begins after the pages before it, each as long as the answer says. */
function checkPage(exchange: Exchange): readonly Finding[] {
  const page = readPlainNumber(exchange, 'page')
  if (exchange.operation !== 'listQuotes' || !(page > 1) || exchange.query.has('offset')) return []
  if (isFieldRefused(exchange, 'page')) return [toFinding('quotes.query', 'offset')]
  const { offset, limit } = asObject(asObject(exchange.body)['pagination'])
  if (!isSuccess(exchange) || typeof offset !== 'number' || typeof limit !== 'number') return []
  if (offset === (page - 1) * limit) return [toFinding('quotes.query', 'either')]
  return offset === 0 ? [toFinding('quotes.query', 'offset')] : []
}

/** Checks whether a quote has a list of fills. A path that does not exist gives an error without a type. */
function checkQuoteFills(exchange: Exchange): readonly Finding[] {
  const { operation, status, raw } = exchange
  if (operation !== 'listQuoteFills') return []
  if (isSuccess(exchange)) return [toFinding('quotes.fills', 'present')]
  const message = String(asObject(raw)['message'])
  const isAbsent = isVenueError(exchange) && status === 404 && message.startsWith('Cannot GET')
  return isAbsent ? [toFinding('quotes.fills', 'absent')] : []
}

/** Where lists have their items, the instants by which they are sorted, and their filter by words. */
const lists: { readonly [operation: string]: { readonly items: string; readonly instant: string } } = {
  listOrders: { items: 'orders', instant: 'createdAt' },
  listQuotes: { items: 'quotes', instant: 'createdAt' },
  listTransactions: { items: 'transactions', instant: 'timestamp' },
  listTrades: { items: 'trades', instant: 'timestamp' },
}

/** Checks a list whose instants all go in one direction. Lists that are sorted by something else show nothing. */
function checkOrderOfList(exchange: Exchange): readonly Finding[] {
  const list = lists[exchange.operation ?? '']
  if (list === undefined || !isSuccess(exchange)) return []
  const times = listItems(exchange.body, list.items).map((item) => Date.parse(String(item[list.instant])))
  const steps = times.slice(1).map((time, place) => time - (times[place] ?? Number.NaN))
  if (steps.some(Number.isNaN) || steps.every((step) => step === 0)) return []
  if (steps.every((step) => step <= 0)) return [toFinding('lists.order', 'newest')]
  return steps.every((step) => step >= 0) ? [toFinding('lists.order', 'oldest')] : []
}

/** Checks a number beyond its bounds: a page's length or number, or a depth. It was clamped when the page says so. */
function checkOutOfRange(exchange: Exchange): readonly Finding[] {
  const { operation, body } = exchange
  const pagination = asObject(asObject(body)['pagination'])
  const check = (name: string, isBeyond: (value: number) => boolean, clamped: unknown) => {
    if (!isBeyond(readPlainNumber(exchange, name))) return []
    if (isFieldRefused(exchange, name)) return [toFinding('params.outOfRange', '400')]
    const shown = name === 'depth' || pagination[name] === clamped
    return isSuccess(exchange) && shown ? [toFinding('params.outOfRange', 'clamp')] : []
  }
  if (operation === 'getOrderBook') return check('depth', (depth) => depth === 0 || depth > 100, null)
  if (lists[operation ?? ''] === undefined) return []
  return [
    ...check('limit', (limit) => limit > 100, 100),
    ...check('limit', (limit) => limit === 0, 1),
    // Quotes are listed by page only at some venues.
    ...(operation === 'listQuotes' ? [] : check('page', (page) => page === 0, 1)),
  ]
}

/**
 * Checks filters by words that the documented lists leave out. Where the venue ignores such a word, items of other states
 * come; where it accepts it, items of that state come beside those of a documented word.
 */
function checkFilter(exchange: Exchange): readonly Finding[] {
  const { operation, query, body } = exchange
  if (operation !== 'listOrders' && operation !== 'listQuotes') return []
  const [name, listed]: [string, readonly string[]] =
    operation === 'listOrders' ? ['statuses', listedOrderStatuses] : ['status', listedQuoteStatuses]
  const text = query.get(name) ?? ''
  const words = operation === 'listOrders' ? text.split(',') : [text]
  const unlisted = words.filter((word) => !listed.includes(word))
  if (unlisted.length === 0 || !words.every((word) => /^[\w-]{1,64}$/.test(word))) return []
  if (!isSoundQuery(exchange)) return []
  if (isFieldRefused(exchange, name)) return [toFinding('filters.unlisted', '400')]
  if (!isSuccess(exchange)) return []
  const states = listItems(body, operation === 'listOrders' ? 'orders' : 'quotes').map(({ status }) => status)
  if (states.some((state) => !words.some((word) => word === state)))
    return [toFinding('filters.unlisted', 'ignore')]
  const isAccepted =
    unlisted.length < words.length && states.some((state) => unlisted.some((word) => word === state))
  return [toFinding('filters.unlisted', 'accept', ...(isAccepted ? [] : ['ignore']))]
}

export const inputRules: readonly Rule[] = [
  ...[checkUnknownParameters, checkUnknownFields, checkUnknownAsset, checkSmallOrder, checkSnakeCaseNames],
  ...[
    checkDepth,
    checkPage,
    checkQuoteFills,
    checkOrderOfList,
    checkOutOfRange,
    checkFilter,
    checkFailedItem,
  ],
]

/** Checks the shape of a failed item of a bulk update. */
function checkFailedItem(exchange: Exchange): readonly Finding[] {
  if (exchange.operation !== 'updateQuotes' || !isSuccess(exchange)) return []
  const failed = listItems(exchange.body, 'results').find(({ success }) => success === false)
  return failed === undefined || !isObject(failed)
    ? []
    : [toFinding('bulk.failure', 'error' in failed ? 'full' : 'plain')]
}
