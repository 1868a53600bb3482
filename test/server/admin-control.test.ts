import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { liquidScenario } from '../world/scenarios.ts'
import { signedHeaders } from './signed-request.ts'
import { type Reply, startFixture, type VenueFixture } from './venue-fixture.ts'

let venue: VenueFixture
let id = ''
let path = ''
beforeAll(async () => {
  venue = await startFixture()
})
afterAll(() => venue.server.close())
beforeEach(async () => {
  venue.wall.advance(1000)
  const { body } = await venue.admin('POST', '/worlds', { scenario: liquidScenario })
  id = typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : ''
  path = `/worlds/${id}`
})

const refusal = (status: number, text: string) => ({
  status,
  body: { statusCode: status, message: expect.stringContaining(text), error: expect.any(String) },
})
const keysOf = (account: string) => ({ apiKey: `simk_${id}_${account}`, apiSecret: `sims_${id}_${account}` })
const order = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 40_000 }
const place = (body: object = order, keys = keysOf('trader')): Promise<Reply> =>
  venue.send({ method: 'POST', target: '/api/sdk/orders', body: JSON.stringify(body), ...keys })

describe('accounts', () => {
  it('come with balances, limits, fees and keys', async () => {
    const form = {
      id: 'late',
      balances: { USD: 1000 },
      limits: { maxOrderValue: 500 },
      fees: { takerBps: 25 },
      keys: [{ key: 'k-late', secret: 's-late', scopes: ['READ', 'TRADE'] }, { scopes: ['READ'] }],
    }
    expect(await venue.admin('POST', `${path}/accounts`, form)).toMatchObject({
      status: 201,
      body: {
        id: 'late',
        keys: [
          { apiKey: 'k-late', apiSecret: 's-late', scopes: ['READ', 'TRADE'] },
          { apiKey: `simk_${id}_late`, apiSecret: `sims_${id}_late`, scopes: ['READ'] },
        ],
      },
    })
    const keys = { apiKey: 'k-late', apiSecret: 's-late' }
    expect((await place({ ...order, quantity: 0.012 }, keys)).status).toBe(201)
    expect((await place({ ...order, quantity: 0.013 }, keys)).status).toBe(422)
    expect(await venue.admin('POST', `${path}/accounts`, { id: 'late' })).toMatchObject(
      refusal(409, 'exists'),
    )
    expect(await venue.admin('POST', `${path}/accounts`, { ...form, id: 'other' })).toMatchObject(
      refusal(409, 'k-late belongs to world'),
    )
  })

  it.each([
    [{}, 'id'],
    [{ id: 'a', balence: {} }, 'balance'],
    [{ id: 'a', balances: { BTX: 1 } }, 'BTC'],
    [{ id: 'a', type: 'credit' }, 'type'],
    [{ id: 'a', limits: { maxOrdrValue: 1 } }, 'maxOrderValue'],
    [{ id: 'a', balances: { USD: 5e9 } }, 'worth about 5000 million USD'],
    [{ id: 'a', balances: { BTC: 1e6 } }, 'balances.BTC is more than'],
    [
      { id: 'a', balances: { BTC: 1000 }, positions: { BTC: { averageEntryPrice: 1e7 } } },
      'balances.BTC is more than',
    ],
  ])('are not made from %j', async (form, text) => {
    expect(await venue.admin('POST', `${path}/accounts`, form)).toMatchObject(refusal(400, text))
  })

  it('change only in what is given', async () => {
    const change = { limits: { maxOpenOrders: 1 }, fees: { takerBps: 30 }, type: 'margin' }
    expect(await venue.admin('PATCH', `${path}/accounts/trader`, change)).toMatchObject({
      status: 200,
      body: { id: 'trader', type: 'margin', fees: { makerBps: 0, takerBps: 30 } },
    })
    expect((await place()).status).toBe(201)
    expect(await place()).toMatchObject({ status: 422, body: { details: { type: 'RISK_LIMIT_EXCEEDED' } } })
    await venue.admin('PATCH', `${path}/accounts/trader`, { limits: { maxOpenOrders: 2 } })
    expect((await place({ ...order, quantity: 10 })).status).toBe(201)
  })

  it('do not become cash accounts while they owe', async () => {
    const account = `${path}/accounts/trader`
    await venue.admin('PATCH', account, { type: 'margin' })
    const held = await venue.send({ target: '/api/sdk/portfolio/balances/BTC', ...keysOf('trader') })
    const { body } = held
    const quantity = typeof body === 'object' && body !== null && 'available' in body ? body.available : 0
    await venue.admin('POST', `${account}/withdrawals`, { asset: 'BTC', quantity })
    expect((await place({ side: 'sell', asset: 'BTC', quantity: 0.1, orderType: 'market' })).status).toBe(201)
    const change = { type: 'cash', limits: { maxOpenOrders: 1 } }
    expect(await venue.admin('PATCH', account, change)).toMatchObject(refusal(409, 'owes'))
    expect((await venue.admin('PATCH', account, {})).body).toMatchObject({
      type: 'margin',
      limits: { maxOpenOrders: 100 },
    })
  })

  it.each([
    ['trader', { limit: {} }, 400, 'did you mean limits?'],
    ['trader', { limits: { maxOpenOrders: 'many' } }, 400, 'limits.maxOpenOrders'],
    ['trader', { type: 'credit' }, 400, 'type'],
    ['tradr', { type: 'margin' }, 404, 'did you mean trader?'],
  ])('%s does not change by %j', async (account, change, status, text) => {
    expect(await venue.admin('PATCH', `${path}/accounts/${account}`, change)).toMatchObject(
      refusal(status, text),
    )
  })
})

