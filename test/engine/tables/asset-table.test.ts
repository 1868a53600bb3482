import { expect, it } from 'vitest'
import { maximumPriceUsd } from '../../../src/engine/tables/asset-table.ts'
import { crowdedConfig } from '../../arbitraries/configs.ts'

const [cash, traded] = crowdedConfig().assets

it.each([
  { of: 'cash, which has no price', asset: cash, isPriced: false },
  { of: 'a traded asset', asset: traded, isPriced: true },
])('the highest price of $of', ({ asset, isPriced }) => {
  if (asset === undefined) throw new Error('the venue has cash and assets')
  expect(maximumPriceUsd(asset) > 0).toBe(isPriced)
})
