import { describe, expect, it } from 'vitest'
import { openDesk, start } from './desk.ts'

const buyOne = { side: 'buy', asset: 'BTC', quantity: 1, price: 49_000 }

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

  it('has the nine fields, and pages that count the filtered orders', () => {
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
    ['?statuses=open,foo', 'statuses', 'must be one of open, partially_filled, filled, cancelled'],
    ['?statuses=done', 'statuses', 'must be one of open, partially_filled, filled, cancelled'],
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

  it('answers 404 for an unknown asset under the reading', () => {
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
