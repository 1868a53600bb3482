import { describe, expect, it } from 'vitest'
import { equityAtoms, leveragedEquityAtoms } from '../../../src/engine/assessment.ts'
import { buy, cash, sell } from '../../../src/engine/codes.ts'
import { partsPerMillion } from '../../../src/numeric/units.ts'
import { alice, btc, coins, SmallVenue, usd, wideLimits } from '../fixtures/small-venue.ts'

/** Gives Alice a margin account with so much money and a leverage in parts per million. */
function withLeverage(equityUsd: number, leverage: number): SmallVenue {
  return new SmallVenue({
    alice: { USD: usd(equityUsd) },
    aliceIsMargin: true,
    limits: { ...wideLimits, maxLeverage: partsPerMillion(leverage) },
  })
}

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
  const { state } = withLeverage(equityUsd, leverage)
  expect(leveragedEquityAtoms(state, alice)).toBe(atoms)
})

it('leverage allows nothing to an account that owes more than it has', () => {
  const venue = withLeverage(10_000, 5_000_000)
  venue.trade(alice, sell, btc, 50_000, 0.2)
  venue.movePrice(btc, 150_000)
  expect(equityAtoms(venue.state, alice)).toBe(usd(-10_000))
  expect(leveragedEquityAtoms(venue.state, alice)).toBe(0)
})

describe('a withdrawal of a margin account', () => {
  /** Gives Alice 10,000 USD, of which a short sale of 0.4 BTC makes 30,000. */
  function short(): SmallVenue {
    const venue = withLeverage(10_000, 3_000_000)
    venue.trade(alice, sell, btc, 50_000, 0.4)
    return venue
  }

  it('leaves what its leverage needs, to the atom', () => {
    const most = short()
    most.transfer('withdraw', alice, cash, 3_333_333_333)
    expect(leveragedEquityAtoms(most.state, alice)).toBeGreaterThanOrEqual(usd(20_000))
    const beyond = short()
    expect(() => beyond.transfer('withdraw', alice, cash, 3_333_333_334)).toThrow()
    expect(beyond.state.ledger.available(alice, cash)).toBe(usd(30_000))
  })

  it('counts open orders as orders do', () => {
    const venue = short()
    venue.place(alice, sell, btc, 50_000, 0.2)
    expect(() => venue.transfer('withdraw', alice, cash, 1)).toThrow()
  })

  it('of coins lessens exposure and equity', () => {
    const venue = withLeverage(10_000, 3_000_000)
    venue.trade(alice, buy, btc, 50_000, 0.5)
    // 25,000 on 10,000: without 0.06 BTC it is 22,000 on 7,000, beyond three times.
    expect(() => venue.transfer('withdraw', alice, btc, coins(0.06))).toThrow()
    venue.transfer('withdraw', alice, btc, coins(0.05))
    expect(equityAtoms(venue.state, alice)).toBe(usd(7_500))
  })
})
