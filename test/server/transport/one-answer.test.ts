import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { caseBudget } from '../../support/full-run.ts'
import { type Sending, signedHeaders } from '../signed-request.ts'
import { useVenue } from '../venue-fixture.ts'
import { answersIn, rawExchange } from './raw-exchange.ts'

/* What comes back on a connection: an answer to each request, in order, until one that closes it, and then nothing. */

const venue = useVenue()
beforeAll(() => venue.admin('PUT', '/worlds/default/rate-limits', { enabled: false }))

const pairs = '/api/sdk/market-data/trading-pairs'
// It finds nobody and expires, so there may be any number of it.
const order = JSON.stringify({
  side: 'buy',
  asset: 'BTC',
  quantity: 0.001,
  price: 40_000,
  timeInForce: 'IOC',
})

function textOf(sending: Sending, more: readonly string[] = [], body = sending.body ?? ''): string {
  const { method = 'GET', target = '/' } = sending
  const headers = { host: '127.0.0.1', ...signedHeaders(sending, venue.wall.nowMillis()) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${target} HTTP/1.1`, ...lines, ...more, '', body].join('\r\n')
}

const get = (...more: readonly string[]) => textOf({ target: pairs }, more)
const slowly = (delayMillis: number) => `Prefer: delay=${delayMillis}`
const place = (more: readonly string[] = [], body = order) =>
  textOf({ method: 'POST', target: '/api/sdk/orders', body: order }, more, body)
const placed = (more: readonly string[] = []) => place([`Content-Length: ${order.length}`, ...more])
const inChunks = `${order.length.toString(16)}\r\n${order}\r\n0\r\n`
const chunked = 'Transfer-Encoding: chunked'
const close = 'Connection: close'

const statusesOf = async (...parts: readonly string[]) =>
  answersIn(await rawExchange(venue.server.port, parts)).map(({ status }) => status)
const ordersPlaced = () => venue.worlds.default.venue.state.orders.count

it('a connection serves any number of requests', async () => {
  const pieces = caseBudget(21)
  const parts = [...Array.from({ length: pieces }, () => get().repeat(500)), get(close)]
  const statuses = await statusesOf(...parts)
  expect(statuses).toHaveLength(500 * pieces + 1)
  expect(new Set(statuses)).toEqual(new Set([200]))
})

/** Requests after which a connection stays open. */
const usual: readonly [name: string, text: () => string, status: number, orders: number][] = [
  ['a read', get, 200, 0],
  ['a read that takes a while', () => get(slowly(3)), 200, 0],
  ['a read with a body', () => textOf({ target: pairs, body: 'ab' }, ['Content-Length: 2']), 200, 0],
  ['HEAD', () => textOf({ method: 'HEAD', target: pairs }), 200, 0],
  ['an order', placed, 201, 1],
  ['an order that takes a while', () => placed([slowly(3)]), 201, 1],
  ['an order in chunks', () => place([chunked], `${inChunks}\r\n`), 201, 1],
  ['an order in chunks with trailers', () => place([chunked], `${inChunks}X-After: 1\r\n\r\n`), 201, 1],
  ['an order that asks to be continued', () => placed(['Expect: 100-continue']), 201, 1],
  ['an order without a signature', () => placed().replace(/x-api-signature: \w/, '$&0'), 401, 0],
]

/** What a connection ends with. */
const last: readonly [name: string, text: () => string, status: number, orders: number][] = [
  ['a request to close', () => get(close), 200, 0],
  ['a request to close that takes a while', () => placed([slowly(3), close]), 201, 1],
  ['HTTP/1.0', () => placed().replace('HTTP/1.1', 'HTTP/1.0'), 201, 1],
  ['no HTTP', () => 'BAD\r\n\r\n', 400, 0],
  ['no host', () => placed().replace('host: 127.0.0.1\r\n', ''), 400, 0],
  ['a coding without a length', () => place(['Transfer-Encoding: identity'], ''), 400, 0],
  ['a coding without a length, and a body', () => place(['Transfer-Encoding: identity']), 400, 0],
  ['a coding that ends unchunked', () => place(['Transfer-Encoding: chunked, gzip']), 400, 0],
  ['a coding that is unknown', () => place(['Transfer-Encoding: gzip, chunked'], `${inChunks}\r\n`), 400, 0],
  ['a bad chunk', () => place([chunked], 'zz\r\n'), 400, 0],
  ['a bad chunk after others', () => place([chunked], `${inChunks.replace(/0\r\n$/, '')}zz\r\n`), 400, 0],
  ['bad trailers', () => place([chunked], `${inChunks}X: \0\r\n\r\n`), 400, 0],
  ['two lengths', () => place(['Content-Length: 1', 'Content-Length: 2']), 400, 0],
  ['a length beyond all limits', () => place(['Content-Length: 99999999']), 413, 0],
  ['a large header', () => get(`X-Large: ${'x'.repeat(17_000)}`), 431, 0],
  ['an unknown expectation', () => placed(['Expect: a miracle']), 417, 0],
  ['a tunnel', () => 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n', 400, 0],
]

it.each([...usual, ...last])('%s is answered once', async (_name, text, status, orders) => {
  const before = ordersPlaced()
  const isLast = last.some(([, other]) => other === text)
  expect(await statusesOf(text(), placed([close]))).toEqual(isLast ? [status] : [status, 201])
  expect(ordersPlaced() - before).toBe(isLast ? orders : orders + 1)
})

it('every request is answered once and in its turn, whatever follows it', async () => {
  const anything = fc.constantFrom(...usual, ...last)
  const exchange = fc.record({
    first: fc.array(fc.constantFrom(...usual), { maxLength: 5 }),
    end: fc.constantFrom(...last),
    behind: fc.array(anything, { maxLength: 3 }),
    cuts: fc.array(fc.nat(3000), { maxLength: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(exchange, async ({ first, end, behind, cuts }) => {
      const before = ordersPlaced()
      const text = [...first, end, ...behind].map(([, write]) => write()).join('')
      const places = [0, ...cuts.toSorted((left, right) => left - right), text.length]
      const parts = places.slice(1).map((to, index) => text.slice(places[index], to))
      const answered = [...first, end]
      expect(await statusesOf(...parts)).toEqual(answered.map(([, , status]) => status))
      expect(ordersPlaced() - before).toBe(answered.reduce((sum, [, , , orders]) => sum + orders, 0))
    }),
    { seed: 7, numRuns: caseBudget(150) },
  )
})

describe('behind an answer that closes the connection', () => {
  it.each([
    ['slow_close;delayMs=1', 1],
    ['limit_data;bytes=5', 1],
    ['reset_peer', 0],
    ['EMPTY_RESPONSE', 0],
  ])('of the fault %s, nothing is carried out', async (fault, answers) => {
    const before = ordersPlaced()
    const parts = [get(`Prefer: fault=${fault}`), placed(), placed([close])]
    const text = await rawExchange(venue.server.port, parts).catch(() => '')
    expect(text.split('HTTP/1.1 200 OK').length - 1).toBe(answers)
    expect(text).not.toContain('HTTP/1.1 201')
    expect(ordersPlaced()).toBe(before)
  })
})
