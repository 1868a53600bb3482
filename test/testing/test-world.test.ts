import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startVenue, type TestVenue } from '../../src/testing/start-venue.ts'
import { liquidScenario, quietScenario } from '../world/scenarios.ts'

const order = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 40_000 } as const

let venue: TestVenue
beforeAll(async () => {
  venue = await startVenue({ scenario: quietScenario })
})
afterAll(() => venue.close())

describe('what a test does to its world', () => {
  it('moves a price', async () => {
    using world = venue.createWorld({ scenario: liquidScenario })
    const price = async () => (await world.client().marketData.price('BTC')).mid
    world.price('BTC', 45_000)
    expect(await price()).toBe(45_000)
    world.price('BTC', { percent: -10, overMs: 10_000 })
    expect(await price()).toBe(45_000)
    world.advance('10s')
    expect(await price()).toBe(40_500)
    expect(() => world.price('BCT', 1)).toThrow(/There is no traded asset BCT \(did you mean BTC\?\)/)
    expect(() => world.price('BTC', -1)).toThrow(/mid/)
  })

  it('fills and rejects orders', async () => {
    using world = venue.createWorld()
    const client = world.client('trader')
    const [one, two] = [await client.orders.create(order), await client.orders.create(order)]
    world.fill(one.orderId, { quantity: 0.2 })
    expect(await client.orders.get(one.orderId)).toMatchObject({
      status: 'partially_filled',
      filledQuantity: 0.2,
    })
    world.fill(one.orderId)
    expect(await client.orders.get(one.orderId)).toMatchObject({ status: 'filled' })
    world.reject(two.orderId)
    expect(await client.orders.get(two.orderId)).toMatchObject({ status: 'rejected' })
    expect(() => world.reject(two.orderId)).toThrow(RangeError)
    expect(() => world.fill('ord_9')).toThrow(/^world w\d+: /)
  })

  it('moves money in, and halts and resumes trading', async () => {
    using world = venue.createWorld()
    const client = world.client('trader')
    const before = (await client.portfolio.balance('USD')).total
    world.deposit('trader', 'USD', 250)
    expect((await client.portfolio.balance('USD')).total).toBe(before + 250)
    world.halt('BTC')
    await expect(client.orders.create(order)).rejects.toMatchObject({ statusCode: 400 })
    world.resume('BTC')
    await expect(client.orders.create(order)).resolves.toMatchObject({ status: 'open' })
    expect(() => world.halt('BCT')).toThrow(/did you mean BTC-USD\?/)
    expect(() => world.deposit('tradr', 'USD', 1)).toThrow(/did you mean trader\?/)
  })

  it('finds and verifies requests by the fields of their bodies', async () => {
    using world = venue.createWorld()
    expect(() => world.verify({}, { exactly: 0 })).toThrow(/0 of 0 did, and no request has been received$/)
    const client = world.client('trader')
    await client.orders.create({ ...order, clientOrderId: 'mine' })
    await client.orders.create({ ...order, clientOrderId: 'other' })
    const mine = { method: 'POST', body: { clientOrderId: 'mine' } }
    expect(world.requests(mine)).toMatchObject([{ requestId: 'req_1', status: 201 }])
    world.verify(mine, { exactly: 1 })
    world.verify({ body: { clientOrderId: 'third' } }, { exactly: 0 })
    expect(() => world.verify(mine, { exactly: 2 })).toThrow(
      /^expected exactly 2 of the requests to match \{.*"mine".*\}: 1 of 2 did\n {2}req_2 POST \/api\/sdk\/orders 201 differs in body$/,
    )
    expect(() => world.requests({ account: 'tradr' })).toThrow(/did you mean trader\?/)
  })

  it('is refused for a fault of a key that nobody has, and says which faults were idle', async () => {
    using world = venue.createWorld()
    const fault = { type: 'http_error', attributes: { status: 503 }, count: 1 } as const
    const key = world.keys['trader']?.apiKey ?? ''
    expect(() => world.fault({ ...fault, match: { key: `${key}x` } })).toThrow(`did you mean ${key}?`)
    world.fault({ ...fault, match: { body: { clientOrderId: 'mine' } } })
    const idle = world.fault({ ...fault, match: { method: 'POST', nth: 2 } })
    world.removeFault(world.fault(fault))
    const creating = world.client('trader').orders.create({ ...order, clientOrderId: 'mine' })
    await expect(creating).resolves.toMatchObject({ status: 'open' })
    expect(world.listIdleFaults()).toEqual([])
    world.fault({ ...fault, id: 'late' })
    expect(world.listIdleFaults()).toEqual(['fault late (http_error) has struck no request, 0 matched it'])
    expect(idle).toBe('flt_2')
  })

  it('is over once the world is deleted', async () => {
    const world = venue.createWorld()
    const { fetch } = world
    world.delete()
    const verbs: readonly (() => unknown)[] = [
      () => world.advance('1h'),
      () => world.addFault({ type: 'auth_expired' }),
      () => world.price('BTC', 1),
      () => world.fill('ord_1'),
      () => world.reject('ord_1'),
      () => world.deposit('trader', 'USD', 1),
      () => world.halt('BTC'),
      () => world.rateLimits(),
      () => world.requests(),
      () => world.verify({}),
      () => world.digest(),
      () => world.snapshot(),
      () => world.fork(),
      () => world.now,
      () => world.keys,
      () => world.client(),
      () => world.environment(),
      () => world.removeFault(),
    ]
    for (const verb of verbs) expect(verb).toThrow(`world ${world.id} was deleted`)
    await expect(fetch('/api/sdk/market-data/prices')).rejects.toMatchObject({
      message: 'fetch failed',
      cause: { message: `world ${world.id} was deleted` },
    })
    expect(world.journalText()).not.toBe('')
    expect(() => world.delete()).not.toThrow()
  })
})

