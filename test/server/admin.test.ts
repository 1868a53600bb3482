import { describe, expect, it } from 'vitest'
import { liquidScenario, quietScenario } from '../world/scenarios.ts'
import { refusal } from './admin-world.ts'
import { ask, type Reply, startFixture, useVenue } from './venue-fixture.ts'

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

describe('information', () => {
  it('is served without keys and without limits', async () => {
    for (let asked = 0; asked < 40; asked += 1) {
      expect((await venue.admin('GET', '/health')).body).toEqual({ status: 'ok' })
    }
    const { body, headers } = await venue.admin('GET', '/info')
    expect(body).toMatchObject({ name: 'otcsim', seed: '7', scenario: 'quiet', scenarios: ['quiet'] })
    expect(body).toHaveProperty('url', venue.server.url)
    expect(headers['x-ratelimit-limit']).toBeUndefined()
  })

  it('names every reading with its values and its reason', async () => {
    const { body } = await venue.admin('GET', '/readings')
    expect(body).toMatchObject({
      readings: expect.arrayContaining([
        expect.objectContaining({ key: 'envelope', default: 'bare', alternatives: ['wrapped'] }),
      ]),
    })
  })

  it.each([
    ['GET', '/nothing', 404],
    ['GET', '/health/', 404],
    ['GET', '/Health', 404],
    ['GET', '', 404],
    ['DELETE', '/health', 405],
  ])('%s %s is %d', async (method, path, status) => {
    expect((await venue.admin(method, path)).status).toBe(status)
  })

  it('lists the methods of a path when it refuses one', async () => {
    const { headers } = await venue.admin('DELETE', '/worlds')
    expect(String(headers['allow']).split(', ').sort()).toEqual(['GET', 'HEAD', 'POST'])
  })
})

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
      clock: { mode: 'auto', speed: 1, stepMs: 50 },
      readings: expect.objectContaining({ createdStatus: '200', envelope: 'wrapped' }),
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
})

const digestIn = ({ body }: Reply): unknown =>
  typeof body === 'object' && body !== null && 'digest' in body ? body.digest : null

describe('money', () => {
  const balance = async (id: string, asset: string) =>
    (await venue.send({ target: `/api/sdk/portfolio/balances/${asset}`, ...keysOf(id) })).body

  it('can be deposited and withdrawn', async () => {
    const id = await freshWorld()
    const path = `/worlds/${id}/accounts/trader`
    expect(await venue.admin('POST', `${path}/deposits`, { asset: 'BTC', quantity: 0.25 })).toMatchObject({
      status: 201,
      body: { account: 'trader', asset: 'BTC', quantity: 0.25, status: 'settled' },
    })
    expect(
      await venue.admin('POST', `${path}/withdrawals`, { asset: 'USD', quantity: 10, pendingMs: 500 }),
    ).toMatchObject({
      status: 201,
      body: { status: 'pending', settlesAt: '2026-01-05T00:00:00.500Z' },
    })
  })

  it.each([
    ['deposits', 'trader', { asset: 'BTX', quantity: 1 }, 400, 'did you mean BTC?'],
    ['deposits', 'trader', { asset: 'BTC', quantity: 0 }, 400, 'quantity'],
    ['deposits', 'trader', { asset: 'BTC', quantity: 0.123456789 }, 400, 'at most 8 decimals'],
    ['deposits', 'trader', { asset: 'USD', amount: 1, quantity: 1 }, 400, 'amount is not a known field'],
    ['deposits', 'trader', { asset: 'USD', quantity: 9e14 }, 400, 'quantity'],
    ['deposits', 'tradr', { asset: 'USD', quantity: 1 }, 404, 'did you mean trader?'],
    ['withdrawals', 'trader', { asset: 'USD', quantity: 999_999_999 }, 409, 'available'],
  ])('%s of %s refuse %j', async (kind, account, body, status, text) => {
    const reply = await venue.admin('POST', `/worlds/default/accounts/${account}/${kind}`, body)
    expect(reply).toMatchObject(refusal(status, text))
  })

  it('has a price that can be set, at once or over a period', async () => {
    const id = await freshWorld()
    const path = `/worlds/${id}/market/BTC/price`
    expect(await venue.admin('POST', path, { mid: 60_000 })).toMatchObject({
      status: 200,
      body: { mark: 60_000 },
    })
    expect((await venue.admin('POST', path, { percent: -10 })).body).toMatchObject({ mark: 54_000 })
    const slow = await venue.admin('POST', path, { mid: 58_000, overMs: 10_000 })
    expect(slow.body).toMatchObject({ mark: 54_000, target: 58_000, reachedAt: '2026-01-05T00:00:10.000Z' })
    await venue.admin('POST', `/worlds/${id}/clock/advance`, { byMs: 10_000 })
    const prices = await venue.send({ target: '/api/sdk/market-data/prices/BTC', ...keysOf(id) })
    expect(prices.body).toMatchObject({ mid: 58_000 })
  })

  it.each([
    ['BTC', {}, 400, 'one of mid and percent'],
    ['BTC', { mid: 1, percent: 1 }, 400, 'one of mid and percent'],
    ['BTC', { mid: 50_000.001 }, 400, 'multiple of 0.01'],
    ['BTC', { mid: -1 }, 400, 'mid'],
    ['USD', { mid: 1 }, 404, 'traded asset USD'],
    ['ETHH', { mid: 1 }, 404, 'did you mean ETH?'],
  ])('has no price of %s like %j', async (asset, body, status, text) => {
    expect(await venue.admin('POST', `/worlds/default/market/${asset}/price`, body)).toMatchObject(
      refusal(status, text),
    )
  })

  it('is not changed by refused requests', async () => {
    const before = await balance('default', 'USD')
    await venue.admin('POST', '/worlds/default/accounts/trader/withdrawals', { asset: 'USD', quantity: 1e9 })
    expect(await balance('default', 'USD')).toEqual(before)
  })
})

describe('callers', () => {
  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another origin', { origin: 'https://evil.example' }, 403],
    ['a re-bound name', { host: 'evil.example' }, 403],
    ['our own page', { origin: 'http://localhost:1234', host: 'localhost:1234' }, 200],
  ])('from %s', async (_name, headers, status) => {
    expect((await venue.admin('GET', '/health', undefined, headers)).status).toBe(status)
  })

  it('must send JSON as JSON', async () => {
    const simple = { 'content-type': 'text/plain' }
    expect((await venue.admin('POST', '/worlds/default/reset', {}, simple)).status).toBe(415)
  })

  it('must send the token when there is one, on the port of the admin API', async () => {
    const closed = await startFixture({ adminToken: 's3cret', adminPort: 0 })
    const bearer = { authorization: 'Bearer s3cret' }
    const refusal = await closed.admin('GET', '/health')
    expect(refusal.status).toBe(401)
    expect(refusal.headers['www-authenticate']).toBe('Bearer')
    expect((await closed.admin('GET', '/health', undefined, bearer)).status).toBe(200)
    expect((await ask(closed.server.port, 'GET', '/__admin/health', '', bearer)).status).toBe(404)
    await closed.server.close()
  })
})
