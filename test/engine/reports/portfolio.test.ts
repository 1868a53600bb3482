import { describe, expect, it } from 'vitest'
import { buy, cash, sell } from '../../../src/engine/codes.ts'
import { availableForTrading, computeBalance } from '../../../src/engine/reports/balances.ts'
import { portfolioExposure } from '../../../src/engine/reports/portfolio-exposure.ts'
import { portfolioSummary } from '../../../src/engine/reports/portfolio-summary.ts'
import { computePosition, listPositionFigures } from '../../../src/engine/reports/position-figures.ts'
import { alice, bob, btc, coins, eth, hourMillis, SmallVenue, usd } from '../fixtures/small-venue.ts'

describe('a balance', () => {
  it('is total, available and locked, with what is pending beside it', () => {
    const small = new SmallVenue({ takerRate: 1000 })
    small.place(alice, buy, btc, 40_000, 2)
    small.transfer('deposit', alice, cash, usd(500), hourMillis)
    small.transfer('withdraw', alice, cash, usd(300), hourMillis)
    expect(computeBalance(small.state, alice, cash)).toEqual({
      asset: cash,
      totalAtoms: usd(999_700),
      availableAtoms: usd(999_700 - 80_080),
      lockedAtoms: usd(80_080),
      pendingDepositAtoms: usd(500),
      pendingWithdrawalAtoms: usd(300),
      usdValueAtoms: usd(999_700),
    })
    small.advance(hourMillis)
    expect(computeBalance(small.state, alice, cash)).toMatchObject({
      totalAtoms: usd(1_000_200),
      pendingDepositAtoms: 0,
      pendingWithdrawalAtoms: 0,
    })
  })

  it('of an asset is valued at the mark', () => {
    const small = new SmallVenue()
    small.movePrice(btc, 51_000)
    expect(computeBalance(small.state, alice, btc).usdValueAtoms).toBe(usd(510_000))
  })
})

describe('a position', () => {
  it('averages increases, and keeps the average when it is reduced', () => {
    const small = new SmallVenue({ alice: { USD: usd(1_000_000) } })
    small.trade(alice, buy, btc, 50_000, 1)
    small.trade(alice, buy, btc, 51_000, 2)
    small.trade(alice, sell, btc, 52_000, 0.5)
    small.movePrice(btc, 49_000)
    // 152,000 for 3; half a coin of it cost 25,333.333333 and brought 26,000
    expect(computePosition(small.state, alice, btc)).toEqual({
      asset: btc,
      quantityAtoms: coins(2.5),
      side: 'long',
      averageEntryPriceE8: 5_066_666_666_667,
      currentPriceTicks: 4_900_000,
      marketValueAtoms: usd(122_500),
      costBasisAtoms: 126_666_666_667,
      unrealizedPnlAtoms: -4_166_666_667,
      unrealizedPnlPercentE4: -32_895,
      realizedPnlAtoms: 666_666_667,
    })
    expect(computePosition(small.state, alice, eth)).toBeNull()
  })

  it('may be short on a margin account, and gains when the price falls', () => {
    const small = new SmallVenue({ alice: { USD: usd(1_000_000) }, aliceIsMargin: true })
    small.trade(alice, sell, btc, 50_000, 2)
    small.movePrice(btc, 45_000)
    expect(listPositionFigures(small.state, alice)).toEqual([
      {
        asset: btc,
        quantityAtoms: coins(-2),
        side: 'short',
        averageEntryPriceE8: 5_000_000_000_000,
        currentPriceTicks: 4_500_000,
        marketValueAtoms: usd(-90_000),
        costBasisAtoms: usd(100_000),
        unrealizedPnlAtoms: usd(10_000),
        unrealizedPnlPercentE4: 100_000,
        realizedPnlAtoms: 0,
      },
    ])
  })

  it('of an opening balance has the stated average', () => {
    const small = new SmallVenue({ aliceAverages: { BTC: 4_000_000_000_000 } })
    expect(computePosition(small.state, alice, btc)).toMatchObject({
      averageEntryPriceE8: 4_000_000_000_000,
      unrealizedPnlAtoms: usd(100_000),
      unrealizedPnlPercentE4: 250_000,
    })
  })
})

