// Room: engine

import { expect, it } from 'vitest'
import { buy, sell } from '../../src/engine/codes.ts'
import { partsPerMillion } from '../../src/numeric/units.ts'
import { alice, bob, btc, coins, SmallVenue, usd } from '../engine/fixtures/small-venue.ts'

/*
 * A fee in the asset itself is rounded up, so it can take all of a small purchase. The price paid then counted as profit
 * with a long position, as a later profit with a short one, and not at all without a position.
 */
const price = usd(5)

it('adds to the cost of a long position', () => {
  const venue = boughtForNothing(10)
  const row = venue.state.holdings.rowOf(alice, btc)
  expect(venue.state.holdings.costBasisAtoms(row, coins(10))).toBe(usd(500_000) + price)
  expect(venue.state.holdings.realizedAtoms.get(row)).toBe(0)
})

it.each([0, -1])('is lost beside a position of %d', (coinsHeld) => {
  const venue = boughtForNothing(coinsHeld)
  const row = venue.state.holdings.rowOf(alice, btc)
  const held = Math.abs(coinsHeld)
  expect(venue.state.holdings.costBasisAtoms(row, coins(held))).toBe(usd(50_000 * held))
  expect(venue.state.holdings.realizedAtoms.get(row)).toBe(-price)
})

/** Alice buys the smallest quantity for 5 USD, with a fee that takes all of it. */
function boughtForNothing(coinsHeld: number): SmallVenue {
  const balances = { USD: usd(1_000_000), BTC: coins(Math.max(0, coinsHeld)) }
  const venue = new SmallVenue({
    alice: balances,
    aliceIsMargin: true,
    feeCurrency: 'received',
    takerRate: 0,
  })
  if (coinsHeld < 0) venue.trade(alice, sell, btc, 50_000, -coinsHeld)
  const rate = partsPerMillion(1_000_000)
  const fees = { kind: 'set-fees', at: venue.now, account: alice, makerRate: rate, takerRate: rate } as const
  venue.venue.execute(fees)
  venue.place(bob, sell, btc, 50_000, 0.0001)
  venue.place(alice, buy, btc, 50_000, 0.0001)
  return venue
}
