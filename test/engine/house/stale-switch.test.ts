import { expect, it } from 'vitest'
import { buy, sell } from '../../../src/engine/codes.ts'
import { millis } from '../../../src/numeric/units.ts'
import { LivelyVenue } from '../fixtures/lively-venue.ts'

const conditions = { spreadMultiplier: 1, depthMultiplier: 1, sides: 'both' } as const

/** Stale prices since the first second, while the market goes on. */
function stale(): LivelyVenue {
  const venue = new LivelyVenue({ model: { kind: 'gbm', vol: 5, drift: 0 } })
  venue.advance(1000)
  setStale(venue, true)
  return venue
}

function setStale({ venue }: LivelyVenue, isStale: boolean): void {
  venue.execute({ kind: 'set-liquidity', at: venue.now, asset: 1, conditions, isStale, forMillis: millis(0) })
}

it('stale prices stay stale when the model is switched, and follow the new model afterwards', () => {
  const venue = stale()
  const { markTicks } = venue
  const levels = [venue.levels(buy), venue.levels(sell)]
  venue.venue.execute({ kind: 'switch-model', at: venue.venue.now, asset: 1, model: { kind: 'constant' } })
  venue.advance(60_000)
  expect(venue.markTicks).toBe(markTicks)
  expect([venue.levels(buy), venue.levels(sell)]).toEqual(levels)
  setStale(venue, false)
  venue.advance(1000)
  const awake = venue.mark
  venue.advance(600_000)
  expect(venue.mark).toBe(awake)
})
