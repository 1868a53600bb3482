import { beforeEach, describe, expect, it } from 'vitest'
import { createVenueClient } from '../../src/client/create-venue-client.ts'
import { type Reply, useVenue } from '../server/venue-fixture.ts'
import { addFault, list, order, place } from './fault-rules.ts'

const venue = useVenue()

beforeEach(async () => {
  await venue.admin('POST', '/worlds/default/reset')
  venue.wall.advance(2000)
})

const add = (rule: object) => addFault(venue, rule)

const placedOrders = async () => {
  await venue.admin('DELETE', '/worlds/default/faults')
  const { body } = await venue.send(list)
  return body
}

describe('the order landed but the answer was lost', () => {
  it.each(['reset_peer', 'EMPTY_RESPONSE', 'RANDOM_DATA_THEN_CLOSE', 'CONNECTION_RESET_BY_PEER'])(
    '%s after the operation',
    async (type) => {
      await add({ type, phase: 'after', match: { method: 'POST', path: '/api/sdk/orders' }, count: 1 })
      await expect(venue.send(place({ clientOrderId: 'mine' }))).rejects.toThrow()
      expect(await placedOrders()).toMatchObject({ orders: [{ clientOrderId: 'mine' }] })
    },
  )

  it.each(['reset_peer', 'EMPTY_RESPONSE', 'MALFORMED_RESPONSE_CHUNK', 'RANDOM_DATA_THEN_CLOSE'])(
    '%s before it: the order did not land',
    async (type) => {
      await add({ type, match: { method: 'POST' }, count: 1 })
      await expect(venue.send(place())).rejects.toThrow()
      expect(await placedOrders()).toMatchObject({ orders: [] })
    },
  )

  it('is found again by a careful client', async () => {
    await add({ type: 'reset_peer', phase: 'after', match: { method: 'POST' }, count: 1 })
    const key = { apiKey: 'simk_default_trader', apiSecret: 'sims_default_trader' }
    const clock = { nowMillis: () => venue.wall.nowMillis(), sleep: async () => undefined }
    const client = createVenueClient({ baseUrl: venue.server.url, ...key, clock })
    const placed = await client.orders.create({ ...order, side: 'buy', clientOrderId: 'mine' })
    expect(placed.orderId).toBe('ord_1')
    expect(await placedOrders()).toMatchObject({ pagination: { total: 1 } })
  })

  it('is recorded in the log and counted by the rule', async () => {
    await add({ id: 'lost', type: 'reset_peer', phase: 'after', match: { method: 'POST' } })
    await venue.send(place()).catch(() => undefined)
    const logged = await venue.admin('POST', '/worlds/default/requests/find', { match: { method: 'POST' } })
    expect(logged.body).toMatchObject({ requests: [{ status: 201, fault: 'lost reset_peer' }] })
    const rule = await venue.admin('GET', '/worlds/default/faults/lost')
    expect(rule.body).toMatchObject({ id: 'lost', matched: 1, fired: 1, phase: 'after' })
  })
})

