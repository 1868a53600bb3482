import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { otcsim } from './harness.ts'

/*
 * What a recording does not prove: bodies that were not recorded, refusals for another reason, words that nobody foresaw,
 * clocks of others. Each row names a reading that such an exchange was once taken to prove.
 */

interface Sent {
  readonly method?: string
  readonly path: string
  readonly host?: string
  readonly key?: string
  readonly body?: unknown
  readonly status?: number
  /** Left out: the recorder kept no body. */
  readonly answer?: unknown
  readonly headers?: readonly { readonly name: string; readonly value: string }[]
  readonly timestamp?: number
}

const entryOf = (
  { method = 'GET', path, host = 'venue', key = 'k', body, status = 200, ...sent }: Sent,
  index: number,
) => ({
  startedDateTime: `2026-03-01T10:00:${String(index).padStart(2, '0')}.000Z`,
  time: 100,
  request: {
    method,
    url: `https://${host}${path}`,
    headers: [
      { name: 'X-API-Key', value: key },
      {
        name: 'X-API-Timestamp',
        value: String(sent.timestamp ?? Date.parse('2026-03-01T10:00:00Z') + index * 1000),
      },
    ],
    ...(body === undefined ? {} : { postData: { text: JSON.stringify(body) } }),
  },
  response: {
    status,
    headers: sent.headers ?? [],
    content: sent.answer === undefined ? {} : { text: JSON.stringify(sent.answer) },
  },
})

const venueError = (statusCode: number, details: object = {}) => ({
  status: statusCode,
  answer: { statusCode, message: 'no', error: 'Error', details },
})

async function drift(sent: readonly Sent[], words: readonly string[] = [], cwd = temporaryFolder()) {
  writeFileSync(join(cwd, 'a.har'), `\uFEFF${JSON.stringify({ log: { entries: sent.map(entryOf) } })}`)
  const { code, out, err } = await otcsim(['drift', '--har', 'a.har', '--json', ...words], { cwd })
  return { code, err, ...JSON.parse(out) }
}

const api = '/api/sdk'
const order = { side: 'buy', asset: 'BTC', quantity: 1, price: 45_000, clientOrderId: 'x' }
const textOrder: Sent = { method: 'POST', path: `${api}/orders`, body: { ...order, quantity: '1' } }
const pairs: Sent = {
  path: `${api}/market-data/trading-pairs`,
  answer: {
    pairs: [{ base: 'BTC', minQuantity: 0.001, maxQuantity: 10, quantityStep: 0.001, minNotional: 10 }],
  },
}
const cancel = (id: string, rest: Partial<Sent> = {}): Sent => ({
  method: 'DELETE',
  path: `${api}/orders/${id}`,
  ...rest,
})
const cancelled = cancel('ord_1', { answer: { orderId: 'ord_1', status: 'cancelled' } })
const ordersAt = (...minutes: readonly number[]) => ({
  orders: minutes.map((minute) => ({ createdAt: `2026-03-01T10:0${minute}:00.000Z` })),
})
const limited = venueError(429, { type: 'RATE_LIMIT_EXCEEDED' })

