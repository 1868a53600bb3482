import { createHash } from 'node:crypto'
import { resolveOperation } from '../../api/dispatch.ts'
import { isObject, parseJson } from '../../api/json.ts'
import { type OperationId, routeOf } from '../../api/operations/operations.ts'
import { defaultReadings } from '../../api/readings/readings.ts'
import type { Shape } from '../../shape/shape.ts'
import { asObject, type Exchange, type HeaderMap, isFilled } from './drift-exchange.ts'

/* Recordings are HTTP Archives (HAR 1.2), which browsers, proxies and HTTP libraries write, and `otcsim record`. */

/** An entry, or a part of it, that shows nothing, and why. */
export interface IgnoredEntry {
  /** The index of the entry in the recording, from 0. */
  readonly entry: number
  readonly reason: string
}

/** A recording: its exchanges with venues, and what of it is not judged. */
export interface HarRecording {
  readonly exchanges: readonly Exchange[]
  readonly leftOut: readonly IgnoredEntry[]
  /** How many entries it has. */
  readonly entries: number
}

/** Reads a recording. Returns null when the text is not a HAR file. */
export function readRecording(text: string): HarRecording | null {
  const entries = asObject(asObject(parseJson(text.replace(/^\uFEFF/, '')))['log'])['entries']
  if (!Array.isArray(entries)) return null
  const exchanges: Exchange[] = []
  const leftOut: IgnoredEntry[] = []
  const seen = new Set<string>()
  for (const [entry, value] of entries.entries()) {
    const exchange = readEntry(value, entry)
    const reason = typeof exchange === 'string' ? exchange : findRepetition(exchange, seen)
    if (reason !== null) leftOut.push({ entry, reason })
    else if (typeof exchange !== 'string') exchanges.push(exchange)
  }
  for (const exchange of exchanges) {
    const reason = describeGap(exchange, asObject(entries[exchange.entry])['response'])
    if (reason !== null) leftOut.push({ entry: exchange.entry, reason })
  }
  return {
    exchanges,
    leftOut: leftOut.toSorted((one, other) => one.entry - other.entry),
    entries: entries.length,
  }
}

/**
 * Finds out whether an exchange has been seen before: a browser lists what goes through a service worker twice, and two
 * recorders see one request. Requests are told apart by what their clients signed, and by their answers.
 */
function findRepetition(exchange: Exchange, seen: Set<string>): string | null {
  const { venue, apiKey, method, path, search, requestHeaders, requestText, status, raw } = exchange
  const timestamp = requestHeaders.get('x-api-timestamp')
  if (timestamp === undefined) return null
  const text = JSON.stringify([venue, apiKey, timestamp, method, path, search, requestText, status, raw])
  // A recording may be as large as the memory, so its bodies are not kept a second time.
  const name = createHash('sha256').update(text).digest('base64')
  if (seen.has(name)) return 'recorded before: the request of another entry, with its timestamp'
  seen.add(name)
  return null
}

/** Says what of an exchange is not judged; null where all of it is. */
function describeGap(
  { operation, isWrongMethod, outcome, raw, apiKey, endMillis, status }: Exchange,
  response: unknown,
) {
  if (operation === null && !isWrongMethod) return 'no operation of the interface'
  if (raw === null) return `${describeMissingBody(response)}: only its status and headers are judged`
  if (outcome === 'unknown')
    return status >= 500
      ? 'an error of a server, which any server may send'
      : "an answer that is not in the venue's form"
  if (apiKey === null)
    return 'no X-API-Key: not compared with other exchanges, which may be of another account'
  return Number.isNaN(endMillis) ? 'no start or duration: not compared with what came before it' : null
}

function describeMissingBody(response: unknown): string {
  const content = asObject(asObject(response)['content'])
  const text = decodeContent(content)
  if (text === '') return 'no body'
  const type = readText(content, 'mimeType').split(';', 1)[0]?.trim() ?? ''
  return type === '' || type.endsWith('json')
    ? 'a body that is cut off or not JSON'
    : `a body of ${type}, not JSON`
}

/** The venue may be behind a path prefix, and other services beside it: `/api/sdk-telemetry` is none of its paths. */
const venuePath = /^(.*?)(\/api\/sdk(?:\/.*)?)$/

/** Reads one entry of a recording. Returns the reason why it is left out, where it is. */
function readEntry(entry: unknown, index: number): Exchange | string {
  const [request, response] = [asObject(entry)['request'], asObject(entry)['response']]
  const method = readText(request, 'method').toUpperCase()
  const address = readText(request, 'url')
  const url = URL.canParse(address) ? new URL(address) : null
  const [, prefix = '', path = ''] = venuePath.exec(url?.pathname ?? '') ?? []
  if (url === null || path === '') return 'not about /api/sdk'
  const status = asObject(response)['status']
  if (typeof status !== 'number' || status < 200) return 'no answer'
  const requestHeaders = readHeaders(request)
  const headers = readHeaders(response)
  const reason = findOwnRules(method, requestHeaders, headers) ?? findCache(entry, headers)
  if (reason !== null) return reason
  const resolved = resolveOperation(method, path, {
    ...defaultReadings,
    'http.wrongMethod': '405',
    'quotes.fills': 'present',
  })
  const startMillis = readInstant(readText(entry, 'startedDateTime'))
  const requestText = readText(asObject(request)['postData'], 'text')
  const raw = parseJsonOrNull(decodeContent(asObject(response)['content']))
  const body = unwrapEnvelope(raw)
  const operation = resolved.ok ? resolved.operation : null
  return {
    entry: index,
    venue: `${url.origin}${prefix}`,
    apiKey: readKey(requestHeaders),
    startMillis,
    endMillis: startMillis + readSpan(entry),
    method,
    path,
    search: url.search,
    query: url.searchParams,
    operation,
    isWrongMethod: !resolved.ok && resolved.problem.code === 'wrong-method',
    parameter: resolved.ok ? resolved.parameter : '',
    requestHeaders,
    requestText,
    requestBody: parseJsonOrNull(requestText),
    status,
    headers,
    raw,
    body,
    outcome: judgeOutcome(status, headers, raw, body, operation),
  }
}