describe('answers in place of the venue', () => {
  it('are errors in the venue’s shape', async () => {
    await add({ type: 'http_error', attributes: { status: 503, retryAfter: 7 }, count: 1 })
    const reply = await venue.send(place())
    expect(reply).toMatchObject({
      status: 503,
      body: { statusCode: 503, message: 'Service Unavailable', error: 'Service Unavailable', details: {} },
    })
    expect(reply.headers['retry-after']).toBe('7')
    expect(reply.headers['x-sim-fault']).toBe('flt_1 http_error')
    expect(await placedOrders()).toMatchObject({ orders: [] })
  })

  it('have the requested type where the reading puts it', async () => {
    await add({ type: 'http_error', attributes: { status: 422, type: 'RISK_LIMIT_EXCEEDED' } })
    expect((await venue.send(place())).body).toMatchObject({
      statusCode: 422,
      details: { type: 'RISK_LIMIT_EXCEEDED' },
    })
    const headers = { prefer: 'reading.error.typeField=code' }
    expect((await venue.send({ ...place(), headers })).body).toMatchObject({ code: 'RISK_LIMIT_EXCEEDED' })
  })

  it.each([
    [429, 'RATE_LIMIT_EXCEEDED'],
    [403, 'INSUFFICIENT_SCOPE'],
  ])('have the only type that the venue gives to %i', async (status, type) => {
    await add({ type: 'http_error', attributes: { status } })
    expect(await venue.send(place())).toMatchObject({ status, body: { details: { type } } })
  })

  it('may be sent after the order landed', async () => {
    await add({ type: 'http_error', phase: 'after', attributes: { status: 500 }, count: 1 })
    expect((await venue.send(place())).status).toBe(500)
    expect(await placedOrders()).toMatchObject({ orders: [{ orderId: 'ord_1' }] })
  })

  it('say that the limit is reached, without counting', async () => {
    await add({ type: 'rate_limit', attributes: { retryAfter: 1 }, count: 1 })
    const limited = await venue.send(list)
    expect(limited).toMatchObject({ status: 429, body: { details: { type: 'RATE_LIMIT_EXCEEDED' } } })
    expect(limited.headers['x-ratelimit-remaining']).toBe('0')
    expect((await venue.send(list)).headers['x-ratelimit-remaining']).toBe('9')
  })

  it('have the status and the form of their message that the readings ask for', async () => {
    await add({ type: 'auth_expired', count: 1 })
    const expired = { prefer: 'reading.auth.timestampStatus=400' }
    expect(await venue.send({ ...list, headers: expired })).toMatchObject({
      status: 400,
      body: { statusCode: 400, details: { type: 'TIMESTAMP_EXPIRED' } },
    })
    for (const [status, message] of [
      [400, [expect.any(String)]],
      [401, expect.any(String)],
    ] as const) {
      await add({ type: 'http_error', attributes: { status, type: 'INVALID_SIGNATURE' }, count: 1 })
      const listed = { prefer: 'reading.error.message=list, reading.auth.signatureStatus=400' }
      expect(await venue.send({ ...list, headers: listed })).toMatchObject({ status, body: { message } })
    }
  })

  it('may expire a key, or not be JSON at all', async () => {
    await add({ type: 'auth_expired', count: 1 })
    expect(await venue.send(list)).toMatchObject({
      status: 401,
      body: { details: { type: 'TIMESTAMP_EXPIRED' } },
    })
    await add({ type: 'html_502', count: 1 })
    await expect(venue.send(list)).rejects.toThrow(SyntaxError)
    await add({ type: 'truncated_json', count: 1 })
    await expect(venue.send(list)).rejects.toThrow(SyntaxError)
    await add({ type: 'wrong_content_type', count: 1 })
    expect((await venue.send(list)).headers['content-type']).toBe('text/html')
  })
})

describe('a rule for an asset', () => {
  it('strikes changes to its quotes, one by one or in a list', async () => {
    const terms = { asset: 'BTC', bidPrice: 40_000, askPrice: 60_000, bidSize: 1, askSize: 1 }
    await venue.send({ method: 'POST', target: '/api/sdk/quotes', body: JSON.stringify(terms), ...desk })
    await add({ type: 'http_error', attributes: { status: 503 }, match: { asset: 'BTC' } })
    const change = (target: string, body: object) =>
      venue.send({ method: 'PATCH', target, body: JSON.stringify(body), ...desk })
    const one = await change('/api/sdk/quotes/qt_1', { bidPrice: 41_000 })
    const several = await change('/api/sdk/quotes/batch/update', [{ quoteId: 'qt_1', bidPrice: 41_000 }])
    expect([one.status, several.status]).toEqual([503, 503])
  })

  it('strikes its orders, by either id', async () => {
    await venue.send(place({ clientOrderId: 'mine' }))
    await add({ type: 'http_error', attributes: { status: 503 }, match: { asset: 'BTC', side: 'buy' } })
    const read = async (path: string) => (await venue.send({ target: `/api/sdk/orders/${path}` })).status
    expect(await read('ord_1')).toBe(503)
    expect(await read('by-client-id?clientOrderId=mine')).toBe(503)
    expect(await read('by-client-id?clientOrderId=another')).toBe(404)
  })
})

