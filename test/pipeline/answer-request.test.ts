import { createHmac } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Sending, signedHeaders } from '../server/signed-request.ts'
import { answersIn, rawExchange } from '../server/transport/raw-exchange.ts'
import { type Reply, useVenue } from '../server/venue-fixture.ts'

const venue = useVenue()
beforeEach(() => {
  venue.wall.advance(1000)
  venue.worlds.default.limiter.reset()
})

const order = '{"side":"buy","asset":"BTC","quantity":0.5,"price":50000}'
const post: Sending = { method: 'POST', target: '/api/sdk/orders', body: order }
const named: Sending = { ...post, body: order.replace('}', ',"clientOrderId":"new"}') }
const viewer = { apiKey: 'simk_default_viewer', apiSecret: 'sims_default_viewer' }

const brief = ({ status, body }: Reply) => ({ status, body })
const errorWith = (status: number, details: object) => ({
  status,
  body: {
    statusCode: status,
    message: expect.any(String),
    error: expect.any(String),
    details: expect.objectContaining(details),
  },
})

/** The same body, but for one field: mistakes in different fields are all in a body that has several of them. */
const having =
  (field: string, value: string) =>
  (sending: Sending): Sending => ({
    ...sending,
    body: String(sending.body).replace(new RegExp(`"${field}":[^,}]*`), `"${field}":${value}`),
  })

/** One mistake for each step of the pipeline, in its order. */
const mistakes: readonly {
  name: string
  make: (sending: Sending) => Sending
  isOverRate?: boolean
  answer: object
}[] = [
  {
    name: 'an unknown path',
    make: (sending) => ({ ...sending, target: '/api/sdk/nothing' }),
    answer: errorWith(404, {}),
  },
  {
    name: 'a missing header',
    make: (sending) => ({ ...sending, headers: { ...sending.headers, 'x-api-timestamp': null } }),
    answer: errorWith(401, { type: 'TIMESTAMP_EXPIRED', field: 'X-API-Timestamp' }),
  },
  {
    name: 'an unknown key',
    make: (sending) => ({ ...sending, apiKey: 'simk_nobody' }),
    answer: errorWith(401, { type: 'INVALID_API_KEY' }),
  },
  {
    name: 'an old timestamp',
    make: (sending) => ({ ...sending, timestamp: 1_700_000_000_000 }),
    answer: { status: 401, body: expect.objectContaining({ details: { type: 'TIMESTAMP_EXPIRED' } }) },
  },
  {
    name: 'a wrong signature',
    make: (sending) => ({ ...sending, signature: 'a'.repeat(64) }),
    answer: errorWith(401, { type: 'INVALID_SIGNATURE' }),
  },
  {
    name: 'too many requests',
    make: (sending) => sending,
    isOverRate: true,
    answer: errorWith(429, { type: 'RATE_LIMIT_EXCEEDED' }),
  },
  {
    name: 'a missing scope',
    make: (sending) => ({ ...sending, ...viewer }),
    answer: errorWith(403, { type: 'INSUFFICIENT_SCOPE' }),
  },
  {
    name: 'an unknown preference',
    make: (sending) => ({ ...sending, headers: { ...sending.headers, prefer: 'reading.nothing=1' } }),
    answer: errorWith(400, { field: 'Prefer' }),
  },
  {
    name: 'another content type',
    make: (sending) => ({ ...sending, headers: { ...sending.headers, 'content-type': 'text/plain' } }),
    answer: errorWith(415, {}),
  },
  {
    name: 'broken JSON',
    make: (sending) => ({ ...sending, body: '{' }),
    answer: errorWith(400, { field: 'body' }),
  },
  {
    name: 'a field of another type',
    make: having('side', '7'),
    answer: errorWith(400, { field: 'side' }),
  },
  {
    name: 'an unknown asset',
    make: having('asset', '"GOLD"'),
    answer: errorWith(400, { field: 'asset' }),
  },
  {
    name: 'more than the pair takes',
    make: having('quantity', '100000000'),
    answer: errorWith(400, { field: 'quantity' }),
  },
  {
    name: 'a client id that has been used',
    make: having('clientOrderId', '"used"'),
    answer: errorWith(409, { field: 'clientOrderId' }),
  },
  {
    name: 'more than the account has',
    make: having('price', '5000000'),
    answer: errorWith(422, {}),
  },
]

const pairs = mistakes.flatMap((first, place) =>
  mistakes.slice(place).map((second) => [first, second] as const),
)

