import { beforeEach, describe, expect, it } from 'vitest'
import { startFixture } from '../venue-fixture.ts'
import { order, refusal, useAdminWorld } from './admin-world.ts'

const admin = useAdminWorld()

describe('liquidity', () => {
  const book = async () =>
    (await admin.venue.send({ target: '/api/sdk/market-data/orderbook/BTC', ...admin.keysOf('trader') })).body
  const price = async () =>
    (await admin.venue.send({ target: '/api/sdk/market-data/prices/BTC', ...admin.keysOf('trader') })).body

  it('widens, thins out, becomes one-sided, and returns', async () => {
    const normal = await price()
    await admin.venue.admin('PUT', `${admin.path}/market/BTC/liquidity`, { spreadX: 10, forMs: 5000 })
    expect(await price()).not.toEqual(normal)
    await admin.venue.admin('POST', `${admin.path}/clock/advance`, { byMs: 5000 })
    expect(await price()).toMatchObject(withoutTime(normal))
    await admin.venue.admin('PUT', `${admin.path}/market/BTC/liquidity`, { oneSided: 'bids' })
    expect(await book()).toMatchObject({ asks: [] })
    const liquidity = { spreadX: 2, depthX: 1, refreshX: 1, oneSided: null, stale: false, forMs: null }
    expect(await admin.venue.admin('PUT', `${admin.path}/market/BTC/liquidity`, liquidity)).toMatchObject({
      status: 200,
      body: { asset: 'BTC', ...liquidity },
    })
    const pace = await admin.venue.admin('PUT', `${admin.path}/market/BTC/liquidity`, { refreshX: 3 })
    expect(pace).toMatchObject({ status: 200, body: { refreshX: 3 } })
    expect(await admin.venue.admin('PUT', `${admin.path}/market/BTC/liquidity`, {})).toMatchObject({
      status: 200,
      body: {
        asset: 'BTC',
        spreadX: 1,
        depthX: 1,
        refreshX: 1,
        oneSided: null,
        stale: false,
        forMs: null,
      },
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
    ['BTC', { refreshX: 1001 }, 400, 'refreshX'],
    ['DOGE', {}, 404, 'DOGE'],
  ])('of %s is not set by %j', async (asset, body, status, text) => {
    expect(await admin.venue.admin('PUT', `${admin.path}/market/${asset}/liquidity`, body)).toMatchObject(
      refusal(status, text),
    )
  })
})

describe('pairs', () => {
  it('can be halted, resumed and given other bounds', async () => {
    const pair = `${admin.path}/pairs/BTC-USD`
    expect(
      await admin.venue.admin('PATCH', pair, { status: 'inactive', minQuantity: 0.01, maxQuantity: 2 }),
    ).toMatchObject({
      status: 200,
      body: { symbol: 'BTC-USD', status: 'inactive', minQuantity: 0.01, maxQuantity: 2 },
    })
    expect((await admin.place()).status).toBe(400)
    expect((await admin.venue.admin('PATCH', pair, { status: 'active' })).body).toMatchObject({
      status: 'active',
      maxQuantity: 2,
    })
    expect((await admin.place()).status).toBe(201)
    expect((await admin.place({ ...order, quantity: 3 })).status).toBe(400)
  })

  it.each([
    ['BTC-USD', { quantityStep: 1 }, 400, 'quantityStep is not a known field (known: status, minQ'],
    ['BTC-USD', { minQuantity: 0.00001 }, 400, 'minQuantity must be a multiple'],
    ['BTC-USD', { minQuantity: 5, maxQuantity: 1 }, 400, 'minQuantity must not be above'],
    ['BTC-UDS', { status: 'active' }, 404, 'did you mean BTC-USD?'],
    ['USD-USD', { status: 'active' }, 404, 'USD-USD'],
  ])('%s does not change by %j', async (symbol, body, status, text) => {
    expect(await admin.venue.admin('PATCH', `${admin.path}/pairs/${symbol}`, body)).toMatchObject(
      refusal(status, text),
    )
  })
})

describe('forced transitions', () => {
  it('fill an order partly, then completely', async () => {
    await admin.place()
    expect(
      await admin.venue.admin('POST', `${admin.path}/orders/ord_1/fill`, { quantity: 0.2 }),
    ).toMatchObject({
      status: 200,
      body: { orderId: 'ord_1', status: 'partially_filled', filledQuantity: 0.2, averagePrice: 40_000 },
    })
    expect((await admin.venue.admin('POST', `${admin.path}/orders/ord_1/fill`)).body).toMatchObject({
      status: 'filled',
    })
    expect((await admin.venue.admin('POST', `${admin.path}/orders/ord_1/fill`)).status).toBe(409)
  })

  it.each(['reject', 'expire'])('%s an order once', async (transition) => {
    await admin.place()
    const status = `${transition}${transition.endsWith('e') ? 'd' : 'ed'}`
    const reply = await admin.venue.admin('POST', `${admin.path}/orders/ord_1/${transition}`)
    expect(reply).toMatchObject({ status: 200, body: { orderId: 'ord_1', status } })
    expect((await admin.venue.admin('POST', `${admin.path}/orders/ord_1/${transition}`)).status).toBe(409)
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
    await admin.place()
    expect(await admin.venue.admin('POST', `${admin.path}/orders/${target}`, body)).toMatchObject(
      refusal(status, text),
    )
  })
})

describe('forced transitions of quotes', () => {
  const maker = () => admin.keysOf('maker')
  const quote = { asset: 'BTC', bidPrice: 40_000, askPrice: 60_000, bidSize: 0.5, askSize: 0.25 }
  beforeEach(async () => {
    await admin.venue.send({
      method: 'POST',
      target: '/api/sdk/quotes',
      body: JSON.stringify(quote),
      ...maker(),
    })
  })

  it('fill one side partly, then completely, then the other side', async () => {
    const fill = (body: object) => admin.venue.admin('POST', `${admin.path}/quotes/qt_1/fill`, body)
    expect(await fill({ side: 'buy', quantity: 0.2 })).toMatchObject({
      status: 200,
      body: { quoteId: 'qt_1', status: 'partially_filled', bidFilled: 0.2, askFilled: 0 },
    })
    expect((await fill({ side: 'ask' })).body).toMatchObject({ bidFilled: 0.2, askFilled: 0.25 })
    expect((await fill({ side: 'sell' })).status).toBe(409)
    expect((await fill({})).body).toMatchObject({ status: 'filled', bidFilled: 0.5, askFilled: 0.25 })
    expect((await fill({})).status).toBe(409)
  })

  it('expire one once', async () => {
    const expire = () => admin.venue.admin('POST', `${admin.path}/quotes/qt_1/expire`)
    expect(await expire()).toMatchObject({ status: 200, body: { quoteId: 'qt_1', status: 'expired' } })
    expect((await expire()).status).toBe(409)
  })

  it.each([
    ['qt_9/fill', {}, 404, 'quote'],
    ['qt_9/expire', {}, 404, 'quote'],
    ['ord_1/expire', {}, 404, 'quote'],
    ['qt_1/fill', { quantity: 0.1 }, 400, 'side is required'],
    ['qt_1/fill', { side: 'long' }, 400, 'side'],
    ['qt_1/fill', { side: 'buy', price: 40_001 }, 400, 'price'],
    ['qt_1/fill', { side: 'buy', quantity: 0.6 }, 400, 'quantity'],
  ])('refuse %s with %j', async (target, body, status, text) => {
    expect(await admin.venue.admin('POST', `${admin.path}/quotes/${target}`, body)).toMatchObject(
      refusal(status, text),
    )
  })
})

describe('rate limits', () => {
  it('can be read, changed partly, switched off and reset', async () => {
    const limits = { enabled: true, marketData: 30, other: 10, windowMs: 1000 }
    expect((await admin.venue.admin('GET', `${admin.path}/rate-limits`)).body).toEqual(limits)
    expect((await admin.venue.admin('PUT', `${admin.path}/rate-limits`, { other: 1 })).body).toEqual({
      ...limits,
      other: 1,
    })
    expect((await admin.place()).headers['x-ratelimit-limit']).toBe('1')
    expect((await admin.place()).status).toBe(429)
    await admin.venue.admin('POST', `${admin.path}/rate-limits/reset`)
    expect((await admin.place()).status).toBe(201)
    await admin.venue.admin('PUT', `${admin.path}/rate-limits`, { enabled: false })
    expect((await admin.place()).status).toBe(201)
    expect(await admin.venue.admin('PUT', `${admin.path}/rate-limits`, { others: 1 })).toMatchObject(
      refusal(400, 'other'),
    )
  })
})

it('asks the process to end after the answer', async () => {
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

it('does not serve other machines without a token', async () => {
  await expect(startFixture({ host: '0.0.0.0' })).rejects.toThrow(RangeError)
})
