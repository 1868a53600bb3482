import { describe, expect, it } from 'vitest'
import { btcPrice, openDesk, start } from './desk.ts'

describe('prices', () => {
  it('shows the best prices of clients and ladder together', () => {
    const desk = openDesk()
    expect(desk.request('alice', 'GET', '/market-data/prices/BTC')).toEqual({
      status: 200,
      body: btcPrice,
      hint: null,
    })
    desk.request('bob', 'POST', '/orders', { side: 'buy', asset: 'BTC', quantity: 1, price: 50_000.01 })
    expect(desk.request('alice', 'GET', '/market-data/prices/BTC').body).toMatchObject({
      bid: 50_000.01,
      ask: 50_010,
      mid: 50_005.005,
    })
  })

  it('uses the mark for an empty side', () => {
    const desk = openDesk()
    expect(desk.request('alice', 'GET', '/market-data/prices/ETH').body).toMatchObject({
      bid: 3_000,
      ask: 3_000,
      mid: 3_000,
      last: 3_000,
    })
  })

  it('follows the trades of the last 24 hours', () => {
    const desk = openDesk()
    desk.request('alice', 'POST', '/orders', { side: 'buy', asset: 'BTC', quantity: 1.5, price: 50_020 })
    expect(desk.request('alice', 'GET', '/market-data/prices/BTC').body).toMatchObject({
      last: 50_020,
      change24h: 0.04,
      volume24h: 1.5,
      high24h: 50_020,
      low24h: 50_000,
    })
  })

  it.each([
    ['', ['BTC', 'ETH']],
    ['?assets=ETH', ['ETH']],
    ['?assets=ETH,BTC,ETH', ['ETH', 'BTC']],
    ['?assets=DOGE,BTC', ['BTC']],
    ['?assets=DOGE', []],
    ['?assets=USD', []],
    ['?assets=btc', []],
  ])('with the query "%s" are %j', (query, symbols) => {
    const { body } = openDesk().request('alice', 'GET', `/market-data/prices${query}`)
    expect(body).toMatchObject({ prices: symbols.map((asset) => ({ asset })) })
    expect('prices' in body && Array.isArray(body.prices) && body.prices.length).toBe(symbols.length)
  })

  it.each(['DOGE', 'USD', 'btc', 'BTC-USD', '__proto__', 'B%54C'])('of %s are not found', (symbol) => {
    expect(openDesk().request('alice', 'GET', `/market-data/prices/${symbol}`)).toEqual({
      status: 404,
      body: { statusCode: 404, message: 'The asset does not exist', error: 'Not Found', details: {} },
      hint: null,
    })
  })

  it('of an unknown asset in the list are 404 under the reading', () => {
    const desk = openDesk({ readings: { 'assets.unknown': '404' } })
    expect(desk.request('alice', 'GET', '/market-data/prices?assets=BTC,DOGE').status).toBe(404)
    expect(desk.request('alice', 'GET', '/market-data/stats/24h?asset=DOGE').status).toBe(404)
  })

  it('refuse an empty element', () => {
    expect(openDesk().request('alice', 'GET', '/market-data/prices?assets=BTC,')).toMatchObject({
      status: 400,
    })
  })
})

