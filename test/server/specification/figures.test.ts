import { afterAll, beforeAll, expect, it } from 'vitest'
import { quietScenario } from '../../world/scenarios.ts'
import { startFixture, type VenueFixture } from '../venue-fixture.ts'

/*
 * The figures of one account, calculated by hand. The mark stands at 50,000 USD. The desk begins with 1,000,000 USD and
 * 10 BTC, buys 2 at 53,000 (106,000 and a fee of 106), sells 1 at 49,000 (49,000 less 49) and then has 942,845 USD and
 * 11 BTC at an average of 606,000 / 12 = 50,500. It bids for 1 at 40,000, which reserves 40,040 USD, and offers 3 at
 * 60,000.
 */

let venue: VenueFixture
beforeAll(async () => {
  venue = await startFixture()
  const account = (id: string) => ({
    id,
    balances: { USD: 1_000_000, BTC: 10 },
    keys: [{ key: id, secret: id, scopes: ['READ', 'TRADE'] }],
  })
  const scenario = { ...quietScenario, accounts: [account('desk'), account('other')] }
  expect((await venue.admin('POST', '/worlds', { id: 'hand', scenario })).status).toBe(201)
  await trade('other', 'sell', 2, 53_000)
  await trade('desk', 'buy', 2, 53_000)
  await trade('other', 'buy', 1, 49_000)
  await trade('desk', 'sell', 1, 49_000)
  await trade('other', 'sell', 1, 52_000)
  await trade('desk', 'buy', 1, 40_000)
  await trade('desk', 'sell', 3, 60_000)
})
afterAll(() => venue.server.close())

async function trade(account: string, side: string, quantity: number, price: number): Promise<void> {
  const { status } = await send(account, 'POST /orders', { side, asset: 'BTC', quantity, price })
  expect(status).toBe(201)
}

function send(account: string, request: string, body?: object) {
  const [method = '', target = ''] = request.split(' ')
  const text = body === undefined ? '' : JSON.stringify(body)
  venue.wall.advance(1000)
  return venue.send({ method, target: `/api/sdk${target}`, body: text, apiKey: account, apiSecret: account })
}

const value = 1_492_845
const leverage = 0.36842405 // 550,000 / 1,492,845

it.each<[request: string, answer: object]>([
  [
    'GET /portfolio/balances/USD',
    {
      asset: 'USD',
      total: 942_845,
      available: 902_805,
      locked: 40_040,
      pendingDeposit: 0,
      pendingWithdrawal: 0,
      usdValue: 942_845,
    },
  ],
  [
    'GET /portfolio/balances/BTC',
    {
      asset: 'BTC',
      total: 11,
      available: 8,
      locked: 3,
      pendingDeposit: 0,
      pendingWithdrawal: 0,
      usdValue: 550_000,
    },
  ],
  [
    // At the best ask, 52,000, with the fee: 902,805 / 52,052 = 17.3442...
    'GET /portfolio/available/BTC',
    {
      asset: 'BTC',
      available: 8,
      locked: 3,
      pendingSettlement: 0,
      availableForBuy: 17.3442,
      availableForSell: 8,
    },
  ],
  [
    'GET /portfolio/positions/BTC',
    {
      asset: 'BTC',
      quantity: 11,
      side: 'long',
      averageEntryPrice: 50_500,
      currentPrice: 50_000,
      marketValue: 550_000,
      costBasis: 555_500,
      unrealizedPnl: -5500,
      unrealizedPnlPercent: -0.9901,
      realizedPnl: -1500,
    },
  ],
  [
    'GET /portfolio/exposure',
    {
      totalExposure: 550_000,
      netExposure: 550_000,
      longExposure: 550_000,
      shortExposure: 0,
      cashBalance: 942_845,
      leverage,
      byAsset: [
        { asset: 'BTC', exposure: 550_000, weight: 36.8424, side: 'long' },
        { asset: 'USD', exposure: 942_845, weight: 63.1576, side: 'neutral' },
      ],
    },
  ],
  [
    'GET /portfolio/summary',
    {
      totalValue: value,
      cashBalance: 942_845,
      positionsValue: 550_000,
      totalPnl: -7155,
      totalPnlPercent: -0.477,
      dayPnl: -7155,
      dayPnlPercent: -0.477,
      unrealizedPnl: -5500,
      realizedPnl: -1500,
      buyingPower: 902_805,
      openPositions: 1,
      openOrders: 2,
    },
  ],
  [
    // Of BTC: 550,000 less 500,000 and 57,000 that went into it, over 500,000 held and 106,000 bought.
    'GET /portfolio/pnl?period=24h',
    {
      period: '24h',
      totalPnl: -7000,
      totalPnlPercent: -0.4667,
      realizedPnl: -1500,
      unrealizedPnl: -5500,
      fees: 155,
      netPnl: -7155,
      startValue: 1_500_000,
      endValue: value,
      byAsset: [{ asset: 'BTC', pnl: -7000, pnlPercent: -1.1551, trades: 2 }],
    },
  ],
  [
    'GET /risk/exposure',
    {
      totalExposure: 550_000,
      netExposure: 550_000,
      grossExposure: 550_000,
      longExposure: 550_000,
      shortExposure: 0,
      cashBalance: 942_845,
      portfolioValue: value,
      leverage,
      utilizationPercent: 5.5,
      maxExposure: 10_000_000,
      availableExposure: 9_450_000,
      byAsset: [
        {
          asset: 'BTC',
          exposure: 550_000,
          exposurePercent: 36.8424,
          limit: 2_000_000,
          utilizationPercent: 27.5,
        },
      ],
    },
  ],
  [
    'GET /risk/exposure/BTC',
    {
      asset: 'BTC',
      exposure: 550_000,
      exposurePercent: 36.8424,
      limit: 2_000_000,
      utilizationPercent: 27.5,
      availableExposure: 1_450_000,
      position: { quantity: 11, averagePrice: 50_500, currentPrice: 50_000 },
      openOrders: { buyQuantity: 1, buyValue: 40_000, sellQuantity: 3, sellValue: 180_000 },
    },
  ],
  [
    // 902,805 / 45,045 by the balance, (10,000,000 - 590,000) / 45,000 and (2,000,000 - 590,000) / 45,000 by exposure.
    'GET /risk/max-quantity?side=buy&asset=BTC&price=45000',
    {
      side: 'buy',
      asset: 'BTC',
      price: 45_000,
      maxQuantity: 10,
      limitingFactor: 'order_size_limit',
      details: {
        byBalance: { quantity: 20.0422, availableBalance: 902_805 },
        byOrderSizeLimit: { quantity: 10, limit: 10 },
        byExposureLimit: { quantity: 209.1111, availableExposure: 9_410_000 },
        byAssetExposureLimit: { quantity: 31.3333, availableExposure: 1_410_000 },
      },
    },
  ],
])('%s has the right figures', async (request, answer) => {
  const { status, body } = await send('desk', request)
  expect(status).toBe(200)
  expect(body).toEqual(answer)
})

