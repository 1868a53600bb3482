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

  it('is checked before its client id is looked up', () => {
    const desk = openDesk()
    const body = { ...twoSided, clientQuoteId: 'a' }
    desk.request('alice', 'POST', '/quotes', body)
    expect(desk.request('alice', 'POST', '/quotes', { ...body, bidPrice: 3_010 }).status).toBe(400)
    expect(desk.request('alice', 'POST', '/quotes', body).status).toBe(409)
  })

  it('has its update checked first, once it has ended, however much has been filled', () => {
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
