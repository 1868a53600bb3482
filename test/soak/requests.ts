import { createHmac } from 'node:crypto'

/** What is expected of an answer, besides its status. */
export interface Asked {
  readonly bytes: Buffer
  readonly status: number
  /** A field of the answer that no other answer on the connection has with this value. */
  readonly shows: readonly [field: string, value: string] | null
}

const account = 'trader'

/** A signed request as it goes over the wire. */
export function requestBytes(
  method: string,
  path: string,
  body: string,
  headers: readonly string[] = [],
): Buffer {
  const timestamp = String(Date.now())
  const signature = createHmac('sha256', `sims_default_${account}`)
    .update(timestamp + method + path + body)
    .digest('hex')
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `X-API-Key: simk_default_${account}`,
    `X-API-Timestamp: ${timestamp}`,
    `X-API-Signature: ${signature}`,
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
    ...headers,
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

/** An order that never trades and rests nowhere, so that any number of them has room. */
export function orderText(clientOrderId: string): string {
  const terms = { side: 'buy', asset: 'BTC', quantity: 0.01, price: 1000, timeInForce: 'IOC' }
  return JSON.stringify({ ...terms, clientOrderId })
}

const path = '/api/sdk/orders'

/** The n-th request of a connection: few orders, because a venue keeps them, and reads that show which they answer. */
export function nthRequest(connection: number, n: number, orderId: string | null): Asked {
  if (n % 40 === 0) {
    const id = `soak-${connection}-${n}`
    const headers = n % 120 === 0 ? ['Prefer: fault=slicer;averageSize=40;sizeVariation=10;delayMs=1'] : []
    return {
      bytes: requestBytes('POST', path, orderText(id), headers),
      status: 201,
      shows: ['clientOrderId', id],
    }
  }
  const asset = n % 2 === 0 ? 'BTC' : 'ETH'
  if (n % 10 === 3) return { bytes: requestBytes('GET', `${path}?limit=100`, ''), status: 200, shows: null }
  if (n % 10 === 5) return { bytes: requestBytes('GET', `${path}/none-${n}`, ''), status: 404, shows: null }
  if (n % 10 === 7 && orderId !== null)
    return { bytes: requestBytes('GET', `${path}/${orderId}`, ''), status: 200, shows: ['orderId', orderId] }
  const delay = n % 97 === 0 ? ['Prefer: delay=3'] : []
  const price = requestBytes('GET', `/api/sdk/market-data/prices/${asset}`, '', delay)
  return { bytes: price, status: 200, shows: ['asset', asset] }
}