describe('keys', () => {
  it('are given and revoked', async () => {
    const given = await venue.admin('POST', `${path}/accounts/viewer/keys`, { scopes: ['READ', 'TRADE'] })
    const keys = { apiKey: `simk_${id}_viewer_2`, apiSecret: `sims_${id}_viewer_2` }
    expect(given).toMatchObject({ status: 201, body: { ...keys, scopes: ['READ', 'TRADE'] } })
    expect((await place(order, keys)).status).toBe(201)
    expect((await place(order, keysOf('viewer'))).status).toBe(403)
    expect((await venue.admin('DELETE', `${path}/keys/${keys.apiKey}`)).status).toBe(200)
    const unknown = await place(order, { ...keys, apiKey: 'simk_nobody' })
    const revoked = await place(order, keys)
    expect(revoked.status).toBe(401)
    expect(revoked.text).toBe(unknown.text)
    expect((await venue.admin('DELETE', `${path}/keys/${keys.apiKey}`)).status).toBe(200)
    expect((await venue.admin('DELETE', `${path}/keys/simk_nobody`)).status).toBe(404)
  })

  it.each([
    [{}, 400, 'scopes'],
    [{ scopes: ['TRAD'] }, 400, 'scopes'],
    [{ scopes: [], apiKey: 'simk_default_trader' }, 409, 'belongs to world default'],
  ])('are not given for %j', async (body, status, text) => {
    expect(await venue.admin('POST', `${path}/accounts/trader/keys`, body)).toMatchObject(
      refusal(status, text),
    )
  })
})

describe('liquidity', () => {
  const book = async () =>
    (await venue.send({ target: '/api/sdk/market-data/orderbook/BTC', ...keysOf('trader') })).body
  const price = async () =>
    (await venue.send({ target: '/api/sdk/market-data/prices/BTC', ...keysOf('trader') })).body

  it('widens, thins out, leaves one side, and comes back', async () => {
    const normal = await price()
    await venue.admin('PUT', `${path}/market/BTC/liquidity`, { spreadX: 10, forMs: 5000 })
    expect(await price()).not.toEqual(normal)
    await venue.admin('POST', `${path}/clock/advance`, { byMs: 5000 })
    expect(await price()).toMatchObject(withoutTime(normal))
    await venue.admin('PUT', `${path}/market/BTC/liquidity`, { oneSided: 'bids' })
    expect(await book()).toMatchObject({ asks: [] })
    expect(await venue.admin('PUT', `${path}/market/BTC/liquidity`, {})).toMatchObject({
      status: 200,
      body: { asset: 'BTC', spreadX: 1, depthX: 1, oneSided: null, stale: false, forMs: null },
    })
    expect(await price()).toMatchObject(withoutTime(normal))
  })

  const withoutTime = (body: unknown): object => {
    if (typeof body !== 'object' || body === null || !('bid' in body && 'ask' in body)) return {}
    return { bid: body.bid, ask: body.ask }
  }

  it.each([
    ['BTC', { spread: 2 }, 400, 'did you mean spreadX?'],
    ['BTC', { spreadX: -1 }, 400, 'spreadX'],
    ['BTC', { oneSided: 'both' }, 400, 'oneSided'],
    ['DOGE', {}, 404, 'DOGE'],
  ])('of %s is not set by %j', async (asset, body, status, text) => {
    expect(await venue.admin('PUT', `${path}/market/${asset}/liquidity`, body)).toMatchObject(
      refusal(status, text),
    )
  })
})

