import { describe, expect, it } from 'vitest'
import { atoms } from '../../src/numeric/units.ts'
import { openDesk } from './desk.ts'
import { traded } from './traded-desk.ts'

describe('risk', () => {
  const candidate = { side: 'buy', asset: 'BTC', quantity: 2, price: 50_000 }

  it('lists the limits, with their defaults', () => {
    expect(openDesk().request('mara', 'GET', '/risk/limits').body).toMatchObject({
      limits: {
        maxOrderSize: { default: 1_000 },
        maxOrderValue: 10_000_000,
        maxOpenOrders: 1_000,
        maxLeverage: 2,
      },
    })
  })

  it('approves what creation accepts, and changes nothing', () => {
    const desk = openDesk()
    const before = desk.venue.digest()
    expect(desk.request('alice', 'POST', '/risk/pre-trade-check', candidate)).toMatchObject({
      status: 200,
      body: { approved: true, orderValue: 100_000, checks: { availableBalance: { required: 100_100 } } },
    })
    expect(desk.venue.digest()).toBe(before)
    expect(desk.request('alice', 'POST', '/orders', candidate).status).toBe(201)
  })

  it('reports every failed check with its reason', () => {
    const desk = openDesk({ limits: { maxOrderValue: atoms(90_000e6), maxDailyVolume: atoms(120_000e6) } })
    const { status, body } = desk.request('alice', 'POST', '/risk/pre-trade-check', candidate)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      approved: false,
      checks: { orderValue: { passed: false, limit: 90_000, value: 100_000 }, dailyVolume: { passed: true } },
      warnings: ['daily volume reaches 80 percent of its limit'],
      rejectionReasons: ['order value 100000 USD exceeds the limit of 90000 USD'],
    })
  })

  it('shows the minimum where an order is too small, and does not warn that the order is nearly too large', () => {
    const minOrderSize = { bySymbol: new Map([['BTC', 2.1e8]]), default: 1 }
    const desk = openDesk({ limits: { minOrderSize } })
    expect(desk.request('alice', 'POST', '/risk/pre-trade-check', candidate).body).toMatchObject({
      checks: {
        orderSize: {
          passed: false,
          limit: 2.1,
          value: 2,
          message: 'order size 2 is below the minimum of 2.1',
        },
      },
      warnings: [],
    })
  })

  it('names the side of a quote that is too small, not the larger one', () => {
    const desk = openDesk({ limits: { minOrderSize: { bySymbol: new Map([['BTC', 3e8]]), default: 1 } } })
    const quote = { asset: 'BTC', bidPrice: 40_000, askPrice: 60_000, bidSize: 4, askSize: 2 }
    expect(desk.request('alice', 'POST', '/quotes', quote)).toMatchObject({
      status: 422,
      body: { message: 'order size 2 is below the minimum of 3' },
    })
  })

  it.each(['/risk/pre-trade-check', '/risk/simulate'])(
    'refuses with 400 what the pair does not allow: %s',
    (target) => {
      const refused = (change: object) =>
        openDesk().request('alice', 'POST', target, { ...candidate, ...change })
      expect(refused({ quantity: 0.00001 })).toMatchObject({
        status: 400,
        body: { details: { field: 'quantity' } },
      })
      expect(refused({ price: undefined })).toMatchObject({
        status: 400,
        body: { details: { field: 'price' } },
      })
      expect(refused({ asset: 'DOGE' })).toMatchObject({ status: 400, body: { details: { field: 'asset' } } })
      expect(refused({ orderType: 'limit' })).toMatchObject({
        status: 400,
        body: { details: { field: 'orderType' } },
      })
      expect(refused({ quantity: 0.0001 })).toMatchObject({
        status: 400,
        body: { details: { field: 'quantity' } },
      })
    },
  )

  it('answers a maximum that is accepted, while one step more is not', () => {
    for (const side of ['buy', 'sell']) {
      const desk = traded()
      const { body } = desk.request('alice', 'GET', `/risk/max-quantity?side=${side}&asset=BTC&price=50000`)
      const most = 'maxQuantity' in body ? Number(body.maxQuantity) : 0
      const check = (quantity: number) =>
        desk.request('alice', 'POST', '/risk/pre-trade-check', {
          side,
          asset: 'BTC',
          quantity,
          price: 50_000,
        }).body
      expect(check(most)).toMatchObject({ approved: true })
      expect(check(Math.round(most * 10_000 + 1) / 10_000)).toMatchObject({ approved: false })
    }
  })

  it.each([
    ['', 'side'],
    ['?side=buy&asset=BTC', 'price'],
    ['?side=buy&asset=DOGE&price=1', 'asset'],
    ['?side=buy&asset=BTC&price=0', 'price'],
    ['?side=buy&asset=BTC&price=0.5', 'price'],
    ['?side=buy&asset=BTC&price=1.001', 'price'],
    ['?side=buy&asset=BTC&price=1e', 'price'],
  ])('refuses max-quantity%s', (query, field) => {
    expect(openDesk().request('alice', 'GET', `/risk/max-quantity${query}`)).toMatchObject({
      status: 400,
      body: { details: { field } },
    })
  })

  it('simulates the account after a fill', () => {
    expect(openDesk().request('mara', 'POST', '/risk/simulate', { ...candidate, side: 'sell' }).body).toEqual(
      {
        orderValue: 100_000,
        currentState: {
          portfolioValue: 1_000_000,
          cashBalance: 1_000_000,
          exposure: 0,
          btcPosition: 0,
          btcExposure: 0,
          leverage: 0,
        },
        afterOrder: {
          portfolioValue: 1_000_000,
          cashBalance: 1_100_000,
          exposure: 100_000,
          btcPosition: -2,
          btcExposure: 100_000,
          leverage: 0.1,
        },
        impact: {
          exposureChange: 100_000,
          exposureChangePercent: 100,
          btcExposureChange: 100_000,
          btcExposureChangePercent: 100,
          leverageChange: 0.1,
          cashChange: 100_000,
        },
        wouldBreach: [],
      },
    )
  })

  it.each([
    ['symbol', 'ethPosition'],
    ['btc', 'btcPosition'],
    ['asset', 'assetPosition'],
  ])('names the asset by reading: %s', (reading, field) => {
    const desk = openDesk({ readings: { 'simulate.prefix': reading } })
    const { body } = desk.request('alice', 'POST', '/risk/simulate', {
      ...candidate,
      asset: 'ETH',
      price: 3_000,
    })
    expect('currentState' in body && body.currentState).toHaveProperty(field, 100)
  })

  it('lists the checks that the order would fail', () => {
    expect(
      openDesk().request('alice', 'POST', '/risk/simulate', { ...candidate, side: 'sell', quantity: 11 })
        .body,
    ).toMatchObject({ wouldBreach: [{ type: 'availableBalance', message: expect.any(String) }] })
  })

  it('shows exposure, utilization and metrics', () => {
    const desk = openDesk({ limits: { maxExposure: atoms(900_000e6), maxOpenOrders: 1 } })
    desk.request('alice', 'POST', '/orders', { side: 'buy', asset: 'BTC', quantity: 1, price: 40_000 })
    expect(desk.request('alice', 'GET', '/risk/exposure').body).toMatchObject({
      grossExposure: 800_000,
      maxExposure: 900_000,
      availableExposure: 100_000,
      utilizationPercent: 88.8889,
      byAsset: [{ asset: 'BTC', exposure: 500_000, exposurePercent: 27.7778 }, { asset: 'ETH' }],
    })
    expect(desk.request('alice', 'GET', '/risk/exposure/BTC').body).toMatchObject({
      position: { quantity: 10, currentPrice: 50_000 },
      openOrders: { buyQuantity: 1, buyValue: 40_000, sellQuantity: 0, sellValue: 0 },
    })
    expect(desk.request('alice', 'GET', '/risk/exposure/USD').status).toBe(404)
    expect(desk.request('alice', 'GET', '/risk/utilization').body).toMatchObject({
      utilization: {
        exposure: { used: 800_000, limit: 900_000, available: 100_000, percent: 88.8889 },
        openOrders: { used: 1, limit: 1, available: 0, percent: 100 },
      },
      byAsset: { BTC: { openOrders: { used: 1 } }, ETH: { openOrders: { used: 0 } } },
      breachedLimits: [],
    })
    expect(desk.request('alice', 'GET', '/risk/metrics').body).toMatchObject({
      concentration: { topAsset: 'BTC', topAssetWeight: 62.5, herfindahlIndex: 0.53125 },
      limits: {
        breached: [],
        nearBreach: [
          {
            type: 'exposure',
            asset: null,
            utilizationPercent: 88.8889,
            warningThreshold: 80,
            used: 800_000,
            limit: 900_000,
          },
          { type: 'openOrders', asset: null, utilizationPercent: 100, used: 1, limit: 1 },
        ],
      },
    })
  })
})
