import { describe, expect, it } from 'vitest'
import { openDesk } from '../desk.ts'

describe('reduced shapes', () => {
  const keysAt = (value: unknown): unknown =>
    Array.isArray(value)
      ? keysAt(value[0])
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, field]) => [key, keysAt(field)]))
        : typeof value

  const n = 'number'
  it.each([
    [
      'balance',
      'GET',
      '/portfolio/balances/USD',
      { asset: 'string', total: n, available: n, locked: n, usdValue: n },
    ],
    [
      'position',
      'GET',
      '/portfolio/positions/BTC',
      {
        asset: 'string',
        quantity: n,
        averageEntryPrice: n,
        currentPrice: n,
        unrealizedPnl: n,
        unrealizedPnlPercent: n,
      },
    ],
    [
      'exposure',
      'GET',
      '/portfolio/exposure',
      {
        totalExposure: n,
        netExposure: n,
        longExposure: n,
        shortExposure: n,
        byAsset: { asset: 'string', exposure: n, weight: n },
      },
    ],
    [
      'summary',
      'GET',
      '/portfolio/summary',
      {
        totalValue: n,
        totalPnl: n,
        totalPnlPercent: n,
        dayPnl: n,
        dayPnlPercent: n,
        openOrders: n,
        positions: n,
      },
    ],
    [
      'limits',
      'GET',
      '/risk/limits',
      {
        limits: {
          maxOrderSize: {},
          maxDailyVolume: n,
          maxOpenOrders: n,
          maxExposure: n,
          maxExposurePerAsset: {},
        },
      },
    ],
    [
      'utilization',
      'GET',
      '/risk/utilization',
      {
        utilization: {
          exposure: { used: n, limit: n, percent: n },
          dailyVolume: { used: n, limit: n, percent: n },
          openOrders: { used: n, limit: n, percent: n },
        },
      },
    ],
    [
      'maxQuantity',
      'GET',
      '/risk/max-quantity?side=buy&asset=BTC&price=50000',
      {
        side: 'string',
        asset: 'string',
        price: n,
        maxQuantity: n,
        limitingFactor: 'string',
        details: { byBalance: n, byExposure: n, byOrderSizeLimit: n },
      },
    ],
    [
      'simulation',
      'POST',
      '/risk/simulate',
      {
        currentState: { exposure: n, btcPosition: n },
        afterOrder: { exposure: n, btcPosition: n },
        impact: { exposureChange: n, exposureChangePercent: n },
      },
    ],
  ])('of %s', (resource, method, target, keys) => {
    const desk = openDesk({ readings: { [`shapes.${resource}`]: 'reduced' } })
    const body = method === 'POST' ? { side: 'buy', asset: 'BTC', quantity: 1, price: 50_000 } : undefined
    expect(keysAt(desk.request('alice', method, target, body).body)).toEqual(keys)
  })

  it('have fractions as the full ones do', () => {
    const desk = openDesk({
      readings: { 'shapes.exposure': 'reduced', 'percent.unit': 'fraction', 'exposure.one': 'risk' },
    })
    expect(desk.request('alice', 'GET', '/portfolio/exposure').body).toMatchObject({
      byAsset: [{ weight: 0.277778 }, {}, {}],
    })
    expect(desk.request('alice', 'GET', '/portfolio/exposure/BTC').body).toMatchObject({
      exposurePercent: 0.277778,
    })
    const candidate = { side: 'buy', asset: 'BTC', quantity: 10, price: 50_000 }
    expect(desk.request('alice', 'POST', '/risk/simulate', candidate).body).toMatchObject({
      impact: { btcExposureChangePercent: 1, exposureChange: 500_000 },
    })
  })
})
