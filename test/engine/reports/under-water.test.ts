import { describe, expect, it } from 'vitest'
import { buy, sell } from '../../../src/engine/codes.ts'
import { simulateOrder } from '../../../src/engine/reports/order-simulation.ts'
import { portfolioSummary } from '../../../src/engine/reports/portfolio-summary.ts'
import { profitAndLoss } from '../../../src/engine/reports/profit-and-loss.ts'
import { riskExposure } from '../../../src/engine/reports/risk-exposure.ts'
import { riskMetrics } from '../../../src/engine/reports/risk-metrics.ts'
import { quantitySteps } from '../../../src/numeric/units.ts'
import { alice, btc, SmallVenue, usd } from '../fixtures/small-venue.ts'

/* An account that owes more than it has: figures that divide by its value are 0, and it may only reduce. */

describe('an account below zero', () => {
  const small = new SmallVenue({ aliceIsMargin: true, alice: { USD: usd(100_000) } })
  small.trade(alice, sell, btc, 50_000, 2)
  small.movePrice(btc, 200_000)
  small.advance(1000)
  const { state } = small

  it('has the largest leverage that is reported, no percentages and no volatility', () => {
    expect(portfolioSummary(state, alice)).toMatchObject({ totalValueAtoms: usd(-200_000) })
    expect(riskExposure(state, alice)).toMatchObject({
      portfolio: { equityAtoms: usd(-200_000), leverageE8: 999_900_000_000 },
      byAsset: [{ asset: btc, exposurePercentE4: 0 }],
    })
    expect(riskMetrics(state, alice)).toMatchObject({
      volatility: { portfolio1dE4: 0, portfolio7dE4: 0, varDaily95Atoms: 0 },
    })
  })

  it('opens nothing, but may close', () => {
    expect(small.place(alice, sell, btc, 200_000, 0.01)).toMatchObject({
      ok: false,
      rejection: { code: 'risk' },
    })
    expect(small.place(alice, buy, btc, 200_000, 0.01).ok).toBe(true)
  })

  it('has a profit without a percentage when it began with nothing', () => {
    const empty = new SmallVenue({ aliceIsMargin: true, alice: {} })
    expect(profitAndLoss(empty.state, alice, empty.now, empty.now)).toMatchObject({
      totalPnlAtoms: 0,
      totalPnlPercentE4: 0,
    })
  })

  it('counts an order on an exposure of 0 as an increase of 100 %', () => {
    const { impact } = simulateOrder(state, {
      account: alice,
      asset: 2,
      side: buy,
      priceTicks: 200_000,
      quantitySteps: quantitySteps(10),
    })
    expect(impact.assetExposureChangePercentE4).toBe(1_000_000)
  })
})
