import { createHmac } from 'node:crypto'
import { type RawRequest, toRawRequest } from '../../src/pipeline/call.ts'

export interface Sending {
  readonly method?: string
  /** Path with query. */
  readonly target?: string
  readonly body?: string
  readonly apiKey?: string
  readonly apiSecret?: string
  readonly timestamp?: string | number
  /** Sent instead of the right one. */
  readonly signature?: string
  /** What is signed as the path; the whole target unless given. */
  readonly signedTarget?: string
  /** Further headers; null removes one. */
  readonly headers?: { readonly [name: string]: string | null }
}

export const trader = { apiKey: 'simk_default_trader', apiSecret: 'sims_default_trader' }

/** The headers of a signed request. Written from the specification, with the platform's HMAC and none of our code. */
export function signedHeaders(sending: Sending, nowMillis: number): Record<string, string> {
  const {
    method = 'GET',
    target = '/',
    body = '',
    apiKey = trader.apiKey,
    apiSecret = trader.apiSecret,
  } = sending
  const timestamp = String(sending.timestamp ?? nowMillis)
  const message = timestamp + method + (sending.signedTarget ?? target) + body
  const headers: Record<string, string> = {
    'x-api-key': apiKey,
    'x-api-timestamp': timestamp,
    'x-api-signature': sending.signature ?? createHmac('sha256', apiSecret).update(message).digest('hex'),
  }
  if (body !== '') headers['content-type'] = 'application/json'
  for (const [name, value] of Object.entries(sending.headers ?? {})) {
    if (value === null) delete headers[name]
    else headers[name] = value
  }
  return headers
}

/** A signed request as the server has it after reading the socket. */
export function receivedRequest(sending: Sending, nowMillis: number): RawRequest {
  const { method = 'GET', target = '/', body = '' } = sending
  return toRawRequest(method, target, Object.entries(signedHeaders(sending, nowMillis)), Buffer.from(body))
}