describe('nothing is proved', () => {
  it.each<[string, string, readonly Sent[]]>([
    ['by a body that was not recorded', 'shapes.price', [{ path: `${api}/market-data/prices/BTC` }]],
    ['by an empty body', 'shapes.price', [{ path: `${api}/market-data/prices/BTC`, answer: {} }]],
    ['of a text quantity by a rate limit', 'body.coerce', [{ ...textOrder, ...limited }]],
    [
      'of a text quantity by another bad field',
      'body.coerce',
      [{ ...textOrder, ...venueError(400, { field: 'price' }) }],
    ],
    ['of a cancel by a rate limit', 'orders.cancelTerminal', [cancelled, cancel('ord_1', limited)]],
    [
      'of a cancel by a page of maintenance',
      'orders.cancelTerminal',
      [cancelled, cancel('ord_1', { status: 404, answer: { message: 'no route' } })],
    ],
    [
      'of a cancel with the key of another account',
      'orders.cancelTerminal',
      [cancelled, cancel('ord_1', { key: 'other', ...venueError(404) })],
    ],
    [
      'of a cancel at another host',
      'orders.cancelTerminal',
      [cancelled, cancel('ord_1', { host: 'staging', ...venueError(404) })],
    ],
    [
      'of a new order by an unknown word',
      'orders.createResponse',
      [
        {
          method: 'POST',
          path: `${api}/orders`,
          body: order,
          status: 201,
          answer: { orderId: 'o', status: 'pending' },
        },
      ],
    ],
    [
      'of a created status by another operation',
      'createdStatus',
      [{ method: 'POST', path: `${api}/webhooks`, body: {}, status: 201, answer: { id: 1 } }],
    ],
    ['of envelopes by a neighbour', 'envelope', [{ path: '/api/sdk-telemetry', answer: { ok: true } }]],
    [
      'of an order of lists by a list that is sorted otherwise',
      'lists.order',
      [{ path: `${api}/orders`, answer: ordersAt(3, 1, 5, 2) }],
    ],
    [
      'of an order of lists by equal instants',
      'lists.order',
      [{ path: `${api}/orders`, answer: ordersAt(3, 3) }],
    ],
    [
      'of a limit by a long page',
      'params.outOfRange',
      [{ path: `${api}/orders?limit=150`, answer: ordersAt(1, 2, 3) }],
    ],
    [
      'of a reset by an empty header',
      'rate.resetUnit',
      [{ path: `${api}/orders`, answer: ordersAt(1), headers: [{ name: 'X-RateLimit-Reset', value: '' }] }],
    ],
    [
      'of future timestamps by a recorder whose clock is slow',
      'auth.futureMs',
      [{ path: `${api}/orders`, answer: ordersAt(1), timestamp: Date.parse('2026-03-01T10:00:45Z') }],
    ],
    [
      'of stored orders by one that failed another check than risk',
      'orders.rejectMode',
      [
        { method: 'POST', path: `${api}/orders`, body: order, ...venueError(422, { field: 'quantity' }) },
        { path: `${api}/orders/by-client-id?clientOrderId=x`, ...venueError(404) },
      ],
    ],
  ])('%s: %s', async (_, key, sent) => {
    const { readings, verdicts } = await drift(sent)
    expect(readings[key]).toBeUndefined()
    expect(verdicts.filter((verdict: { key: string }) => verdict.key === key)).toEqual([])
  })
})

describe('something is proved', () => {
  it.each<[string, string, string, readonly Sent[]]>([
    [
      'of a text quantity by a check of risk',
      'body.coerce',
      'coerce',
      [{ ...textOrder, ...venueError(422, { type: 'INSUFFICIENT_BALANCE' }) }],
    ],
    [
      'of a text quantity by its refusal',
      'body.coerce',
      '400',
      [pairs, { ...textOrder, ...venueError(400, { field: 'quantity' }) }],
    ],
    [
      'of a cancel behind a rate limit',
      'orders.cancelTerminal',
      '409',
      [cancelled, cancel('ord_1', limited), cancel('ord_1', venueError(409))],
    ],
    [
      'of an order of lists',
      'lists.order',
      'newest',
      [{ path: `${api}/orders`, answer: ordersAt(5, 3, 3, 1) }],
    ],
  ])('%s: %s=%s', async (_, key, value, sent) => {
    expect((await drift(sent)).readings[key]).toBe(value)
  })
})

describe('the verdict', () => {
  const bare: Sent = { path: `${api}/portfolio/balances`, answer: { balances: [] } }
  const wrapped: Sent = { ...bare, answer: { data: { balances: [] }, timestamp: 1 } }

  it.each<[string, readonly Sent[], number, string]>([
    [
      'no entry of the interface',
      [{ path: '/other', answer: {} }],
      5,
      'none of 1 entries is about /api/sdk and has an answer',
    ],
    [
      'no operation',
      [{ path: `${api}/nothing`, status: 404, answer: {} }],
      5,
      'none of 1 exchanges is an operation',
    ],
    ['no evidence', [{ path: `${api}/portfolio/balances` }], 5, 'nothing was judged: looked at no readings'],
    ['two venues', [bare, wrapped], 1, 'contradicts itself: https://venue with key k about envelope'],
  ])('of %s is a failure', async (_, sent, code, message) => {
    const ended = await drift(sent)
    expect(ended).toMatchObject({ code, err: expect.stringContaining(message) })
  })

  it('says what was looked at and what was left out', async () => {
    const { lookedAt, leftOut } = await drift([
      bare,
      { path: `${api}/portfolio/summary` },
      { path: `${api}/nothing`, answer: {} },
    ])
    expect(lookedAt).toMatchObject({ exchanges: 3 })
    expect(leftOut).toEqual([
      { entry: 1, reason: expect.stringContaining('no body') },
      { entry: 2, reason: 'no operation of the interface' },
    ])
  })

  it('is added to the pins of a file, and a pin that changes is said', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'readings.json'), '{"clientId.duplicate":"return","envelope":"wrapped"}')
    const { err } = await drift([bare], ['-o', 'readings.json'], cwd)
    expect(err).toContain('readings.json: envelope was "wrapped" and is "bare" now')
    expect(JSON.parse(readFileSync(join(cwd, 'readings.json'), 'utf8'))).toEqual({
      'clientId.duplicate': 'return',
      envelope: 'bare',
    })
  })
})
