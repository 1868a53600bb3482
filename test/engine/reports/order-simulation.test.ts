import { describe, expect, it } from 'vitest'
import { buy, cash } from '../../../src/engine/codes.ts'
import { simulateOrder } from '../../../src/engine/reports/order-simulation.ts'
import { assessOrder, checkOrderTerms } from '../../../src/engine/risk/pre-trade-check.ts'
import { alice, btc, coins, SmallVenue, usd } from '../fixtures/small-venue.ts'

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
