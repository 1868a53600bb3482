import { parseJson } from '../../api/json.ts'
import { defaultReadings } from '../../api/readings/readings.ts'
import { resolveOperation } from '../../world/resolve-operation.ts'
import { unwrapped } from '../envelope.ts'
import { type Exchange, objectOf } from './drift-exchange.ts'

/* HTTP Archive 1.2, as browsers, proxies and HTTP libraries write it. */

/** The exchanges with the venue's interface in a recording; null when the text is no HAR. */
export function readHar(
  text: string,
): { readonly exchanges: readonly Exchange[]; readonly entries: number } | null {
  const entries = objectOf(objectOf(parseJson(text))['log'])['entries']
  if (!Array.isArray(entries)) return null
  const exchanges = entries.flatMap((entry: unknown, index) => {
    const exchange = exchangeOf(entry, index)
    return exchange === null ? [] : [exchange]
  })
  return { exchanges, entries: entries.length }
}

const prefix = '/api/sdk'

function exchangeOf(entry: unknown, index: number): Exchange | null {
  const [request, response] = [objectOf(entry)['request'], objectOf(entry)['response']]
  const method = textIn(request, 'method').toUpperCase()
  const address = textIn(request, 'url')
  const url = URL.canParse(address) ? new URL(address) : null
  const status = objectOf(response)['status']
  const at = url?.pathname.indexOf(prefix) ?? -1
  if (url === null || at === -1 || typeof status !== 'number' || status === 0) return null
  // The venue may be behind a path prefix.
  const resolved = resolveOperation(method, url.pathname.slice(at), {
    ...defaultReadings,
    'http.wrongMethod': '405',
    'quotes.fills': 'present',
  })
  const raw = jsonOf(contentOf(objectOf(response)['content']))
  return {
    entry: index,
    startedAtMillis: Date.parse(textIn(entry, 'startedDateTime')),
    operation: resolved.ok ? resolved.operation : null,
    isWrongMethod: !resolved.ok && resolved.problem.code === 'wrong-method',
    parameter: resolved.ok ? resolved.parameter : '',
    method,
    query: url.searchParams,
    requestHeaders: headersIn(request),
    requestBody: jsonOf(textIn(objectOf(request)['postData'], 'text')),
    status,
    headers: headersIn(response),
    raw,
    body: unwrapped(raw),
  }
}

function contentOf(content: unknown): string {
  const text = textIn(content, 'text')
  return textIn(content, 'encoding') === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text
}

const jsonOf = (text: string): unknown => parseJson(text) ?? null

function headersIn(message: unknown): ReadonlyMap<string, string> {
  const list = objectOf(message)['headers']
  const pairs = Array.isArray(list) ? list : []
  return new Map(pairs.map((pair: unknown) => [textIn(pair, 'name').toLowerCase(), textIn(pair, 'value')]))
}

function textIn(value: unknown, key: string): string {
  const found = objectOf(value)[key]
  return typeof found === 'string' ? found : ''
}
