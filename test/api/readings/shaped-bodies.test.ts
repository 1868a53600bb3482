import { describe, expect, it } from 'vitest'
import { btcPrice, openDesk, start } from '../desk.ts'

describe('readings that shape a body', () => {
  it.each([
    [
      { 'shapes.price': 'reduced' },
      '/market-data/prices/BTC',
      ['asset', 'bid', 'ask', 'mid', 'last', 'change24h', 'updatedAt'],
    ],
    [{ envelope: 'wrapped' }, '/market-data/prices/BTC', ['data', 'timestamp']],
  ])('%o', (readings, target, keys) => {
    expect(Object.keys(openDesk({ readings }).request('alice', 'GET', target).body)).toEqual(keys)
  })

  it.each([
    ['pair', '/market-data/trading-pairs', 'pairs', ['base', 'quote', 'minQuantity', 'maxQuantity']],
    [
      'stats',
      '/market-data/stats/24h',
      'stats',
      ['asset', 'open', 'high', 'low', 'close', 'volume', 'volumeUsd', 'trades'],
    ],
  ])('shapes.%s reduced', (resource, target, list, keys) => {
    const desk = openDesk({ readings: { [`shapes.${resource}`]: 'reduced' } })
    const entries: unknown = Object.entries(desk.request('alice', 'GET', target).body)[0]?.[1]
    expect(Array.isArray(entries) && entries.map((entry) => Object.keys(entry))).toEqual([keys, keys])
    expect(list in desk.request('alice', 'GET', target).body).toBe(true)
  })

  it('wraps successes only', () => {
    const desk = openDesk({ readings: { envelope: 'wrapped' } })
    expect(desk.request('alice', 'GET', '/market-data/prices?assets=BTC').body).toEqual({
      data: { prices: [btcPrice] },
      timestamp: start,
    })
    expect(desk.request('alice', 'GET', '/market-data/prices/DOGE').body).toHaveProperty('statusCode', 404)
  })

  it('turns percents into fractions, exactly', () => {
    const desk = openDesk({ readings: { 'percent.unit': 'fraction' } })
    desk.request('alice', 'POST', '/orders', { side: 'buy', asset: 'BTC', quantity: 1.5, price: 50_020 })
    expect(desk.request('alice', 'GET', '/market-data/prices/BTC').body).toMatchObject({ change24h: 0.0004 })
    expect(desk.request('alice', 'GET', '/market-data/stats/24h').body).toMatchObject({
      stats: [{ changePercent: 0.0004, change: 20 }, { changePercent: 0 }],
    })
  })

  it('omits nulls, except in metadata', () => {
    const desk = openDesk({ readings: { nulls: 'omitted' } })
    const order = { side: 'buy', asset: 'BTC', quantity: 1, price: 49_000, metadata: { note: null } }
    const { body } = desk.request('alice', 'POST', '/orders', order)
    expect(body).not.toHaveProperty('averagePrice')
    expect(body).not.toHaveProperty('clientOrderId')
    expect(body).toMatchObject({ metadata: { note: null } })
  })

  it.each([
    ['201', 201],
    ['200', 200],
    ['every-post', 201],
  ])('createdStatus %s', (createdStatus, status) => {
    const desk = openDesk({ readings: { createdStatus } })
    const order = { side: 'buy', asset: 'BTC', quantity: 1, price: 49_000 }
    expect(desk.request('alice', 'POST', '/orders', order).status).toBe(status)
    expect(desk.request('alice', 'GET', '/orders/ord_1').status).toBe(200)
  })

  it('accepts unknown fields and numeric strings where readings say so', () => {
    const desk = openDesk({ readings: { 'body.unknown': 'ignore', 'body.coerce': 'coerce' } })
    const order = { side: 'buy', asset: 'BTC', quantity: '1.5', price: '49000', colour: 'red' }
    expect(desk.request('alice', 'POST', '/orders', order)).toMatchObject({
      status: 201,
      body: { quantity: 1.5 },
    })
    expect(desk.request('alice', 'POST', '/orders', { ...order, quantity: '1.5x' }).status).toBe(400)
    expect(desk.request('alice', 'POST', '/orders', { ...order, quantity: '0x10' }).status).toBe(400)
  })

  it('makes ids that depend only on the seed and the counter', () => {
    const place = (seed: string) => {
      const desk = openDesk({ seed, readings: { 'ids.format': 'uuid' } })
      const order = { side: 'buy', asset: 'BTC', quantity: 1, price: 49_000 }
      const { body } = desk.request('alice', 'POST', '/orders', order)
      const id = 'orderId' in body ? String(body.orderId) : ''
      expect(desk.request('alice', 'GET', `/orders/${id}`).status).toBe(200)
      expect(desk.request('alice', 'GET', '/orders/ord_1').status).toBe(404)
      return id
    }
    expect(place('7')).toBe(place('7'))
    expect(place('7')).not.toBe(place('8'))
  })

  it.each([
    ['code', (body: object) => 'code' in body && body.code],
    ['errorCode', (body: object) => 'errorCode' in body && body.errorCode],
    ['error', (body: object) => 'error' in body && body.error],
  ])('puts the type name into %s', (place, typeOf) => {
    const desk = openDesk({ readings: { 'error.typeField': place } })
    const { body } = desk.request('alice', 'GET', '/orders/ord_1')
    expect(typeOf(body)).toBe('ORDER_NOT_FOUND')
    expect(body).toMatchObject({ details: {} })
  })

  it('omits the type name, and lists messages', () => {
    const desk = openDesk({ readings: { 'error.typeField': 'none', 'error.message': 'array' } })
    expect(desk.request('alice', 'GET', '/orders/ord_1').body).toEqual({
      statusCode: 404,
      message: ['The order does not exist'],
      error: 'Not Found',
      details: {},
    })
  })

  it('makes pair violations 422', () => {
    const desk = openDesk({ readings: { 'pairs.violation': '422' } })
    const order = { side: 'buy', asset: 'BTC', quantity: 1.00005, price: 49_000 }
    expect(desk.request('alice', 'POST', '/orders', order)).toMatchObject({
      status: 422,
      body: { details: { type: 'RISK_LIMIT_EXCEEDED' } },
    })
  })

  it('omits the side of a fill', () => {
    const desk = openDesk({ readings: { 'fills.side': 'absent' } })
    desk.request('alice', 'POST', '/orders', { side: 'buy', asset: 'BTC', quantity: 1, price: 50_010 })
    const { body } = desk.request('alice', 'GET', '/orders/ord_1/fills')
    expect('fills' in body && Array.isArray(body.fills) && 'side' in body.fills[0]).toBe(false)
  })
})