describe('pairs', () => {
  it('halt and resume, and change their bounds', async () => {
    const pair = `${path}/pairs/BTC-USD`
    expect(
      await venue.admin('PATCH', pair, { status: 'inactive', minQuantity: 0.01, maxQuantity: 2 }),
    ).toMatchObject({
      status: 200,
      body: { symbol: 'BTC-USD', status: 'inactive', minQuantity: 0.01, maxQuantity: 2 },
    })
    expect((await place()).status).toBe(400)
    expect((await venue.admin('PATCH', pair, { status: 'active' })).body).toMatchObject({
      status: 'active',
      maxQuantity: 2,
    })
    expect((await place()).status).toBe(201)
    expect((await place({ ...order, quantity: 3 })).status).toBe(400)
  })

  it.each([
    ['BTC-USD', { quantityStep: 1 }, 400, 'quantityStep is not a known field'],
    ['BTC-USD', { minQuantity: 0.00001 }, 400, 'minQuantity must be a multiple'],
    ['BTC-USD', { minQuantity: 5, maxQuantity: 1 }, 400, 'minQuantity must not be above'],
    ['BTC-UDS', { status: 'active' }, 404, 'did you mean BTC-USD?'],
    ['USD-USD', { status: 'active' }, 404, 'USD-USD'],
  ])('%s does not change by %j', async (symbol, body, status, text) => {
    expect(await venue.admin('PATCH', `${path}/pairs/${symbol}`, body)).toMatchObject(refusal(status, text))
  })
})

describe('forced transitions', () => {
  it('fill an order in part and then whole', async () => {
    await place()
    expect(await venue.admin('POST', `${path}/orders/ord_1/fill`, { quantity: 0.2 })).toMatchObject({
      status: 200,
      body: { orderId: 'ord_1', status: 'partially_filled', filledQuantity: 0.2, averagePrice: 40_000 },
    })
    expect((await venue.admin('POST', `${path}/orders/ord_1/fill`)).body).toMatchObject({ status: 'filled' })
    expect((await venue.admin('POST', `${path}/orders/ord_1/fill`)).status).toBe(409)
  })

  it.each(['reject', 'expire'])('%s an order once', async (transition) => {
    await place()
    const status = `${transition}${transition.endsWith('e') ? 'd' : 'ed'}`
    const reply = await venue.admin('POST', `${path}/orders/ord_1/${transition}`)
    expect(reply).toMatchObject({ status: 200, body: { orderId: 'ord_1', status } })
    expect((await venue.admin('POST', `${path}/orders/ord_1/${transition}`)).status).toBe(409)
  })

  it.each([
    ['ord_9/fill', {}, 404, 'order'],
    ['qt_1/fill', {}, 404, 'order'],
    ['ord_1/fill', { quantity: 5 }, 400, 'quantity'],
    ['ord_1/fill', { quantity: 0.00001 }, 400, 'quantity'],
    ['ord_1/fill', { price: 40_001 }, 400, 'price'],
    ['ord_1/fill', { amount: 1 }, 400, 'amount is not a known field'],
    ['ord_1/reject', { why: 'x' }, 400, 'why is not a known field'],
  ])('refuse %s with %j', async (target, body, status, text) => {
    await place()
    expect(await venue.admin('POST', `${path}/orders/${target}`, body)).toMatchObject(refusal(status, text))
  })
})

