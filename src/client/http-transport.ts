import { parseJson } from '../api/json.ts'
import { aBoolean, anObject, checkOption, numberAboveZero, orNull } from '../api/options.ts'
import { hashSecret, sign } from './sign.ts'
import { longestTimerMillis, type Transport, type TransportAnswer } from './transport.ts'
import { ConnectionError } from './venue-error.ts'

/** Options of `httpTransport`. */
export interface HttpTransportOptions {
  /** The address below which `/api/sdk` lies. A path in it is sent, and signed, as a prefix of every request. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly apiSecret: string
  /** Replaces the platform's `fetch`, which keeps connections alive. */
  readonly fetch?: Fetch
  /** How long an answer may take, to its last byte; 10 seconds by default, null for no limit. */
  readonly timeoutMillis?: number | null
  /** Whether the query is part of the signed path, which the specification leaves open; true by default. */
  readonly signsQuery?: boolean
  /** Whether the HMAC key is the lower-case hex SHA-256 of the secret, as in the published client; false by default. */
  readonly hashesSecret?: boolean
  /** Headers that are sent with every request. */
  readonly headers?: { readonly [name: string]: string }
  readonly clock?: ClientClock
}

/** The part of the platform's `fetch` that a transport needs. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>

/** The second argument of a transport's `fetch`. */
export interface FetchRequest {
  readonly method: string
  readonly headers: Record<string, string>
  /** The bytes of the body. The type is written like this because Uint8Array has no type parameter before TypeScript 5.7. */
  readonly body: ReturnType<InstanceType<typeof TextEncoder>['encode']> | null
  readonly signal: AbortSignal
  readonly redirect: 'error'
  readonly cache: 'no-store'
  readonly credentials: 'omit'
}

interface FetchResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}

/**
 * Creates a transport that sends signed requests over HTTP. It signs exactly what it sends: the path and query as the URL
 * standard serialises them, and the bytes of the body. Redirects are not followed, because the key would go with them.
 *
 * Throws a TypeError for a base URL that is not a plain http(s) URL and for a key that no header can carry, and a RangeError
 * for a timeout that is too long for a timer. Spec: Authentication.
 */
export function httpTransport(options: HttpTransportOptions): Transport {
  const { apiKey, timeoutMillis = 10_000, signsQuery = true, headers = {}, clock = systemClock } = options
  const { fetch = globalThis.fetch, hashesSecret = false } = options
  const base = readBase(options.baseUrl)
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('apiKey must be printable ASCII')
  checkOption('the client', 'timeoutMillis', timeoutMillis, orNull(numberAboveZero(longestTimerMillis)))
  checkOption('the client', 'signsQuery', signsQuery, aBoolean)
  checkOption('the client', 'hashesSecret', hashesSecret, aBoolean)
  checkOption('the client', 'headers', headers, anObject)
  if (typeof options.apiSecret !== 'string') throw new TypeError('apiSecret must be a text')
  const secret = hashesSecret ? hashSecret(options.apiSecret) : options.apiSecret
  return async ({ method, target, body, signal }) => {
    const url = new URL(base + target)
    const bytes = body === undefined ? noBytes : encoder.encode(JSON.stringify(body))
    const timestamp = String(clock.nowMillis())
    const signed = timestamp + method + url.pathname + (signsQuery ? url.search : '')
    const request = {
      method,
      headers: {
        ...headers,
        'X-API-Key': apiKey,
        'X-API-Timestamp': timestamp,
        'X-API-Signature': sign(secret, signed, bytes),
        ...(body === undefined ? {} : jsonContent),
      },
      body: body === undefined ? null : bytes,
      redirect: 'error',
      cache: 'no-store',
      credentials: 'omit',
    } as const
    const send = (abort: AbortSignal) => readAnswer(fetch(url.href, { ...request, signal: abort }))
    return sendWithTimeout(send, `${method} ${url.pathname}`, timeoutMillis, signal)
  }
}

const encoder = new TextEncoder()
const noBytes = new Uint8Array()
const jsonContent = { 'Content-Type': 'application/json' } as const

function readBase(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.href === url.origin + url.pathname
  if (!isPlain) throw new TypeError('baseUrl must be an http(s) URL without credentials, query and fragment')
  return url.href.replace(/\/+$/, '')
}

async function readAnswer(pending: Promise<FetchResponse>): Promise<TransportAnswer> {
  const response = await pending
  const text = await response.text()
  return { status: response.status, header: (name) => response.headers.get(name), body: parseJson(text) }
}

/** Sends a request, aborts it at the caller's signal or after the timeout, and rejects with an error that says which. */
async function sendWithTimeout(
  send: (abort: AbortSignal) => Promise<TransportAnswer>,
  what: string,
  timeoutMillis: number | null,
  signal: AbortSignal | undefined,
): Promise<TransportAnswer> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  let isLate = false
  const stop = () => controller.abort()
  const expire = () => {
    isLate = true
    stop()
  }
  const timer = timeoutMillis === null ? undefined : setTimeout(expire, timeoutMillis)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await send(controller.signal)
  } catch (failure) {
    if (isLate) throw new ConnectionError('timeout', `${what}: no answer within ${timeoutMillis} ms`)
    signal?.throwIfAborted()
    throw new ConnectionError('network', `${what}: the connection failed`, failure)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

/** The source of a client's time. Tests and backtests provide their own. */
export interface ClientClock {
  /** Returns Unix time, for signatures and for waiting until a rate limit resets. */
  nowMillis(): number
  /** Resolves after some time. Rejects with the signal's reason if that comes first. */
  sleep(millis: number, signal?: AbortSignal): Promise<void>
}

/** The clock of the platform. */
export const systemClock: ClientClock = {
  nowMillis: () => Date.now(),
  sleep: (millis, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, millis)
      if (signal?.aborted === true) stop()
      else signal?.addEventListener('abort', stop, { once: true })
    }),
}
