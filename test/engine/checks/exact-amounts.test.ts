import { expect, it } from 'vitest'
import { isHoldingValuable } from '../../../src/engine/checks/exact-amounts.ts'
import { Venue } from '../../../src/engine/venue.ts'
import { crowdedConfig } from '../../arbitraries/configs.ts'

/** Ticks of 0.5, 0.05 and 0.0001 USD, with 8, 6 and 4 decimals; each is worth 100 USD at the ticks given. */
it.each([
  ['BTC', 200, 8],
  ['ETH', 2000, 6],
  ['DUST', 1_000_000, 4],
])('%s is valued up to 4 billion USD, whatever its tick', (symbol, ticks, decimals) => {
  const { assets } = Venue.open(crowdedConfig(), { emit: () => undefined }).state
  const asset = assets.traded(assets.rowOf(symbol))
  const most = Number(`4e${7 + decimals}`)
  expect(isHoldingValuable(asset, ticks, most)).toBe(true)
  expect(isHoldingValuable(asset, ticks, most * 1.0001)).toBe(false)
})
