import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { liquidScenario } from '../../world/scenarios.ts'
import { type Reply, startFixture, type VenueFixture } from '../venue-fixture.ts'
import { bounds, defaults, type Operation, operations, requiredParameters, type Scope } from './operations.ts'
import { misfits } from './shape.ts'

/*
 * The tables of the specification over HTTP, written down here once more without a look at the code: the routes and
 * schemas that serve the interface also make its document, its types and most other tests, and would be wrong together.
 */

const scopes: readonly Scope[] = ['READ', 'TRADE', 'MARKET_MAKING', 'WITHDRAW']
const secret = 'known'

let venue: VenueFixture
beforeAll(async () => {
  venue = await startFixture()
  const desk = {
    id: 'desk',
    balances: { USD: 100_000_000, BTC: 10 },
    limits: { maxOpenOrders: 1000, maxOpenOrdersPerAsset: 1000, maxDailyVolume: 1e9, maxExposure: 1e9 },
    keys: [
      ...scopes.map((scope) => ({ key: scope, secret, scopes: [scope] })),
      { key: 'ALL', secret, scopes },
    ],
  }
  const made = await venue.admin('POST', '/worlds', {
    id: 'desk',
    scenario: { ...liquidScenario, accounts: [desk] },
  })
  expect(made.status).toBe(201)
})
afterAll(() => venue.server.close())

let isChanged = true

/** A resting order (ord_1), a filled one (ord_2) and a live quote (qt_1). */
beforeEach(async () => {
  if (!isChanged) return
  expect((await venue.admin('POST', '/worlds/desk/reset', {})).status).toBe(200)
  const order = { side: 'buy', asset: 'BTC', quantity: 0.3, price: 40_000, clientOrderId: 'first' }
  const made = [
    await send('POST /orders', order),
    await send('POST /orders', { side: 'buy', asset: 'BTC', quantity: 0.1, orderType: 'market' }),
    await send('POST /quotes', {
      asset: 'BTC',
      bidPrice: 39_500,
      askPrice: 61_500,
      bidSize: 0.1,
      askSize: 0.1,
    }),
  ]
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201])
  isChanged = false
})

/** In a second of its own, so that no request meets the limit of the ones before. */
function send(request: string, body?: unknown, apiKey = 'ALL'): Promise<Reply> {
  venue.wall.advance(1000)
  return sendNow(request, body, apiKey)
}

function sendNow(request: string, body?: unknown, apiKey = 'ALL'): Promise<Reply> {
  const [method = '', target = ''] = request.split(' ')
  const text = body === undefined ? '' : JSON.stringify(body)
  isChanged ||= method !== 'GET'
  return venue.send({ method, target: `/api/sdk${target}`, body: text, apiKey, apiSecret: secret })
}

const isMarketData = ({ request }: Operation) => request.startsWith('GET /market-data/')

describe('Endpoints', () => {
  it('are 41', () => {
    expect(operations).toHaveLength(41)
  })

  it.each(operations)('$request needs $scope and answers as in the tables', async (operation) => {
    const { request, scope, body, shape } = operation
    const others = scopes.filter((other) => other !== scope)
    const most = isMarketData(operation) ? '30' : '10'
    for (const other of others) {
      const refused = await send(request, body, other)
      expect([other, refused.status]).toEqual([other, 403])
      expect(refused.body).toMatchObject({ statusCode: 403, details: { type: 'INSUFFICIENT_SCOPE' } })
    }
    const answer = await send(request, body, scope)
    expect(answer.status).toBe(/^POST \/(orders|quotes)/.test(request) ? 201 : 200)
    expect(misfits(shape, answer.body)).toEqual([])
    expect(answer.headers['x-ratelimit-limit']).toBe(most)
    expect(answer.headers['x-ratelimit-remaining']).toBe(String(Number(most) - 1))
    expect(answer.headers['x-ratelimit-reset']).toMatch(/^\d{10}$/)
  })

  it.each(defaults)('$request has its defaults', async ({ request, answer, body }) => {
    expect((await send(request, body)).body).toMatchObject(answer)
  })

  it.each(requiredParameters)('%s without %s is refused', async (request, field) => {
    const { status, body } = await send(request)
    expect(status).toBe(400)
    expect(body).toMatchObject({ statusCode: 400, error: 'Bad Request', details: { field } })
  })
})

describe('Limits', () => {
  const cases = bounds.flatMap(({ request, body, field, allowed, refused }) =>
    [
      ...allowed.map((value) => [value, true] as const),
      ...refused.map((value) => [value, false] as const),
    ].map(([value, isAllowed]) => ({ request, body, field, value, isAllowed })),
  )

  it.each(cases)(
    '$request with the $field $value: $isAllowed',
    async ({ request, body, field, value, isAllowed }) => {
      const sign = request.includes('?') ? '&' : '?'
      const reply =
        body === undefined
          ? await send(`${request}${sign}${field}=${value}`)
          : await send(request, { ...body, [field]: value ?? undefined })
      if (isAllowed) expect(reply.status).toBeLessThan(300)
      else {
        expect(reply.status).toBe(400)
        expect(reply.body).toMatchObject({
          details: { field: expect.stringMatching(new RegExp(`^${field}`)) },
        })
      }
    },
  )

  it.each([
    ['GET /market-data/prices', 30],
    ['GET /portfolio/summary', 10],
  ])('allow %s %i times a second', async (request, most) => {
    venue.wall.advance(1000)
    const statuses: number[] = []
    for (let sent = 0; sent < most; sent += 1) statuses.push((await sendNow(request)).status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    const { status, body } = await sendNow(request)
    expect(status).toBe(429)
    expect(body).toMatchObject({ statusCode: 429, details: { type: 'RATE_LIMIT_EXCEEDED' } })
  })

  it('of an order book are 10 levels a side by default, best first', async () => {
    const { body } = await send('GET /market-data/orderbook/BTC')
    const { bids, asks } = Object(body)
    expect([bids.length, asks.length]).toEqual([10, 10])
    const pricesOf = (levels: readonly { readonly price: number }[]) => levels.map(({ price }) => price)
    expect(pricesOf(bids)).toEqual(pricesOf(bids).toSorted((a, b) => b - a))
    expect(pricesOf(asks)).toEqual(pricesOf(asks).toSorted((a, b) => a - b))
    expect(bids[0].price).toBeLessThan(asks[0].price)
  })
})