describe('forced transitions of quotes', () => {
  const maker = () => keysOf('maker')
  const quote = { asset: 'BTC', bidPrice: 40_000, askPrice: 60_000, bidSize: 0.5, askSize: 0.25 }
  beforeEach(async () => {
    await venue.send({ method: 'POST', target: '/api/sdk/quotes', body: JSON.stringify(quote), ...maker() })
  })

  it('fill one side, in part and whole, and then the rest', async () => {
    const fill = (body: object) => venue.admin('POST', `${path}/quotes/qt_1/fill`, body)
    expect(await fill({ side: 'buy', quantity: 0.2 })).toMatchObject({
      status: 200,
      body: { quoteId: 'qt_1', status: 'partially_filled', bidFilled: 0.2, askFilled: 0 },
    })
    expect((await fill({ side: 'sell' })).body).toMatchObject({ bidFilled: 0.2, askFilled: 0.25 })
    expect((await fill({ side: 'sell' })).status).toBe(409)
    expect((await fill({})).body).toMatchObject({ status: 'filled', bidFilled: 0.5, askFilled: 0.25 })
    expect((await fill({})).status).toBe(409)
  })

  it('expire one once', async () => {
    const expire = () => venue.admin('POST', `${path}/quotes/qt_1/expire`)
    expect(await expire()).toMatchObject({ status: 200, body: { quoteId: 'qt_1', status: 'expired' } })
    expect((await expire()).status).toBe(409)
  })

  it.each([
    ['qt_9/fill', {}, 404, 'quote'],
    ['qt_9/expire', {}, 404, 'quote'],
    ['ord_1/expire', {}, 404, 'quote'],
    ['qt_1/fill', { quantity: 0.1 }, 400, 'side is required'],
    ['qt_1/fill', { side: 'bid' }, 400, 'side'],
    ['qt_1/fill', { side: 'buy', price: 40_001 }, 400, 'price'],
    ['qt_1/fill', { side: 'buy', quantity: 0.6 }, 400, 'quantity'],
  ])('refuse %s with %j', async (target, body, status, text) => {
    expect(await venue.admin('POST', `${path}/quotes/${target}`, body)).toMatchObject(refusal(status, text))
  })
})

describe('rate limits', () => {
  it('are read, changed in part, switched off and reset', async () => {
    const limits = { enabled: true, marketData: 30, other: 10, windowMs: 1000 }
    expect((await venue.admin('GET', `${path}/rate-limits`)).body).toEqual(limits)
    expect((await venue.admin('PUT', `${path}/rate-limits`, { other: 1 })).body).toEqual({
      ...limits,
      other: 1,
    })
    expect((await place()).headers['x-ratelimit-limit']).toBe('1')
    expect((await place()).status).toBe(429)
    await venue.admin('POST', `${path}/rate-limits/reset`)
    expect((await place()).status).toBe(201)
    await venue.admin('PUT', `${path}/rate-limits`, { enabled: false })
    expect((await place()).status).toBe(201)
    expect(await venue.admin('PUT', `${path}/rate-limits`, { others: 1 })).toMatchObject(
      refusal(400, 'other'),
    )
  })
})