describe('the order of the steps', () => {
  beforeAll(async () => {
    const first = await venue.send(having('clientOrderId', '"used"')(named))
    expect(first.status).toBe(201)
  })

  it.each(pairs.map(([first, second]) => [first.name, second.name, first, second] as const))(
    '%s is answered before %s',
    async (_first, _second, first, second) => {
      if (first.isOverRate === true || second.isOverRate === true) {
        for (let sent = 0; sent < 10; sent += 1) {
          await venue.send({ target: '/api/sdk/orders' })
          await venue.send({ target: '/api/sdk/orders', ...viewer })
        }
      }
      const before = venue.worlds.default.digest()
      const reply = await venue.send(first.make(second.make(named)))
      expect(brief(reply)).toEqual(first.answer)
      expect(venue.worlds.default.digest()).toBe(before)
    },
  )

  it('looks up ids after checking the body, and before risk', async () => {
    const amend = { method: 'PATCH', target: '/api/sdk/orders/ord_999' }
    expect((await venue.send({ ...amend, body: '{}' })).status).toBe(400)
    expect(await venue.send({ ...amend, body: '{"quantity":1}' })).toMatchObject({
      status: 404,
      body: { details: { type: 'ORDER_NOT_FOUND' } },
    })
  })
})

describe('rate limits', () => {
  const headersOf = ({ headers }: Reply) => [
    headers['x-ratelimit-limit'],
    headers['x-ratelimit-remaining'],
    headers['x-ratelimit-reset'],
  ]

  it('are on every answer, in Unix seconds', async () => {
    venue.wall.set(1_900_000_000_250)
    expect(headersOf(await venue.send({ target: '/api/sdk/market-data/prices' }))).toEqual([
      '30',
      '29',
      '1900000001',
    ])
    expect(headersOf(await venue.send(post))).toEqual(['10', '9', '1900000001'])
    expect(headersOf(await venue.send({ ...post, body: '{' }))).toEqual(['10', '8', '1900000001'])
    expect(headersOf(await venue.send({ target: '/api/sdk/orders/ord_999' }))).toEqual([
      '10',
      '7',
      '1900000001',
    ])
    expect(headersOf(await venue.send({ ...post, signature: 'x' }))).toEqual(['10', '10', '1900000001'])
    expect(headersOf(await venue.send({ target: '/nowhere' }))).toEqual(['10', '10', '1900000001'])
    expect(headersOf(await venue.send({ ...post, target: '/api/sdk/orders' }))).toEqual([
      '10',
      '6',
      '1900000001',
    ])
  })

  it('refuse the 11th request of a second, and allow it in the next', async () => {
    venue.wall.set(1_900_000_100_000)
    const statuses: number[] = []
    for (let sent = 0; sent < 11; sent += 1)
      statuses.push((await venue.send({ target: '/api/sdk/orders' })).status)
    expect(statuses).toEqual([...Array(10).fill(200), 429])
    expect((await venue.send({ target: '/api/sdk/market-data/prices' })).status).toBe(200)
    venue.wall.set(1_900_000_101_000)
    expect((await venue.send({ target: '/api/sdk/orders' })).status).toBe(200)
  })

  it('are not used up by requests without a valid signature', async () => {
    for (let sent = 0; sent < 30; sent += 1) await venue.send({ ...post, signature: 'a'.repeat(64) })
    expect(headersOf(await venue.send(post))[1]).toBe('9')
  })
})

