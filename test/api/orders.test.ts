import { describe, expect, it } from 'vitest'
import { at, openDesk, start } from './desk.ts'

const buyOne = { side: 'buy', asset: 'BTC', quantity: 1, price: 49_000 }

describe('create order', () => {
  it('answers the accepted order, whatever it met at once; the next read shows the fills', () => {
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
    ['FOK that does not fit', { quantity: 3.0001, price: 50_020, timeInForce: 'FOK' }, 'expired', 0],
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

  it('takes null for an optional field as if it were left out', () => {
    const desk = openDesk()
    const nulls = { orderType: null, timeInForce: null, clientOrderId: null, metadata: null }
    expect(desk.request('alice', 'POST', '/orders', { ...buyOne, ...nulls })).toMatchObject({
      status: 201,
      body: { orderType: 'limit', timeInForce: 'GTC', clientOrderId: null, metadata: {} },
    })
  })

  it.each([
    ['nothing', '', 'body', 'is required'],
    ['no JSON', '{', 'body', 'is not valid JSON'],
    ['null', 'null', 'body', 'must be an object'],
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
    ['a part of a step', { ...buyOne, quantity: 1.00005 }, 'quantity', 'must be a multiple of 0.0001'],
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
    ['a part of a tick', { ...buyOne, price: 49_000.001 }, 'price', 'must be a multiple of 0.01'],
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

  it('echoes metadata unchanged, harmless keys of Object.prototype too', () => {
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

  it('refuses a client id that was used before, each account for itself, also when the order is done', () => {
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

  it('finds the newest of duplicates, or answers with the first, by reading', () => {
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

  it('takes no new orders for a halted pair', () => {
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
      body: { message: 'The trading pair is inactive' },
    })
    expect(desk.request('alice', 'GET', '/market-data/trading-pairs').body).toMatchObject({
      pairs: [{ status: 'inactive' }, { status: 'active' }],
    })
  })
})

describe('list orders', () => {
  const prepared = (readings = {}) => {
    const desk = openDesk({ readings })
    const eth = { side: 'sell', asset: 'ETH', quantity: 1, price: 4_000 }
    desk.request('alice', 'POST', '/orders', buyOne) // ord_1: cancelled
    desk.request('alice', 'POST', '/orders', { ...buyOne, price: 50_010 }) // ord_2: filled
    desk.request('bob', 'POST', '/orders', buyOne) // ord_3: not hers
    desk.request('alice', 'POST', '/orders', eth) // ord_4: open
    desk.request('alice', 'POST', '/orders', { ...buyOne, timeInForce: 'IOC' }) // ord_5: expired
    desk.request('alice', 'DELETE', '/orders/ord_1')
    return desk
  }
  const idsOf = (body: object) =>
    'orders' in body && Array.isArray(body.orders) ? body.orders.map((order) => order.orderId) : body

  it.each([
    ['', ['ord_5', 'ord_4', 'ord_2', 'ord_1']],
    ['?statuses=open', ['ord_4']],
    ['?statuses=filled,cancelled', ['ord_2', 'ord_1']],
    ['?statuses=partially_filled', []],
    ['?asset=ETH', ['ord_4']],
    ['?asset=DOGE', []],
    ['?asset=USD', []],
    ['?side=buy', ['ord_5', 'ord_2', 'ord_1']],
    ['?side=buy&statuses=filled&asset=BTC', ['ord_2']],
    ['?limit=2', ['ord_5', 'ord_4']],
    ['?limit=2&page=2', ['ord_2', 'ord_1']],
    ['?limit=3&page=2', ['ord_1']],
    ['?page=99', []],
  ])('%s', (query, ids) => {
    expect(idsOf(prepared().request('alice', 'GET', `/orders${query}`).body)).toEqual(ids)
  })

  it('carries the nine fields, and pages that count what passed the filter', () => {
    expect(prepared().request('alice', 'GET', '/orders?side=sell&limit=10').body).toEqual({
      orders: [
        {
          orderId: 'ord_4',
          clientOrderId: null,
          side: 'sell',
          asset: 'ETH',
          quantity: 1,
          price: 4_000,
          status: 'open',
          filledQuantity: 0,
          createdAt: start,
        },
      ],
      pagination: { page: 1, limit: 10, total: 1, totalPages: 1 },
    })
    expect(prepared().request('alice', 'GET', '/orders?limit=3').body).toMatchObject({
      pagination: { page: 1, limit: 3, total: 4, totalPages: 2 },
    })
    expect(prepared().request('mara', 'GET', '/orders').body).toEqual({
      orders: [],
      pagination: { page: 1, limit: 50, total: 0, totalPages: 0 },
    })
  })

  it.each([
    ['?statuses=rejected', 'statuses', 'must be one of open, partially_filled, filled, cancelled'],
    ['?statuses=open,expired', 'statuses', 'must be one of open, partially_filled, filled, cancelled'],
    ['?side=both', 'side', 'must be one of buy, sell'],
    ['?page=0', 'page', 'must be at least 1'],
    ['?limit=0', 'limit', 'must be at least 1'],
    ['?limit=101', 'limit', 'must be at most 100'],
    ['?asset=', 'asset', 'must not be empty'],
    ['?status=open', 'status', 'is not a known query parameter'],
  ])('refuses %s', (query, field, reason) => {
    expect(openDesk().request('alice', 'GET', `/orders${query}`)).toMatchObject({
      status: 400,
      body: { details: { field, reason } },
    })
  })

  it('names the statuses when one is no status at all', () => {
    expect(openDesk().request('alice', 'GET', '/orders?statuses=open,foo')).toMatchObject({
      status: 400,
      body: { details: { field: 'statuses[1]' } },
    })
  })

  it.each([
    [{ 'lists.order': 'oldest' }, '', ['ord_1', 'ord_2', 'ord_4', 'ord_5']],
    [{ 'filters.unlisted': 'accept' }, '?statuses=open,expired', ['ord_5', 'ord_4']],
    [{ 'filters.unlisted': 'ignore' }, '?statuses=open,expired', ['ord_4']],
    [{ 'filters.unlisted': 'ignore' }, '?statuses=expired', ['ord_5', 'ord_4', 'ord_2', 'ord_1']],
    [{ 'orders.endOfImmediate': 'cancelled' }, '?statuses=cancelled', ['ord_5', 'ord_1']],
    [{ 'params.outOfRange': 'clamp' }, '?limit=1000&page=0', ['ord_5', 'ord_4', 'ord_2', 'ord_1']],
    [{ 'query.unknown': 'ignore' }, '?colour=red', ['ord_5', 'ord_4', 'ord_2', 'ord_1']],
  ])('with %o, %s', (readings, query, ids) => {
    expect(idsOf(prepared(readings).request('alice', 'GET', `/orders${query}`).body)).toEqual(ids)
  })

  it('answers 404 for an unknown asset where that is the reading', () => {
    const desk = prepared({ 'assets.unknown': '404' })
    expect(desk.request('alice', 'GET', '/orders?asset=DOGE').status).toBe(404)
  })
})

describe('one order', () => {
  it.each([
    'ord_1',
    'ord_2',
    'ord_0',
    'ord_01',
    'ord_',
    'ord_99999999999',
    'qt_1',
    '__proto__',
    'ORD_1',
    'ord_1 ',
  ])('of another account, or of nobody, is not found: %s', (id) => {
    const desk = openDesk()
    desk.request('bob', 'POST', '/orders', buyOne)
    const notFound = {
      status: 404,
      body: {
        statusCode: 404,
        message: 'The order does not exist',
        error: 'Not Found',
        details: { type: 'ORDER_NOT_FOUND' },
      },
      hint: null,
    }
    expect(desk.request('alice', 'GET', `/orders/${id}`)).toEqual(notFound)
    expect(desk.request('alice', 'GET', `/orders/${id}/fills`)).toEqual(notFound)
    expect(desk.request('alice', 'DELETE', `/orders/${id}`)).toEqual(notFound)
    expect(desk.request('alice', 'PATCH', `/orders/${id}`, { price: 1 })).toEqual(notFound)
  })

  it('is found by its client id, which is required', () => {
    const desk = openDesk()
    desk.request('alice', 'POST', '/orders', { ...buyOne, clientOrderId: 'a b&c' })
    const byId = (query: string) => desk.request('alice', 'GET', `/orders/by-client-id${query}`)
    expect(byId('?clientOrderId=a%20b%26c')).toMatchObject({ status: 200, body: { orderId: 'ord_1' } })
    expect(byId('?clientOrderId=other')).toMatchObject({
      status: 404,
      body: { details: { type: 'ORDER_NOT_FOUND' } },
    })
    expect(byId('')).toMatchObject({
      status: 400,
      body: { details: { field: 'clientOrderId', reason: 'is required' } },
    })
    expect(desk.request('bob', 'GET', '/orders/by-client-id?clientOrderId=a%20b%26c').status).toBe(404)
  })

  it('lists its fills in the order of execution', () => {
    const desk = openDesk()
    desk.request('alice', 'POST', '/orders', { ...buyOne, quantity: 2, price: 50_020 })
    const fill = { orderId: 'ord_1', side: 'buy', feeCurrency: 'USD', executedAt: start }
    expect(desk.request('alice', 'GET', '/orders/ord_1/fills')).toEqual({
      status: 200,
      body: {
        fills: [
          { ...fill, fillId: 'fill_1', price: 50_010, quantity: 1, fee: 50.01 },
          { ...fill, fillId: 'fill_2', price: 50_020, quantity: 1, fee: 50.02 },
        ],
      },
      hint: null,
    })
  })

  it('is averaged by quantity, to 8 decimals', () => {
    const desk = openDesk()
    desk.request('alice', 'POST', '/orders', { ...buyOne, quantity: 1.5, price: 50_020 })
    expect(desk.request('alice', 'GET', '/orders/ord_1').body).toMatchObject({
      averagePrice: 50_013.333_333_33,
    })
  })
})

describe('amend order', () => {
  const resting = (readings = {}) => {
    const desk = openDesk({ readings })
    desk.request('alice', 'POST', '/orders', { ...buyOne, quantity: 2, price: 50_010 })
    return desk
  }

  it.each([
    [
      'to a new total',
      { quantity: 3 },
      { quantity: 3, filledQuantity: 1, remainingQuantity: 2, status: 'partially_filled' },
    ],
    ['to what is filled', { quantity: 1 }, { quantity: 1, remainingQuantity: 0, status: 'filled' }],
    [
      'to a price that trades at once',
      { price: 50_020 },
      { price: 50_020, status: 'filled', averagePrice: 50_015 },
    ],
    ['with null for what stays', { quantity: null, price: 48_000 }, { quantity: 2, price: 48_000 }],
  ])('%s', (_, body, order) => {
    const desk = resting()
    desk.advance(500)
    const response = desk.request('alice', 'PATCH', '/orders/ord_1', body)
    expect(response).toMatchObject({ status: 200, body: { ...order, createdAt: start } })
    expect(response.body).toMatchObject({ updatedAt: '2026-01-05T00:00:00.500Z' })
    expect(desk.request('alice', 'GET', '/orders/ord_1').body).toEqual(response.body)
  })

  it.each([
    ['nothing to change', {}, 400, 'quantity', 'or price must be given'],
    ['only nulls', { quantity: null }, 400, 'quantity', 'or price must be given'],
    ['an unknown field', { side: 'sell' }, 400, 'side', 'is not a known field'],
    ['less than is filled', { quantity: 0.5 }, 400, 'quantity', 'must be at least 1, which is filled'],
    ['quantity 0', { quantity: 0 }, 400, 'quantity', 'must be greater than 0'],
    ['a part of a tick', { price: 1.001 }, 400, 'price', 'must be a multiple of 0.01'],
  ])('refuses %s and changes nothing', (_, body, status, field, reason) => {
    const desk = resting()
    const before = desk.venue.digest()
    expect(desk.request('alice', 'PATCH', '/orders/ord_1', body)).toMatchObject({
      status,
      body: { details: { field, reason } },
    })
    expect(desk.venue.digest()).toBe(before)
  })

  it('is refused by the same risk checks', () => {
    const desk = resting()
    expect(desk.request('alice', 'PATCH', '/orders/ord_1', { quantity: 500 })).toMatchObject({ status: 422 })
  })

  it.each(['filled', 'cancelled', 'expired'])('is a conflict for an order that is %s', (status) => {
    const desk = openDesk()
    const timeInForce = status === 'expired' ? 'IOC' : 'GTC'
    desk.request('alice', 'POST', '/orders', {
      ...buyOne,
      price: status === 'filled' ? 50_020 : 49_000,
      timeInForce,
    })
    if (status === 'cancelled') desk.request('alice', 'DELETE', '/orders/ord_1')
    expect(desk.request('alice', 'PATCH', '/orders/ord_1', { price: 48_000 })).toEqual({
      status: 409,
      body: {
        statusCode: 409,
        message: 'The order is done and cannot be changed',
        error: 'Conflict',
        details: {},
      },
      hint: null,
    })
  })
})

describe('cancel order', () => {
  it('keeps the fills of an order that is partly filled', () => {
    const desk = openDesk()
    desk.request('alice', 'POST', '/orders', { ...buyOne, quantity: 2, price: 50_010 })
    desk.advance(5)
    expect(desk.request('alice', 'DELETE', '/orders/ord_1')).toEqual({
      status: 200,
      body: { orderId: 'ord_1', status: 'cancelled', cancelledAt: '2026-01-05T00:00:00.005Z' },
      hint: null,
    })
    expect(desk.request('alice', 'GET', '/orders/ord_1').body).toMatchObject({
      status: 'cancelled',
      filledQuantity: 1,
    })
  })

  it.each([
    ['409', 409],
    ['404', 404],
    ['422', 422],
    ['200', 200],
  ])('of a done order is %s by reading', (reading, status) => {
    const desk = openDesk({ readings: { 'orders.cancelTerminal': reading } })
    desk.request('alice', 'POST', '/orders', buyOne)
    desk.request('alice', 'DELETE', '/orders/ord_1')
    expect(desk.request('alice', 'DELETE', '/orders/ord_1').status).toBe(status)
  })
})

describe('cancel all orders', () => {
  const prepared = (readings = {}) => {
    const desk = openDesk({ readings })
    desk.request('alice', 'POST', '/orders', buyOne)
    desk.request('alice', 'POST', '/orders', { side: 'sell', asset: 'ETH', quantity: 1, price: 4_000 })
    desk.request('alice', 'POST', '/orders', { ...buyOne, side: 'sell', price: 60_000 })
    desk.request('bob', 'POST', '/orders', buyOne)
    return desk
  }

  it.each([
    ['', ['ord_1', 'ord_2', 'ord_3']],
    ['{}', ['ord_1', 'ord_2', 'ord_3']],
    ['{"asset":"BTC"}', ['ord_1', 'ord_3']],
    ['{"side":"sell"}', ['ord_2', 'ord_3']],
    ['{"asset":"BTC","side":"sell"}', ['ord_3']],
  ])('with the body %s', (body, ids) => {
    expect(prepared().request('alice', 'DELETE', '/orders/batch', body)).toEqual({
      status: 200,
      body: { cancelledCount: ids.length, cancelledOrders: ids },
      hint: null,
    })
  })

  it.each([
    ['a misspelt field', '{"aset":"BTC"}', ''],
    ['null as filter', '{"asset":null}', ''],
    ['an unknown asset', '{"asset":"DOGE"}', ''],
    ['a broken body', '{"asset":"BTC"', ''],
    ['a list', '[]', ''],
    ['a filter in the query', '', '?asset=BTC'],
    ['an empty asset', '{"asset":""}', ''],
  ])('with %s cancels nothing', (_, body, query) => {
    const desk = prepared()
    const before = desk.venue.digest()
    expect(desk.request('alice', 'DELETE', `/orders/batch${query}`, body).status).toBe(400)
    expect(desk.venue.digest()).toBe(before)
  })
})

describe('batch of orders', () => {
  const ids = (body: object) => ('results' in body ? body.results : body)

  it('answers each item in its place, and goes on after a failure', () => {
    const desk = openDesk()
    const orders = [
      { ...buyOne, clientOrderId: 'a' },
      7,
      { ...buyOne, clientOrderId: 'a' },
      { ...buyOne, quantity: '1' },
      { ...buyOne, quantity: 900 },
      { ...buyOne, price: 50_020 },
    ]
    const response = desk.request('alice', 'POST', '/orders/batch', { orders })
    expect(response.status).toBe(201)
    expect(ids(response.body)).toMatchObject([
      { success: true, orderId: 'ord_1', clientOrderId: 'a' },
      { success: false, error: 'item must be an object', index: 1 },
      { success: false, error: 'The client id has been used by this account before', index: 2 },
      { success: false, error: 'quantity must be a number', index: 3 },
      { success: false, index: 4 },
      { success: true, orderId: 'ord_2', clientOrderId: null },
    ])
    expect(response.body).toMatchObject({ summary: { total: 6, successful: 2, failed: 4 } })
    expect(desk.request('alice', 'GET', '/orders/ord_2').body).toMatchObject({ status: 'filled' })
  })

  it.each([
    ['no list', {}, 'orders', 'is required'],
    ['an empty list', { orders: [] }, 'orders', 'must not be empty'],
    [
      '101 items',
      { orders: Array.from({ length: 101 }, () => buyOne) },
      'orders',
      'must have at most 100 items',
    ],
    ['an object', { orders: {} }, 'orders', 'must be an array'],
    ['a list as body', [buyOne], 'body', 'must be an object'],
    ['an unknown field', { orders: [buyOne], mode: 1 }, 'mode', 'is not a known field'],
  ])('refuses %s as a whole', (_, body, field, reason) => {
    expect(openDesk().request('alice', 'POST', '/orders/batch', body)).toMatchObject({
      status: 400,
      body: { details: { field, reason } },
    })
  })

  it.each([
    ['same', [buyOne, 7], 201],
    ['same', [7], 201],
    ['207', [buyOne, 7], 207],
    ['207', [buyOne], 201],
    ['422', [buyOne, 7], 201],
    ['422', [7], 422],
  ])('with batchStatus %s, %j is %i', (batchStatus, orders, status) => {
    const desk = openDesk({ readings: { batchStatus } })
    expect(desk.request('alice', 'POST', '/orders/batch', { orders }).status).toBe(status)
  })
})
