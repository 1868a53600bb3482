import { expect, it } from 'vitest'
import { buy, sell } from '../../../src/engine/codes.ts'
import { Venue } from '../../../src/engine/venue.ts'
import { millis } from '../../../src/numeric/units.ts'
import { alice, bob, btc, minuteMillis, SmallVenue, startMillis } from '../fixtures/small-venue.ts'

/* A recording with a gap: nothing matches in it, whoever else halts or resumes the pair. */

const candle = (minute: number) => ({
  atMillis: startMillis + minute * minuteMillis,
  open: 50_000,
  high: 50_000,
  low: 50_000,
  close: 50_000,
  volume: 0,
  spanMillis: minuteMillis,
})
const recorded = () =>
  new SmallVenue({
    model: {
      kind: 'replay',
      candles: [candle(0), candle(1), candle(5), candle(6)],
      gaps: 'halt',
      noiseVol: 0,
    },
  })

it('a gap keeps a pair halted that is resumed during it, and matches crossed orders at its end', () => {
  const small = recorded()
  const halt = (at: number) =>
    small.venue.execute({ kind: 'halt', at: millis(at), asset: btc, mode: 'rest', forMillis: millis(0) })
  halt(startMillis + minuteMillis)
  small.place(alice, sell, btc, 49_000, 1)
  small.place(bob, buy, btc, 51_000, 1)
  small.advance(2 * minuteMillis)
  expect(small.state.byAsset[btc]).toMatchObject({ isHaltedByRecording: true, halt: 'rest' })
  small.venue.execute({ kind: 'resume', at: small.now, asset: btc })
  expect(small.state.fills.count).toBe(0)
  const copy = Venue.restore(small.config, small.venue.snapshot(), { emit: () => undefined })
  for (const venue of [small.venue, copy]) {
    venue.execute({ kind: 'advance', at: millis(startMillis + 5.5 * minuteMillis) })
    expect(venue.state.byAsset[btc]?.isHaltedByRecording).toBe(false)
    expect(venue.state.fills.count).toBe(2)
  }
  expect(copy.digest()).toBe(small.venue.digest())
})
