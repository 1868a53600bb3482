import { parseJson } from '../api/json.ts'
import { anObject, aTruth, checkOption, numberAboveZero, orNull } from '../api/options.ts'
import { hashedSecret, sign } from './sign.ts'
import { longestTimerMillis, type Transport, type TransportAnswer } from './transport.ts'
import { ConnectionError } from './venue-error.ts'

export interface HttpTransportOptions {
  /** The address under which `/api/sdk` lies; a path in it is a prefix that is sent, and signed, with every request. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly apiSecret: string
  /** Replaces the platform's, which keeps connections alive. */
  readonly fetch?: Fetch
  /** How long a whole answer may take; null: for ever. 10 seconds by default. */
  readonly timeoutMillis?: number | null
  /** Whether the query is part of the signed path, which the specification leaves open; yes by default. */
  readonly signsQuery?: boolean
  /** Whether the HMAC is keyed with the lower-case hex SHA-256 of the secret, as by the published client; no by default. */
  readonly hashesSecret?: boolean
  /** Sent with every request. */
  readonly headers?: { readonly [name: string]: string }
  readonly clock?: ClientClock
}

/** The part of the platform's `fetch` that a transport needs. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>

export interface FetchRequest {
  readonly method: string
  readonly headers: Record<string, string>
  /** Bytes, spelt like this because Uint8Array has no type parameter before TypeScript 5.7. */
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
 * HTTP with signed requests. What is signed is what is sent: the path and query as the URL standard writes them, and
 * the bytes of the body. Redirects are not followed, because the key would go with them.
 *
 * Throws a TypeError for a base address that is not a plain http(s) URL and for a key that no header can carry, and a
 * RangeError for a time that is too long for a timer. Spec: Authentication.
 */
export function httpTransport(options: HttpTransportOptions): Transport {
  const { apiKey, timeoutMillis = 10_000, signsQuery = true, headers = {}, clock = systemClock } = options
  const { fetch = globalThis.fetch, hashesSecret = false } = options
  const base = readBase(options.baseUrl)
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('apiKey must be printable ASCII')
  checkOption('the client', 'timeoutMillis', timeoutMillis, orNull(numberAboveZero(longestTimerMillis)))
  checkOption('the client', 'signsQuery', signsQuery, aTruth)
  checkOption('the client', 'hashesSecret', hashesSecret, aTruth)
  checkOption('the client', 'headers', headers, anObject)
  if (typeof options.apiSecret !== 'string') throw new TypeError('apiSecret must be a text')
  const secret = hashesSecret ? hashedSecret(options.apiSecret) : options.apiSecret
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
    return withinTime(send, `${method} ${url.pathname}`, timeoutMillis, signal)
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

/** Stops at the caller's signal or when the time is over, and says which. */
async function withinTime(
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

/** Where a client's time comes from; tests and backtests provide theirs. */
export interface ClientClock {
  /** Unix time, for signatures and for waiting until a rate limit resets. */
  nowMillis(): number
  /** Rejects with the signal's reason when that comes first. */
  sleep(millis: number, signal?: AbortSignal): Promise<void>
}

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
