import { describe, expect, it } from 'vitest'
import { liquidScenario, quietScenario } from '../../world/scenarios.ts'
import { type Reply, startFixture, useVenue } from '../venue-fixture.ts'
import { refusal } from './admin-world.ts'

const venue = useVenue()

const freshWorld = async (more: object = {}): Promise<string> => {
  const { body } = await venue.admin('POST', '/worlds', more)
  return idIn(body)
}

const idIn = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : ''

const keysOf = (id: string, account = 'trader') => ({
  apiKey: `simk_${id}_${account}`,
  apiSecret: `sims_${id}_${account}`,
})

const buy = '{"side":"buy","asset":"BTC","quantity":0.5,"price":50000,"clientOrderId":"mine"}'

const placeOrder = (id: string, account = 'trader', body = buy) =>
  venue.send({ method: 'POST', target: '/api/sdk/orders', body, ...keysOf(id, account) })

describe('worlds', () => {
  it('can be created, read, listed and deleted', async () => {
    const made = await venue.admin('POST', '/worlds', {
      id: 'mine',
      scenario: 'quiet',
      seed: 9,
      clock: { mode: 'auto', stepMs: 50 },
      readings: { createdStatus: 200, envelope: 'wrapped' },
    })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: 'mine',
      seed: '9',
      scenario: 'quiet',
      now: '2026-01-05T00:00:00.000Z',
      clock: { mode: 'auto', speed: 1, stepMs: 50, maxMs: 86_400_000 },
      readings: expect.objectContaining({ createdStatus: '200', envelope: 'wrapped' }),
      parent: null,
      digest: expect.stringMatching(/^[0-9a-f]{32}$/),
      accounts: [
        { id: 'desk', keys: [{ ...keysOf('mine', 'desk'), scopes: ['READ', 'TRADE', 'MARKET_MAKING'] }] },
        { id: 'trader', keys: [{ ...keysOf('mine', 'trader'), scopes: ['READ', 'TRADE'] }] },
        { id: 'maker', keys: [{ ...keysOf('mine', 'maker'), scopes: ['READ', 'MARKET_MAKING'] }] },
        { id: 'viewer', keys: [{ ...keysOf('mine', 'viewer'), scopes: ['READ'] }] },
      ],
    })
    expect((await venue.admin('GET', '/worlds/mine')).body).toEqual(made.body)
    const order = await placeOrder('mine')
    expect(order).toMatchObject({ status: 200, headers: { 'x-sim-world': 'mine' } })
    expect(order.body).toMatchObject({ data: { createdAt: '2026-01-05T00:00:00.050Z' } })
    expect((await venue.admin('GET', '/worlds')).body).toMatchObject({
      worlds: [{ id: 'default' }, { id: 'mine' }],
    })
    expect(await venue.admin('DELETE', '/worlds/mine')).toMatchObject({ status: 200, body: { id: 'mine' } })
    expect((await venue.admin('GET', '/worlds/mine')).status).toBe(404)
    expect((await placeOrder('mine')).status).toBe(401)
  })

  it('are listed by pages where a page is asked for, in the order in which they were made', async () => {
    const made: string[] = []
    for (let n = 0; n < 5; n += 1) made.push(await freshWorld({}))
    const idsOf = ({ body }: Reply) => Object(body).worlds.map(({ id }: { id: string }) => id)
    const whole = await venue.admin('GET', '/worlds')
    expect(whole.body).not.toHaveProperty('next')
    const read: string[] = []
    for (let query = '?limit=2'; query !== ''; ) {
      const reply = await venue.admin('GET', `/worlds${query}`)
      expect(idsOf(reply).length).toBeLessThanOrEqual(2)
      read.push(...idsOf(reply))
      const { next } = Object(reply.body)
      query = next === null ? '' : `?limit=2&after=${next}`
    }
    expect(read).toEqual(idsOf(whole))
    expect(read.slice(-5)).toEqual(made)
    expect(idsOf(await venue.admin('GET', `/worlds?after=${made[2]}`))).toEqual(made.slice(3))
    expect((await venue.admin('GET', `/worlds?after=${made[4]}`)).body).toEqual({ worlds: [], next: null })
  })

  it.each([
    ['limit=0', 400],
    ['limit=1001', 400],
    ['limit=02', 400],
    ['limit=two', 400],
    ['after=nobody', 404],
  ])('refuse a page by %s: %d', async (query, status) => {
    expect((await venue.admin('GET', `/worlds?${query}`)).status).toBe(status)
  })

  it('accept a scenario as an object', async () => {
    const id = await freshWorld({ scenario: liquidScenario })
    const { body } = await venue.send({ target: '/api/sdk/market-data/prices/BTC', ...keysOf(id) })
    expect(body).toMatchObject({ asset: 'BTC', mid: 50_000 })
  })

  it.each([
    [{ sed: '1' }, 400, 'did you mean seed?'],
    [{ scenario: 'quit' }, 400, 'did you mean quiet?'],
    [{ scenario: '../../etc/passwd' }, 400, 'shipped scenario'],
    [{ scenario: { ...quietScenario, acounts: [] } }, 400, 'did you mean accounts?'],
    [{ scenario: { ...quietScenario, market: { assets: {} } } }, 400, 'scenario'],
    [{ scenario: [] }, 400, 'scenario'],
    [{ scenario: { ...quietScenario, accounts: [{ id: 'a', balances: { BTC: 1e6 } }] } }, 400, 'scenario'],
    [{ readings: { envelop: 'wrapped' } }, 400, 'did you mean envelope?'],
    [{ readings: { envelope: 'wraped' } }, 400, 'did you mean wrapped?'],
    [{ clock: { mode: 'frozen' } }, 400, 'clock.mode must be one of'],
    [{ clock: { speed: 0 } }, 400, 'clock.speed'],
    [{ id: 'a/b' }, 400, 'id must be up to 64 letters, digits'],
    [{ id: '' }, 400, 'id'],
    [{ ttlMs: 0 }, 400, 'ttlMs'],
    [{ id: 'default' }, 409, 'There is a world default'],
  ])('are not made from %j', async (body, status, text) => {
    expect(await venue.admin('POST', '/worlds', body)).toMatchObject(refusal(status, text))
  })

  it('have the readings of the process unless they ask for others', async () => {
    const wrapping = await startFixture({ readings: { envelope: 'wrapped', nulls: 'omitted' } })
    const made = await wrapping.admin('POST', '/worlds', { readings: { nulls: 'explicit' } })
    expect(made.body).toMatchObject({ readings: { envelope: 'wrapped', nulls: 'explicit' } })
    await wrapping.server.close()
  })

  it('that do not exist are 404 with the nearest name', async () => {
    expect(await venue.admin('GET', '/worlds/defualt')).toMatchObject(refusal(404, 'did you mean default?'))
  })

  it('cannot be deleted when they are the default one', async () => {
    expect((await venue.admin('DELETE', '/worlds/default')).status).toBe(409)
  })

  it('can be reset', async () => {
    const id = await freshWorld()
    const start = await venue.admin('GET', `/worlds/${id}/digest`)
    expect(start.body).toEqual({
      digest: expect.any(String),
      sequence: 0,
      now: '2026-01-05T00:00:00.000Z',
    })
    await placeOrder(id)
    await venue.admin('POST', `/worlds/${id}/clock/advance`, { byMs: 1000 })
    expect((await venue.admin('GET', `/worlds/${id}/digest`)).body).not.toEqual(start.body)
    expect((await venue.admin('POST', `/worlds/${id}/reset`)).status).toBe(200)
    expect((await venue.admin('GET', `/worlds/${id}/digest`)).body).toMatchObject({ digest: digestIn(start) })
    const seeded = await venue.admin('POST', `/worlds/${id}/reset`, { seed: 'other' })
    expect(seeded.body).toMatchObject({ seed: 'other' })
    expect((await placeOrder(id)).status).toBe(201)
  })

  it('that are many are listed in pieces, in the order in which they were made, each once', async () => {
    const { worlds, server, admin } = await startFixture()
    const { scenario } = worlds.default
    for (let count = 1; count <= 45; count += 1) worlds.create(scenario, { renamesKeys: true })
    const { body } = await admin('GET', '/worlds')
    const views = [Reflect.get(Object(body), 'worlds')].flat()
    expect(views.map((view) => Reflect.get(Object(view), 'id'))).toEqual(worlds.list().map(({ id }) => id))
    await server.close()
  })

  it('have readings that change from the next request on, only those that are named', async () => {
    const id = await freshWorld({ scenario: liquidScenario, readings: { nulls: 'omitted' } })
    const reply = await venue.admin('PUT', `/worlds/${id}/readings`, { envelope: 'wrapped' })
    expect(reply.body).toMatchObject({ readings: { envelope: 'wrapped', nulls: 'omitted' } })
    expect((await placeOrder(id)).body).toHaveProperty('data.orderId')
    expect((await venue.admin('PUT', `/worlds/${id}/readings`, { envelop: 'bare' })).text).toContain(
      'envelope',
    )
  })
})

const digestIn = ({ body }: Reply): unknown =>
  typeof body === 'object' && body !== null && 'digest' in body ? body.digest : null
