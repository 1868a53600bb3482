import { expect, it } from 'vitest'
import { buy, sell } from '../../src/engine/codes.ts'
import { partsPerMillion } from '../../src/numeric/units.ts'
import { alice, bob, btc, coins, SmallVenue, usd } from '../engine/fixtures/small-venue.ts'

/*
 * A fee in the asset itself rounds up, so of a small purchase it can take all. The position then counted what was paid
 * as profit (beside a long one), as more to earn (beside a short one), or forgot it.
 */
const price = usd(5)

it('costs the long position that there is', () => {
  const venue = boughtForNothing(10)
  const row = venue.state.ledger.index(alice, btc)
  expect(venue.state.positions.costBasisAtoms(row, coins(10))).toBe(usd(500_000) + price)
  expect(venue.state.positions.realizedAtoms.get(row)).toBe(0)
})

it.each([0, -1])('is lost beside a position of %d', (coinsHeld) => {
  const venue = boughtForNothing(coinsHeld)
  const row = venue.state.ledger.index(alice, btc)
  const held = Math.abs(coinsHeld)
  expect(venue.state.positions.costBasisAtoms(row, coins(held))).toBe(usd(50_000 * held))
  expect(venue.state.positions.realizedAtoms.get(row)).toBe(-price)
})

/** Alice, whose fee is all of what she buys, buys the smallest quantity for 5 USD. */
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
