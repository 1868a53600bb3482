import { describe, expect, it } from 'vitest'
import { atoms, millis } from '../../src/numeric/units.ts'
import { at, openDesk } from './desk.ts'

/** Alice has bought 1 BTC at 50,010 from the ladder and 0.25 from mara, who is short since; 0.25 still wait. */
function traded(readings: { readonly [key: string]: string } = {}) {
  const desk = openDesk({ readings })
  desk.advance(200)
  desk.request('alice', 'POST', '/orders', { side: 'buy', asset: 'BTC', quantity: 1.5, price: 50_010 })
  desk.request('mara', 'POST', '/orders', { side: 'sell', asset: 'BTC', quantity: 0.25, price: 49_990 })
  return desk
}

const bodyOf = (target: string, account = 'alice', readings = {}) =>
  traded(readings).request(account, 'GET', target).body

describe('balances', () => {
  it('list every asset, cash first, with what is locked', () => {
    expect(bodyOf('/portfolio/balances')).toEqual({
      balances: [
        {
          asset: 'USD',
          total: 937_437.49,
          available: 924_922.4875,
          locked: 12_515.0025,
          pendingDeposit: 0,
          pendingWithdrawal: 0,
          usdValue: 937_437.49,
        },
        {
          asset: 'BTC',
          total: 11.25,
          available: 11.25,
          locked: 0,
          pendingDeposit: 0,
          pendingWithdrawal: 0,
          usdValue: 562_500,
        },
        {
          asset: 'ETH',
          total: 100,
          available: 100,
          locked: 0,
          pendingDeposit: 0,
          pendingWithdrawal: 0,
          usdValue: 300_000,
        },
      ],
    })
  })

  it('show deposits and withdrawals that wait', () => {
    const desk = openDesk()
    const transfer = {
      at: at(desk.venue),
      account: desk.row('alice'),
      asset: 0,
      pendingMillis: millis(1_000),
    }
    desk.execute({ kind: 'deposit', atoms: atoms(5e6), ...transfer })
    desk.execute({ kind: 'withdraw', atoms: atoms(7e6), ...transfer })
    expect(desk.request('alice', 'GET', '/portfolio/balances/USD').body).toMatchObject({
      total: 999_993,
      available: 999_993,
      pendingDeposit: 5,
      pendingWithdrawal: 7,
    })
    desk.advance(1_000)
    expect(desk.request('alice', 'GET', '/portfolio/balances/USD').body).toMatchObject({
      total: 999_998,
      pendingDeposit: 0,
      pendingWithdrawal: 0,
    })
  })

  it.each([
    ['?assets=ETH,USD,DOGE', ['ETH', 'USD']],
    ['?assets=DOGE', []],
  ])('are filtered: %s', (query, symbols) => {
    expect(bodyOf(`/portfolio/balances${query}`)).toMatchObject({
      balances: symbols.map((asset) => ({ asset })),
    })
  })

  it.each(['balances', 'positions', 'exposure', 'available'])(
    'of an unknown asset are 404: %s',
    (resource) => {
      expect(openDesk().request('alice', 'GET', `/portfolio/${resource}/DOGE`)).toMatchObject({
        status: 404,
        body: { message: 'The asset does not exist' },
      })
    },
  )
})

describe('positions', () => {
  it('are absolute, with a side', () => {
    expect(bodyOf('/portfolio/positions', 'mara')).toMatchObject({
      positions: [{ asset: 'BTC', quantity: 0.25, side: 'short', marketValue: 12_500 }],
    })
    expect(bodyOf('/portfolio/positions/BTC', 'mara', { 'positions.sign': 'signed' })).toMatchObject({
      quantity: -0.25,
      side: 'short',
      marketValue: -12_500,
    })
  })

  it('are filtered by asset, and never cash', () => {
    expect(bodyOf('/portfolio/positions?asset=ETH')).toMatchObject({
      positions: [{ asset: 'ETH', quantity: 100 }],
    })
    expect(bodyOf('/portfolio/positions?asset=USD')).toEqual({ positions: [] })
    expect(bodyOf('/portfolio/positions?asset=DOGE')).toEqual({ positions: [] })
  })

  it('are 404 one by one where there is none', () => {
    for (const asset of ['ETH', 'USD'])
      expect(traded().request('mara', 'GET', `/portfolio/positions/${asset}`)).toMatchObject({
        status: 404,
        body: { message: 'There is no position in this asset' },
      })
  })

  it('are wrapped by reading', () => {
    expect(bodyOf('/portfolio/positions/BTC', 'alice', { 'positions.one': 'wrapped' })).toMatchObject({
      position: { asset: 'BTC' },
    })
  })
})

