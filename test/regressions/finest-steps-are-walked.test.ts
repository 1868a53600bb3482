// Room: engine

import { expect, it } from 'vitest'
import { buy, immediateOrCancel, limit, market, sell } from '../../src/engine/codes.ts'
import { Venue } from '../../src/engine/venue.ts'
import { atoms, priceTicks, quantitySteps } from '../../src/numeric/units.ts'
import { alice, bob, btc, SmallVenue } from '../engine/fixtures/small-venue.ts'

/* With 16 decimals in price and quantity together, the divisor of a reserve is 10^16: each market buy stopped the run. */
it('a market buy is reserved on the finest steps that a pair may have', () => {
  const { config } = new SmallVenue({ takerRate: 1000 })
  const assets = config.assets.map((asset) => {
    if (asset.pair === null) return asset
    const step = { units: 1, scale: 8 }
    const bounds = { minQuantitySteps: quantitySteps(1), maxQuantitySteps: quantitySteps(1e12) }
    return {
      ...asset,
      pair: { ...asset.pair, ...bounds, priceStep: step, quantityStep: step, minNotionalAtoms: atoms(0) },
    }
  })
  const venue = Venue.open({ ...config, assets }, { emit: () => undefined })
  const order = {
    kind: 'place-order' as const,
    at: venue.now,
    asset: btc,
    clientOrderId: null,
    allowsDuplicateId: false,
    keepsRefused: false,
    metadata: null,
  }
  const offer = {
    account: bob,
    side: sell,
    type: limit,
    timeInForce: 0,
    quantitySteps: quantitySteps(2e8),
  } as const
  expect(venue.execute({ ...order, ...offer, priceTicks: priceTicks(5e12) }).ok).toBe(true)
  const take = { account: alice, side: buy, type: market, timeInForce: immediateOrCancel } as const
  const steps = quantitySteps(1e8 + 3)
  expect(venue.execute({ ...order, ...take, priceTicks: priceTicks(0), quantitySteps: steps }).ok).toBe(true)
  // 1.00000003 coins at 50,000 USD are 50,000.0015 USD, and the fee of 0.1 % is rounded up to the atom.
  expect(venue.state.ledger.total(alice, 0)).toBe(1e12 - 50_000_001_500 - 50_000_002)
})
