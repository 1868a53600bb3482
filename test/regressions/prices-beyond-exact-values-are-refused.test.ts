// Room: engine

import { expect, it } from 'vitest'
import { buy, sell } from '../../src/engine/codes.ts'
import { portfolioSummary } from '../../src/engine/reports/portfolio-summary.ts'
import { atoms, millis, partsPerMillion, priceTicks } from '../../src/numeric/units.ts'
import { alice, bob, btc, coins, SmallVenue, usd } from '../engine/fixtures/small-venue.ts'

/* After a price at which a holding was worth more than 2^53 atoms, every later read and order was answered with 500. */

const setPrice = (small: SmallVenue, price: number) =>
  small.venue.execute({
    kind: 'move-price',
    at: small.now,
    asset: btc,
    points: [{ offsetMillis: millis(0), priceTicks: priceTicks(price * 100) }],
    noiseVol: partsPerMillion(0),
  })
const outOfRange = { ok: false, rejection: { code: 'price-out-of-range', field: 'price' } }

it('refuses a price at which a holding could not be valued', () => {
  const small = new SmallVenue()
  const before = small.venue.digest()
  expect(setPrice(small, 1e9)).toEqual(outOfRange)
  expect(small.venue.digest()).toBe(before)
  expect(setPrice(small, 1e8).ok).toBe(true)
  expect(portfolioSummary(small.state, alice).totalValueAtoms).toBe(usd(1e9 + 1e6 + 200_000))
})

it('refuses a price at which open orders could not be valued once filled', () => {
  const small = new SmallVenue()
  small.place(alice, buy, btc, 100, 1000)
  expect(setPrice(small, 1e8)).toEqual(outOfRange)
  small.place(bob, sell, btc, 100, 10)
  expect(setPrice(small, 1e7).ok).toBe(false)
  expect(setPrice(small, 1e6).ok).toBe(true)
})

it('refuses a price at which a pending deposit could not be valued once it settles', () => {
  const small = new SmallVenue()
  small.transfer('deposit', bob, btc, coins(1000), 60_000)
  expect(setPrice(small, 1e7)).toEqual(outOfRange)
  expect(setPrice(small, 3e6).ok).toBe(true)
})

it('refuses an order whose fill could not be valued at the mark', () => {
  const small = new SmallVenue()
  for (const account of [alice, bob]) {
    const amount = atoms(coins(9.99))
    small.venue.execute({
      kind: 'withdraw',
      at: small.now,
      account,
      asset: btc,
      atoms: amount,
      pendingMillis: millis(0),
    })
  }
  expect(setPrice(small, 1e10).ok).toBe(true)
  expect(small.place(alice, buy, btc, 100, 1)).toEqual({
    ok: false,
    rejection: { code: 'amount-out-of-range' },
  })
})
