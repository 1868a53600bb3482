import { expect, it } from 'vitest'
import { isHoldingValuable } from '../../../src/engine/checks/exact-amounts.ts'
import { Venue } from '../../../src/engine/venue.ts'
import { crowdedConfig } from '../../arbitraries/configs.ts'

/** Ticks of half a dollar; the coarser the asset's smallest unit, the more USD atoms is each worth at a tick. */
it.each([8, 3, 1])('an asset with %d decimals is valued up to 4 billion USD', (scale) => {
  const config = crowdedConfig()
  const assets = config.assets.map((asset) => (asset.symbol === 'BTC' ? { ...asset, scale } : asset))
  const { state } = Venue.open({ ...config, assets, accounts: [] }, { emit: () => undefined })
  const asset = state.assets.traded(1)
  const most = Number(`4e${7 + scale}`)
  expect(isHoldingValuable(asset, 200, most)).toBe(true)
  expect(isHoldingValuable(asset, 200, most * 1.0001)).toBe(false)
})
