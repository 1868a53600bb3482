import { describe, expect, it } from 'vitest'
import { sell } from '../../../src/engine/codes.ts'
import { riskMetrics } from '../../../src/engine/reports/risk-metrics.ts'
import { Venue } from '../../../src/engine/venue.ts'
import { alice, bob, btc, coins, eth, hourMillis, SmallVenue, usd } from '../fixtures/small-venue.ts'

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

  it('name the first of equals by symbol, in any order of assets, and nothing without a position', () => {
    const { config, state } = new SmallVenue({ alice: { USD: 1, ETH: coins(25), BTC: coins(1) } })
    const [dollars, ...traded] = config.assets
    if (dollars === undefined) throw new Error('A small venue has cash')
    const market = { ...config.market, assets: config.market.assets.toReversed() }
    const assets = [dollars, ...traded.toReversed()]
    const reversed = Venue.open({ ...config, assets, market }, { emit: () => undefined })
    for (const each of [state, reversed.state])
      expect(riskMetrics(each, alice).concentration).toEqual({
        topAsset: each.assets.rowOf('BTC'),
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
