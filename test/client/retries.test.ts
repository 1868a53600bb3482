import { describe, expect, it } from 'vitest'
import { createVenueClient, type VenueClient } from '../../src/client/create-venue-client.ts'
import { computeDelayMillis, readRetries } from '../../src/client/exchange.ts'
import { ConnectionError, VenueError } from '../../src/client/venue-error.ts'
import { type Fault, faultyFetch } from './lossy-fetch.ts'
import { type ServedVenue, serveVenue } from './venue.ts'

const bid = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 40_000, clientOrderId: 'mine' } as const

function faultyClient(venue: ServedVenue, method: string, faults: readonly Fault[]) {
  return createVenueClient({ ...venue.options(), fetch: faultyFetch(method, faults) })
}

/** Created by the admin API. */
async function tradeOnlyKey({ url }: ServedVenue) {
  const answer = await fetch(`${url}/__admin/worlds/default/accounts/desk/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ scopes: ['TRADE'] }),
  })
  const key: { readonly apiKey: string; readonly apiSecret: string } = JSON.parse(await answer.text())
  return { apiKey: key.apiKey, apiSecret: key.apiSecret }
}

const openOrders = (venue: ServedVenue) => venue.client().orders.list({ statuses: ['open', 'filled'] })

describe('an order whose answer is lost', () => {
  const post = 'POST /api/sdk/orders 201'
  const refused = 'POST /api/sdk/orders 409'
  const found = 'GET /api/sdk/orders/by-client-id 200'
  const missing = 'GET /api/sdk/orders/by-client-id 404'

  it.each<[string, readonly Fault[], readonly string[]]>([
    ['is found, and not sent again', ['answer lost'], [post, found]],
    ['is found, when the answer is cut off', ['answer cut'], [post, found]],
    ['is found, when a gateway answers in its place', ['gateway page'], [post, found]],
    ['is found, when a list is in its place', ['list'], [post, found]],
    ['is sent again when it never arrived', ['request lost'], [missing, post]],
    [
      'is looked for before each repetition',
      ['request lost', 'request lost', 'answer lost'],
      [missing, missing, post, found],
    ],
  ])('%s', async (_title, faults, requests) => {
    const venue = await serveVenue()
    const order = await faultyClient(venue, 'POST', faults).orders.create(bid)
    expect(order).toMatchObject({ clientOrderId: 'mine', side: 'buy', quantity: 0.5, status: 'open' })
    expect(venue.requests()).toEqual(requests)
    expect((await openOrders(venue)).pagination.total).toBe(1)
  })

  it('is placed once even when duplicate client ids are allowed', async () => {
    const venue = await serveVenue({ 'clientId.duplicate': 'allow' })
    const faults: readonly Fault[] = ['request lost', 'answer lost']
    await faultyClient(venue, 'POST', faults).orders.create({ ...bid, price: 60_000 })
    expect((await openOrders(venue)).orders).toHaveLength(1)
    expect(await venue.client().orders.getByClientId('mine')).toMatchObject({ status: 'filled' })
  })

  it('is found by a second look when it arrives after the first', async () => {
    const venue = await serveVenue()
    let looks = 0
    const client = createVenueClient({
      ...venue.options(),
      fetch: async (url, request) => {
        if (request.method === 'POST' && looks === 0) throw new TypeError('fetch failed')
        if (url.includes('by-client-id') && ++looks === 1) {
          const answer = await fetch(url, request)
          await venue.client().orders.create(bid)
          return answer
        }
        return fetch(url, request)
      },
    })
    expect(await client.orders.create(bid)).toMatchObject({ clientOrderId: 'mine', status: 'open' })
    expect(venue.requests()).toEqual([missing, post, refused, found])
  })

  it.each([
    ['side', { side: 'sell', price: 70_000 }, {}],
    ['quantity', { quantity: 0.25 }, {}],
    ['price', { price: 39_000 }, {}],
    ['time in force', { timeInForce: 'IOC' }, {}],
    ['type', {}, { orderType: 'market', timeInForce: 'IOC' }],
  ] as const)('is refused when an order of another %s has its client id', async (_term, older, changed) => {
    for (const fault of ['answer lost', 'request lost'] as const) {
      const venue = await serveVenue()
      await venue.client().orders.create({ ...bid, ...older })
      const creating = faultyClient(venue, 'POST', [fault]).orders.create({ ...bid, ...changed })
      await expect(creating).rejects.toMatchObject({ name: 'VenueError', statusCode: 409 })
      const { orders } = await venue.client().orders.list()
      const { side, quantity, price } = { ...bid, ...older }
      expect(orders).toMatchObject([{ orderId: 'ord_1', side, quantity, price, clientOrderId: 'mine' }])
    }
  })

  it.each([
    ['a market order', { orderType: 'market', timeInForce: 'IOC', price: undefined }],
    ['a price with a fraction', { price: 40_000.01, quantity: 0.1234 }],
  ] as const)('is found, %s too', async (_title, terms) => {
    const venue = await serveVenue()
    const { orderId } = await faultyClient(venue, 'POST', ['answer lost']).orders.create({ ...bid, ...terms })
    expect(venue.requests()).toEqual([post, found])
    expect(orderId).toBe('ord_1')
  })

  it('is reported as lost without a client id, and not sent again', async () => {
    const venue = await serveVenue()
    const { clientOrderId: _, ...nameless } = bid
    const creating = faultyClient(venue, 'POST', ['answer lost']).orders.create(nameless)
    await expect(creating).rejects.toMatchObject({ name: 'ConnectionError', reason: 'network' })
    expect(venue.requests()).toEqual([post])
    expect(venue.clock.sleeps).toEqual([])
  })

  it('is reported as unverified when the key may not read', async () => {
    const venue = await serveVenue()
    const creating = createVenueClient({
      ...venue.options(),
      ...(await tradeOnlyKey(venue)),
      fetch: faultyFetch('POST', ['answer lost']),
    }).orders.create(bid)
    const failure = await creating.catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ConnectionError)
    expect(failure).toMatchObject({
      reason: 'unverified',
      cause: { statusCode: 403, type: 'INSUFFICIENT_SCOPE' },
    })
  })

  it('is not looked up again when the caller aborts', async () => {
    const venue = await serveVenue()
    const controller = new AbortController()
    const faulty = faultyFetch('POST', ['answer lost'])
    const client = createVenueClient({
      ...venue.options(),
      fetch: (url, request) => {
        if (request.method === 'GET') controller.abort(new Error('enough'))
        return faulty(url, request)
      },
    })
    await expect(client.orders.create(bid, { signal: controller.signal })).rejects.toThrow('enough')
    expect(venue.requests().filter((line) => line === post)).toHaveLength(1)
  })

  it('is given up after the last repetition, when it certainly does not exist', async () => {
    const venue = await serveVenue()
    const faults = Array<Fault>(9).fill('request lost')
    const creating = faultyClient(venue, 'POST', faults).orders.create(bid)
    await expect(creating).rejects.toMatchObject({ name: 'ConnectionError', reason: 'network' })
    expect(venue.requests()).toEqual([missing, missing, missing, missing])
    expect(venue.clock.sleeps).toEqual([100, 200, 400, 800])
  })

  it('is sent again when its refusal was lost, and then refused', async () => {
    const venue = await serveVenue()
    const creating = faultyClient(venue, 'POST', ['answer lost']).orders.create({ ...bid, quantity: 50 })
    await expect(creating).rejects.toMatchObject({ statusCode: 422, type: 'RISK_LIMIT_EXCEEDED' })
  })
})

describe('other requests without an answer', () => {
  it('are repeated when they only read', async () => {
    const venue = await serveVenue()
    const faults: readonly Fault[] = ['answer lost', 'gateway page', 'answer cut']
    expect(await faultyClient(venue, 'GET', faults).portfolio.balance('USD')).toMatchObject({ asset: 'USD' })
    expect(venue.requests()).toHaveLength(4)
    expect(venue.clock.sleeps).toEqual([100, 200, 400])
  })

  it('are repeated when they only calculate, though their method is POST', async () => {
    const venue = await serveVenue()
    const { clientOrderId: _, ...candidate } = bid
    const { risk } = faultyClient(venue, 'POST', ['answer lost', 'none', 'answer lost'])
    expect(await risk.checkOrder(candidate)).toMatchObject({ approved: true })
    expect(await risk.simulateOrder(candidate)).toHaveProperty('afterOrder')
  })

  it('are repeated a limited number of times', async () => {
    const venue = await serveVenue()
    const faults = Array<Fault>(9).fill('gateway page')
    const reading = faultyClient(venue, 'GET', faults).portfolio.summary()
    await expect(reading).rejects.toMatchObject({
      name: 'VenueError',
      statusCode: 502,
      type: null,
      details: {},
    })
    expect(venue.requests()).toHaveLength(4)
  })

  it.each<[string, string, (client: VenueClient, ids: Ids) => Promise<object>]>([
    ['creating a batch', 'POST', ({ orders }) => orders.createBatch([bid])],
    ['amending', 'PATCH', ({ orders }, { orderId }) => orders.amend(orderId, { price: 41_000 })],
    ['cancelling', 'DELETE', ({ orders }, { orderId }) => orders.cancel(orderId)],
    ['cancelling all', 'DELETE', ({ orders }) => orders.cancelAll()],
    ['quoting', 'POST', ({ quotes }) => quotes.submit(quote)],
    ['updating a quote', 'PATCH', ({ quotes }, { quoteId }) => quotes.update(quoteId, { bidSize: 0.2 })],
    [
      'updating quotes',
      'PATCH',
      ({ quotes }, { quoteId }) => quotes.updateBatch([{ quoteId, bidSize: 0.2 }]),
    ],
    ['cancelling a quote', 'DELETE', ({ quotes }, { quoteId }) => quotes.cancel(quoteId)],
    ['cancelling all quotes', 'DELETE', ({ quotes }) => quotes.cancelAll()],
  ])('are not repeated when they change something: %s', async (_title, method, change) => {
    const venue = await serveVenue()
    const { orderId } = await venue.client().orders.create({ ...bid, clientOrderId: 'other' })
    const { quoteId } = await venue.client().quotes.submit(quote)
    const before = venue.requests().length
    const changing = change(faultyClient(venue, method, ['answer lost']), { orderId, quoteId })
    await expect(changing).rejects.toMatchObject({ name: 'ConnectionError', reason: 'network' })
    expect(venue.requests()).toHaveLength(before + 1)
  })
})

interface Ids {
  readonly orderId: string
  readonly quoteId: string
}

const quote = { asset: 'BTC', bidPrice: 30_000, askPrice: 70_000, bidSize: 0.1, askSize: 0.1 }

describe('requests over the rate limit', () => {
  it.each(['seconds', 'milliseconds', 'delta'])('wait for the next window: reset in %s', async (unit) => {
    const venue = await serveVenue({ 'rate.resetUnit': unit })
    venue.clock.advance(250)
    const { orders } = venue.client()
    const placing = Array.from({ length: 20 }, (_, n) => orders.create({ ...bid, clientOrderId: `o${n}` }))
    await Promise.all(placing)
    const waits = venue.clock.sleeps
    expect(waits.length).toBeGreaterThan(0)
    expect(waits.every((wait) => wait > 0 && wait <= 1000)).toBe(true)
    expect((await openOrders(venue)).pagination.total).toBe(20)
  })

  it('wait exactly until the reset, and then pass', async () => {
    const venue = await serveVenue()
    const { risk } = venue.client()
    venue.clock.advance(250)
    for (let count = 0; count < 11; count += 1) await risk.limits()
    expect(venue.clock.sleeps).toEqual([750])
    expect(venue.requests().filter((line) => line.endsWith('429'))).toHaveLength(1)
  })

  it('wait longer each time when the service does not say how long', async () => {
    const venue = await serveVenue()
    let left = 2
    const { risk } = createVenueClient({
      ...venue.options(),
      fetch: async (url, request) => {
        const silent = { status: 429, headers: { get: () => null }, text: async () => '' }
        return left-- > 0 ? silent : fetch(url, request)
      },
    })
    expect(await risk.limits()).toHaveProperty('limits')
    expect(venue.clock.sleeps).toEqual([100, 200])
  })

  it('fail when they may not be repeated', async () => {
    const venue = await serveVenue()
    const { risk } = createVenueClient({ ...venue.options(), retries: { afterRateLimit: 0 } })
    for (let count = 0; count < 10; count += 1) await risk.limits()
    await expect(risk.limits()).rejects.toMatchObject({ statusCode: 429, type: 'RATE_LIMIT_EXCEEDED' })
    expect(venue.clock.sleeps).toEqual([])
  })

  it('fail when the wait would be too long', async () => {
    const venue = await serveVenue()
    const { risk } = createVenueClient({ ...venue.options(), retries: { maximumRateWaitMillis: 999 } })
    for (let count = 0; count < 10; count += 1) await risk.limits()
    await expect(risk.limits()).rejects.toBeInstanceOf(VenueError)
    expect(venue.clock.sleeps).toEqual([])
  })
})

describe('retry settings', () => {
  it('double the delay up to a maximum', () => {
    const settings = readRetries({ firstDelayMillis: 100, maximumDelayMillis: 450 })
    expect([1, 2, 3, 4, 5000].map((count) => computeDelayMillis(settings, count))).toEqual([
      100, 200, 400, 450, 450,
    ])
    expect(computeDelayMillis(readRetries({ firstDelayMillis: 0 }), 1_000)).toBe(0)
  })

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuse %d', (value) => {
    const message = `retries: afterFailure must be a whole number from 0 to 2147483647, found ${value}`
    expect(() => readRetries({ afterFailure: value })).toThrow(new RangeError(message))
  })
})
