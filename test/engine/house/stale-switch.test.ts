import { expect, it } from 'vitest'
import { buy, sell } from '../../../src/engine/codes.ts'
import type { FlowSpec } from '../../../src/market/flow/flow-spec.ts'
import { millis } from '../../../src/numeric/units.ts'
import { LivelyVenue } from '../fixtures/lively-venue.ts'

const conditions = { spreadMultiplier: 1, depthMultiplier: 1, sides: 'both' } as const

/** Opens a venue with stale prices since the first second, while the market goes on. */
function stale(flow: FlowSpec = { kind: 'none' }): LivelyVenue {
  const venue = new LivelyVenue({ model: { kind: 'gbm', vol: 5, drift: 0 }, flow })
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

it('nobody takes at stale prices, and takers come back afterwards', () => {
  const venue = stale({ kind: 'poisson', ratePerMinute: 60, medianUsd: 3000, sizeSd: 1 })
  const { state } = venue
  const seen = () => [state.lastTicks.get(1), state.priceUpdatedAtMillis.get(1)]
  const before = seen()
  venue.advance(60_000)
  expect(seen()).toEqual(before)
  setStale(venue, false)
  venue.advance(60_000)
  expect(state.lastTicks.get(1)).not.toBe(before[0])
})
