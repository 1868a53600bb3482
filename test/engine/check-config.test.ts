import { expect, it } from 'vitest'
import { findConfigProblem } from '../../src/engine/check-config.ts'
import type { AccountConfig, AssetConfig, PairConfig, VenueConfig } from '../../src/engine/config.ts'
import { Venue } from '../../src/engine/venue.ts'
import { atoms, millis, partsPerMillion, priceTicks, quantitySteps } from '../../src/numeric/units.ts'
import { crowdedConfig } from '../arbitraries/configs.ts'

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

/** Returns the first asset at another price, USD. */
function withPrice(price: number): VenueConfig['market'] {
  const assets = sound.market.assets.map((asset, place) => (place === 0 ? { ...asset, price } : asset))
  return { ...sound.market, assets }
}

it('finds nothing in a sound configuration', () => {
  expect(findConfigProblem(sound)).toBe(null)
})

it.each<[string, VenueConfig, string]>([
  ['a grid too fine', { ...sound, gridMillis: millis(99) }, 'gridMillis'],
  ['a broken instant', { ...sound, startMillis: millis(0.5) }, 'startMillis'],
  ['a market with another clock', { ...sound, startMillis: millis(0) }, 'market'],
  ['two assets with one symbol', withAsset({ symbol: 'USD' }), 'assets[1].symbol'],
  ['an asset that the market does not know', withAsset({ symbol: 'XYZ' }), 'market.assets[0].symbol'],
  ['an asset without a pair', withAsset({ pair: null }), 'assets[1].pair'],
  ['cash with a pair', { ...sound, assets: sound.assets.slice(1) }, 'assets[0]'],
  ['a price step of 0', withPair({ priceStep: { units: 0, scale: 2 } }), 'assets[1].pair.priceStep'],
  ['a price step too fine', withPair({ priceStep: { units: 1, scale: 9 } }), 'assets[1].pair.priceStep'],
  [
    'a quantity step too fine',
    withPair({ quantityStep: { units: 1, scale: 9 } }),
    'assets[1].pair.quantityStep',
  ],
  ['a quantity step of 0', withPair({ quantityStep: { units: 0, scale: 2 } }), 'assets[1].pair.quantityStep'],
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
    'a taker fee above 100 %',
    { ...sound, fees: { ...sound.fees, takerRate: partsPerMillion(1_000_001) } },
    'fees.takerRate',
  ],
  ['two accounts with one id', withAccount({ id: 'bob' }), 'accounts[1].id'],
  ['an account with a slash', withAccount({ id: 'venue/house' }), 'accounts[0].id'],
  [
    'a balance of an unknown asset',
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
  [
    'a balance worth too much',
    {
      ...withAccount({ balances: new Map([['BTC', atoms(3.9e15)]]) }),
      market: withPrice(1_000_000),
    },
    'accounts[0].balances.BTC',
  ],
  [
    'an average entry price of a fraction of its unit',
    withAccount({ balances: new Map([['BTC', atoms(1)]]), averageEntryPrices: new Map([['BTC', 0.5]]) }),
    'accounts[0].balances.BTC',
  ],
  [
    'more of an asset than the external account can owe',
    {
      ...sound,
      accounts: sound.accounts.map((one) => ({ ...one, balances: new Map([['USD', atoms(4e15)]]) })),
    },
    'assets[0]',
  ],
  [
    'a maker rebate above 100 %',
    withAccount({ fees: { makerRate: partsPerMillion(-1_000_001), takerRate: partsPerMillion(0) } }),
    'accounts[0].fees.makerRate',
  ],
  [
    'invalid liquidity',
    withAsset({ liquidity: { kind: 'power', spreadBps: -1, depth10bpUsd: 1 } }),
    'assets[1].liquidity.spreadBps',
  ],
  [
    'an invalid impact',
    withAsset({ impact: { y: -1, dailyVol: 0.02, advUsd: 1e6, halfLifeMillis: 1000, permanent: 0.1 } }),
    'assets[1].impact.y',
  ],
  [
    'invalid correlations',
    { ...sound, market: { ...sound.market, correlation: { symbols: ['BTC', 'ETH'], matrix: [[1]] } } },
    'market.correlation.matrix',
  ],
  ['a price of 0', { ...sound, market: withPrice(0) }, 'market.BTC.price'],
])('finds %s', (_what, config, field) => {
  expect(findConfigProblem(config)?.field).toBe(field)
  expect(() => Venue.open(config, { emit: () => undefined })).toThrow(field)
})
