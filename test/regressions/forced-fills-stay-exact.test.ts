// Room: engine

import { expect, it } from 'vitest'
import { sell } from '../../src/engine/codes.ts'
import { priceTicks } from '../../src/numeric/units.ts'
import { alice, btc, SmallVenue } from '../engine/fixtures/small-venue.ts'

/* A sale may be filled above its limit, without a bound: the value exceeded 2^53 and stopped the run in the middle. */
it.each([
  ['beyond what can be valued', 9e14],
  ['beyond what the account can hold', 9e10],
])('a forced fill at a price %s is refused and changes nothing', (_name, ticks) => {
  const { venue, ...small } = smallVenue()
  const before = venue.digest()
  const outcome = venue.execute({
    kind: 'force-fill',
    at: venue.now,
    order: small.order,
    quantitySteps: null,
    priceTicks: priceTicks(ticks),
  })
  expect(outcome).toEqual({ ok: false, rejection: { code: 'amount-out-of-range' } })
  expect(venue.digest()).toBe(before)
})

it('a forced fill above the limit is carried out where it can be', () => {
  const { venue, order } = smallVenue()
  const outcome = venue.execute({
    kind: 'force-fill',
    at: venue.now,
    order,
    quantitySteps: null,
    priceTicks: priceTicks(7_000_000),
  })
  expect(outcome.ok).toBe(true)
  expect(venue.state.ledger.total(alice, 0)).toBe(1e12 + 10 * 70_000 * 1e6)
})

/** Alice offers 10 BTC at 60,000. */
function smallVenue() {
  const small = new SmallVenue()
  const outcome = small.place(alice, sell, btc, 60_000, 10)
  if (!outcome.ok) throw new Error('the offer is accepted')
  return { venue: small.venue, order: outcome.row }
}
