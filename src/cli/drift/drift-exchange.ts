import { resolveOperation } from '../../api/dispatch.ts'
import { isObject, parseJson } from '../../api/json.ts'
import { defaultReadings, type ReadingKey } from '../../api/readings/readings.ts'

/** One request to the venue and its response, from a recording. */
export type Exchange = NonNullable<ReturnType<typeof parseExchange>>

/** The values of one reading that fit an exchange; all others are refuted. */
export interface Finding {
  readonly key: ReadingKey
  readonly fits: readonly string[]
}

export const toFinding = (key: ReadingKey, ...fits: readonly string[]): Finding => ({ key, fits })

export const isSuccess = ({ status }: Exchange): boolean => status >= 200 && status < 300

/**
 * Returns whether an error is the venue's own: it has the documented shape, with the status of the response. A gateway,
 * a proxy or a page of maintenance answers otherwise, and says nothing about how the venue reads its specification.
 */
export const isVenueError = ({ status, raw }: Exchange): boolean =>
  status >= 400 && isObject(raw) && raw['statusCode'] === status && 'message' in raw

/** Returns whether the venue refused a request with 400 because of one of these fields. */
export function isFieldRefused(exchange: Exchange, ...fields: readonly string[]): boolean {
  const named = asObject(asObject(exchange.raw)['details'])['field']
  return exchange.status === 400 && isVenueError(exchange) && fields.some((field) => field === named)
}

const riskTypes: readonly unknown[] = ['INSUFFICIENT_BALANCE', 'RISK_LIMIT_EXCEEDED']

/** Returns whether the venue refused a request because of the account's money or limits, after it had read it whole. */
export const isRiskRefusal = (exchange: Exchange): boolean =>
  isVenueError(exchange) && riskTypes.includes(errorTypeName(exchange))

function errorTypeName({ raw }: Exchange): unknown {
  const error = asObject(raw)
  const places = [asObject(error['details'])['type'], error['code'], error['errorCode'], error['error']]
  return places.find((value) => riskTypes.includes(value))
}

/** Returns whether a value is an object with anything in it: an empty one shows nothing of a shape. */
export const isFilled = (value: JsonObject): boolean => Object.keys(value).length > 0

export type JsonObject = { readonly [key: string]: unknown }

export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** Lists the objects of an array: the value itself, or its member `key`. */
export function listItems(value: unknown, key: string): readonly JsonObject[] {
  const list = Array.isArray(value) ? value : asObject(value)[key]
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** A rule lists what an exchange shows about readings, and nothing when the exchange shows nothing. */
export type Rule = (exchange: Exchange, memory: ExchangeHistory) => readonly Finding[]

/** What earlier exchanges of one account at one host have shown. */
export interface ExchangeHistory {
  /** Ids of orders and quotes that can no longer trade. */
  readonly endedIds: Set<string>
  /** Order ids by client id. */
  readonly clientIds: Map<string, string>
  /** Client ids of orders that failed a risk or balance check, so that a venue may have stored them as rejected. */
  readonly refusedClientIds: Set<string>
  /** Symbols in the venue's own lists. */
  readonly assets: Set<string>
  /** The minimum quantity of an order, by asset. */
  readonly minima: Map<string, number>
}

/** Returns whether a response body has the envelope `{data, timestamp}`. */
export const isEnvelope = (body: unknown): body is { readonly data: unknown } =>
  isObject(body) && Object.keys(body).sort().join() === 'data,timestamp'

const unwrapEnvelope = (body: unknown): unknown => (isEnvelope(body) ? body.data : body)

/* Recordings are HTTP Archives (HAR 1.2), which browsers, proxies and HTTP libraries write. */

/** Reads the exchanges with the venue from a recording. Returns null when the text is not a HAR file. */
export function readHar(text: string) {
  const entries = asObject(asObject(parseJson(text.replace(/^\uFEFF/, '')))['log'])['entries']
  if (!Array.isArray(entries)) return null
  const exchanges = entries.map(parseExchange).filter((exchange) => exchange !== null)
  return { exchanges, entries: entries.length }
}

/** The venue may be behind a path prefix, and other services beside it: `/api/sdk-telemetry` is none of its paths. */
const venuePath = /\/api\/sdk(?=\/|$).*/

function parseExchange(entry: unknown, index: number) {
  const [request, response] = [asObject(entry)['request'], asObject(entry)['response']]
  const method = readText(request, 'method').toUpperCase()
  const address = readText(request, 'url')
  const url = URL.canParse(address) ? new URL(address) : null
  const status = asObject(response)['status']
  // The answer to HEAD has no body, and what is absent proves nothing.
  if (method === 'HEAD') return null
  const [path] = venuePath.exec(url?.pathname ?? '') ?? []
  if (url === null || path === undefined || typeof status !== 'number' || status === 0) return null
  const requestHeaders = readHeaders(request)
  const resolved = resolveOperation(method, path, {
    ...defaultReadings,
    'http.wrongMethod': '405',
    'quotes.fills': 'present',
  })
  const raw = parseJsonOrNull(decodeContent(asObject(response)['content']))
  return {
    /** The index of the entry in the recording, from 0. */
    entry: index,
    /** The host and the key: ids and client ids mean something within one account of one host only. */
    source: `${url.host} ${requestHeaders.get('x-api-key') ?? ''}`.trim(),
    operation: resolved.ok ? resolved.operation : null,
    isWrongMethod: !resolved.ok && resolved.problem.code === 'wrong-method',
    /** The id or symbol in the path; '' when the path has none. */
    parameter: resolved.ok ? resolved.parameter : '',
    method,
    query: url.searchParams,
    requestHeaders,
    requestBody: parseJsonOrNull(readText(asObject(request)['postData'], 'text')),
    status,
    headers: readHeaders(response),
    /** The response body as it was received; `body` is the same without its envelope. */
    raw,
    body: unwrapEnvelope(raw),
  }
}

function decodeContent(content: unknown): string {
  const text = readText(content, 'text')
  return readText(content, 'encoding') === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text
}

const parseJsonOrNull = (text: string): unknown => parseJson(text) ?? null

function readHeaders(message: unknown): ReadonlyMap<string, string> {
  const list = asObject(message)['headers']
  const pairs = Array.isArray(list) ? list : []
  return new Map(
    pairs.map((pair: unknown) => [readText(pair, 'name').toLowerCase(), readText(pair, 'value')]),
  )
}

function readText(value: unknown, key: string): string {
  const found = asObject(value)[key]
  return typeof found === 'string' ? found : ''
}
