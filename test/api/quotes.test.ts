import { describe, expect, it } from 'vitest'
import { at, openDesk, start } from './desk.ts'

const twoSided = { asset: 'ETH', bidPrice: 2_990, askPrice: 3_010, bidSize: 1, askSize: 2 }

describe('submit quote', () => {
  it('answers an active quote with its expiry', () => {
    const desk = openDesk()
    const body = { ...twoSided, validForSeconds: 45.5, clientQuoteId: 'mine', metadata: { a: 1 } }
    expect(desk.request('alice', 'POST', '/quotes', body)).toEqual({
      status: 201,
      body: {
        quoteId: 'qt_1',
        clientQuoteId: 'mine',
        asset: 'ETH',
        bidPrice: 2_990,
        askPrice: 3_010,
        bidSize: 1,
        askSize: 2,
        bidFilled: 0,
        askFilled: 0,
        status: 'active',
        validForSeconds: 45.5,
        expiresAt: '2026-01-05T00:00:45.500Z',
        metadata: { a: 1 },
        createdAt: start,
        updatedAt: start,
      },
      hint: null,
    })
  })

  it('is valid for 30 seconds by default, and expires exactly then', () => {
    const desk = openDesk()
    desk.request('alice', 'POST', '/quotes', twoSided)
    desk.advance(29_999)
    expect(desk.request('alice', 'GET', '/quotes/qt_1').body).toMatchObject({
      status: 'active',
      validForSeconds: 30,
    })
    desk.advance(1)
    expect(desk.request('alice', 'GET', '/quotes/qt_1').body).toMatchObject({ status: 'expired' })
  })

  it('accepts one side of size 0, but not both', () => {
    expect(openDesk().request('alice', 'POST', '/quotes', { ...twoSided, askSize: 0 }).status).toBe(201)
    expect(
      openDesk().request('alice', 'POST', '/quotes', { ...twoSided, askSize: 0, bidSize: 0 }),
    ).toMatchObject({
      status: 400,
      body: { details: { field: 'bidSize', reason: 'and askSize must not both be 0' } },
    })
  })

  it('trades what it crosses, and fills each side separately', () => {
    const desk = openDesk()
    desk.request('alice', 'POST', '/quotes', twoSided)
    desk.request('bob', 'POST', '/orders', { side: 'sell', asset: 'ETH', quantity: 0.5, price: 2_990 })
    expect(desk.request('alice', 'GET', '/quotes/qt_1').body).toMatchObject({
      status: 'partially_filled',
      bidFilled: 0.5,
      askFilled: 0,
    })
    desk.request('bob', 'POST', '/orders', { side: 'sell', asset: 'ETH', quantity: 0.5, price: 2_990 })
    desk.request('bob', 'POST', '/orders', { side: 'buy', asset: 'ETH', quantity: 2, price: 3_010 })
    expect(desk.request('alice', 'GET', '/quotes/qt_1').body).toMatchObject({
      status: 'filled',
      askFilled: 2,
    })
    expect(desk.request('alice', 'GET', '/portfolio/trades?limit=1').body).toMatchObject({
      trades: [{ orderId: 'qt_1', side: 'sell', quantity: 2 }],
    })
  })

  it.each([
    ['a crossed quote', { askPrice: 2_990 }, 'bidPrice', 'must be lower than askPrice'],
    ['a negative price', { bidPrice: -1 }, 'bidPrice', 'must not be negative'],
    ['a negative size', { askSize: -1 }, 'askSize', 'must not be negative'],
    ['price 0', { bidPrice: 0 }, 'bidPrice', 'must be at least 1'],
    ['a fraction of a tick', { askPrice: 3_010.001 }, 'askPrice', 'must be a multiple of 0.01'],
    ['a fraction of a step', { bidSize: 1.00001 }, 'bidSize', 'must be a multiple of 0.0001'],
    ['too small a side', { askSize: 0.0005 }, 'askSize', 'must be at least 0.001'],
    ['no ask', { askPrice: undefined }, 'askPrice', 'is required'],
    ['an unknown asset', { asset: 'DOGE' }, 'asset', 'is not a traded asset'],
    ['less than a second', { validForSeconds: 0.999 }, 'validForSeconds', 'must be at least 1'],
    ['more than 300 seconds', { validForSeconds: 300.001 }, 'validForSeconds', 'must be at most 300'],
    [
      'a fraction of a millisecond',
      { validForSeconds: 1.0005 },
      'validForSeconds',
      'must be a multiple of 0.001',
    ],
    ['65 characters', { clientQuoteId: 'x'.repeat(65) }, 'clientQuoteId', 'must have at most 64 characters'],
    ['an unknown field', { side: 'buy' }, 'side', 'is not a known field'],
  ])('refuses %s', (_, change, field, reason) => {
    const desk = openDesk()
    const before = desk.venue.digest()
    expect(desk.request('alice', 'POST', '/quotes', { ...twoSided, ...change })).toMatchObject({
      status: 400,
      body: { details: { field, reason } },
    })
    expect(desk.venue.digest()).toBe(before)
  })

  it('reserves both sides, and is refused when either fails', () => {
    const desk = openDesk()
    expect(desk.request('alice', 'POST', '/quotes', { ...twoSided, askSize: 101 })).toMatchObject({
      status: 422,
      body: { details: { type: 'INSUFFICIENT_BALANCE' } },
    })
  })

  it('is refused for what is wrong with it before its client id is looked up', () => {
    const desk = openDesk()
    const body = { ...twoSided, clientQuoteId: 'a' }
    desk.request('alice', 'POST', '/quotes', body)
    expect(desk.request('alice', 'POST', '/quotes', { ...body, bidPrice: 3_010 }).status).toBe(400)
    expect(desk.request('alice', 'POST', '/quotes', body).status).toBe(409)
  })

  it('is refused, once it has ended, for what is wrong with its update, whatever has filled of it', () => {
    const desk = openDesk()
    desk.request('alice', 'POST', '/quotes', twoSided)
    desk.request('bob', 'POST', '/orders', { side: 'sell', asset: 'ETH', quantity: 0.5, price: 2_990 })
    desk.request('alice', 'DELETE', '/quotes/qt_1')
    expect(desk.request('alice', 'PATCH', '/quotes/qt_1', { bidPrice: 3_010 }).status).toBe(400)
    expect(desk.request('alice', 'PATCH', '/quotes/qt_1', { bidSize: 0.1 }).status).toBe(409)
  })

  it('refuses a client id that was used before, or under the reading answers with the first quote', () => {
    const body = { ...twoSided, clientQuoteId: 'a' }
    const refusing = openDesk()
    const returning = openDesk({ readings: { 'clientId.duplicate': 'return' } })
    const allowing = openDesk({ readings: { 'clientId.duplicate': 'allow' } })
    for (const desk of [refusing, returning, allowing]) desk.request('alice', 'POST', '/quotes', body)
    expect(refusing.request('alice', 'POST', '/quotes', body).status).toBe(409)
    expect(returning.request('alice', 'POST', '/quotes', body)).toMatchObject({
      status: 200,
      body: { quoteId: 'qt_1' },
    })
    expect(allowing.request('alice', 'POST', '/quotes', body)).toMatchObject({
      status: 201,
      body: { quoteId: 'qt_2' },
    })
  })

  it('is 400 on an inactive pair', () => {
    const desk = openDesk()
    const none = at(desk.venue, -desk.venue.now)
    desk.execute({ kind: 'halt', at: at(desk.venue), asset: 2, mode: 'reject', forMillis: none })
    expect(desk.request('alice', 'POST', '/quotes', twoSided).status).toBe(400)
  })
})

