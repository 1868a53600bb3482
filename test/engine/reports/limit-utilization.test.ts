import { describe, expect, it } from 'vitest'
import { buy, sell } from '../../../src/engine/codes.ts'
import { limitAlerts, limitUse, limitUtilization } from '../../../src/engine/reports/risk-exposure.ts'
import { partsPerMillion } from '../../../src/numeric/units.ts'
import { alice, btc, coins, dayMillis, eth, SmallVenue, usd } from '../fixtures/small-venue.ts'

describe('the use of a limit', () => {
  it.each([
    [0, 100, 100, 0],
    [50, 100, 50, 500_000],
    [100, 100, 0, 1_000_000],
    [150, 100, 0, 1_500_000],
    [0, 0, 0, 0],
    [1, 0, 0, 1_000_000],
    [1, 3, 2, 333_333],
    [1, 8_000_000, 7_999_999, 0], // half-even at 0.125 of the last place
    [3, 2_000_000, 1_999_997, 2], // and at 1.5
  ])('%i of %i leaves %i at %i', (used, limit, available, percentE4) => {
    expect(limitUse(used, limit)).toEqual({ used, limit, available, percentE4 })
  })
})

describe('limit utilization', () => {
  it('counts the day, live orders and quotes, and each asset', () => {
    const small = new SmallVenue({
      limits: { maxOpenOrders: 4, maxOpenOrdersPerAsset: 2, maxDailyVolume: usd(200_000) },
    })
    small.trade(alice, buy, btc, 50_000, 1)
    small.place(alice, buy, btc, 40_000, 1)
    small.place(alice, buy, eth, 1000, 1)
    small.place(alice, sell, eth, 3000, 1)
    expect(limitUtilization(small.state, alice)).toMatchObject({
      dailyVolume: { used: usd(50_000), limit: usd(200_000), available: usd(150_000), percentE4: 250_000 },
      openOrders: { used: 3, limit: 4, available: 1, percentE4: 750_000 },
      byAsset: [
        {
          asset: btc,
          exposure: { used: usd(550_000) },
          openOrders: { used: 1, limit: 2, percentE4: 500_000 },
        },
        { asset: eth, openOrders: { used: 2, limit: 2, available: 0, percentE4: 1_000_000 } },
      ],
    })
    expect(limitAlerts(small.state, alice)).toMatchObject({
      breached: [],
      nearBreach: [
        { type: 'assetOpenOrders', asset: eth, utilizationPercentE4: 1_000_000, warningThresholdE4: 800_000 },
      ],
    })
    small.advance(dayMillis)
    expect(limitUtilization(small.state, alice).dailyVolume.used).toBe(0)
  })

  it('names what a move of the market has breached', () => {
    const small = new SmallVenue({ limits: { maxExposure: usd(750_000) } })
    expect(limitAlerts(small.state, alice).nearBreach).toMatchObject([{ type: 'exposure', asset: null }])
    small.movePrice(btc, 60_000)
    expect(limitAlerts(small.state, alice).breached).toEqual([
      {
        type: 'exposure',
        asset: null,
        used: usd(800_000),
        limit: usd(750_000),
        utilizationPercentE4: 1_066_667,
        warningThresholdE4: 800_000,
      },
    ])
  })

  it('names the leverage of a margin account, and none of a cash account', () => {
    const small = new SmallVenue({
      alice: { USD: usd(100_000) },
      aliceIsMargin: true,
      limits: { maxLeverage: partsPerMillion(2_000_000) },
    })
    small.trade(alice, sell, btc, 50_000, 3)
    expect(limitAlerts(small.state, alice)).toMatchObject({ breached: [], nearBreach: [] })
    small.movePrice(btc, 60_000)
    // equity 70,000 against 180,000 short
    expect(limitAlerts(small.state, alice).breached).toMatchObject([
      { type: 'leverage', used: 257_142_857, limit: 200_000_000, utilizationPercentE4: 1_285_714 },
    ])
    const invested = new SmallVenue({ alice: { BTC: coins(1) } })
    expect(limitAlerts(invested.state, alice)).toMatchObject({ breached: [], nearBreach: [] })
  })
})