describe('faults of the venue', () => {
  it('fill an order a moment before it is cancelled', async () => {
    await venue.send(place())
    await add({ type: 'fill_before_cancel', count: 1 })
    const cancelled = await venue.send({ method: 'DELETE', target: '/api/sdk/orders/ord_1' })
    expect(cancelled.status).toBe(409)
    expect((await venue.send({ target: '/api/sdk/orders/ord_1' })).body).toMatchObject({
      status: 'filled',
      filledQuantity: 0.5,
    })
  })

  it('wait for a request that they can do something to', async () => {
    await add({ id: 'race', type: 'fill_before_cancel', count: 1 })
    await add({ id: 'lag', type: 'balance_lag', attributes: { delayMs: 1000 }, skip: 1 })
    await venue.send(place())
    await venue.send(list)
    const cancelled = await venue.send({ method: 'DELETE', target: '/api/sdk/orders/ord_1' })
    expect(cancelled.status).toBe(409)
    const { body } = await venue.admin('GET', '/worlds/default/faults')
    expect(body).toMatchObject({
      faults: [
        { id: 'race', matched: 1, fired: 1 },
        { id: 'lag', matched: 0, fired: 0 },
      ],
    })
  })

  it('fill late', async () => {
    await venue.send({ ...place({ side: 'sell' }), ...desk })
    await add({ type: 'delayed_fill', attributes: { delayMs: 5000 }, count: 1 })
    await venue.send(place())
    expect((await venue.send({ target: '/api/sdk/orders/ord_2' })).body).toMatchObject({ status: 'open' })
    await venue.admin('POST', '/worlds/default/clock/advance', { byMs: 4999 })
    expect((await venue.send({ target: '/api/sdk/orders/ord_2' })).body).toMatchObject({ status: 'open' })
    await venue.admin('POST', '/worlds/default/clock/advance', { byMs: 1 })
    expect((await venue.send({ target: '/api/sdk/orders/ord_2' })).body).toMatchObject({ status: 'filled' })
  })

  it('fill a part and then stall', async () => {
    await venue.send({ ...place({ side: 'sell' }), ...desk })
    await add({ type: 'partial_then_stall', attributes: { share: 0.2, delayMs: 5000 }, count: 1 })
    await venue.send(place())
    expect((await venue.send({ target: '/api/sdk/orders/ord_2' })).body).toMatchObject({
      status: 'partially_filled',
      filledQuantity: 0.1,
    })
    await venue.admin('POST', '/worlds/default/clock/advance', { byMs: 5000 })
    expect((await venue.send({ target: '/api/sdk/orders/ord_2' })).body).toMatchObject({ status: 'filled' })
  })

  it('show prices and balances as they were', async () => {
    const price = async () => (await venue.send({ target: '/api/sdk/market-data/prices/BTC' })).body
    const locked = async () => (await venue.send({ target: '/api/sdk/portfolio/balances/USD' })).body
    await add({ type: 'stale_market_data', attributes: { delayMs: 10_000 } })
    await add({ type: 'balance_lag', attributes: { delayMs: 3000 } })
    await venue.admin('POST', '/worlds/default/market/BTC/price', { percent: 2 })
    await venue.send(place())
    expect(await price()).toMatchObject({ mid: 50_000 })
    expect(await locked()).toMatchObject({ locked: 0 })
    await venue.admin('POST', '/worlds/default/clock/advance', { byMs: 3000 })
    expect(await price()).toMatchObject({ mid: 50_000 })
    expect(await locked()).toMatchObject({ locked: 25_025 })
    await venue.admin('POST', '/worlds/default/clock/advance', { byMs: 7000 })
    expect(await price()).toMatchObject({ ask: 51_000 })
  })

  it('check timestamps against a wrong clock', async () => {
    await add({ type: 'clock_skew', attributes: { skewMs: 31_000 }, count: 1 })
    expect(await venue.send(list)).toMatchObject({
      status: 401,
      body: { details: { type: 'TIMESTAMP_EXPIRED' } },
    })
    expect((await venue.send(list)).status).toBe(200)
  })
})