describe('list and get quotes', () => {
  const prepared = (readings = {}) => {
    const desk = openDesk({ readings })
    desk.request('alice', 'POST', '/quotes', { ...twoSided, validForSeconds: 1 }) // qt_1: expired
    desk.advance(1_000)
    desk.request('alice', 'POST', '/quotes', {
      ...twoSided,
      asset: 'BTC',
      bidPrice: 40_000,
      askPrice: 60_000,
    }) // qt_2
    desk.request('bob', 'POST', '/quotes', { ...twoSided, bidPrice: 2_000, askPrice: 4_000 }) // qt_3
    desk.request('alice', 'POST', '/quotes', twoSided) // qt_4: partially filled
    desk.request('bob', 'POST', '/orders', { side: 'sell', asset: 'ETH', quantity: 0.5, price: 2_990 })
    return desk
  }
  const idsOf = (body: object) =>
    'quotes' in body && Array.isArray(body.quotes) ? body.quotes.map((quote) => quote.quoteId) : body

  it.each([
    ['', ['qt_4', 'qt_2', 'qt_1'], 3],
    ['?status=active', ['qt_2'], 1],
    ['?status=expired', ['qt_1'], 1],
    ['?asset=ETH', ['qt_4', 'qt_1'], 2],
    ['?asset=DOGE', [], 0],
    ['?limit=1&offset=1', ['qt_2'], 3],
    ['?offset=9', [], 3],
  ])('%s', (query, ids, total) => {
    const { body } = prepared().request('alice', 'GET', `/quotes${query}`)
    expect(idsOf(body)).toEqual(ids)
    expect(body).toMatchObject({ pagination: { total } })
  })

  it('has the nine fields', () => {
    expect(prepared().request('alice', 'GET', '/quotes?status=active').body).toEqual({
      quotes: [
        {
          quoteId: 'qt_2',
          asset: 'BTC',
          bidPrice: 40_000,
          askPrice: 60_000,
          bidSize: 1,
          askSize: 2,
          status: 'active',
          expiresAt: '2026-01-05T00:00:31.000Z',
          createdAt: '2026-01-05T00:00:01.000Z',
        },
      ],
      pagination: { limit: 50, offset: 0, total: 1 },
    })
  })

  it.each(['?status=partially_filled', '?status=open', '?limit=101', '?offset=-1', '?page=1'])(
    'refuses %s',
    (query) => {
      expect(prepared().request('alice', 'GET', `/quotes${query}`).status).toBe(400)
    },
  )

  it('lists the documented statuses when it refuses another', () => {
    const details = { field: 'status', reason: 'must be one of active, expired, filled, cancelled' }
    for (const word of ['open', 'partially_filled'])
      expect(openDesk().request('alice', 'GET', `/quotes?status=${word}`).body).toMatchObject({ details })
  })

  it('filters by undocumented statuses under the reading', () => {
    const desk = prepared({ 'filters.unlisted': 'accept' })
    expect(idsOf(desk.request('alice', 'GET', '/quotes?status=partially_filled').body)).toEqual(['qt_4'])
  })

  it.each(['qt_3', 'qt_9', 'ord_1', ''])('does not find %s', (id) => {
    const desk = prepared()
    const expected = id === '' ? 'The' : 'The quote does not exist'
    expect(desk.request('alice', 'GET', `/quotes/${id}`)).toMatchObject({ status: 404 })
    if (id !== '')
      expect(desk.request('alice', 'DELETE', `/quotes/${id}`)).toMatchObject({
        status: 404,
        body: { message: expected, details: { type: 'QUOTE_NOT_FOUND' } },
      })
  })
})

