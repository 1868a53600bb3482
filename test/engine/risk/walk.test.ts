import { expect, it } from 'vitest'
import { buy, sell } from '../../../src/engine/codes.ts'
import { walkBook } from '../../../src/engine/risk/admission.ts'
import { LivelyVenue } from '../fixtures/lively-venue.ts'
import { alice, bob, btc, SmallVenue } from '../fixtures/small-venue.ts'

/** Returns what Alice would meet if she sold that many steps, where Bob bids for one coin at each of three prices. */
function walkAlice(steps: number, limitTicks: number | null, ownPrice: number | null = null) {
  const small = new SmallVenue()
  for (const price of [49_000, 48_000, 47_000]) small.place(bob, buy, btc, price, 1)
  if (ownPrice !== null) small.place(alice, buy, btc, ownPrice, 1)
  const { fillableSteps, lastTicks, tickSteps } = walkBook(small.state, alice, btc, sell, steps, limitTicks)
  return { fillableSteps, lastTicks, tickSteps: tickSteps.approximately(1, 1) }
}

it('a walk ends at the price at which it has enough', () => {
  const tickSteps = 4_900_000 * 10_000 + 4_800_000 * 5_000
  expect(walkAlice(15_000, null)).toEqual({ fillableSteps: 15_000, lastTicks: 4_800_000, tickSteps })
  expect(walkAlice(10_000, null)).toEqual({ fillableSteps: 10_000, lastTicks: 4_900_000, tickSteps: 49e9 })
})

it('a walk ends at its limit, and values the rest at the last price that it reaches', () => {
  const tickSteps = 4_900_000 * 15_000
  expect(walkAlice(15_000, 4_850_000)).toEqual({ fillableSteps: 10_000, lastTicks: 4_900_000, tickSteps })
  expect(walkAlice(15_000, 4_800_000)).toMatchObject({ fillableSteps: 15_000, lastTicks: 4_800_000 })
})

it('a walk passes over its own account’s interest, and cannot be filled beyond it', () => {
  expect(walkAlice(15_000, null, 48_500)).toMatchObject({ fillableSteps: 10_000, lastTicks: 4_800_000 })
  expect(walkAlice(10_000, null, 48_500)).toMatchObject({ fillableSteps: 10_000, lastTicks: 4_900_000 })
})

it('a walk does not look at the ladder behind a client who fills all of it', () => {
  const venue = new LivelyVenue()
  const [[best = 0] = []] = venue.levels(buy)
  venue.place(bob, buy, 1000, best + 1)
  expect(walkBook(venue.state, alice, btc, sell, 1000, null)).toMatchObject({ lastTicks: best + 1 })
  expect(walkBook(venue.state, alice, btc, sell, 1001, null)).toMatchObject({ lastTicks: best })
})

it('a walk has the mark as its price where there is nothing to meet', () => {
  const { state } = new SmallVenue()
  expect(walkBook(state, alice, btc, sell, 10_000, null)).toMatchObject({
    fillableSteps: 0,
    lastTicks: 5_000_000,
  })
})