describe('the limits and clocks of a test', () => {
  const ask = (client: ReturnType<TestVenue['world']['client']>, count: number) =>
    Array.from({ length: count }, () =>
      client.orders.list().then(
        () => 200,
        (error) => error.statusCode,
      ),
    )

  it('has no rate limit, whatever the wall clock shows', async () => {
    using world = venue.createWorld()
    expect(new Set(await Promise.all(ask(world.client('trader'), 40)))).toEqual(new Set([200]))
  })

  it('has limits in its own time when it asks for them', async () => {
    using world = venue.createWorld({ rateLimits: true })
    const { fetch } = world
    const { createVenueClient } = await import('../../src/client/create-venue-client.ts')
    const key = world.keys['trader'] ?? { apiKey: 'none', apiSecret: '' }
    const client = createVenueClient({ baseUrl: 'http://x', ...key, fetch, retries: { afterRateLimit: 0 } })
    const statuses = () => Promise.all(ask(client, 12))
    const refused = [...Array.from({ length: 10 }, () => 200), 429, 429]
    expect(await statuses()).toEqual(refused)
    expect(await statuses()).toEqual(Array.from({ length: 12 }, () => 429))
    world.advance('1s')
    expect(await statuses()).toEqual(refused)
    world.rateLimits({ other: 12 })
    world.advance('1s')
    expect(new Set(await statuses())).toEqual(new Set([200]))
    world.rateLimits({ enabled: false })
    expect(new Set(await Promise.all(ask(client, 30)))).toEqual(new Set([200]))
  })

  it.each([{ other: 3 }, { windowMs: 500 }])(
    'keeps limits that its scenario states: %j',
    async (rateLimits) => {
      using world = venue.createWorld({ scenario: { ...quietScenario, rateLimits } })
      expect(world.world.limiter.limits.isEnabled).toBe(true)
      expect(world.world.readings['rate.clock']).toBe('world')
      using free = venue.createWorld({ scenario: { ...quietScenario, rateLimits }, rateLimits: false })
      expect(free.world.limiter.limits.isEnabled).toBe(false)
    },
  )

  it('refuses a timestamp that is old by every clock', async () => {
    using world = venue.createWorld()
    const { createVenueClient } = await import('../../src/client/create-venue-client.ts')
    const key = world.keys['trader'] ?? { apiKey: 'none', apiSecret: '' }
    const clock = { nowMillis: () => Date.now() - 31_000, sleep: async () => undefined }
    const late = createVenueClient({ baseUrl: world.url, ...key, clock })
    await expect(late.orders.list()).rejects.toMatchObject({ type: 'TIMESTAMP_EXPIRED' })
  })
})