describe('update quote', () => {
  const live = (readings = {}) => {
    const desk = openDesk({ readings })
    desk.request('alice', 'POST', '/quotes', twoSided)
    desk.advance(500)
    return desk
  }

  it('changes the given fields, and counts a new validity from now', () => {
    const desk = live()
    expect(
      desk.request('alice', 'PATCH', '/quotes/qt_1', { bidPrice: 2_980, askSize: 5, validForSeconds: 60 }),
    ).toMatchObject({
      status: 200,
      body: {
        bidPrice: 2_980,
        askPrice: 3_010,
        bidSize: 1,
        askSize: 5,
        status: 'active',
        validForSeconds: 60,
        expiresAt: '2026-01-05T00:01:00.500Z',
        updatedAt: '2026-01-05T00:00:00.500Z',
      },
    })
  })

  it.each([
    ['now', '2026-01-05T00:01:00.500Z'],
    ['created', '2026-01-05T00:01:00.000Z'],
    ['expiry', '2026-01-05T00:01:30.000Z'],
  ])('extends from %s by reading', (reading, expiresAt) => {
    const desk = live({ 'quotes.extend': reading })
    expect(desk.request('alice', 'PATCH', '/quotes/qt_1', { validForSeconds: 60 }).body).toMatchObject({
      expiresAt,
    })
  })

  it.each([
    ['nothing', {}, 'bidPrice'],
    ['only null', { askSize: null }, 'bidPrice'],
    ['an unknown field', { price: 1 }, 'price'],
    ['a crossed quote', { bidPrice: 3_010 }, 'bidPrice'],
    ['no size at all', { bidSize: 0, askSize: 0 }, 'bidSize'],
  ])('refuses %s and changes nothing', (_, body, field) => {
    const desk = live()
    const before = desk.venue.digest()
    expect(desk.request('alice', 'PATCH', '/quotes/qt_1', body)).toMatchObject({
      status: 400,
      body: { details: { field } },
    })
    expect(desk.venue.digest()).toBe(before)
  })

  it.each([
    ['409', 409, 409],
    ['404', 404, 404],
    ['400', 400, 400],
    ['200', 409, 200],
  ])('of a done quote with reading %s: update %i, cancel %i', (reading, update, cancel) => {
    const desk = live({ 'quotes.terminal': reading })
    expect(desk.request('alice', 'DELETE', '/quotes/qt_1')).toEqual({
      status: 200,
      body: { quoteId: 'qt_1', status: 'cancelled', cancelledAt: '2026-01-05T00:00:00.500Z' },
      hint: null,
    })
    expect(desk.request('alice', 'PATCH', '/quotes/qt_1', { bidPrice: 2_980 }).status).toBe(update)
    expect(desk.request('alice', 'DELETE', '/quotes/qt_1').status).toBe(cancel)
  })
})

