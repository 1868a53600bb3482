// Room: engine

import { expect, it } from 'vitest'
import { buy, goodTillCancelled, limit, sell } from '../../src/engine/codes.ts'
import { Venue } from '../../src/engine/venue.ts'
import { atoms, partsPerMillion, priceTicks, quantitySteps } from '../../src/numeric/units.ts'
import { crowdedConfig } from '../arbitraries/configs.ts'

/* Cheap units bought in bulk added up to a balance beyond 2^53 atoms, which stopped the run instead of being refused. */
it('an order that could make a balance inexact is refused', () => {
  const config = crowdedConfig()
  const assets = config.assets.map((asset) =>
    asset.pair === null || asset.symbol !== 'BTC'
      ? asset
      : {
          ...asset,
          scale: 8,
          pair: { ...asset.pair, maxQuantitySteps: quantitySteps(9e12), minPriceTicks: priceTicks(1) },
        },
  )
  const accounts = config.accounts.map((account) => ({
    ...account,
    type: 'margin' as const,
    balances: new Map([['USD', atoms(1e15)]]),
    limits: {
      ...account.limits,
      maxOrderSize: { bySymbol: new Map(), default: 9e15 },
      maxOrderValue: atoms(9e15),
      maxDailyVolume: atoms(9e15),
      maxExposure: atoms(9e15),
      maxExposurePerAsset: { bySymbol: new Map(), default: atoms(9e15) },
      maxLeverage: partsPerMillion(100_000_000),
    },
  }))
  const venue = Venue.open({ ...config, assets, accounts }, { emit: () => undefined })
  const { stepAtoms } = venue.state.assets.tradedAsset(1)
  const steps = quantitySteps(Math.floor(3e15 / stepAtoms))
  const place = (account: number, side: typeof buy | typeof sell) =>
    venue.execute({
      kind: 'place-order',
      at: venue.now,
      account,
      asset: 1,
      side,
      type: limit,
      timeInForce: goodTillCancelled,
      quantitySteps: steps,
      priceTicks: priceTicks(1),
      clientOrderId: null,
      allowsDuplicateId: false,
      keepsRefused: false,
      metadata: null,
    })
  const answers = [place(3, sell), place(4, buy), place(3, sell), place(4, buy)]
  const codes = answers.map((answer) => (answer.ok ? 'accepted' : answer.rejection.code))
  expect(codes).toEqual(['accepted', 'accepted', 'amount-out-of-range', 'amount-out-of-range'])
})
