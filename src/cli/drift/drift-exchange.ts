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

export type JsonObject = { readonly [key: string]: unknown }

export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** Lists the objects of an array: the value itself, or its member `key`. */
export function listItems(value: unknown, key: string): readonly JsonObject[] {
  const list = Array.isArray(value) ? value : asObject(value)[key]
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** A rule lists what an exchange shows about readings, and nothing when the exchange shows nothing. */
export type Rule = (exchange: Exchange, memory: ExchangeHistory) => readonly Finding[]

/** What earlier exchanges of the recording have shown. */
export interface ExchangeHistory {
  /** Ids of orders and quotes that can no longer trade. */
  readonly endedIds: Set<string>
  /** Order ids by client id. */
  readonly clientIds: Map<string, string>
  /** Client ids of orders that failed a risk or balance check. */
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
  const entries = asObject(asObject(parseJson(text))['log'])['entries']
  if (!Array.isArray(entries)) return null
  const exchanges = entries.map(parseExchange).filter((exchange) => exchange !== null)
  return { exchanges, entries: entries.length }
}

const prefix = '/api/sdk'

function parseExchange(entry: unknown, index: number) {
  const [request, response] = [asObject(entry)['request'], asObject(entry)['response']]
  const method = readText(request, 'method').toUpperCase()
  const address = readText(request, 'url')
  const url = URL.canParse(address) ? new URL(address) : null
  const status = asObject(response)['status']
  const at = url?.pathname.indexOf(prefix) ?? -1
  if (url === null || at === -1 || typeof status !== 'number' || status === 0) return null
  // The venue may be behind a path prefix.
  const resolved = resolveOperation(method, url.pathname.slice(at), {
    ...defaultReadings,
    'http.wrongMethod': '405',
    'quotes.fills': 'present',
  })
  const raw = parseJsonOrNull(decodeContent(asObject(response)['content']))
  return {
    /** The index of the entry in the recording, from 0. */
    entry: index,
    startedAtMillis: Date.parse(readText(entry, 'startedDateTime')),
    operation: resolved.ok ? resolved.operation : null,
    isWrongMethod: !resolved.ok && resolved.problem.code === 'wrong-method',
    /** The id or symbol in the path; '' when the path has none. */
    parameter: resolved.ok ? resolved.parameter : '',
    method,
    query: url.searchParams,
    requestHeaders: readHeaders(request),
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