describe('order book', () => {
  it('merges clients and ladder at each price, best first', () => {
    const desk = openDesk()
    const place = (side: string, quantity: number, price: number) =>
      desk.request('bob', 'POST', '/orders', { side, asset: 'BTC', quantity, price })
    place('buy', 0.5, 49_990)
    place('buy', 0.25, 49_985)
    place('sell', 3, 50_030)
    place('sell', 2, 50_015)
    place('sell', 1, 50_015)
    expect(desk.request('alice', 'GET', '/market-data/orderbook/BTC')).toEqual({
      status: 200,
      body: {
        asset: 'BTC',
        bids: [
          { price: 49_990, quantity: 1.5 },
          { price: 49_985, quantity: 0.25 },
          { price: 49_980, quantity: 2 },
        ],
        asks: [
          { price: 50_010, quantity: 1 },
          { price: 50_015, quantity: 3 },
          { price: 50_020, quantity: 2 },
          { price: 50_030, quantity: 3 },
        ],
        timestamp: start,
      },
      hint: null,
    })
    expect(desk.request('alice', 'GET', '/market-data/orderbook/BTC?depth=2').body).toMatchObject({
      asks: [
        { price: 50_010, quantity: 1 },
        { price: 50_015, quantity: 3 },
      ],
    })
  })

  it('shows 10 levels a side unless asked for up to 50', () => {
    const desk = openDesk()
    for (let level = 0; level < 60; level += 1)
      desk.request('bob', 'POST', '/orders', {
        side: 'sell',
        asset: 'ETH',
        quantity: 1,
        price: 3_100 + level,
      })
    const asks = (query: string) => {
      const { body } = desk.request('alice', 'GET', `/market-data/orderbook/ETH${query}`)
      return 'asks' in body && Array.isArray(body.asks) ? body.asks.length : 0
    }
    expect([asks(''), asks('?depth=1'), asks('?depth=50')]).toEqual([10, 1, 50])
  })

  it.each([
    ['orderbook/BTC?depth=0', 'depth', 'must be at least 1'],
    ['orderbook/BTC?depth=51', 'depth', 'must be at most 50'],
    ['orderbook/BTC?depth=ten', 'depth', 'must be a whole number in plain digits'],
    ['orderbooks?assets=BTC&depth=51', 'depth', 'must be at most 50'],
    ['orderbooks', 'assets', 'is required'],
    ['orderbooks?assets=', 'assets', 'has an empty element'],
    ['orderbooks?assets=BTC,DOGE', 'assets', 'has DOGE, which is not traded'],
  ])('%s is 400', (target, field, reason) => {
    expect(openDesk().request('alice', 'GET', `/market-data/${target}`)).toMatchObject({
      status: 400,
      body: { details: { field, reason } },
    })
  })

  it('is clamped to 50 levels under the reading', () => {
    const desk = openDesk({ readings: { 'params.outOfRange': 'clamp' } })
    expect(desk.request('alice', 'GET', '/market-data/orderbook/BTC?depth=999').status).toBe(200)
  })

  it('of several assets is keyed by symbol', () => {
    expect(openDesk().request('alice', 'GET', '/market-data/orderbooks?assets=ETH,BTC&depth=1').body).toEqual(
      {
        orderbooks: {
          ETH: { asset: 'ETH', bids: [], asks: [], timestamp: start },
          BTC: {
            asset: 'BTC',
            bids: [{ price: 49_990, quantity: 1 }],
            asks: [{ price: 50_010, quantity: 1 }],
            timestamp: start,
          },
        },
      },
    )
  })
})

describe('trading pairs and statistics', () => {
  it('include every rule of a pair', () => {
    const { body } = openDesk().request('alice', 'GET', '/market-data/trading-pairs')
    const rules = {
      quote: 'USD',
      minQuantity: 0.001,
      maxQuantity: 1000,
      quantityStep: 0.0001,
      minPrice: 1,
      priceStep: 0.01,
      minNotional: 5,
      status: 'active',
    }
    expect(body).toEqual({
      pairs: [
        { base: 'BTC', symbol: 'BTC-USD', ...rules },
        { base: 'ETH', symbol: 'ETH-USD', ...rules },
      ],
    })
  })

  it('count every print once', () => {
    const desk = openDesk()
    desk.request('alice', 'POST', '/orders', { side: 'buy', asset: 'BTC', quantity: 1.5, price: 50_020 })
    expect(desk.request('alice', 'GET', '/market-data/stats/24h?asset=BTC')).toEqual({
      status: 200,
      body: {
        stats: [
          {
            asset: 'BTC',
            open: 50_000,
            high: 50_020,
            low: 50_000,
            close: 50_020,
            volume: 1.5,
            volumeUsd: 75_020,
            trades: 2,
            change: 20,
            changePercent: 0.04,
            vwap: 50_013.333_333_33,
          },
        ],
      },
      hint: null,
    })
    expect(desk.request('alice', 'GET', '/market-data/stats/24h?asset=DOGE').body).toEqual({ stats: [] })
  })
})
