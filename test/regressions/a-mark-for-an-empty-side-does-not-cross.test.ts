// Room: engine

import { describe, expect, it } from 'vitest'
import { buy, sell } from '../../src/engine/codes.ts'
import { shownPrices, topOfBook } from '../../src/engine/reports/top-of-book.ts'
import { millis, partsPerMillion, priceTicks } from '../../src/numeric/units.ts'
import { alice, btc, SmallVenue } from '../engine/fixtures/small-venue.ts'

/* The mark replaced an empty side without a check: with an ask at 51,000 and a mark of 52,000 the bid was 52,000. */

function moved(side: 0 | 1, price: number, mark: number): SmallVenue {
  const small = new SmallVenue()
  small.place(alice, side === 0 ? buy : sell, btc, price, 1)
  const points = [{ offsetMillis: millis(0), priceTicks: priceTicks(mark * 100) }]
  small.venue.execute({ kind: 'move-price', at: small.now, asset: btc, points, noiseVol: partsPerMillion(0) })
  return small
}

describe('a mark beyond the only side of the book', () => {
  it.each([
    [1, 51_000, 52_000, 51_000, 51_000],
    [1, 51_000, 50_500, 50_500, 51_000],
    [0, 49_000, 48_000, 49_000, 49_000],
    [0, 49_000, 49_500, 49_000, 49_500],
  ] as const)('side %i at %i, mark %i', (side, price, mark, bid, ask) => {
    const { state } = moved(side, price, mark)
    expect(shownPrices(state, btc)).toEqual({ bidTicks: bid * 100, askTicks: ask * 100 })
    expect(topOfBook(state, btc).midHalfTicks).toBe((bid + ask) * 100)
  })
})