describe('a skewed clock', () => {
  const skewMs = 45_000
  const skew = () => add({ type: 'clock_skew', attributes: { skewMs } })
  const dateOf = ({ headers }: Reply) => Date.parse(String(headers['date']))

  it('is told by Date, so that a client which follows it gets in', async () => {
    await skew()
    const refused = await venue.send(list)
    expect(refused.status).toBe(401)
    expect(dateOf(refused)).toBe(Math.floor((venue.wall.nowMillis() + skewMs) / 1000) * 1000)
    expect((await venue.send({ ...list, timestamp: dateOf(refused) })).status).toBe(200)
  })

  it('tells resets of rate limits by its own time', async () => {
    const reset = ({ headers }: Reply) => Number(headers['x-ratelimit-reset'])
    const before = reset(await venue.send(list))
    await skew()
    expect(reset(await venue.send(list))).toBe(before + skewMs / 1000)
  })

  it('is the world’s where timestamps are compared with that', async () => {
    venue.worlds.default.setReadings({ ...venue.worlds.default.readings, 'auth.clock': 'world' })
    const reply = await venue.send({ ...list, timestamp: venue.worlds.default.now })
    venue.worlds.default.setReadings({ ...venue.worlds.default.readings, 'auth.clock': 'wall' })
    expect([reply.status, dateOf(reply)]).toEqual([200, Math.floor(venue.worlds.default.now / 1000) * 1000])
  })
})

describe('which requests a rule matches', () => {
  it.each<[string, object, number[]]>([
    ['method', { method: 'post' }, [500, 500, 200, 200]],
    ['path', { path: '/api/sdk/market-data/*' }, [201, 201, 200, 500]],
    ['key', { key: 'simk_default_desk' }, [201, 500, 200, 200]],
    ['account', { account: 'trader' }, [500, 201, 500, 500]],
    ['asset', { asset: 'ETH' }, [201, 500, 200, 200]],
    ['asset of an order, and of a path', { asset: 'BTC' }, [500, 201, 200, 500]],
    ['side', { side: 'sell' }, [201, 500, 200, 200]],
    ['number', { nth: 2 }, [201, 500, 200, 200]],
    ['a field of the body', { body: { price: 2500 } }, [201, 500, 200, 200]],
    ['fields of the body', { body: { asset: 'BTC', side: 'buy' } }, [500, 201, 200, 200]],
    ['fields that no body has together', { body: { asset: 'BTC', side: 'sell' } }, [201, 201, 200, 200]],
  ])('by %s', async (_name, match, expected) => {
    await add({ type: 'http_error', attributes: { status: 500 }, match })
    const sent = [
      place(),
      { ...place({ side: 'sell', asset: 'ETH', price: 2500 }), ...desk },
      list,
      { target: '/api/sdk/market-data/prices/BTC' },
    ]
    const statuses: number[] = []
    for (const sending of sent) statuses.push((await venue.send(sending)).status)
    expect(statuses).toEqual(expected)
  })

  it('include those for an order of the asset, named by a path or a batch', async () => {
    await venue.send(place())
    await add({ type: 'http_error', attributes: { status: 500 }, match: { asset: 'BTC', method: 'DELETE' } })
    expect((await venue.send({ method: 'DELETE', target: '/api/sdk/orders/ord_1' })).status).toBe(500)
    await add({ type: 'http_error', attributes: { status: 502 }, match: { path: '*/batch', side: 'sell' } })
    const orders = [order, { ...order, side: 'sell' }]
    const batch = { method: 'POST', target: '/api/sdk/orders/batch', body: JSON.stringify({ orders }) }
    expect((await venue.send(batch)).status).toBe(502)
  })
})

