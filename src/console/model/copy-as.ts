import { isObject, parseJson } from '../../api/json.ts'
import { consoleIdPrefix } from '../../api/request-words.ts'
import type { AccountKeys, RequestRow } from './documents.ts'

type SentRequest = Pick<RequestRow, 'method' | 'path' | 'query' | 'requestBody'>

type ReceivedAnswer = Pick<RequestRow, 'account' | 'status' | 'at' | 'responseBody'>

interface Key {
  readonly apiKey: string
  readonly apiSecret: string
}

/** Leaves the console's own client id out of a request: with it, the copy would be refused as sent before. */
export function leaveOutConsoleId<Request extends SentRequest>(request: Request): Request {
  const body = parseJson(request.requestBody)
  if (!isObject(body)) return request
  const kept = Object.entries(body).filter(([, value]) => !String(value).startsWith(consoleIdPrefix))
  if (kept.length === Object.keys(body).length) return request
  return { ...request, requestBody: JSON.stringify(Object.fromEntries(kept)) }
}

/**
 * Formats a request as a line for any shell with curl and openssl. The signature is made when the line runs, so it
 * never expires. For a world that follows its clients' clocks, the request is signed for `followedMillis`, the world's
 * present.
 */
export function formatCurl(
  origin: string,
  sent: SentRequest,
  key: Key,
  followedMillis: number | null = null,
): string {
  const { method, path, query, requestBody } = sent
  const body = requestBody === '' ? '' : quote(requestBody)
  const message = `"$T"${quote(`${method}${path}${query}`)}${body}`
  const signature = `$(printf %s ${message} | openssl dgst -sha256 -hmac ${quote(key.apiSecret)} | sed 's/.* //')`
  const parts = [
    `curl -s -X ${method} ${quote(`${origin}${path}${query}`)}`,
    `-H ${quote(`X-API-Key: ${key.apiKey}`)} -H "X-API-Timestamp: $T" -H "X-API-Signature: ${signature}"`,
    ...(body === '' ? [] : [`-H 'Content-Type: application/json' -d ${body}`]),
  ]
  return `T=${followedMillis ?? '$(date +%s)000'}; ${parts.join(' ')}`
}

/** Formats a request as a line with `otcsim curl`, which signs the request itself. */
export function formatOtcsimCurl(origin: string, sent: SentRequest, key: Key): string {
  return formatProgramLine(origin, sent, `--key ${quote(key.apiKey)} --secret ${quote(key.apiSecret)}`)
}

/**
 * Formats a request as a test assertion with otcsim's client, or with another function that sends requests to
 * the world.
 */
export function formatTestLine({
  method,
  path,
  query,
  requestBody,
  account,
  status,
}: SentRequest & ReceivedAnswer): string {
  const body = requestBody === '' ? '' : `, ${requestBody}`
  const call = `world.world.request('${account ?? 'trader'}', '${method}', '${path}${query}'${body})`
  return `expect(${call}.status).toBe(${status})`
}

/**
 * Formats a request as an action of a scenario's timeline, at the same time after the start; null where
 * scenarios have no such action. An order is labelled by its id, so that later actions can refer to it.
 */
export function formatScenarioStep(
  { method, path, requestBody, responseBody, account, at }: SentRequest & ReceivedAnswer,
  begins: string,
): string | null {
  const offset = `+${Math.max(0, Date.parse(at) - Date.parse(begins))}ms`
  const [, id] = /^\/api\/sdk\/orders\/([\w-]+)$/.exec(path) ?? []
  if (method === 'DELETE' && id !== undefined) return `- { at: ${offset}, cancel: { order: ${id} } }\n`
  const sent = parseJson(requestBody)
  if (method !== 'POST' || path !== '/api/sdk/orders' || !isObject(sent)) return null
  const answer = parseJson(responseBody)
  const label = isObject(answer) ? answer['orderId'] : undefined
  const words = [
    ...(typeof label === 'string' ? [['as', label] as const] : []),
    ['account', account ?? ''] as const,
    ...orderWords.flatMap((name) => (name in sent ? [[name, sent[name]] as const] : [])),
  ]
  const fields = words.map(([name, value]) => `${name}: ${isPlain(value) ? value : JSON.stringify(value)}`)
  return `- { at: ${offset}, order: { ${fields.join(', ')} } }\n`
}

const orderWords = [
  'side',
  'asset',
  'quantity',
  'price',
  'orderType',
  'timeInForce',
  'clientOrderId',
] as const

const isPlain = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^[A-Za-z][\w-]*$/.test(value))

/**
 * Formats a shell line that installs a fault which gives the next request like this one the very same response.
 */
export function formatFaultLine(
  origin: string,
  request: SentRequest & ReceivedAnswer,
  world: string,
): string {
  const { method, path, status, responseBody } = request
  const attributes = { status, body: parseJson(responseBody) ?? responseBody }
  const form = { type: 'canned_answer', match: { method, path }, count: 1, attributes }
  const address = quote(`${origin}/__admin/worlds/${encodeURIComponent(world)}/faults`)
  return `curl -s -X POST ${address} -H 'Content-Type: application/json' -d ${quote(JSON.stringify(form))}`
}

/**
 * Formats a first request of an account to paste. In the default world the account's name is enough to sign it.
 */
export function formatTryLine(
  origin: string,
  {
    world,
    account,
    keys,
  }: { readonly world: string; readonly account: string; readonly keys: readonly AccountKeys[] },
  method: string,
  path: string,
  body?: object,
): string {
  const sent = { method, path, query: '', requestBody: body === undefined ? '' : JSON.stringify(body) }
  const [key] = keys.find(({ id }) => id === account)?.keys ?? []
  if (key === undefined || world === 'default')
    return formatProgramLine(origin, sent, `--account ${quote(account)}`)
  return formatOtcsimCurl(origin, sent, key)
}

/** Address that otcsim's programs use by default. */
export const defaultOrigin = 'http://127.0.0.1:4010'

function formatProgramLine(
  origin: string,
  { method, path, query, requestBody }: SentRequest,
  signer: string,
): string {
  const target = quote(`${path.replace(/^\/api\/sdk/, '')}${query}`)
  const place = origin === defaultOrigin ? '' : ` --url ${origin}`
  const body = requestBody === '' ? '' : ` -d ${quote(requestBody)}`
  return `npx otcsim curl${place} ${signer} ${method} ${target}${body}`
}

/** Quotes a text for a shell where it needs quotes. */
function quote(text: string): string {
  return /^[\w./:=?&-]+$/.test(text) && !/[?&]/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
