import { expect, it } from 'vitest'
import type { SetLiquidityCommand } from '../../../src/engine/command.ts'
import { eventType } from '../../../src/engine/events.ts'
import { Venue } from '../../../src/engine/venue.ts'
import { millis } from '../../../src/numeric/units.ts'
import { btc, SmallVenue, startMillis } from '../fixtures/small-venue.ts'

const liquidity = (forMillis: number): SetLiquidityCommand => ({
  kind: 'set-liquidity',
  at: millis(startMillis),
  asset: btc,
  conditions: { spreadMultiplier: 2, depthMultiplier: 1, sides: 'both' },
  isStale: false,
  forMillis: millis(forMillis),
})

it('a change of an asset’s conditions is emitted as a settings event', () => {
  const emitted: (readonly [type: number, asset: number])[] = []
  const emit = (type: number, _subject: number, _account: number, asset: number) =>
    emitted.push([type, asset])
  const venue = Venue.open(new SmallVenue().config, { emit })
  const before = emitted.length
  const outcome = venue.execute(liquidity(0))
  expect(outcome.ok).toBe(true)
  expect(emitted.slice(before)).toEqual([[eventType['settings-changed'], btc]])
})

it('timed conditions that were replaced do not end what replaced them, and survive a snapshot', () => {
  const small = new SmallVenue()
  small.venue.execute(liquidity(1000))
  small.venue.execute(liquidity(5000))
  const copy = Venue.restore(small.config, small.venue.snapshot(), { emit: () => undefined })
  for (const venue of [small.venue, copy]) {
    venue.execute({ kind: 'advance', at: millis(startMillis + 2000) })
    expect(venue.state.byAsset[btc]?.conditions.spreadMultiplier).toBe(2)
    venue.execute({ kind: 'advance', at: millis(startMillis + 5000) })
    expect(venue.state.byAsset[btc]?.conditions.spreadMultiplier).toBe(1)
  }
  expect(copy.digest()).toBe(small.venue.digest())
})
