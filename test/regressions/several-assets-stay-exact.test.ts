// Room: engine

import { describe, expect, it } from 'vitest'
import { buy, cash, sell } from '../../src/engine/codes.ts'
import type { Outcome } from '../../src/engine/command.ts'
import { atoms, millis, partsPerMillion } from '../../src/numeric/units.ts'
import { alice, btc, eth, SmallVenue, usd } from '../engine/fixtures/small-venue.ts'

/*
 * Each open order was checked together with the others of its asset only. Sales in several assets, or sales and a
 * deposit, could add up to more USD than a balance holds exactly, which stopped the run when they filled.
 */
const unlimited = {
  maxOrderValue: usd(9e9),
  maxDailyVolume: usd(9e9),
  maxExposure: usd(9e9),
  maxExposurePerAsset: { bySymbol: new Map(), default: usd(9e9) },
  maxLeverage: partsPerMillion(100_000_000),
}

const price = 4_000_000

function venueWith(cashUsd: number): SmallVenue {
  const small = new SmallVenue({ alice: { USD: usd(cashUsd) }, aliceIsMargin: true, limits: unlimited })
  for (const asset of [btc, eth]) small.movePrice(asset, price)
  return small
}

/** Both are worth 3.9 billion USD. */
const sellBitcoin = (small: SmallVenue) => small.place(alice, sell, btc, price, 975)
const sellEther = (small: SmallVenue) => small.place(alice, sell, eth, price, 975)
const refused: Outcome = { ok: false, rejection: { code: 'amount-out-of-range' } }

describe('an account’s holdings and all its open orders stay exact together', () => {
  it('for orders in several assets', () => {
    const small = venueWith(3e9)
    expect(sellBitcoin(small).ok).toBe(true)
    const before = small.venue.digest()
    expect(sellEther(small)).toEqual(refused)
    expect(small.venue.digest()).toBe(before)
  })

  it('for a small order beside large purchases', () => {
    const small = venueWith(1.5e8)
    const isPlaced = (asset: number, coins: number) => small.place(alice, buy, asset, price, coins).ok
    expect([isPlaced(btc, 975), isPlaced(eth, 985)]).toEqual([true, true])
    expect([isPlaced(btc, 3.75), isPlaced(btc, 1)]).toEqual([false, true])
  })

  it('for a deposit with open orders', () => {
    const small = venueWith(1e8)
    expect([sellBitcoin(small).ok, sellEther(small).ok]).toEqual([true, true])
    expect(deposit(small, usd(3e9))).toEqual(refused)
    expect(deposit(small, usd(5e7)).ok).toBe(true)
  })

  it('for an order with a pending deposit', () => {
    const small = venueWith(1e8)
    expect(sellBitcoin(small).ok).toBe(true)
    expect(deposit(small, usd(1e9)).ok).toBe(true)
    expect(sellEther(small)).toEqual(refused)
  })
})

function deposit(small: SmallVenue, amount: number): Outcome {
  return small.venue.execute({
    kind: 'deposit',
    at: small.now,
    account: alice,
    asset: cash,
    atoms: atoms(amount),
    pendingMillis: millis(1000),
  })
}
