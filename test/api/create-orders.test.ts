import { describe, expect, it } from 'vitest'
import { at, openDesk, start } from './desk.ts'

const buyOne = { side: 'buy', asset: 'BTC', quantity: 1, price: 49_000 }

describe('create order', () => {
  it('answers the accepted order, even if it trades at once; the next read shows the fills', () => {
    const desk = openDesk()
    const body = {
      side: 'buy',
      asset: 'BTC',
      quantity: 1.5,
      price: 50_015,
      clientOrderId: 'mine',
      metadata: { desk: 'x', tags: [1, null] },
    }
    const accepted = {
      orderId: 'ord_1',
      clientOrderId: 'mine',
      side: 'buy',
      asset: 'BTC',
      quantity: 1.5,
      price: 50_015,
      orderType: 'limit',
      timeInForce: 'GTC',
      status: 'open',
      filledQuantity: 0,
      remainingQuantity: 1.5,
      averagePrice: null,
      metadata: { desk: 'x', tags: [1, null] },
      createdAt: start,
      updatedAt: start,
    }
    expect(desk.request('alice', 'POST', '/orders', body)).toEqual({
      status: 201,
      body: accepted,
      hint: null,
    })
    expect(desk.request('alice', 'GET', '/orders/ord_1').body).toEqual({
      ...accepted,
      status: 'partially_filled',
      filledQuantity: 1,
      remainingQuantity: 0.5,
      averagePrice: 50_010,
    })
  })

  it('shows the final state where that is the reading', () => {
    const desk = openDesk({ readings: { 'orders.createResponse': 'final' } })
    expect(desk.request('alice', 'POST', '/orders', { ...buyOne, price: 50_020 }).body).toMatchObject({
      status: 'filled',
      filledQuantity: 1,
    })
  })

  it.each([
    ['IOC beyond the book', { quantity: 4, price: 50_020, timeInForce: 'IOC' }, 'expired', 3],
    ['IOC away from the book', { quantity: 1, price: 49_000, timeInForce: 'IOC' }, 'expired', 0],
    ['FOK that fits', { quantity: 3, price: 50_020, timeInForce: 'FOK' }, 'filled', 3],
    ['FOK larger than the book', { quantity: 3.0001, price: 50_020, timeInForce: 'FOK' }, 'expired', 0],
    ['a market order', { quantity: 2, orderType: 'market' }, 'filled', 2],
    ['a market order beyond the book', { quantity: 4, orderType: 'market' }, 'expired', 3],
    ['a market order in an empty book', { asset: 'ETH', quantity: 1, orderType: 'market' }, 'expired', 0],
  ])('%s', (_, order, status, filledQuantity) => {
    const desk = openDesk()
    const body = { side: 'buy', asset: 'BTC', ...order }
    expect(desk.request('alice', 'POST', '/orders', body).status).toBe(201)
    expect(desk.request('alice', 'GET', '/orders/ord_1').body).toMatchObject({ status, filledQuantity })
  })

  it('ignores the price of a market order', () => {
    const desk = openDesk()
    const body = { side: 'sell', asset: 'BTC', quantity: 1, orderType: 'market', price: 12.345 }
    expect(desk.request('alice', 'POST', '/orders', body).body).toMatchObject({
      price: null,
      orderType: 'market',
      timeInForce: 'GTC',
    })
  })

  it('treats null in an optional field as if it were left out', () => {
    const desk = openDesk()
    const nulls = { orderType: null, timeInForce: null, clientOrderId: null, metadata: null }
    expect(desk.request('alice', 'POST', '/orders', { ...buyOne, ...nulls })).toMatchObject({
      status: 201,
      body: { orderType: 'limit', timeInForce: 'GTC', clientOrderId: null, metadata: {} },
    })
  })

  it.each([
    ['nothing', '', 'body', 'is required'],
    ['null', 'null', 'body', 'must be an object'],
    ['no JSON', '{', 'body', 'is not valid JSON'],
    ['a list', [buyOne], 'body', 'must be an object'],
    ['a duplicate key', '{"side":"buy","side":"sell"}', 'side', 'is given twice'],
    ['no side', { ...buyOne, side: undefined }, 'side', 'is required'],
    ['another side', { ...buyOne, side: 'BUY' }, 'side', 'must be one of buy, sell'],
    ['no asset', { ...buyOne, asset: undefined }, 'asset', 'is required'],
    ['an unknown asset', { ...buyOne, asset: 'DOGE' }, 'asset', 'is not a traded asset'],
    ['an asset in lower case', { ...buyOne, asset: 'btc' }, 'asset', 'is not a traded asset'],
    ['cash', { ...buyOne, asset: 'USD' }, 'asset', 'is not a traded asset'],
    ['__proto__ as asset', { ...buyOne, asset: '__proto__' }, 'asset', 'is not a traded asset'],
    ['quantity 0', { ...buyOne, quantity: 0 }, 'quantity', 'must be greater than 0'],
    ['quantity -1', { ...buyOne, quantity: -1 }, 'quantity', 'must be greater than 0'],
    ['a numeric string', { ...buyOne, quantity: '1' }, 'quantity', 'must be a number'],
    ['no quantity', { ...buyOne, quantity: undefined }, 'quantity', 'is required'],
    ['quantity null', { ...buyOne, quantity: null }, 'quantity', 'must be a number'],
    ['a fraction of a step', { ...buyOne, quantity: 1.00005 }, 'quantity', 'must be a multiple of 0.0001'],
    ['0.1 + 0.2', { ...buyOne, quantity: 0.1 + 0.2 }, 'quantity', 'has more than 15 significant digits'],
    ['too little', { ...buyOne, quantity: 0.0009 }, 'quantity', 'must be at least 0.001'],
    ['too much', { ...buyOne, quantity: 1000.0001 }, 'quantity', 'must be at most 1000'],
    ['1e20', { ...buyOne, quantity: 1e20 }, 'quantity', 'is out of range'],
    [
      'worth too little',
      { ...buyOne, quantity: 0.001, price: 100 },
      'quantity',
      'must be worth at least 5 USD',
    ],
    ['no price', { ...buyOne, price: undefined }, 'price', 'is required for limit orders'],
    ['price null', { ...buyOne, price: null }, 'price', 'is required for limit orders'],
    ['price 0', { ...buyOne, price: 0 }, 'price', 'must be greater than 0'],
    ['a fraction of a tick', { ...buyOne, price: 49_000.001 }, 'price', 'must be a multiple of 0.01'],
    ['price too low', { ...buyOne, price: 0.99 }, 'price', 'must be at least 1'],
    ['price too high', { ...buyOne, price: 1e14 }, 'price', 'is out of range'],
    ['another type', { ...buyOne, orderType: 'stop' }, 'orderType', 'must be one of limit, market'],
    [
      'another time in force',
      { ...buyOne, timeInForce: 'GTD' },
      'timeInForce',
      'must be one of GTC, IOC, FOK',
    ],
    ['an empty client id', { ...buyOne, clientOrderId: '' }, 'clientOrderId', 'must not be empty'],
    [
      '65 characters',
      { ...buyOne, clientOrderId: 'x'.repeat(65) },
      'clientOrderId',
      'must have at most 64 characters',
    ],
    [
      'NUL in a client id',
      { ...buyOne, clientOrderId: 'a\u0000' },
      'clientOrderId',
      'must not contain control characters',
    ],
    ['a list as metadata', { ...buyOne, metadata: [] }, 'metadata', 'must be an object'],
    [
      '5 KiB of metadata',
      { ...buyOne, metadata: { a: 'ä'.repeat(2100) } },
      'metadata',
      'is larger than 4 KiB as JSON',
    ],
    [
      '51 keys',
      { ...buyOne, metadata: Object.fromEntries(Array.from({ length: 51 }, (_, key) => [`k${key}`, 0])) },
      'metadata',
      'must have at most 50 keys',
    ],
    ['an unknown field', { ...buyOne, colour: 1 }, 'colour', 'is not a known field'],
  ])('refuses %s with 400, names the field, and changes nothing', (_, body, field, reason) => {
    const desk = openDesk()
    const before = desk.venue.digest()
    const response = desk.request('alice', 'POST', '/orders', body)
    expect(response).toMatchObject({ status: 400, body: { details: { field, reason } } })
    expect(response.body).toEqual({
      statusCode: 400,
      message: `${field} ${reason}`,
      error: 'Bad Request',
      details: { field, reason },
    })
    expect(desk.venue.digest()).toBe(before)
  })

  it('counts the 64 characters of a client id as code points', () => {
    const clientOrderId = '😀'.repeat(64)
    expect(openDesk().request('alice', 'POST', '/orders', { ...buyOne, clientOrderId }).status).toBe(201)
  })

  it('echoes metadata unchanged, including harmless keys of Object.prototype', () => {
    const metadata = { toJSON: 1, length: 1e9, hasOwnProperty: 1, '': { deep: [null, 'ä'] } }
    const desk = openDesk()
    expect(desk.request('alice', 'POST', '/orders', { ...buyOne, metadata }).body).toMatchObject({ metadata })
    expect(desk.request('alice', 'GET', '/orders/ord_1').body).toMatchObject({ metadata })
  })

  it('answers 422 with a reason for each failed check', () => {
    const desk = openDesk({ limits: { maxOpenOrders: 1 } })
    expect(
      desk.request('alice', 'POST', '/orders', { ...buyOne, side: 'sell', quantity: 11, price: 60_000 }),
    ).toEqual({
      status: 422,
      body: {
        statusCode: 422,
        message: 'the order needs 11 BTC, but only 10 BTC is available',
        error: 'Unprocessable Entity',
        details: {
          reason: 'the order needs 11 BTC, but only 10 BTC is available',
          type: 'INSUFFICIENT_BALANCE',
        },
      },
      hint: null,
    })
    desk.request('alice', 'POST', '/orders', buyOne)
    expect(desk.request('alice', 'POST', '/orders', buyOne)).toMatchObject({
      status: 422,
      body: {
        details: { type: 'RISK_LIMIT_EXCEEDED', reason: 'the account may have at most 1 open orders' },
      },
    })
  })

  it('refuses a client id that the account has used before, even for an ended order', () => {
    const desk = openDesk()
    const body = { ...buyOne, clientOrderId: 'a' }
    desk.request('alice', 'POST', '/orders', body)
    desk.request('alice', 'DELETE', '/orders/ord_1')
    expect(desk.request('alice', 'POST', '/orders', body)).toMatchObject({
      status: 409,
      body: { error: 'Conflict' },
    })
    expect(desk.request('bob', 'POST', '/orders', body).status).toBe(201)
  })

  it('under its readings finds the newest of duplicates, or answers with the first', () => {
    const allowing = openDesk({ readings: { 'clientId.duplicate': 'allow' } })
    const returning = openDesk({ readings: { 'clientId.duplicate': 'return' } })
    const body = { ...buyOne, clientOrderId: 'a' }
    for (const desk of [allowing, returning]) desk.request('alice', 'POST', '/orders', body)
    expect(allowing.request('alice', 'POST', '/orders', body)).toMatchObject({
      status: 201,
      body: { orderId: 'ord_2' },
    })
    expect(allowing.request('alice', 'GET', '/orders/by-client-id?clientOrderId=a').body).toMatchObject({
      orderId: 'ord_2',
    })
    expect(returning.request('alice', 'POST', '/orders', body)).toMatchObject({
      status: 200,
      body: { orderId: 'ord_1' },
    })
  })

  it('refuses new orders for a halted pair', () => {
    const desk = openDesk()
    desk.execute({
      kind: 'halt',
      at: at(desk.venue),
      asset: 1,
      mode: 'reject',
      forMillis: at(desk.venue, -desk.venue.now),
    })
    expect(desk.request('alice', 'POST', '/orders', buyOne)).toMatchObject({
      status: 400,
      body: { details: { field: 'asset', reason: 'has a trading pair that is inactive' } },
    })
    expect(desk.request('alice', 'GET', '/market-data/trading-pairs').body).toMatchObject({
      pairs: [{ status: 'inactive' }, { status: 'active' }],
    })
  })
})