describe('the Prefer header of a request', () => {
  const preferring = (prefer: string) => venue.send({ ...list, headers: { prefer } })

  it.each<[string, number]>([
    ['fault=http_error;status=503', 503],
    ['fault=http_error; status=503; phase=after', 503],
    ['code=429', 429],
    ['fault=rate_limit, reading.envelope=wrapped', 429],
  ])('asks for %s', async (prefer, status) => {
    const reply = await preferring(prefer)
    expect(reply.status).toBe(status)
    expect(reply.headers['preference-applied']).toContain(prefer.split(',')[0])
    expect((await venue.send(list)).status).toBe(200)
  })

  it.each<[string, number, number, string | undefined]>([
    ['code=503, delay=40', 503, 40, 'code=503, delay=40'],
    ['delay=40, code=503', 503, 40, 'delay=40, code=503'],
    ['code=503; delay=40', 503, 40, 'code=503, delay=40'],
    ['delay=40;phase=after', 200, 40, 'delay=40;phase=after'],
    ['code=503;phase=after', 503, 0, 'code=503;phase=after'],
    ['code=503;colour=red', 503, 0, 'code=503'],
    ['delay=40;phase=after, code=503', 503, 0, 'code=503'],
    ['code=503, code=504', 503, 0, 'code=503'],
    ['code=503, fault=http_error;status=504', 503, 0, 'code=503'],
    ['fault=reordered_list, code=503', 503, 0, 'code=503'],
    ['fault="http_error";status=504, delay=40', 504, 40, 'fault="http_error";status=504, delay=40'],
    ['other="a, code=503; \\", delay=40"', 200, 0, undefined],
    ['fault=fill_before_cancel', 200, 0, undefined],
    ['respond-async, constructor=1', 200, 0, undefined],
  ])('is told as applied where it is, and only there: %s', async (prefer, status, delayMillis, applied) => {
    const begun = performance.now()
    const reply = await preferring(prefer)
    expect([reply.status, reply.headers['preference-applied']]).toEqual([status, applied])
    expect(performance.now() - begun).toBeGreaterThanOrEqual(delayMillis - 2)
  })

  it('is not told as applied beside a rule that answers first', async () => {
    await add({ type: 'http_error', attributes: { status: 502 } })
    const reply = await preferring('code=503, reading.envelope=wrapped')
    expect([reply.status, reply.headers['preference-applied']]).toEqual([502, 'reading.envelope=wrapped'])
  })

  it('can ask for a delay, or to be cut off', async () => {
    const begun = performance.now()
    expect((await preferring('delay=40')).status).toBe(200)
    expect(performance.now() - begun).toBeGreaterThan(35)
    await expect(preferring('fault=reset_peer;phase=after')).rejects.toThrow()
  })

  it('has no effect without a valid key', async () => {
    const digest = venue.worlds.default.digest()
    const prefer = 'fault=latency;latencyMs=60000;clock=world'
    const reply = await venue.send({ ...list, signature: 'ab'.repeat(32), headers: { prefer } })
    expect(reply).toMatchObject({ status: 401, body: { details: { type: 'INVALID_SIGNATURE' } } })
    expect(reply.headers['preference-applied']).toBeUndefined()
    expect(venue.worlds.default.digest()).toBe(digest)
  })

  it.each([
    ['fault=reset_pear', 'fault.type is not a known fault', 'did you mean reset_peer?'],
    ['fault=http_error', 'fault.attributes.status is required for http_error', undefined],
    ['fault=timeout;bytes=5', 'fault.attributes.bytes does not belong', undefined],
    ['fault=balance_lag;delayMs=5', 'fault.type must be a rule', undefined],
    ['code=200', 'code must be at least 400', undefined],
    ['delay=soon', 'delay must be a number', undefined],
  ])('is refused with %s', async (prefer, reason, hint) => {
    const reply = await preferring(prefer)
    expect(reply).toMatchObject({ status: 400, body: { details: { field: 'Prefer' } } })
    expect(reply.text).toContain(reason)
    expect(reply.headers['x-sim-hint'] ?? '').toContain(hint ?? '')
  })
})

const desk = { apiKey: 'simk_default_desk', apiSecret: 'sims_default_desk' }
