import { describe, expect, it } from 'vitest'
import { buy, sell } from '../../../src/engine/codes.ts'
import { assetRiskExposure, riskExposure } from '../../../src/engine/reports/risk-exposure.ts'
import { alice, btc, coins, eth, SmallVenue, usd } from '../fixtures/small-venue.ts'

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