describe('exposure, summary and profit', () => {
  it('weigh a long-only portfolio to 100 percent with cash', () => {
    const { body } = openDesk().request('alice', 'GET', '/portfolio/exposure')
    expect(body).toEqual({
      totalExposure: 800_000,
      netExposure: 800_000,
      longExposure: 800_000,
      shortExposure: 0,
      cashBalance: 1_000_000,
      leverage: 0.444_444_44,
      byAsset: [
        { asset: 'BTC', exposure: 500_000, weight: 27.7778, side: 'long' },
        { asset: 'ETH', exposure: 300_000, weight: 16.6667, side: 'long' },
        { asset: 'USD', exposure: 1_000_000, weight: 55.5556, side: 'neutral' },
      ],
    })
  })

  it('of one asset is its entry, or the risk view by reading', () => {
    expect(bodyOf('/portfolio/exposure/ETH', 'mara')).toEqual({
      asset: 'ETH',
      exposure: 0,
      weight: 0,
      side: 'neutral',
    })
    expect(bodyOf('/portfolio/exposure/BTC', 'alice', { 'exposure.one': 'risk' })).toHaveProperty(
      'openOrders',
    )
  })

  it('add up: the summary is the balances at the mark', () => {
    const desk = traded()
    const { body } = desk.request('mara', 'GET', '/portfolio/summary')
    const fee = 12.5025
    expect(body).toMatchObject({
      totalValue: 1_000_000 + 2.5 - fee,
      positionsValue: -12_500,
      totalPnl: 2.5 - fee,
      unrealizedPnl: 2.5,
      realizedPnl: 0,
      openPositions: 1,
      openOrders: 0,
    })
    expect(desk.request('mara', 'GET', '/portfolio/pnl?period=1h').body).toMatchObject({
      period: '1h',
      netPnl: 2.5 - fee,
      totalPnl: 2.5,
      fees: fee,
      startValue: 1_000_000,
      byAsset: [{ asset: 'BTC', pnl: 2.5, trades: 1 }],
    })
  })

  it('take a period of four, 24h by default', () => {
    expect(bodyOf('/portfolio/pnl')).toMatchObject({ period: '24h' })
    expect(bodyOf('/portfolio/pnl?period=1d')).toMatchObject({
      details: { field: 'period', reason: 'must be one of 1h, 24h, 7d, 30d' },
    })
  })

  it('count the day from midnight, or roll, by reading', () => {
    const dayPnl = (readings: { readonly [key: string]: string }) => {
      const desk = traded(readings)
      desk.advance(86_399_900)
      return desk.request('mara', 'GET', '/portfolio/summary').body
    }
    expect(dayPnl({})).toMatchObject({ dayPnl: 0 })
    expect(dayPnl({ 'time.dayStart': 'rolling' })).toMatchObject({ dayPnl: -10.0025 })
  })
})

