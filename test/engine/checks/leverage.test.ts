import { expect, it } from 'vitest'
import { equityAtoms, leveragedEquityAtoms } from '../../../src/engine/checks/assess.ts'
import { sell } from '../../../src/engine/codes.ts'
import { partsPerMillion } from '../../../src/numeric/units.ts'
import { alice, btc, SmallVenue, usd, wideLimits } from '../fixtures/small-venue.ts'

it.each([
  ['whole', 1_000, 3_000_000, usd(3_000)],
  ['a fraction, rounded down', 0.000_001, 1_500_000, 1],
  ['a fraction of much', 4e9, 1_000_001, 4_000_004_000_000_000],
  ['the largest exact product', 2e9, 4_000_000, usd(8e9)],
  [
    'a product that is not exact, capped at the largest safe integer',
    4e9,
    100_000_000,
    Number.MAX_SAFE_INTEGER,
  ],
  ['a product just above the largest safe integer', 4e9, 3_000_000, Number.MAX_SAFE_INTEGER],
  ['the same with a fractional leverage', 4e9, 99_999_999, Number.MAX_SAFE_INTEGER],
  ['nothing of nothing', 0, 5_000_000, 0],
])('leverage of %s', (_title, equityUsd, leverage, atoms) => {
  const { state } = new SmallVenue({
    alice: { USD: usd(equityUsd) },
    aliceIsMargin: true,
    limits: { ...wideLimits, maxLeverage: partsPerMillion(leverage) },
  })
  expect(leveragedEquityAtoms(state, alice)).toBe(atoms)
})

it('is nothing for an account that owes more than it has', () => {
  const venue = new SmallVenue({
    alice: { USD: usd(10_000) },
    aliceIsMargin: true,
    limits: { ...wideLimits, maxLeverage: partsPerMillion(5_000_000) },
  })
  venue.trade(alice, sell, btc, 50_000, 0.2)
  venue.movePrice(btc, 150_000)
  expect(equityAtoms(venue.state, alice)).toBe(usd(-10_000))
  expect(leveragedEquityAtoms(venue.state, alice)).toBe(0)
})