describe('the request log', () => {
  const requests = `requests`
  beforeEach(async () => {
    await place()
    await place({ ...order, quantity: 'x' })
    await venue.send({ target: '/api/sdk/orders/ord_1?x=1', ...keysOf('viewer') })
    await venue.send({ target: '/api/sdk/orders', ...keysOf('trader'), signature: 'x' })
  })

  it('lists what came, oldest first, and from a number on', async () => {
    const all = await venue.admin('GET', `${path}/${requests}`)
    expect(all.body).toMatchObject({
      requests: [
        { sequence: 1, method: 'POST', path: '/api/sdk/orders', account: 'trader', status: 201, type: null },
        { sequence: 2, status: 400 },
        { sequence: 3, path: '/api/sdk/orders/ord_1', query: '?x=1', account: 'viewer', status: 400 },
        { sequence: 4, account: null, key: `simk_${id}_trader`, status: 401, type: 'INVALID_SIGNATURE' },
      ],
    })
    const later = await venue.admin('GET', `${path}/${requests}?since=3`)
    expect(later.body).toMatchObject({ requests: [{ sequence: 4, hint: expect.any(String) }] })
    expect((await venue.admin('GET', `${path}/${requests}?since=x`)).status).toBe(400)
    await venue.admin('DELETE', `${path}/${requests}`)
    expect((await venue.admin('GET', `${path}/${requests}`)).body).toEqual({ requests: [] })
  })

  it.each([
    [{}, 4],
    [{ method: 'post' }, 2],
    [{ path: '/api/sdk/orders' }, 3],
    [{ path: '/api/sdk/orders/*' }, 1],
    [{ path: '/api/*/ord_1' }, 1],
    [{ path: '*' }, 4],
    [{ path: '*nothing*' }, 0],
    [{ status: 400 }, 2],
    [{ account: 'trader' }, 2],
    [{ type: 'INVALID_SIGNATURE' }, 1],
    [{ method: 'POST', status: 201 }, 1],
  ])('counts %j: %d', async (match, count) => {
    expect((await venue.admin('POST', `${path}/${requests}/count`, { match })).body).toEqual({ count })
    const { body } = await venue.admin('POST', `${path}/${requests}/find`, { match })
    expect(body).toHaveProperty('requests.length', count)
  })

  it.each([
    [{ exactly: 2 }, true],
    [{ exactly: 1 }, false],
    [{ atLeast: 2 }, true],
    [{ atLeast: 3 }, false],
    [{ atMost: 1 }, false],
    [{ atLeast: 1, atMost: 2 }, true],
  ])('verifies %j of two: %s', async (times, verified) => {
    const match = { method: 'POST' }
    const { body } = await venue.admin('POST', `${path}/${requests}/verify`, { match, times })
    expect(body).toMatchObject({ verified, matched: 2 })
  })

  it('names the nearest when nothing matched', async () => {
    const match = { method: 'DELETE', path: '/api/sdk/orders', status: 201 }
    const { body } = await venue.admin('POST', `${path}/${requests}/verify`, { match })
    expect(body).toMatchObject({
      verified: false,
      matched: 0,
      nearest: [{ sequence: 1, differs: ['method'] }, { differs: ['method', 'status'] }, expect.anything()],
    })
    expect(await venue.admin('POST', `${path}/${requests}/find`, { match: { verb: 'GET' } })).toMatchObject(
      refusal(400, 'match.verb'),
    )
  })

  it('explains a request without carrying it out', async () => {
    const before = await venue.admin('GET', `${path}/digest`)
    const explain = (body: object) => venue.admin('POST', `${path}/${requests}/explain`, body)
    expect((await explain({ method: 'GET', path: '/api/sdk/order' })).body).toMatchObject({
      step: 'route',
      passed: [],
      status: 404,
    })
    expect(
      (await explain({ method: 'GET', path: '/api/sdk/orders', headers: { 'X-API-Key': 'x' } })).body,
    ).toMatchObject({
      step: 'headers',
      passed: ['route'],
      status: 401,
      type: 'TIMESTAMP_EXPIRED',
    })
    const body = JSON.stringify(order)
    const sending = { method: 'POST', target: '/api/sdk/orders', body, ...keysOf('trader') }
    const headers = signedHeaders(sending, venue.wall.nowMillis())
    expect((await explain({ method: 'POST', path: '/api/sdk/orders', headers, body })).body).toMatchObject({
      world: id,
      step: 'operation',
      status: 201,
      body: { orderId: 'ord_2' },
    })
    expect(
      (await explain({ method: 'POST', path: '/api/sdk/orders', headers, body: order })).body,
    ).toMatchObject({
      status: 201,
    })
    expect((await venue.admin('GET', `${path}/digest`)).body).toEqual(before.body)
    expect((await venue.admin('GET', `${path}/${requests}`)).body).toHaveProperty('requests.length', 4)
  })
})

it('tells whoever serves to end, after the answer', async () => {
  let stopped = 0
  const ending = await startFixture({
    onShutdown: () => {
      stopped += 1
    },
  })
  expect((await ending.admin('POST', '/shutdown')).body).toEqual({ status: 'stopping' })
  expect(stopped).toBe(1)
  await ending.server.close()
})

it('does not serve beyond this machine without a token', async () => {
  await expect(startFixture({ host: '0.0.0.0' })).rejects.toThrow(RangeError)
})