describe('activity', () => {
  it('lists trades with the id of the order, newest first', () => {
    expect(bodyOf('/portfolio/trades', 'mara')).toEqual({
      trades: [
        {
          tradeId: 'trd_3',
          orderId: 'ord_2',
          asset: 'BTC',
          side: 'sell',
          quantity: 0.25,
          price: 50_010,
          value: 12_502.5,
          fee: 12.5025,
          feeCurrency: 'USD',
          timestamp: '2026-01-05T00:00:00.200Z',
        },
      ],
      pagination: { page: 1, limit: 50, total: 1, totalPages: 1 },
    })
  })

  it.each([
    ['', 1],
    ['?side=buy', 0],
    ['?side=sell&asset=BTC', 1],
    ['?asset=ETH', 0],
    ['?asset=DOGE', 0],
    ['?startDate=2026-01-05', 1],
    ['?startDate=2026-01-06', 0],
    ['?endDate=2026-01-05', 1],
    ['?endDate=2026-01-04', 0],
    ['?startDate=2026-01-05T00:00:00.200Z&endDate=2026-01-05T00:00:00.200Z', 1],
    ['?startDate=2026-01-05T00:00:00.201Z', 0],
    ['?endDate=2026-01-05T00:00:00.199Z', 0],
    ['?endDate=2026-01-05T01:00:00.200%2B01:00', 1],
    ['?page=2', 0],
  ])('filters trades: %s', (query, count) => {
    const body = bodyOf(`/portfolio/trades${query}`, 'mara')
    expect('trades' in body && Array.isArray(body.trades) && body.trades.length).toBe(count)
  })

  it.each(['2026-02-30', '20260105', '2026-01-05T00:00', '2026-01-05T00:00:00', 'yesterday!'])(
    'refuses the date %s',
    (date) => {
      expect(openDesk().request('alice', 'GET', `/portfolio/trades?endDate=${date}`)).toMatchObject({
        status: 400,
        body: { details: { field: 'endDate' } },
      })
    },
  )

  it('lists transactions of every type, each with an id of its own', () => {
    const body = bodyOf('/portfolio/transactions', 'mara')
    const lines = 'transactions' in body && Array.isArray(body.transactions) ? body.transactions : []
    expect(lines.map((line) => [line.type, line.asset, line.quantity, line.side, line.orderId])).toEqual([
      ['fee', 'USD', 12.5025, null, null],
      ['trade', 'BTC', 0.25, 'sell', 'ord_2'],
      ['deposit', 'USD', 1_000_000, null, null],
    ])
    expect(new Set(lines.map((line) => line.transactionId)).size).toBe(3)
    expect(lines[2]).toMatchObject({ price: null, value: 1_000_000, fee: 0, feeCurrency: null })
  })

  it.each([
    ['?type=trade', ['trade']],
    ['?type=fee&asset=USD', ['fee']],
    ['?asset=BTC', ['trade']],
    ['?type=withdrawal', []],
    ['?limit=1&page=3', ['deposit']],
  ])('filters transactions: %s', (query, types) => {
    expect(bodyOf(`/portfolio/transactions${query}`, 'mara')).toMatchObject({
      transactions: types.map((type) => ({ type })),
    })
  })

  it('leaves out what does not apply, by reading', () => {
    const body = bodyOf('/portfolio/transactions?type=deposit', 'mara', {
      'transactions.nonTrade': 'omitted',
    })
    const line = 'transactions' in body && Array.isArray(body.transactions) ? body.transactions[0] : {}
    expect(Object.keys(line)).toEqual([
      'transactionId',
      'type',
      'asset',
      'quantity',
      'value',
      'fee',
      'timestamp',
    ])
  })
})

describe('risk', () => {
  const candidate = { side: 'buy', asset: 'BTC', quantity: 2, price: 50_000 }

  it('names the limits, with their defaults', () => {
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

  it('shows the minimum where an order is too small', () => {
    const desk = openDesk({ limits: { minOrderSize: { bySymbol: new Map([['BTC', 3e8]]), default: 1 } } })
    expect(desk.request('alice', 'POST', '/risk/pre-trade-check', candidate).body).toMatchObject({
      checks: {
        orderSize: { passed: false, limit: 3, value: 2, message: 'order size 2 is below the minimum of 3' },
      },
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

  it('finds a maximum that is accepted, and one step more that is not', () => {
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
    ['?side=buy&asset=BTC&price=1e3', 'price'],
  ])('refuses max-quantity%s', (query, field) => {
    expect(openDesk().request('alice', 'GET', `/risk/max-quantity${query}`)).toMatchObject({
      status: 400,
      body: { details: { field } },
    })
  })

  it('simulates what a fill would leave', () => {
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

  it('says which checks the order would fail', () => {
    expect(
      openDesk().request('alice', 'POST', '/risk/simulate', { ...candidate, side: 'sell', quantity: 11 })
        .body,
    ).toMatchObject({
      wouldBreach: [
        { type: 'availableBalance', message: 'the order needs 11 BTC, but only 10 BTC is available' },
      ],
    })
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

  it('turn into fractions as the full ones do', () => {
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
