// Room: engine

import { expect, it } from 'vitest'
import { buy, goodTillCancelled, limit, market, sell } from '../../src/engine/codes.ts'
import { Venue } from '../../src/engine/venue.ts'
import { atoms, priceTicks, quantitySteps } from '../../src/numeric/units.ts'
import { crowdedConfig } from '../arbitraries/configs.ts'

/* At 50,000.00 and steps of 10^-8, 18 units are 9 * 10^15 ticks times steps: their sum stopped the run. */
it('a market order may walk more ticks times steps than a double can count', () => {
  const config = crowdedConfig({ takerRate: 1000 })
  const assets = config.assets.map((asset) =>
    asset.pair === null || asset.symbol !== 'BTC'
      ? asset
      : {
          ...asset,
          scale: 8,
          pair: {
            ...asset.pair,
            priceStep: { units: 1, scale: 2 },
            quantityStep: { units: 1, scale: 8 },
            minQuantitySteps: quantitySteps(1),
            maxQuantitySteps: quantitySteps(1e12),
            minNotionalAtoms: atoms(0),
          },
        },
  )
  const rich = config.accounts.map((account) => ({
    ...account,
    balances: new Map([
      ['USD', atoms(2e12)],
      ['BTC', atoms(3e9)],
    ]),
  }))
  const venue = Venue.open({ ...config, assets, accounts: rich }, { emit: () => undefined })
  const order = {
    kind: 'place-order' as const,
    at: venue.now,
    asset: 1,
    timeInForce: goodTillCancelled,
    quantitySteps: quantitySteps(25e8),
    clientOrderId: null,
    allowsDuplicateId: false,
    keepsRefused: false,
    metadata: null,
  }
  const ticks = priceTicks(5_000_000)
  expect(venue.execute({ ...order, account: 3, side: sell, type: limit, priceTicks: ticks }).ok).toBe(true)
  const outcome = venue.execute({ ...order, account: 4, side: buy, type: market, priceTicks: priceTicks(0) })
  expect(outcome.ok).toBe(true)
  const { ledger, fills } = venue.state
  expect(fills.notionalAtoms.get(1)).toBe(25 * 50_000 * 1e6)
  expect(ledger.available(4, 0)).toBe(2e12 - 25 * 50_000 * 1e6 - 25 * 50 * 1e6)
})