describe('bodies', () => {
  it.each([
    ['application/json', 201],
    ['APPLICATION/JSON', 201],
    ['application/json; charset=utf-8', 201],
    ['application/json;charset="UTF-8"', 201],
    ['application/json; profile=strict; charset=utf-8', 201],
    ['application/json;', 201],
    ['', 415],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/vnd.api+json', 415],
    ['application/json; charset=utf-16', 415],
    ['application/json; v=1; charset=utf-80', 415],
    ['application/json, text/plain', 415],
    ['application/jsonp', 415],
  ])('of content type %j: %d', async (type, status) => {
    const headers = { 'content-type': type === '' ? null : type }
    expect((await venue.send({ ...post, headers })).status).toBe(status)
  })

  it('are never decompressed', async () => {
    for (const coding of ['gzip', 'br', 'deflate']) {
      expect((await venue.send({ ...post, headers: { 'content-encoding': coding } })).status).toBe(415)
    }
  })

  it('cancel nothing when their content type is wrong or a field is misspelt', async () => {
    await venue.send(post)
    const cancelAll = { method: 'DELETE', target: '/api/sdk/orders/batch' }
    const before = venue.worlds.default.digest()
    const asText = { ...cancelAll, body: '{"asset":"ETH"}', headers: { 'content-type': 'text/plain' } }
    expect((await venue.send(asText)).status).toBe(415)
    expect(await venue.send({ ...cancelAll, body: '{"aset":"ETH"}' })).toMatchObject({
      status: 400,
      body: { details: { field: 'aset' } },
      headers: { 'x-sim-hint': expect.stringContaining('did you mean asset?') },
    })
    expect(venue.worlds.default.digest()).toBe(before)
  })

  it.each([
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['a byte order mark', Buffer.from('\ufeff{}')],
  ])('that are %s are signed as bytes and then refused', async (_name, bytes) => {
    const body = bytes.toString('latin1')
    const timestamp = String(venue.wall.nowMillis())
    const signature = createHmac('sha256', 'sims_default_trader')
      .update(`${timestamp}POST/api/sdk/orders`)
      .update(bytes)
      .digest('hex')
    const head = [
      'POST /api/sdk/orders HTTP/1.1',
      'Host: a',
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${bytes.length}`,
      'X-API-Key: simk_default_trader',
      `X-API-Timestamp: ${timestamp}`,
      `X-API-Signature: ${signature}`,
    ].join('\r\n')
    const [answer] = answersIn(
      await rawExchange(venue.server.port, [`${head}\r\n\r\n`, Buffer.from(body, 'latin1')]),
    )
    expect(answer?.status).toBe(400)
  })
})

describe('hints', () => {
  it('are in headers only', async () => {
    const reply = await venue.send({ target: '/api/sdk/orders?limit=1', signedTarget: '/api/sdk/order' })
    expect(reply.headers).toMatchObject({
      'x-sim-world': 'default',
      'x-sim-time': '2026-01-05T00:00:00.000Z',
      'x-sim-request-id': expect.stringMatching(/^req_\d+$/),
    })
    const keyAsSecret = await venue.send({ ...post, apiSecret: 'simk_default_trader' })
    expect(keyAsSecret.headers['x-sim-hint']).toContain('API key was used as the secret')
    expect(keyAsSecret.body).toEqual({
      statusCode: 401,
      message: 'The signature does not verify',
      error: 'Unauthorized',
      details: { type: 'INVALID_SIGNATURE' },
    })
  })

  it('include the readings that were applied to one request', async () => {
    const prefer = { prefer: 'reading.envelope=wrapped' }
    const reply = await venue.send({ target: '/api/sdk/orders', headers: prefer })
    expect(reply.headers['preference-applied']).toBe('reading.envelope=wrapped')
    expect(reply.body).toEqual({ data: expect.any(Object), timestamp: expect.any(String) })
    const strict = {
      target: '/api/sdk/orders?limit=1',
      headers: { prefer: 'reading.signature.query=exclude' },
    }
    expect((await venue.send(strict)).status).toBe(401)
  })
})

describe('methods', () => {
  it.each(['PUT', 'OPTIONS', 'TRACE', 'PROPFIND'])('%s on a known path is 404', async (method) => {
    expect((await venue.send({ method, target: '/api/sdk/orders' })).status).toBe(404)
  })

  it('HEAD is answered as GET is, without the body, and signed as HEAD', async () => {
    const target = '/api/sdk/orders'
    const [head, get] = [await venue.send({ method: 'HEAD', target }), await venue.send({ target })]
    const sized = ({ status, headers }: Reply) => [status, headers['content-type'], headers['content-length']]
    expect(head.text).toBe('')
    expect(sized(head)).toEqual(sized(get))
    expect(sized(head)).toEqual([200, 'application/json', String(get.text.length)])
    const signedAsGet = signedHeaders({ target }, venue.wall.nowMillis())['x-api-signature']
    expect((await venue.send({ method: 'HEAD', target, signature: String(signedAsGet) })).status).toBe(401)
    expect((await venue.send({ method: 'HEAD', target: '/api/sdk/nothing' })).status).toBe(404)
  })

  it('are not overridden', async () => {
    const headers = { 'x-http-method-override': 'DELETE' }
    expect((await venue.send({ ...post, headers })).status).toBe(201)
  })

  it.each([
    ['PUT', '/api/sdk/orders', 'POST, GET, HEAD'],
    ['GET', '/api/sdk/orders/batch', 'POST, DELETE'],
    ['PATCH', '/api/sdk/orders/by-client-id', 'GET, HEAD'],
    ['POST', '/api/sdk/orders/ord_1', 'GET, HEAD, PATCH, DELETE'],
    ['GET', '/api/sdk/quotes/batch/update', 'PATCH'],
  ])(
    'are 405 with the methods of the path in Allow under the reading: %s %s',
    async (method, target, allow) => {
      const headers = { prefer: 'reading.http.wrongMethod=405' }
      expect(await venue.send({ method, target, headers })).toMatchObject({ status: 405, headers: { allow } })
      expect((await venue.send({ method, target })).status).toBe(404)
    },
  )
})

it('a failure of the server is answered with a plain 500 and reported on standard error', async () => {
  const world = venue.worlds.default
  const poisoned = venue.worlds.create(world.scenario, { id: 'poisoned' })
  if (!poisoned.ok) throw new Error('the world can be made')
  poisoned.world.handle = () => {
    throw new Error('secret detail')
  }
  const keys = { apiKey: 'simk_poisoned_trader', apiSecret: 'sims_poisoned_trader' }
  const reply = await venue.send({ target: '/api/sdk/orders', ...keys })
  expect(reply.status).toBe(500)
  expect(reply.text).not.toContain('secret detail')
  expect(venue.reports.at(-1)).toContain('in world poisoned (seed "7", command 0): Error: secret detail')
})
