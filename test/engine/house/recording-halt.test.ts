import { expect, it } from 'vitest'
import { buy, sell } from '../../../src/engine/codes.ts'
import { eventNames } from '../../../src/engine/events.ts'
import { Venue } from '../../../src/engine/venue.ts'
import { millis } from '../../../src/numeric/units.ts'
import { alice, bob, btc, minuteMillis, SmallVenue, startMillis } from '../fixtures/small-venue.ts'

/* A recording with a gap: nothing matches in it, even when a command halts or resumes the pair. */

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

it('every event of a halt says what the pair then is, whichever of its two causes begins or ends', () => {
  const said: string[] = []
  const { config } = recorded()
  const emit = (type: number, _subject: number, _account: number, asset: number, mode: number) => {
    const name = asset === btc ? eventNames[type] : null
    if (name === 'pair-resumed') said.push('resumed')
    if (name === 'pair-halted') said.push(mode === 0 ? 'refuses' : 'waits')
  }
  const venue = Venue.open(config, { emit })
  const at = (minute: number) => millis(startMillis + minute * minuteMillis)
  const halt = (minute: number, mode: 'rest' | 'reject') =>
    venue.execute({ kind: 'halt', at: at(minute), asset: btc, mode, forMillis: millis(0) })
  const resume = (minute: number) => venue.execute({ kind: 'resume', at: at(minute), asset: btc })
  venue.execute({ kind: 'advance', at: at(1) })
  halt(1, 'reject')
  halt(1, 'rest')
  venue.execute({ kind: 'advance', at: at(3) })
  expect(said.splice(0)).toEqual(['refuses', 'waits', 'refuses'])
  resume(3)
  halt(3, 'rest')
  venue.execute({ kind: 'advance', at: at(5.5) })
  resume(5.5)
  expect(said).toEqual(['refuses', 'refuses', 'waits', 'resumed'])
})