it.each<[request: string, answer: object]>([
  [
    'GET /risk/utilization',
    {
      utilization: {
        exposure: { used: 550_000, limit: 10_000_000, available: 9_450_000, percent: 5.5 },
        dailyVolume: { used: 155_000, limit: 5_000_000, available: 4_845_000, percent: 3.1 },
        openOrders: { used: 2, limit: 100, available: 98, percent: 2 },
      },
      byAsset: {
        BTC: {
          exposure: { used: 550_000, limit: 2_000_000, percent: 27.5 },
          openOrders: { used: 2, limit: 20, percent: 10 },
        },
      },
      breachedLimits: [],
    },
  ],
  [
    'GET /risk/metrics',
    {
      portfolioValue: value,
      cashBalance: 942_845,
      positionsValue: 550_000,
      leverage,
      concentration: { topAsset: 'BTC', topAssetWeight: 100, herfindahlIndex: 1 },
      exposure: { net: 550_000, gross: 550_000, long: 550_000, short: 0 },
      utilization: { exposurePercent: 5.5, dailyVolumePercent: 3.1, openOrdersPercent: 2 },
    },
  ],
  [
    'GET /portfolio/transactions?type=trade',
    {
      transactions: [
        { side: 'sell', quantity: 1, price: 49_000, value: 49_000, fee: 49, feeCurrency: 'USD' },
        { side: 'buy', quantity: 2, price: 53_000, value: 106_000, fee: 106, feeCurrency: 'USD' },
      ],
    },
  ],
  [
    'GET /portfolio/transactions?type=deposit&asset=BTC',
    { transactions: [{ quantity: 10, price: null, value: 500_000, fee: 0, side: null, orderId: null }] },
  ],
  [
    'GET /portfolio/trades',
    {
      trades: [
        { side: 'sell', quantity: 1, price: 49_000, value: 49_000, fee: 49, feeCurrency: 'USD' },
        { side: 'buy', quantity: 2, price: 53_000, value: 106_000, fee: 106, feeCurrency: 'USD' },
      ],
    },
  ],
])('%s has these figures among others', async (request, answer) => {
  expect((await send('desk', request)).body).toMatchObject(answer)
})

it('a simulation buys at its price, without a fee, and values what it has then at the mark', async () => {
  const candidate = { side: 'buy', asset: 'BTC', quantity: 1, price: 45_000 }
  expect((await send('desk', 'POST /risk/simulate', candidate)).body).toEqual({
    orderValue: 45_000,
    currentState: {
      portfolioValue: value,
      cashBalance: 942_845,
      exposure: 550_000,
      btcPosition: 11,
      btcExposure: 550_000,
      leverage,
    },
    afterOrder: {
      portfolioValue: 1_497_845,
      cashBalance: 897_845,
      exposure: 600_000,
      btcPosition: 12,
      btcExposure: 600_000,
      leverage: 0.40057549, // 600,000 / 1,497,845
    },
    impact: {
      exposureChange: 50_000,
      exposureChangePercent: 9.0909,
      btcExposureChange: 50_000,
      btcExposureChangePercent: 9.0909,
      leverageChange: 0.03215144,
      cashChange: -45_000,
    },
    wouldBreach: [],
  })
})

it('a pre-trade check reports present values, and those after the order', async () => {
  const candidate = { side: 'buy', asset: 'BTC', quantity: 1, price: 45_000 }
  const { body } = await send('desk', 'POST /risk/pre-trade-check', candidate)
  const exposure = { passed: true, currentValue: 590_000, afterValue: 635_000 }
  expect(body).toMatchObject({
    approved: true,
    orderValue: 45_000,
    checks: {
      orderSize: { passed: true, limit: 10, value: 1 },
      orderValue: { passed: true, limit: 500_000, value: 45_000 },
      exposure: { ...exposure, limit: 10_000_000 },
      assetExposure: { ...exposure, limit: 2_000_000 },
      availableBalance: { passed: true, required: 45_045, available: 902_805 },
      dailyVolume: { passed: true, limit: 5_000_000, currentValue: 155_000, afterValue: 200_000 },
    },
    warnings: [],
  })
})
