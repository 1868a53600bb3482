import { expect, it } from 'vitest'
import { eventType } from '../../../src/engine/events.ts'
import { Venue } from '../../../src/engine/venue.ts'
import { millis } from '../../../src/numeric/units.ts'
import { btc, SmallVenue } from '../fixtures/small-venue.ts'

it('a change of an asset’s conditions is emitted as a settings event', () => {
  const emitted: (readonly [type: number, asset: number])[] = []
  const emit = (type: number, _subject: number, _account: number, asset: number) =>
    emitted.push([type, asset])
  const venue = Venue.open(new SmallVenue().config, { emit })
  const before = emitted.length
  const outcome = venue.execute({
    kind: 'set-liquidity',
    at: venue.now,
    asset: btc,
    conditions: { spreadMultiplier: 2, depthMultiplier: 1, sides: 'both' },
    isStale: false,
    forMillis: millis(0),
  })
  expect(outcome.ok).toBe(true)
  expect(emitted.slice(before)).toEqual([[eventType['settings-changed'], btc]])
})