describe('exposure', () => {
  it('is long and short at the mark, with cash neutral, and the weights of a long portfolio add up', () => {
    const small = new SmallVenue()
    expect(portfolioExposure(small.state, alice)).toEqual({
      totalExposureAtoms: usd(700_000),
      netExposureAtoms: usd(700_000),
      longExposureAtoms: usd(700_000),
      shortExposureAtoms: 0,
      cashBalanceAtoms: usd(1_000_000),
      equityAtoms: usd(1_700_000),
      leverageE8: 41_176_471,
      byAsset: [
        { asset: btc, exposureAtoms: usd(500_000), weightE4: 294_118, side: 'long' },
        { asset: eth, exposureAtoms: usd(200_000), weightE4: 117_647, side: 'long' },
        { asset: cash, exposureAtoms: usd(1_000_000), weightE4: 588_235, side: 'neutral' },
      ],
    })
  })

  it('nets a short against a long', () => {
    const small = new SmallVenue({ alice: { USD: usd(500_000), ETH: coins(100) }, aliceIsMargin: true })
    small.trade(alice, sell, btc, 50_000, 6)
    expect(portfolioExposure(small.state, alice)).toMatchObject({
      totalExposureAtoms: usd(500_000),
      netExposureAtoms: usd(-100_000),
      longExposureAtoms: usd(200_000),
      shortExposureAtoms: usd(300_000),
      cashBalanceAtoms: usd(800_000),
      equityAtoms: usd(700_000),
      leverageE8: 71_428_571,
    })
  })

  it('has the largest leverage when the equity is gone, and none without a position', () => {
    const small = new SmallVenue({ alice: { USD: usd(100_000) }, aliceIsMargin: true })
    expect(portfolioExposure(small.state, alice).leverageE8).toBe(0)
    small.trade(alice, sell, btc, 50_000, 2)
    small.movePrice(btc, 100_001)
    expect(portfolioExposure(small.state, alice)).toMatchObject({
      equityAtoms: usd(-2),
      leverageE8: 999_900_000_000,
      byAsset: [
        { asset: btc, weightE4: 0, side: 'short' },
        { asset: cash, weightE4: 0, side: 'neutral' },
      ],
    })
  })
})

describe('the summary', () => {
  it('measures against net deposits, with opening balances at their stated average', () => {
    const small = new SmallVenue({ aliceAverages: { BTC: 4_000_000_000_000 }, takerRate: 1000 })
    small.advance(hourMillis)
    small.trade(alice, buy, btc, 50_000, 1)
    small.place(alice, buy, eth, 1000, 1)
    small.movePrice(btc, 52_000)
    // deposits 1,000,000 + 400,000 + 200,000; value 1,700,000 + 22,000 - 50 fee
    expect(portfolioSummary(small.state, alice)).toEqual({
      totalValueAtoms: usd(1_721_950),
      cashBalanceAtoms: usd(949_950),
      positionsValueAtoms: usd(772_000),
      totalPnlAtoms: usd(121_950),
      totalPnlPercentE4: 76_219,
      dayPnlAtoms: usd(121_950),
      dayPnlPercentE4: 76_219,
      unrealizedPnlAtoms: usd(122_000),
      realizedPnlAtoms: 0,
      buyingPowerAtoms: usd(949_950 - 1001),
      openPositions: 2,
      openOrders: 1,
    })
  })

  it('has the buying power that leverage leaves on a margin account', () => {
    const small = new SmallVenue({ alice: { USD: usd(100_000) }, aliceIsMargin: true })
    small.trade(alice, sell, btc, 50_000, 1)
    expect(portfolioSummary(small.state, alice).buyingPowerAtoms).toBe(usd(50_000))
    small.place(alice, sell, btc, 55_000, 0.5)
    expect(portfolioSummary(small.state, alice).buyingPowerAtoms).toBe(usd(50_000))
    small.place(alice, buy, btc, 40_000, 0.5)
    expect(portfolioSummary(small.state, alice).buyingPowerAtoms).toBe(usd(30_000))
  })
})

describe('what is available for trading', () => {
  it('buys at the best ask including the fee, and sells what is available', () => {
    const small = new SmallVenue({ takerRate: 1000 })
    small.place(bob, sell, btc, 50_100, 1)
    const available = availableForTrading(small.state, alice, btc)
    expect(available).toEqual({
      asset: btc,
      availableAtoms: coins(10),
      lockedAtoms: 0,
      pendingSettlementAtoms: 0,
      availableForBuyAtoms: coins(19.9401), // 1,000,000 / (50,100 * 1.001)
      availableForSellAtoms: coins(10),
    })
    small.place(alice, sell, btc, 60_000, 4)
    expect(availableForTrading(small.state, alice, btc)).toMatchObject({
      availableAtoms: coins(6),
      lockedAtoms: coins(4),
      availableForSellAtoms: coins(6),
    })
  })

  it('of cash is what can be paid out', () => {
    const small = new SmallVenue()
    expect(availableForTrading(small.state, alice, cash)).toMatchObject({
      availableForBuyAtoms: 0,
      availableForSellAtoms: usd(1_000_000),
    })
  })

  it('uses the last trade for an empty side, and is 0 below the minimum order', () => {
    const small = new SmallVenue({ alice: { USD: usd(1000) } })
    expect(availableForTrading(small.state, alice, btc).availableForBuyAtoms).toBe(coins(0.02))
    const poor = new SmallVenue({ alice: { USD: usd(0.99) } })
    expect(availableForTrading(poor.state, alice, eth).availableForBuyAtoms).toBe(0)
  })

  it('includes what a margin account may sell short', () => {
    const small = new SmallVenue({ alice: { USD: usd(100_000), BTC: coins(1) }, aliceIsMargin: true })
    // equity 150,000, one coin long: from there to 150,000 short
    expect(availableForTrading(small.state, alice, btc).availableForSellAtoms).toBe(coins(4))
  })
})
