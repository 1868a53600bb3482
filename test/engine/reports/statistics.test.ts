import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buy, sell } from '../../../src/engine/codes.ts'
import { portfolioSummary } from '../../../src/engine/reports/portfolio-summary.ts'
import { profitAndLoss } from '../../../src/engine/reports/profit-and-loss.ts'
import { limitUtilization } from '../../../src/engine/reports/risk-exposure.ts'
import { riskMetrics } from '../../../src/engine/reports/risk-metrics.ts'
import { statistics24h } from '../../../src/engine/reports/statistics.ts'
import { topOfBook } from '../../../src/engine/reports/top-of-book.ts'
import { maximumQuantity } from '../../../src/engine/risk/pre-trade-check.ts'
import { Venue } from '../../../src/engine/venue.ts'
import { configChoice, crowdedConfig } from '../../arbitraries/configs.ts'
import { caseBudget } from '../../support/full-run.ts'
import { happen, happening } from '../fixtures/random-run.ts'
import { alice, bob, btc, dayMillis, eth, hourMillis, SmallVenue, usd } from '../fixtures/small-venue.ts'

describe('the top of the book', () => {
  it('uses the mark for an empty side in the mid only', () => {
    const small = new SmallVenue()
    expect(topOfBook(small.state, btc)).toEqual({ bidTicks: -1, askTicks: -1, midHalfTicks: 10_000_000 })
    small.place(alice, buy, btc, 49_000, 1)
    expect(topOfBook(small.state, btc)).toEqual({
      bidTicks: 4_900_000,
      askTicks: -1,
      midHalfTicks: 9_900_000,
    })
    small.place(bob, sell, btc, 49_500.01, 1)
    expect(topOfBook(small.state, btc)).toEqual({
      bidTicks: 4_900_000,
      askTicks: 4_950_001,
      midHalfTicks: 9_850_001,
    })
  })
})

describe('24-hour statistics', () => {
  it('close at the mid before the first trade', () => {
    const small = new SmallVenue()
    small.place(bob, sell, btc, 51_000.01, 1)
    expect(statistics24h(small.state, btc)).toEqual({
      asset: btc,
      openHalfTicks: 10_000_000,
      highHalfTicks: 10_100_001,
      lowHalfTicks: 10_000_000,
      closeHalfTicks: 10_100_001,
      changeHalfTicks: 100_001,
      changePercentE4: 10_000,
      volumeSteps: 0,
      volumeAtoms: 0,
      trades: 0,
      vwapE8: null,
    })
  })

  it('include open and close in high and low, and count every print once', () => {
    const small = new SmallVenue()
    small.trade(alice, buy, btc, 50_100, 1)
    small.trade(alice, sell, btc, 50_300, 3)
    expect(statistics24h(small.state, btc)).toEqual({
      asset: btc,
      openHalfTicks: 10_000_000,
      highHalfTicks: 10_060_000,
      lowHalfTicks: 10_000_000,
      closeHalfTicks: 10_060_000,
      changeHalfTicks: 60_000,
      changePercentE4: 6000,
      volumeSteps: 40_000,
      volumeAtoms: usd(201_000),
      trades: 2,
      vwapE8: 5_025_000_000_000,
    })
    small.advance(dayMillis)
    expect(statistics24h(small.state, btc)).toMatchObject({
      openHalfTicks: 10_060_000,
      highHalfTicks: 10_060_000,
      lowHalfTicks: 10_060_000,
      changePercentE4: 0,
      volumeSteps: 0,
      vwapE8: null,
    })
  })

  it('are complete from the first request on a moving market', () => {
    const small = new SmallVenue({ model: { kind: 'gbm', vol: 0.6, drift: 0 } })
    const first = statistics24h(small.state, eth)
    expect(first.openHalfTicks).not.toBe(first.closeHalfTicks)
    const later = new SmallVenue({ model: { kind: 'gbm', vol: 0.6, drift: 0 } })
    later.advance(hourMillis)
    expect(statistics24h(later.state, eth).openHalfTicks).not.toBe(first.openHalfTicks)
  })
})

describe('properties over random runs', () => {
  it('low <= open, close, vwap <= high', () => {
    fc.assert(
      fc.property(configChoice, fc.array(happening, { minLength: 10, maxLength: 100 }), (choice, whats) => {
        const venue = Venue.open(crowdedConfig(choice), { emit: () => undefined })
        for (const what of whats) {
          happen(venue, what)
          for (let asset = 1; asset <= 3; asset += 1) {
            const { lowHalfTicks, highHalfTicks, openHalfTicks, closeHalfTicks, vwapE8, volumeSteps } =
              statistics24h(venue.state, asset)
            const { units, scale } = venue.state.assets.tradedAsset(asset).pair.priceStep
            const halfTickE8 = (units * 10 ** (8 - scale)) / 2
            const prices = [openHalfTicks, closeHalfTicks, ...(vwapE8 === null ? [] : [vwapE8 / halfTickE8])]
            expect(Math.min(...prices)).toBeGreaterThanOrEqual(lowHalfTicks)
            expect(Math.max(...prices)).toBeLessThanOrEqual(highHalfTicks)
            expect(vwapE8 === null).toBe(volumeSteps === 0)
          }
        }
      }),
      { seed: 7, numRuns: caseBudget(30) },
    )
  })

  it('no read changes the digest, or what comes after', () => {
    fc.assert(
      fc.property(configChoice, fc.array(happening, { minLength: 10, maxLength: 80 }), (choice, whats) => {
        const quiet = Venue.open(crowdedConfig(choice), { emit: () => undefined })
        const read = Venue.open(crowdedConfig(choice), { emit: () => undefined })
        for (const what of whats) {
          happen(quiet, what)
          happen(read, what)
          readEverything(read)
        }
        expect(read.digest()).toBe(quiet.digest())
      }),
      { seed: 7, numRuns: caseBudget(15) },
    )
  })
})

function readEverything(venue: Venue): void {
  const { state } = venue
  for (let account = 3; account <= 6; account += 1) {
    portfolioSummary(state, account)
    profitAndLoss(state, account, venue.now - dayMillis, venue.now)
    limitUtilization(state, account)
    riskMetrics(state, account)
    for (let asset = 1; asset <= 3; asset += 1) maximumQuantity(state, account, asset, buy, 100)
  }
  for (let asset = 1; asset <= 3; asset += 1) statistics24h(state, asset)
}