/** Finds why an answer follows rules of its own, or cannot show anything; null when neither is so. */
function findOwnRules(method: string, requestHeaders: HeaderMap, headers: HeaderMap): string | null {
  // The answer to HEAD has no body, and what is absent proves nothing.
  if (method === 'HEAD') return 'HEAD: an answer without a body'
  const isPreferred = /reading\.|fault|code|delay/i.test(requestHeaders.get('prefer') ?? '')
  if (isPreferred || headers.has('preference-applied')) return 'asks for an answer of its own (Prefer)'
  return headers.has('x-sim-fault') ? 'changed by a fault of the simulator (X-Sim-Fault)' : null
}

/** Finds out whether an answer came from a cache: then it was given to another request, at another time. */
function findCache(entry: unknown, headers: HeaderMap): string | null {
  const before = asObject(asObject(entry)['cache'])['beforeRequest']
  const isKept = readText(entry, '_fromCache') !== '' || isFilled(asObject(before))
  return isKept || Number(headers.get('age') ?? 0) > 0 || /\bhit\b/i.test(headers.get('x-cache') ?? '')
    ? 'from a cache'
    : null
}

/** Reads an instant with its zone; NaN for any other text, because local times depend on who reads them. */
const readInstant = (text: string): number =>
  /(Z|[+-]\d\d:?\d\d)$/i.test(text) ? Date.parse(text) : Number.NaN

function readSpan(entry: unknown): number {
  const { time } = asObject(entry)
  return typeof time === 'number' && time >= 0 ? time : Number.NaN
}

/** Reads the key of a request; null where there is none, and for the placeholders of recorders that hide it. */
function readKey(headers: HeaderMap): string | null {
  const key = headers.get('x-api-key') ?? ''
  const isHidden = /^[^a-z0-9]*$|redact|remov|hidden|filtered|masked|sanitiz|^x+$|\*\*/i.test(key)
  return isHidden ? null : key
}

/**
 * Judges whose answer it is. A gateway, a proxy or a page of maintenance answers, too, and says nothing about how the venue
 * reads its specification: an error counts with the four documented fields, the status of the response and, where headers
 * were recorded, those of the rate limit, which are on every answer of the venue; an error of 500 or more does not count.
 * A success counts with the operation's fields, or without a recorded body by those headers.
 */
function judgeOutcome(
  status: number,
  headers: HeaderMap,
  raw: unknown,
  body: unknown,
  operation: OperationId | null,
): Exchange['outcome'] {
  const hasLimits = headers.has('x-ratelimit-limit')
  const isGood = status >= 200 && status < 300
  if (raw === null) return isGood && hasLimits ? 'success' : 'unknown'
  const isBatch = operation === 'createOrders' || operation === 'updateQuotes'
  if (operation !== null && (isGood || (isBatch && status === 422)) && isShapedLike(operation, body))
    return 'success'
  const isError =
    status >= 400 &&
    status < 500 &&
    isObject(raw) &&
    raw['statusCode'] === status &&
    ['message', 'error', 'details'].every((name) => name in raw)
  return isError && (hasLimits || headers.size === 0) ? 'error' : 'unknown'
}

/**
 * Returns whether a body has what the answer of an operation has, in the full or a reduced shape: the id, where there is
 * one, and a third of the documented fields.
 */
function isShapedLike(operation: OperationId, body: unknown): boolean {
  if (!isObject(body)) return false
  if (operation === 'getPosition' && isObject(body['position'])) return true
  const shape: Shape = routeOf(operation).response
  return [shape, ...(shape.anyOf ?? [])].some(({ properties = {}, required = Object.keys(properties) }) => {
    if (required.length === 0) return false
    const found = required.filter((name) => Object.hasOwn(body, name))
    const ids = ['orderId', 'quoteId'].filter((name) => required.includes(name))
    return found.length * 3 >= required.length && ids.every((name) => typeof body[name] === 'string')
  })
}

/** Returns whether a response body has the envelope `{data, timestamp}`. */
export const isEnvelope = (body: unknown): body is { readonly data: unknown } =>
  isObject(body) && Object.keys(body).sort().join() === 'data,timestamp'

const unwrapEnvelope = (body: unknown): unknown => (isEnvelope(body) ? body.data : body)

function decodeContent(content: unknown): string {
  const text = readText(content, 'text')
  return readText(content, 'encoding') === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text
}

const parseJsonOrNull = (text: string): unknown => parseJson(text.replace(/^\uFEFF/, '')) ?? null

function readHeaders(message: unknown): HeaderMap {
  const list = asObject(message)['headers']
  const names = new Map<string, string>()
  const repeated = new Set<string>()
  for (const pair of Array.isArray(list) ? list : []) {
    const name = readText(pair, 'name').toLowerCase()
    if (names.has(name)) repeated.add(name)
    names.set(name, readText(pair, 'value'))
  }
  for (const name of repeated) names.delete(name)
  return names
}

function readText(value: unknown, key: string): string {
  const found = asObject(value)[key]
  return typeof found === 'string' ? found : ''
}
