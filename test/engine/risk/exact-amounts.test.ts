import { expect, it } from 'vitest'
import { buy, cash, houseAccount, sell } from '../../../src/engine/codes.ts'
import { isCashExact, isHoldable, isHoldingValuable } from '../../../src/engine/risk/admission.ts'
import { Venue } from '../../../src/engine/venue.ts'
import { atoms, partsPerMillion } from '../../../src/numeric/units.ts'
import { crowdedConfig } from '../../arbitraries/configs.ts'
import { alice, btc, eth, SmallVenue, usd } from '../fixtures/small-venue.ts'

/** Ticks of half a dollar; the coarser the asset's smallest unit, the more USD atoms is each worth at a tick. */
it.each([8, 3, 1])('an asset with %d decimals is valued up to 4 billion USD', (scale) => {
  const config = crowdedConfig()
  const assets = config.assets.map((asset) => (asset.symbol === 'BTC' ? { ...asset, scale } : asset))
  const { state } = Venue.open({ ...config, assets, accounts: [] }, { emit: () => undefined })
  const asset = state.assets.tradedAsset(1)
  const most = Number(`4e${7 + scale}`)
  expect(isHoldingValuable(asset, 200, most)).toBe(true)
  expect(isHoldingValuable(asset, 200, most * 1.0001)).toBe(false)
})

it('cash stays exact as long as what it may come to, borrowed or owned, is at most 8 billion USD', () => {
  const small = new SmallVenue({
    aliceIsMargin: true,
    alice: { BTC: 1_000_000_000 },
    limits: { maxLeverage: partsPerMillion(3_000_000) },
  })
  const roomIs = (room: number) => [
    isCashExact(small.state, alice, room),
    isCashExact(small.state, alice, room + 1),
  ]
  expect(roomIs(8e15)).toEqual([true, false])
  small.trade(alice, buy, btc, 50_000, 1)
  expect(small.state.ledger.total(alice, cash)).toBe(-usd(50_000))
  expect(roomIs(8e15 - usd(50_000))).toEqual([true, false])
  small.place(alice, buy, eth, 1_000, 3)
  small.place(alice, sell, eth, 5_000, 2)
  small.transfer('deposit', alice, cash, usd(700), 1000)
  expect(roomIs(8e15 - usd(50_000 + 3_000 + 10_000 + 700))).toEqual([true, false])
})

it('an order may be worth what the house can pay or owe and stay exact', () => {
  const small = new SmallVenue({ alice: { BTC: 1_000_000_000 } })
  const roomIs = (room: number) => [0, 1].map((more) => isHoldable(small.state, alice, btc, 1, room + more))
  expect(roomIs(8e15)).toEqual([true, false])
  const placed = small.place(alice, sell, btc, 50_000, 1)
  const order = placed.ok ? placed.row : -1
  small.venue.execute({ kind: 'force-fill', at: small.now, order, quantitySteps: null, priceTicks: null })
  small.transfer('withdraw', alice, cash, usd(50_000))
  expect(small.state.ledger.total(houseAccount, cash)).toBe(-usd(50_000))
  expect(small.state.ledger.total(alice, cash)).toBe(0)
  expect(roomIs(8e15 - usd(50_000))).toEqual([true, false])
  small.place(alice, sell, btc, 60_000, 1)
  expect(roomIs(8e15 - usd(50_000 + 60_000))).toEqual([true, false])
})

it('an order that is small is added to the cash and the other open orders of its account', () => {
  const most = atoms(4e15)
  const exposure = { bySymbol: new Map(), default: most }
  const small = new SmallVenue({
    limits: { maxOrderValue: most, maxDailyVolume: most, maxExposure: most, maxExposurePerAsset: exposure },
  })
  const [template] = small.config.accounts
  if (template === undefined) throw new Error('A small venue has accounts')
  const create = (id: string, cashAtoms: number) => {
    const account = { ...template, id, balances: new Map([['USD', atoms(cashAtoms)]]) }
    return small.venue.execute({ kind: 'create-account', at: small.now, account })
  }
  create('poor', 0)
  const created = create('rich', most)
  const rich = created.ok ? created.row : -1
  expect(small.place(rich, buy, eth, 3_999_999.99, 1000).ok).toBe(true)
  expect(isHoldable(small.state, rich, btc, 1, usd(10))).toBe(true)
  expect(isHoldable(small.state, rich, btc, 1, usd(10) + 1)).toBe(false)
})

it('an account may come to hold up to 4 * 10^15 atoms of an asset', () => {
  const small = new SmallVenue()
  small.movePrice(btc, 0.01)
  const held = small.state.ledger.total(alice, btc)
  small.transfer('deposit', alice, btc, 4e15 - held - 10_000)
  expect([1, 2].map((steps) => isHoldable(small.state, alice, btc, steps, 0))).toEqual([true, false])
})
