import { clientFields } from '../../api/handlers/client-view.ts'
import { isObject } from '../../api/json.ts'
import { routeOf } from '../../api/operations/operations.ts'
import type { ReadingKey } from '../../api/readings/readings.ts'
import type { Shape } from '../../shape/shape.ts'
import {
  asObject,
  type Exchange,
  type ExchangeHistory,
  type Finding,
  isFieldRefused,
  isFilled,
  isRiskRefusal,
  isSuccess,
  isVenueError,
  listItems,
  type Rule,
  toFinding,
} from './drift-exchange.ts'

/*
 * Rules about how the venue treats its input: unknown words, values out of range, and units. Readings that no recording
 * can show are in `unobservableReadings`, with the reason.
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

/** Checks how a known path answers another method. */
export function checkWrongMethod({ isWrongMethod, status }: Exchange): readonly Finding[] {
  return isWrongMethod && (status === 404 || status === 405)
    ? [toFinding('http.wrongMethod', String(status))]
    : []
}

/** Checks fields and parameters that the operation does not have: the venue ignores them, or names one in an error. */
function checkUnknownWords(exchange: Exchange): readonly Finding[] {
  const { operation, query, requestBody, body } = exchange
  if (operation === null) return []
  const route = routeOf(operation)
  // Fields in snake_case belong to the reading `body.names`.
  const snakeCase = findSnakeCaseFields(exchange)
  const findUnknown = (
    key: 'query.unknown' | 'body.unknown',
    names: readonly string[],
    known: object | undefined,
  ) => {
    const unknown = names.filter((name) => known !== undefined && !Object.hasOwn(known, name))
    if (unknown.length === 0) return []
    if (isSuccess(exchange)) return [toFinding(key, 'ignore')]
    const named = String(asObject(asObject(body)['details'])['field'] ?? '')
    return isVenueError(exchange) && exchange.status === 400 && unknown.includes(named)
      ? [toFinding(key, '400')]
      : []
  }
  return [
    ...findUnknown('query.unknown', [...query.keys()], route.query.properties),
    ...findUnknown(
      'body.unknown',
      Object.keys(asObject(requestBody)).filter((name) => !snakeCase.has(name)),
      route.body?.properties,
    ),
  ]
}

/** Checks a list that was filtered by an asset in none of the venue's own lists. */
function checkUnknownAsset(exchange: Exchange, { assets }: ExchangeHistory): readonly Finding[] {
  const { operation, query, parameter } = exchange
  if (operation === null || parameter !== '' || exchange.method !== 'GET') return []
  // An unknown asset is an error wherever the asset is required, whatever this reading says.
  if ((routeOf(operation).query.required ?? []).some((name) => name === 'asset')) return []
  const asked = [query.get('asset') ?? '', ...(query.get('assets') ?? '').split(',')].filter(
    (word) => word !== '',
  )
  if (asked.length === 0) return []
  if (exchange.status === 404 && isVenueError(exchange)) return [toFinding('assets.unknown', '404')]
  const isKnown = assets.size === 0 || asked.some((symbol) => assets.has(symbol))
  return isSuccess(exchange) && !isKnown ? [toFinding('assets.unknown', 'omit')] : []
}

function checkSmallOrder(exchange: Exchange, { minima }: ExchangeHistory): readonly Finding[] {
  const { operation, requestBody, status, raw } = exchange
  if (!isVenueError(exchange) || asObject(asObject(raw)['details'])['field'] !== 'quantity') return []
  if (operation !== 'createOrder' || (status !== 400 && status !== 422)) return []
  const { asset, quantity } = asObject(requestBody)
  const minimum = minima.get(String(asset))
  const isSmall = typeof quantity === 'number' && quantity > 0 && minimum !== undefined && quantity < minimum
  return isSmall ? [toFinding('pairs.violation', String(status))] : []
}

/** Checks the look-up, by client id, of an order that failed a risk or balance check. */
function checkRefusedOrder(
  exchange: Exchange,
  { refusedClientIds: refused }: ExchangeHistory,
): readonly Finding[] {
  const { operation, query, status, body } = exchange
  if (operation !== 'getOrderByClientId' || !refused.has(query.get('clientOrderId') ?? '')) return []
  if (status === 404 && isVenueError(exchange)) return [toFinding('orders.rejectMode', 'none')]
  return isSuccess(exchange) && asObject(body)['status'] === 'rejected'
    ? [toFinding('orders.rejectMode', 'stored')]
    : []
}

/** Checks the unit of `changePercent`, which a change of at least 0.1 % shows. */
function checkPercents(exchange: Exchange): readonly Finding[] {
  if (exchange.operation !== 'listStatistics' || !isSuccess(exchange)) return []
  return listItems(exchange.body, 'stats').flatMap(({ open, change, changePercent }): readonly Finding[] => {
    if (typeof open !== 'number' || typeof change !== 'number' || typeof changePercent !== 'number') return []
    const share = change / open
    if (!(Math.abs(share) >= 0.001)) return []
    const near = (unit: number): boolean => Math.abs(changePercent / (share * unit) - 1) < 0.1
    return near(100)
      ? [toFinding('percent.unit', 'percent')]
      : near(1)
        ? [toFinding('percent.unit', 'fraction')]
        : []
  })
}

