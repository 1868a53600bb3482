import { describe, expect, it } from 'vitest'
import { assessOrder, checkOrderTerms } from '../../../src/engine/checks/pre-trade-check.ts'
import { buy, cash, sell } from '../../../src/engine/codes.ts'
import { limitAlerts, limitUse, limitUtilization } from '../../../src/engine/reports/limit-utilization.ts'
import { simulateOrder } from '../../../src/engine/reports/order-simulation.ts'
import { assetRiskExposure, riskExposure } from '../../../src/engine/reports/risk-exposure.ts'
import { riskMetrics } from '../../../src/engine/reports/risk-metrics.ts'
import { partsPerMillion } from '../../../src/numeric/units.ts'
import {
  alice,
  bob,
  btc,
  coins,
  dayMillis,
  eth,
  hourMillis,
  SmallVenue,
  usd,
} from '../fixtures/small-venue.ts'

describe('risk exposure', () => {
  const limits = {
    maxExposure: usd(1_400_000),
    maxExposurePerAsset: { bySymbol: new Map([['ETH', usd(250_000)]]), default: usd(2_000_000) },
  }
  const small = new SmallVenue({ limits })
  small.place(alice, buy, btc, 45_000, 1.5)
  small.place(alice, sell, btc, 60_000, 2)

  it('of the portfolio measures what is held against the limits', () => {
    expect(riskExposure(small.state, alice)).toMatchObject({
      portfolio: { totalExposureAtoms: usd(700_000), equityAtoms: usd(1_700_000) },
      maxExposureAtoms: usd(1_400_000),
      availableExposureAtoms: usd(700_000),
      utilizationPercentE4: 500_000,
      byAsset: [
        {
          asset: btc,
          exposureAtoms: usd(500_000),
          exposurePercentE4: 294_118,
          limitAtoms: usd(2_000_000),
          utilizationPercentE4: 250_000,
        },
        {
          asset: eth,
          limitAtoms: usd(250_000),
          utilizationPercentE4: 800_000,
          availableExposureAtoms: usd(50_000),
        },
      ],
    })
  })

  it('of one asset has its position and its open orders', () => {
    expect(assetRiskExposure(small.state, alice, btc)).toMatchObject({
      position: { quantityAtoms: coins(10), averagePriceE8: 5_000_000_000_000, currentPriceTicks: 5_000_000 },
      openOrders: {
        buySteps: 15_000,
        buyValueAtoms: usd(67_500),
        sellSteps: 20_000,
        sellValueAtoms: usd(120_000),
      },
    })
  })

  it('of an asset that is not held is 0', () => {
    const flat = new SmallVenue({ alice: { USD: usd(100) } })
    expect(assetRiskExposure(flat.state, alice, eth)).toMatchObject({
      exposureAtoms: 0,
      utilizationPercentE4: 0,
      position: { quantityAtoms: 0, averagePriceE8: 0, currentPriceTicks: 200_000 },
    })
  })
})

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

describe('concentration and utilization among the metrics', () => {
  it('are shares of the gross exposure', () => {
    const small = new SmallVenue({ limits: { maxExposure: usd(1_000_000) } })
    expect(riskMetrics(small.state, alice)).toMatchObject({
      positionsValueAtoms: usd(700_000),
      concentration: {
        topAsset: btc,
        topAssetWeightE4: 714_286,
        herfindahlIndexE8: 59_183_673, // (25 + 4) / 49
      },
      utilization: { exposurePercentE4: 700_000, dailyVolumePercentE4: 0, openOrdersPercentE4: 0 },
    })
  })

  it('name the first of equals by symbol, and nothing without a position', () => {
    const equal = new SmallVenue({ alice: { USD: 1, ETH: coins(25), BTC: coins(1) } })
    expect(riskMetrics(equal.state, alice).concentration).toEqual({
      topAsset: btc,
      topAssetWeightE4: 500_000,
      herfindahlIndexE8: 50_000_000,
    })
    const flat = new SmallVenue({ alice: { USD: usd(100) } })
    expect(riskMetrics(flat.state, alice).concentration).toEqual({
      topAsset: -1,
      topAssetWeightE4: 0,
      herfindahlIndexE8: 0,
    })
  })
})

