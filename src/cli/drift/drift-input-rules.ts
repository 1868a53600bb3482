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
  isSuccess,
  listItems,
  type Rule,
  toFinding,
} from './drift-exchange.ts'

/*
 * What an exchange shows about how the venue treats its input: unknown words, values that are out of range, and
 * units. Readings that no recording can show, with the reason, are in `unobservableReadings`.
 */

/** Why no recording of a client can show them. */
export const unobservableReadings: { readonly [Key in ReadingKey]?: string } = {
  'auth.clock': 'the time of a real venue is wall time',
  'rate.clock': 'the time of a real venue is wall time',
  'signature.key': 'only who has the secret knows what it was keyed with',
  'signature.query': 'only who has the secret knows what was signed',
  'scopes.implied': 'a recording does not show which scopes a key has',
  'rate.algorithm': 'it shows in the instants at which the venue counted, which are not those of the client',
  'time.dayStart': 'dayPnl would have to be compared with prices and fills of a whole day',
}

function checkWrongMethod({ isWrongMethod, status }: Exchange): readonly Finding[] {
  return isWrongMethod && (status === 404 || status === 405)
    ? [toFinding('http.wrongMethod', String(status))]
    : []
}

/** Fields and parameters that the operation does not have: accepted all the same, or named in a refusal. */
function checkUnknownWords(exchange: Exchange): readonly Finding[] {
  const { operation, query, requestBody, body } = exchange
  if (operation === null) return []
  const route = routeOf(operation)
  // Whether those are taken is reading `body.names`.
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
    return exchange.status === 400 && unknown.includes(named) ? [toFinding(key, '400')] : []
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

/** A list filtered by an asset that is in none of the venue's own lists. */
function checkUnknownAsset(exchange: Exchange, { assets }: ExchangeHistory): readonly Finding[] {
  const { operation, query, parameter } = exchange
  if (operation === null || parameter !== '' || exchange.method !== 'GET') return []
  // A required asset is refused, however filters are read.
  if ((routeOf(operation).query.required ?? []).some((name) => name === 'asset')) return []
  const asked = [query.get('asset') ?? '', ...(query.get('assets') ?? '').split(',')].filter(
    (word) => word !== '',
  )
  if (asked.length === 0) return []
  if (exchange.status === 404) return [toFinding('assets.unknown', '404')]
  const isKnown = assets.size === 0 || asked.some((symbol) => assets.has(symbol))
  return isSuccess(exchange) && !isKnown ? [toFinding('assets.unknown', 'omit')] : []
}

function checkSmallOrder(
  { operation, requestBody, status }: Exchange,
  { minima }: ExchangeHistory,
): readonly Finding[] {
  if (operation !== 'createOrder' || (status !== 400 && status !== 422)) return []
  const { asset, quantity } = asObject(requestBody)
  const minimum = minima.get(String(asset))
  const isSmall = typeof quantity === 'number' && quantity > 0 && minimum !== undefined && quantity < minimum
  return isSmall ? [toFinding('pairs.violation', String(status))] : []
}

/** An order that failed a check of risk or balance, looked up by its client id, or any that was stored as rejected. */
function checkRefusedOrder(
  exchange: Exchange,
  { refusedClientIds: refused }: ExchangeHistory,
): readonly Finding[] {
  const { operation, query, status, body } = exchange
  if (operation !== 'getOrderByClientId' || !refused.has(query.get('clientOrderId') ?? '')) return []
  if (status === 404) return [toFinding('orders.rejectMode', 'none')]
  return isSuccess(exchange) && asObject(body)['status'] === 'rejected'
    ? [toFinding('orders.rejectMode', 'stored')]
    : []
}

/** A change of at least 0.1 % shows its unit. */
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

/** A timestamp that is not a number, and an accepted signature in capitals. */
function checkAuthentication(exchange: Exchange): readonly Finding[] {
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

export function rememberInput(
  exchange: Exchange,
  { assets, minima, refusedClientIds: refused }: ExchangeHistory,
): void {
  const { operation, status, requestBody, body } = exchange
  const { clientOrderId } = asObject(requestBody)
  if (operation === 'createOrder' && status === 422 && typeof clientOrderId === 'string')
    refused.add(clientOrderId)
  if (!isSuccess(exchange)) return
  if (operation === 'listPrices' && exchange.query.size === 0)
    for (const { asset } of listItems(body, 'prices')) assets.add(String(asset))
  if (operation === 'listTradingPairs')
    for (const { base, minQuantity } of listItems(body, 'pairs'))
      if (typeof minQuantity === 'number') minima.set(String(base), minQuantity)
}

/* What an exchange shows about the readings of the venue's published client. */

/** The documented name of each field of a body that is written in snake_case instead. */
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
  return [toFinding('limits.form', Array.isArray(asObject(exchange.body)['limits']) ? 'list' : 'object')]
}

/** Taken where the answer has the value that was sent; ignored where it has another; or named in a refusal. */
function checkSnakeCaseNames(exchange: Exchange): readonly Finding[] {
  const answer = asObject(exchange.body)
  const sent = asObject(exchange.requestBody)
  const named = String(asObject(answer['details'])['field'] ?? '')
  return [...findSnakeCaseFields(exchange)].flatMap(([given, name]): readonly Finding[] => {
    if (exchange.status === 400) return named === given ? [toFinding('body.names', 'camel')] : []
    if (!isSuccess(exchange) || !(name in answer)) return []
    const [asked, answered] = [sent[given], answer[name]]
    const isTaken = asked === answered || (asked !== null && Number(asked) === answered)
    return isTaken ? [toFinding('body.names', 'either')] : [toFinding('body.names', 'camel')]
  })
}

/** A venue that takes the nearest depth answers at most 50 levels, too. */
function checkDepth(exchange: Exchange): readonly Finding[] {
  const { operation, query, status, body } = exchange
  const depth = Number(query.get('depth') ?? 0)
  if (operation !== 'getOrderBook' || !(depth > 50 && depth <= 100)) return []
  if (status === 400) return [toFinding('depth.maximum', '50')]
  return listItems(body, 'bids').length > 50 ? [toFinding('depth.maximum', '100')] : []
}

/** The second page of quotes begins after the first. */
function checkPage(exchange: Exchange): readonly Finding[] {
  const { operation, query, status, body } = exchange
  const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 50)]
  if (operation !== 'listQuotes' || !(page > 1) || query.has('offset')) return []
  if (status === 400) return [toFinding('quotes.query', 'offset')]
  const { offset } = asObject(asObject(body)['pagination'])
  if (!isSuccess(exchange) || typeof offset !== 'number') return []
  return [toFinding('quotes.query', offset === (page - 1) * limit ? 'either' : 'offset')]
}

/** A path that does not exist has an error without a type. */
function checkQuoteFills(exchange: Exchange): readonly Finding[] {
  const { operation, status, raw } = exchange
  if (operation !== 'listQuoteFills') return []
  if (isSuccess(exchange)) return [toFinding('quotes.fills', 'present')]
  const message = String(asObject(raw)['message'])
  return status === 404 && message.startsWith('Cannot GET') ? [toFinding('quotes.fills', 'absent')] : []
}

export const inputRules: readonly Rule[] = [
  ...[
    checkWrongMethod,
    checkUnknownWords,
    checkUnknownAsset,
    checkSmallOrder,
    checkRefusedOrder,
    checkPercents,
    checkAuthentication,
  ],
  ...[checkAddedFields, checkLimits, checkSnakeCaseNames, checkDepth, checkPage, checkQuoteFills],
]