describe('cancel all and bulk update', () => {
  const prepared = (readings = {}) => {
    const desk = openDesk({ readings })
    desk.request('alice', 'POST', '/quotes', twoSided)
    desk.request('alice', 'POST', '/quotes', {
      ...twoSided,
      asset: 'BTC',
      bidPrice: 40_000,
      askPrice: 60_000,
    })
    return desk
  }

  it.each([
    ['', ['qt_1', 'qt_2']],
    ['{"asset":"BTC"}', ['qt_2']],
  ])('cancels with the body %s', (body, ids) => {
    expect(prepared().request('alice', 'DELETE', '/quotes', body).body).toEqual({
      cancelledCount: ids.length,
      cancelledQuotes: ids,
    })
  })

  it.each(['{"aset":"BTC"}', '{"asset":null}', '{"asset":"DOGE"}', '[]'])(
    'cancels nothing with %s',
    (body) => {
      const desk = prepared()
      const before = desk.venue.digest()
      expect(desk.request('alice', 'DELETE', '/quotes', body).status).toBe(400)
      expect(desk.venue.digest()).toBe(before)
    },
  )

  it('updates each quote all or nothing, on its own', () => {
    const desk = prepared()
    const updates = [
      { quoteId: 'qt_1', askSize: 3 },
      7,
      { quoteId: 'qt_9', askSize: 3 },
      { quoteId: 'qt_2', bidPrice: 41_000, askPrice: 40_000 },
      { quoteId: 'qt_2' },
      { quoteId: 'qt_1', validForSeconds: 5 },
      { bidPrice: 5 },
      { quoteId: 'qt_1', askSize: 0.1 + 0.2 },
    ]
    expect(desk.request('alice', 'PATCH', '/quotes/batch/update', updates)).toEqual({
      status: 200,
      body: {
        results: [
          { success: true, quoteId: 'qt_1' },
          { success: false, quoteId: null, error: 'item must be an object', index: 1 },
          { success: false, quoteId: 'qt_9', error: 'The quote does not exist', index: 2 },
          { success: false, quoteId: 'qt_2', error: 'bidPrice must be lower than askPrice', index: 3 },
          { success: false, quoteId: 'qt_2', error: 'bidPrice or another field must be given', index: 4 },
          { success: false, quoteId: 'qt_1', error: 'validForSeconds is not a known field', index: 5 },
          { success: false, quoteId: null, error: 'quoteId is required', index: 6 },
          { success: false, quoteId: 'qt_1', error: 'askSize must be a multiple of 0.0001', index: 7 },
        ],
        summary: { total: 8, successful: 1, failed: 7 },
      },
      hint: null,
    })
    expect(desk.request('alice', 'GET', '/quotes/qt_2').body).toMatchObject({
      bidPrice: 40_000,
      askPrice: 60_000,
    })
  })

  it.each([
    ['{}', 'must be an array'],
    ['[]', 'must not be empty'],
  ])('refuses %s', (body, reason) => {
    expect(prepared().request('alice', 'PATCH', '/quotes/batch/update', body)).toMatchObject({
      status: 400,
      body: { details: { field: 'body', reason } },
    })
  })

  it('shows failures in the other shape under the reading', () => {
    const desk = prepared({ 'bulk.failure': 'plain' })
    expect(
      desk.request('alice', 'PATCH', '/quotes/batch/update', [{ quoteId: 'qt_9', askSize: 1 }]).body,
    ).toMatchObject({
      results: [{ success: false, quoteId: 'qt_9' }],
    })
  })
})