/** Checks the response to a timestamp that is not a number, and to a signature in capitals. */
export function checkAuthentication(exchange: Exchange): readonly Finding[] {
  const { requestHeaders, status } = exchange
  const timestamp = requestHeaders.get('x-api-timestamp')
  const signature = requestHeaders.get('x-api-signature') ?? ''
  const found: Finding[] = []
  if (timestamp !== undefined && !/^\d+$/.test(timestamp) && (status === 400 || status === 401))
    found.push(toFinding('auth.malformed', String(status)))
  if (isSuccess(exchange) && /^[0-9A-F]{64}$/.test(signature) && /[A-F]/.test(signature))
    found.push(toFinding('signature.hex', 'any'))
  return found
}

/** Records the assets, minimum quantities and refused client ids that later exchanges are compared with. */
export function rememberInput(
  exchange: Exchange,
  { assets, minima, refusedClientIds: refused }: ExchangeHistory,
): void {
  const { operation, requestBody, body } = exchange
  const { clientOrderId } = asObject(requestBody)
  if (operation === 'createOrder' && isRiskRefusal(exchange) && typeof clientOrderId === 'string')
    refused.add(clientOrderId)
  if (!isSuccess(exchange)) return
  if (operation === 'listPrices' && exchange.query.size === 0)
    for (const { asset } of listItems(body, 'prices')) assets.add(String(asset))
  if (operation === 'listTradingPairs')
    for (const { base, minQuantity } of listItems(body, 'pairs'))
      if (typeof minQuantity === 'number') minima.set(String(base), minQuantity)
}

/* Rules about the readings of the venue's published client. */

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

function checkAddedFields(exchange: Exchange): readonly Finding[] {
  const { operation, body } = exchange
  if (operation === null || !isSuccess(exchange) || !isObject(body)) return []
  if (operation === 'getPosition' && 'position' in body) return []
  const shape: Shape = routeOf(operation).response
  const names = Object.keys(clientFields.get(shape)?.fields.properties ?? {})
  const added = names.filter((name) => !Object.hasOwn(shape.properties ?? {}, name))
  if (added.length === 0) return []
  return [toFinding('answers.clientFields', added.some((name) => name in body) ? 'added' : 'none')]
}

function checkLimits(exchange: Exchange): readonly Finding[] {
  if (exchange.operation !== 'getLimits' || !isSuccess(exchange)) return []
  const { limits } = asObject(exchange.body)
  if (Array.isArray(limits)) return [toFinding('limits.form', 'list')]
  return isFilled(asObject(exchange.body)) ? [toFinding('limits.form', 'object')] : []
}

/**
 * Checks fields that were sent in snake_case. The venue accepts such a name when the answer has the value that was
 * sent. It does not when the answer has another value, or an error names the field.
 */
function checkSnakeCaseNames(exchange: Exchange): readonly Finding[] {
  const answer = asObject(exchange.body)
  const sent = asObject(exchange.requestBody)
  const named = String(asObject(answer['details'])['field'] ?? '')
  return [...findSnakeCaseFields(exchange)].flatMap(([given, name]): readonly Finding[] => {
    if (exchange.status === 400)
      return isVenueError(exchange) && named === given ? [toFinding('body.names', 'camel')] : []
    if (!isSuccess(exchange) || !(name in answer)) return []
    const [asked, answered] = [sent[given], answer[name]]
    const isTaken = asked === answered || (asked !== null && Number(asked) === answered)
    return isTaken ? [toFinding('body.names', 'either')] : [toFinding('body.names', 'camel')]
  })
}

/** Checks the maximum depth. Fewer than 51 levels show nothing: the venue may have used the nearest allowed depth. */
function checkDepth(exchange: Exchange): readonly Finding[] {
  const { operation, query, body } = exchange
  const depth = Number(query.get('depth') ?? 0)
  if (operation !== 'getOrderBook' || !(depth > 50 && depth <= 100)) return []
  if (isFieldRefused(exchange, 'depth')) return [toFinding('depth.maximum', '50')]
  return listItems(body, 'bids').length > 50 ? [toFinding('depth.maximum', '100')] : []
}

/** Checks whether a page of quotes begins after the pages before it. */
function checkPage(exchange: Exchange): readonly Finding[] {
  const { operation, query, body } = exchange
  const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 50)]
  if (operation !== 'listQuotes' || !(page > 1) || query.has('offset')) return []
  if (isFieldRefused(exchange, 'page')) return [toFinding('quotes.query', 'offset')]
  const { offset } = asObject(asObject(body)['pagination'])
  if (!isSuccess(exchange) || typeof offset !== 'number') return []
  return [toFinding('quotes.query', offset === (page - 1) * limit ? 'either' : 'offset')]
}

/** Checks whether a quote has a list of fills. A path that does not exist gives an error without a type. */
function checkQuoteFills(exchange: Exchange): readonly Finding[] {
  const { operation, status, raw } = exchange
  if (operation !== 'listQuoteFills') return []
  if (isSuccess(exchange)) return [toFinding('quotes.fills', 'present')]
  const message = String(asObject(raw)['message'])
  return status === 404 && message.startsWith('Cannot GET') ? [toFinding('quotes.fills', 'absent')] : []
}

export const inputRules: readonly Rule[] = [
  ...[checkUnknownWords, checkUnknownAsset, checkSmallOrder, checkRefusedOrder, checkPercents],
  ...[checkAddedFields, checkLimits, checkSnakeCaseNames, checkDepth, checkPage, checkQuoteFills],
]
