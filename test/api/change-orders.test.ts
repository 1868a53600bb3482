import { describe, expect, it } from 'vitest'
import { openDesk, start } from './desk.ts'

const buyOne = { side: 'buy', asset: 'BTC', quantity: 1, price: 49_000 }

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
    ['to the filled quantity', { quantity: 1 }, { quantity: 1, remainingQuantity: 0, status: 'filled' }],
    [
      'to a price that trades at once',
      { price: 50_020 },
      { price: 50_020, status: 'filled', averagePrice: 50_015 },
    ],
    ['with null for unchanged fields', { quantity: null, price: 48_000 }, { quantity: 2, price: 48_000 }],
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
    ['a fraction of a tick', { price: 1.001 }, 400, 'price', 'must be a multiple of 0.01'],
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

  it.each(['filled', 'cancelled', 'expired'])('is a conflict for a %s order', (status) => {
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

describe('an amendment of an order that has ended', () => {
  const filled = () => {
    const desk = openDesk()
    desk.request('alice', 'POST', '/orders', { ...buyOne, price: 50_020 })
    return desk
  }

  it('is refused for a quantity that no order may have first', () => {
    expect(filled().request('alice', 'PATCH', '/orders/ord_1', { quantity: 1e9 })).toMatchObject({
      status: 400,
      body: { details: { field: 'quantity' } },
    })
  })

  it.each([{ quantity: 0.5 }, { quantity: 2, price: 1 }])('is otherwise a conflict: %j', (body) => {
    expect(filled().request('alice', 'PATCH', '/orders/ord_1', body).status).toBe(409)
  })
})

describe('cancel order', () => {
  it('keeps the fills of a partly filled order', () => {
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
    // Generated clients send null for a body that their caller has left out.
    ['null', ['ord_1', 'ord_2', 'ord_3']],
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

  it('answers each item in its place, and continues after a failure', () => {
    const desk = openDesk()
    const orders = [
      { ...buyOne, clientOrderId: 'a' },
      7,
      { ...buyOne, clientOrderId: 'a' },
      { ...buyOne, quantity: '1' },
      { ...buyOne, quantity: 900 },
      { ...buyOne, price: 50_020 },
      { ...buyOne, quantity: 0.1 + 0.2 },
    ]
    const response = desk.request('alice', 'POST', '/orders/batch', { orders })
    expect(response.status).toBe(201)
    expect(ids(response.body)).toMatchObject([
      { success: true, orderId: 'ord_1', clientOrderId: 'a' },
      { success: false, error: 'item must be an object', index: 1 },
      { success: false, error: 'clientOrderId has been used by this account before', index: 2 },
      { success: false, error: 'quantity must be a number', index: 3 },
      { success: false, index: 4 },
      { success: true, orderId: 'ord_2', clientOrderId: null },
      { success: false, error: 'quantity has more than 15 significant digits', index: 6 },
    ])
    expect(response.body).toMatchObject({ summary: { total: 7, successful: 2, failed: 5 } })
    expect(desk.request('alice', 'GET', '/orders/ord_2').body).toMatchObject({ status: 'filled' })
  })

  it('reports malformed text inside an item as a failure of that item', () => {
    const desk = openDesk()
    const good = JSON.stringify(buyOne)
    const withMetadata = (metadata: string) => good.replace('}', `,"metadata":${metadata}}`)
    const items = [
      withMetadata('{"sent":1763928000123456789}'),
      withMetadata('{"sent":1763928000123457000}'),
      withMetadata('{"a":1,"a":2}'),
      good.replace('}', ',"side":"sell"}'),
      good,
    ]
    expect(desk.request('alice', 'POST', '/orders/batch', `{"orders":[${items.join(',')}]}`).body).toEqual({
      results: [
        {
          success: false,
          error:
            'metadata.sent would be taken as 1763928000123456800, which is another number: send it as a string',
          index: 0,
        },
        { success: true, orderId: 'ord_1', clientOrderId: null },
        { success: false, error: 'metadata.a is given twice', index: 2 },
        { success: false, error: 'side is given twice', index: 3 },
        { success: true, orderId: 'ord_2', clientOrderId: null },
      ],
      summary: { total: 5, successful: 2, failed: 3 },
    })
    expect(desk.request('alice', 'GET', '/orders/ord_1').body).toMatchObject({
      metadata: { sent: 1763928000123457000 },
    })
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