describe('volatility', () => {
  it('is 0 while nothing moves, and without a position', () => {
    const small = new SmallVenue()
    small.advance(10 * hourMillis)
    const still = { portfolio1dE4: 0, portfolio7dE4: 0, varDaily95Atoms: 0 }
    expect(riskMetrics(small.state, alice).volatility).toEqual(still)
    const flat = new SmallVenue({ alice: { USD: usd(100) } })
    flat.movePrice(btc, 70_000)
    flat.advance(hourMillis)
    expect(riskMetrics(flat.state, alice).volatility).toEqual(still)
  })

  it('weighs one move of an hour by 0.97 an hour since', () => {
    const small = new SmallVenue({ alice: { BTC: coins(10) } })
    small.advance(1)
    small.movePrice(btc, 55_000)
    small.advance(3 * hourMillis - 1)
    // 26 hourly returns (23 before the start, 3 since), of which the third last is ln 1.1: weight 0.97^2 in the sum
    const weights = (1 - 0.97 ** 26) / (1 - 0.97)
    const daily = Math.sqrt((24 * 0.97 ** 2 * Math.log(1.1) ** 2) / weights)
    const { portfolio1dE4, portfolio7dE4, varDaily95Atoms } = riskMetrics(small.state, alice).volatility
    expect(portfolio1dE4).toBe(Math.round(1_000_000 * daily))
    expect(portfolio7dE4).toBe(Math.round(1_000_000 * daily * Math.sqrt(7)))
    expect(Math.abs(varDaily95Atoms - 1.6449 * daily * usd(550_000))).toBeLessThan(2)
  })

  it('is smaller for a hedged portfolio', () => {
    const hedged = new SmallVenue({ alice: { USD: usd(2_000_000), BTC: coins(1) }, aliceIsMargin: true })
    hedged.trade(alice, sell, eth, 2000, 25)
    hedged.advance(1)
    hedged.movePrice(btc, 60_000)
    hedged.movePrice(eth, 2400)
    hedged.advance(hourMillis)
    expect(riskMetrics(hedged.state, alice).volatility.portfolio1dE4).toBe(0)
    expect(riskMetrics(hedged.state, bob).volatility.portfolio1dE4).toBeGreaterThan(0)
  })
})

describe('a simulated order', () => {
  const small = new SmallVenue({ limits: { maxExposure: usd(800_000) } })
  const terms = { account: alice, asset: btc, side: buy, priceTicks: 4_900_000, quantitySteps: 30_000 }

  it('reports the account before and after, at the mark', () => {
    expect(simulateOrder(small.state, { ...terms, quantitySteps: 20_000 })).toMatchObject({
      orderValueAtoms: usd(98_000),
      currentState: {
        portfolioValueAtoms: usd(1_700_000),
        cashBalanceAtoms: usd(1_000_000),
        exposureAtoms: usd(700_000),
        assetPositionAtoms: coins(10),
        assetExposureAtoms: usd(500_000),
        leverageE8: 41_176_471,
      },
      afterOrder: {
        portfolioValueAtoms: usd(1_702_000),
        cashBalanceAtoms: usd(902_000),
        exposureAtoms: usd(800_000),
        assetPositionAtoms: coins(12),
        assetExposureAtoms: usd(600_000),
        leverageE8: 47_003_525,
      },
      impact: {
        exposureChangeAtoms: usd(100_000),
        exposureChangePercentE4: 142_857,
        assetExposureChangeAtoms: usd(100_000),
        assetExposureChangePercentE4: 200_000,
        leverageChangeE8: 5_827_054,
        cashChangeAtoms: usd(-98_000),
      },
      assessment: { isApproved: true },
    })
  })

  it('reports what it would breach', () => {
    const { checks, isApproved } = simulateOrder(small.state, terms).assessment
    expect(isApproved).toBe(false)
    expect(checks.exposure).toEqual({
      passed: false,
      limitAtoms: usd(800_000),
      currentAtoms: usd(700_000),
      afterAtoms: usd(847_000),
    })
  })

  it('predicts the account after a fill without a fee', () => {
    const { afterOrder } = simulateOrder(small.state, { ...terms, quantitySteps: 10_000 })
    small.trade(alice, buy, btc, 49_000, 1)
    const next = simulateOrder(small.state, { ...terms, quantitySteps: 1 }).currentState
    expect(next).toEqual(afterOrder)
  })

  it('reports an increase from 0 as 100 %', () => {
    const flat = new SmallVenue({ alice: { USD: usd(1_000_000) } })
    expect(simulateOrder(flat.state, terms).impact).toMatchObject({
      exposureChangePercentE4: 1_000_000,
      assetExposureChangePercentE4: 1_000_000,
    })
  })
})

describe('terms of an order', () => {
  const small = new SmallVenue()
  const terms = { account: alice, asset: btc, side: buy, priceTicks: 5_000_000, quantitySteps: 10_000 }

  it.each([
    [{}, null],
    [{ asset: cash }, 'unknown-asset'],
    [{ asset: 9 }, 'unknown-asset'],
    [{ priceTicks: 0 }, 'price-below-minimum'],
    [{ priceTicks: 9e15 + 2 }, 'price-out-of-range'],
    [{ quantitySteps: 0 }, 'quantity-below-minimum'],
    [{ quantitySteps: 10_000_001 }, 'quantity-above-maximum'],
    [{ priceTicks: 9e12, quantitySteps: 10_000_000 }, 'amount-out-of-range'],
    [{ priceTicks: 9_999, quantitySteps: 1 }, 'notional-below-minimum'],
  ])('changed by %j are refused for %s', (change, code) => {
    expect(checkOrderTerms(small.state, { ...terms, ...change })?.code ?? null).toBe(code)
  })

  it('are assessed as their creation would be', () => {
    const poor = new SmallVenue({ alice: { USD: usd(49_999) } })
    const { checks } = assessOrder(poor.state, terms)
    expect(checks.availableBalance).toEqual({
      passed: false,
      asset: cash,
      requiredAtoms: usd(50_000),
      availableAtoms: usd(49_999),
    })
  })
})
