import { createHmac } from 'node:crypto'

/** Whom the bench signs for: on our server two accounts that trade with each other. */
export const traders = ['alice', 'bob'] as const
export type Trader = (typeof traders)[number]

export interface Credentials {
  readonly apiKey: string
  readonly apiSecret: string
}

export const credentialsOf = (trader: Trader): Credentials => ({
  apiKey: `k-${trader}`,
  apiSecret: `s-${trader}`,
})

export interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body: string
}

/** The three headers of a call signed now; they hold for 30 seconds. */
export function signedHeaders(
  { method, path, body }: Call,
  { apiKey, apiSecret }: Credentials,
): Record<string, string> {
  const timestamp = String(Date.now())
  const digest = createHmac('sha256', apiSecret).update(`${timestamp}${method}${path}${body}`).digest('hex')
  return { 'X-API-Key': apiKey, 'X-API-Timestamp': timestamp, 'X-API-Signature': digest }
}

/** The bytes of a signed request on a connection that stays open. */
export function requestBytes(call: Call, trader: Trader): Buffer {
  const { method, path, body } = call
  const headers = Object.entries(signedHeaders(call, credentialsOf(trader))).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const entity =
    body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers.join('')}${entity}\r\n${body}`,
  )
}
