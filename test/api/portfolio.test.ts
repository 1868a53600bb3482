import { describe, expect, it } from 'vitest'
import { atoms, millis } from '../../src/numeric/units.ts'
import { at, openDesk } from './desk.ts'
import { bodyOf, traded } from './traded-desk.ts'

describe('balances', () => {
  it('list every asset, cash first, with locked amounts', () => {
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

  it('show pending deposits and withdrawals', () => {
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

  it('are filtered by asset, and never include cash', () => {
    expect(bodyOf('/portfolio/positions?asset=ETH')).toMatchObject({
      positions: [{ asset: 'ETH', quantity: 100 }],
    })
    expect(bodyOf('/portfolio/positions?asset=USD')).toEqual({ positions: [] })
    expect(bodyOf('/portfolio/positions?asset=DOGE')).toEqual({ positions: [] })
  })

  it('are 404 when asked for singly and there is none', () => {
    for (const asset of ['ETH', 'USD'])
      expect(traded().request('mara', 'GET', `/portfolio/positions/${asset}`)).toMatchObject({
        status: 404,
        body: { message: 'There is no position in this asset' },
      })
  })

  it('are wrapped under the reading', () => {
    expect(bodyOf('/portfolio/positions/BTC', 'alice', { 'positions.one': 'wrapped' })).toMatchObject({
      position: { asset: 'BTC' },
    })
  })
})

describe('exposure, summary and profit', () => {
  it('have weights that add up to 100 percent with cash in a long-only portfolio', () => {
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

  it('of one asset is its entry, or the risk view under the reading', () => {
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

  it('add up: the summary values the balances at the mark', () => {
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

  it('accept four periods, 24h by default', () => {
    expect(bodyOf('/portfolio/pnl')).toMatchObject({ period: '24h' })
    expect(bodyOf('/portfolio/pnl?period=1d')).toMatchObject({
      details: { field: 'period', reason: 'must be one of 1h, 24h, 7d, 30d' },
    })
  })

  it('count a day from midnight, or 24 hours, under the readings', () => {
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
  it('lists trades with the ids of their orders, newest first', () => {
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
    // Many languages write microseconds or nanoseconds; the trade is at .200 exactly.
    ['?startDate=2026-01-05T00:00:00.199999%2B00:00', 1],
    ['?startDate=2026-01-05T00:00:00.200000%2B00:00', 1],
    ['?startDate=2026-01-05T00:00:00.200001Z', 0],
    ['?endDate=2026-01-05T00:00:00.199999999Z', 0],
    ['?endDate=2026-01-05T00:00:00.200001Z', 1],
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

  it('omits fields that do not apply, under the reading', () => {
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
