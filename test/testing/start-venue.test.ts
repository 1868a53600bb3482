import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startVenue, type TestVenue } from '../../src/testing/start-venue.ts'
import { quietScenario } from '../world/scenarios.ts'

const order = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 50_000 } as const

describe('startVenue', () => {
  let venue: TestVenue
  beforeAll(async () => {
    venue = await startVenue({ scenario: quietScenario })
  })
  afterAll(() => venue.close())

  it('serves on a free port, with keys that work', async () => {
    expect(venue.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(venue.keys['trader']).toEqual({
      apiKey: 'simk_default_trader',
      apiSecret: 'sims_default_trader',
    })
    const placed = await venue.world.client('trader').orders.create(order)
    expect(placed).toMatchObject({ orderId: 'ord_1', status: 'open' })
  })

  it('gives each test a world of its own on the same server', async () => {
    const [one, two] = [
      venue.createWorld(),
      venue.createWorld({ seed: 9, readings: { envelope: 'wrapped' } }),
    ]
    expect(one.url).toBe(two.url)
    expect((await one.client('trader').orders.create(order)).orderId).toBe('ord_1')
    one.advance('5s')
    expect(two.now.toISOString()).toBe('2026-01-05T00:00:00.000Z')
    expect(two.seed).toBe('9')
    expect((await two.client('trader').orders.list()).orders).toEqual([])
    const client = one.client('trader')
    one.delete()
    await expect(client.orders.list()).rejects.toMatchObject({ type: 'INVALID_API_KEY' })
    await two.client('trader').orders.list()
  })

  it('advances, restores and forks', async () => {
    using world = venue.createWorld()
    const client = world.client('trader')
    await client.orders.create(order)
    const snapshot = world.snapshot()
    const digest = world.digest()
    world.advance('1h')
    await client.orders.cancel('ord_1')
    using fork = world.fork()
    expect(fork.digest()).toBe(world.digest())
    expect(fork.keys['trader']?.apiKey).not.toBe(world.keys['trader']?.apiKey)
    world.restore(snapshot)
    expect(world.digest()).toBe(digest)
    expect((await client.orders.get('ord_1')).status).toBe('open')
    expect((await fork.client('trader').orders.get('ord_1')).status).toBe('cancelled')
  })

  it('injects faults', async () => {
    using world = venue.createWorld()
    const id = world.addFault({ type: 'reset_peer', phase: 'after', match: { method: 'POST' }, count: 1 })
    const placed = await world.client('trader').orders.create({ ...order, clientOrderId: 'mine' })
    expect(placed.orderId).toBe('ord_1')
    world.removeFault(id)
    expect(world.world.faults.rules).toEqual([])
    expect(() => world.addFault({ type: 'reset_per' })).toThrow('did you mean reset_peer?')
  })

  it('describes what cannot be done', () => {
    const world = venue.createWorld({ id: 'named' })
    expect(() => venue.createWorld({ id: 'named' })).toThrow(/^There is a world named already$/)
    expect(() => world.removeFault('lost')).toThrow(/^world named has no fault lost$/)
    world.removeFault()
    const untyped = (value: unknown) => Reflect.apply(world.restore, world, [value])
    expect(() => untyped({})).toThrow(/^restore takes what snapshot\(\) gives, found another object$/)
    expect(() => untyped(undefined)).toThrow(/^restore takes what snapshot\(\) gives, found undefined$/)
    world.delete()
  })

  it('prints briefly in a failing assertion', () => {
    expect(Object.keys(venue.world).toSorted()).toEqual(['id', 'url'])
    expect(JSON.parse(JSON.stringify(venue.world))).toEqual({
      id: 'default',
      seed: venue.world.seed,
      now: venue.world.now.toISOString(),
      url: venue.url,
    })
  })

  it('gives programs in other languages its address and keys', () => {
    using world = venue.createWorld({ id: 'python' })
    expect(world.environment('trader')).toEqual({
      OTC_BASE_URL: venue.url,
      OTC_API_KEY: 'simk_python_trader',
      OTC_API_SECRET: 'sims_python_trader',
      OTC_WORLD: 'python',
    })
    expect(() => world.environment('nobody')).toThrow('there are desk, trader, maker, viewer')
  })

  it('can be disposed', async () => {
    let url = ''
    {
      await using short = await startVenue({ scenario: quietScenario })
      url = short.url
    }
    await expect(fetch(url)).rejects.toThrow()
  })

  it('makes no worlds any more when it is closed', async () => {
    const short = await startVenue({ scenario: quietScenario })
    await short.close()
    expect(() => short.createWorld()).toThrow('the venue is closed')
  })

  it.each<[string, Parameters<typeof startVenue>[0], RegExp]>([
    ['scenario', { scenario: { version: 1, name: 'x' } }, /market/],
    ['reading', { scenario: quietScenario, readings: { envelop: 'bare' } }, /did you mean envelope/],
    ['file', { scenario: 'nowhere.yaml' }, /no scenario .* nowhere\.yaml.*ENOENT/],
    ['name', { scenario: 'flash-crush' }, /did you mean flash-crash/],
  ])('refuses a %s that does not exist', async (_name, options, reason) => {
    await expect(startVenue(options)).rejects.toThrow(reason)
  })
})
