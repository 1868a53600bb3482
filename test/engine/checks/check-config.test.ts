import { expect, it } from 'vitest'
import { configProblem } from '../../../src/engine/checks/check-config.ts'
import type { AccountConfig, AssetConfig, PairConfig, VenueConfig } from '../../../src/engine/config.ts'
import { Venue } from '../../../src/engine/venue.ts'
import { atoms, millis, partsPerMillion, priceTicks, quantitySteps } from '../../../src/numeric/units.ts'
import { crowdedConfig } from '../../arbitraries/configs.ts'

const sound = crowdedConfig()

function withAsset(change: Partial<AssetConfig>): VenueConfig {
  return { ...sound, assets: sound.assets.map((asset, row) => (row === 1 ? { ...asset, ...change } : asset)) }
}

function withPair(change: Partial<PairConfig>): VenueConfig {
  const pair = sound.assets[1]?.pair
  return pair === null || pair === undefined ? sound : withAsset({ pair: { ...pair, ...change } })
}

function withAccount(change: Partial<AccountConfig>): VenueConfig {
  return {
    ...sound,
    accounts: sound.accounts.map((account, index) => (index === 0 ? { ...account, ...change } : account)),
  }
}

it('finds nothing in a sound configuration', () => {
  expect(configProblem(sound)).toBe(null)
})

it.each<[string, VenueConfig, string]>([
  ['a grid too fine', { ...sound, gridMillis: millis(99) }, 'gridMillis'],
  ['a broken instant', { ...sound, startMillis: millis(0.5) }, 'startMillis'],
  ['a market with another clock', { ...sound, startMillis: millis(0) }, 'market'],
  ['two assets of one symbol', withAsset({ symbol: 'USD' }), 'assets[1].symbol'],
  ['an asset that the market does not know', withAsset({ symbol: 'XYZ' }), 'market.assets[0].symbol'],
  ['an asset without a pair', withAsset({ pair: null }), 'assets[1].pair'],
  ['cash with a pair', { ...sound, assets: sound.assets.slice(1) }, 'assets[0]'],
  ['a price step of nothing', withPair({ priceStep: { units: 0, scale: 2 } }), 'assets[1].pair.priceStep'],
  ['a price step too fine', withPair({ priceStep: { units: 1, scale: 9 } }), 'assets[1].pair.priceStep'],
  [
    'a quantity step too fine',
    withPair({ quantityStep: { units: 1, scale: 9 } }),
    'assets[1].pair.quantityStep',
  ],
  [
    'a quantity step of nothing',
    withPair({ quantityStep: { units: 0, scale: 2 } }),
    'assets[1].pair.quantityStep',
  ],
  [
    'steps too coarse',
    withPair({ priceStep: { units: 1_000_000, scale: 0 } }),
    'assets[1].pair.quantityStep',
  ],
  ['a quantity step finer than the asset', withAsset({ scale: 0 }), 'assets[1].pair.quantityStep'],
  [
    'a minimum above the maximum',
    withPair({ minQuantitySteps: quantitySteps(9), maxQuantitySteps: quantitySteps(8) }),
    'assets[1].pair.minQuantitySteps',
  ],
  ['a negative minimum price', withPair({ minPriceTicks: priceTicks(-1) }), 'assets[1].pair.minPriceTicks'],
  ['a broken minimum value', withPair({ minNotionalAtoms: atoms(0.5) }), 'assets[1].pair.minNotionalAtoms'],
  [
    'a fee above everything',
    { ...sound, fees: { ...sound.fees, takerRate: partsPerMillion(1_000_001) } },
    'fees.takerRate',
  ],
  ['two accounts of one id', withAccount({ id: 'bob' }), 'accounts[1].id'],
  ['an account with a slash', withAccount({ id: 'venue/house' }), 'accounts[0].id'],
  [
    'a balance of no asset',
    withAccount({ balances: new Map([['XYZ', atoms(1)]]) }),
    'accounts[0].balances.XYZ',
  ],
  [
    'a negative balance',
    withAccount({ balances: new Map([['USD', atoms(-1)]]) }),
    'accounts[0].balances.USD',
  ],
  [
    'a balance too large',
    withAccount({ balances: new Map([['USD', atoms(5e15)]]) }),
    'accounts[0].balances.USD',
  ],
])('finds %s', (_what, config, field) => {
  expect(configProblem(config)?.field).toBe(field)
  expect(() => Venue.open(config, { emit: () => undefined })).toThrow(field)
})
