import { consoleIdPrefix } from '../../api/request-words.ts'
import { hashSecret, sign } from '../../client/sign.ts'
import type { AdminApi } from './admin-api.ts'
import type { AccountKeys } from './documents.ts'

/** Request to the venue as an account. */
export interface VenueCall {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly scope: 'TRADE' | 'MARKET_MAKING'
}

export interface CallAnswer {
  readonly status: number
  readonly text: string
  /** Number of the request in the world's log; null where the answer does not say. */
  readonly request: number | null
  /** Whether the venue had the same order or quote before: the browser has sent the request again. */
  readonly isRepeated: boolean
}

/** What a signature depends on, besides the request. */
interface Signing {
  readonly apiKey: string
  readonly apiSecret: string
  readonly timestamp: number
  readonly hashesSecret: boolean
}

/** Returns the headers of a signed request. Spec: Authentication. */
export function signCall(
  { method, path, body }: Pick<VenueCall, 'method' | 'path' | 'body'>,
  { apiKey, apiSecret, timestamp, hashesSecret }: Signing,
): Record<string, string> {
  const text = `${timestamp}${method}${path}${body === undefined ? '' : JSON.stringify(body)}`
  return {
    'X-API-Key': apiKey,
    'X-API-Timestamp': String(timestamp),
    'X-API-Signature': sign(hashesSecret ? hashSecret(apiSecret) : apiSecret, text),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  }
}

/**
 * Returns a call with a client id of its own, if it makes an order or a quote. Browsers send a POST again when a connection
 * that they use again was reset, as a fault may do it: the venue knows the second one by its client id.
 */
export function addClientId(call: VenueCall, id: string): VenueCall {
  if (call.method !== 'POST') return call
  const name = call.path.endsWith('/quotes') ? 'clientQuoteId' : 'clientOrderId'
  return { ...call, body: { ...call.body, [name]: id } }
}

/** Makes a client id that no other call has. */
const makeClientId = (): string =>
  `${consoleIdPrefix}${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`

interface CallOptions {
  readonly world: string
  readonly keys: AccountKeys['keys']
  readonly signal: AbortSignal
}

/**
 * Sends a request to the venue, signed with a key of the account, as any client would: it is in the request log, counts
 * against limits, and faults strike it. Throws where no key has the scope, where the venue has another address, and when
 * no answer comes, with the reason.
 */
export async function callVenue(
  api: AdminApi,
  asked: VenueCall,
  { world, keys, signal }: CallOptions,
): Promise<CallAnswer> {
  const call = addClientId(asked, makeClientId())
  const key = keys.find(({ scopes }) => scopes.includes(call.scope))
  if (key === undefined) throw new Error(`The account has no key with the scope ${call.scope}`)
  const [info, { readings, now }] = await Promise.all([
    api.ask<{ readonly url: string; readonly startedAt: string; readonly uptimeMs: number }>('GET', '/info'),
    api.ask<{ readonly readings: Readonly<Record<string, string>>; readonly now: string }>(
      'GET',
      `/worlds/${encodeURIComponent(world)}`,
    ),
  ])
  const timestamp =
    readings['auth.clock'] === 'world' ? Date.parse(now) : Date.parse(info.startedAt) + info.uptimeMs
  const headers = signCall(call, {
    ...key,
    timestamp,
    hashesSecret: readings['signature.key'] === 'sha256',
  })
  const response = await fetch(`${api.venueUrl}${call.path}`, {
    ...{ method: call.method, headers, signal },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  })
  // A page may only talk to its own server, and the admin API may have a port of its own.
  if (!response.headers.has('X-Sim-World'))
    throw new Error(
      `The venue is at ${info.url}, where this page cannot send requests: serve it without --admin-port`,
    )
  const [, number] = /^req_(\d+)$/.exec(response.headers.get('X-Sim-Request-Id') ?? '') ?? []
  const text = await response.text()
  return {
    status: response.status,
    text,
    request: number === undefined ? null : Number(number),
    // Nobody else can have used the id.
    isRepeated:
      call.method === 'POST' && response.status === 409 && /client(?:Order|Quote)Id|has been used/.test(text),
  }
}
