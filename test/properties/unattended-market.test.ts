import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { topOfBook } from '../../src/engine/book/top-of-book.ts'
import type { Side } from '../../src/engine/codes.ts'
import { buy, sell } from '../../src/engine/codes.ts'
import { foreseenMidHalfTicks, isUnattended } from '../../src/engine/house/unattended.ts'
import type { Candle } from '../../src/market/market.ts'
import type { LivelyOptions } from '../engine/fixtures/lively-venue.ts'
import { bitcoinImpact, dynamics, LivelyVenue, traders } from '../engine/fixtures/lively-venue.ts'
import { btc, startMillis } from '../engine/fixtures/small-venue.ts'

// Whole runs, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })

/*
 * Where no client's interest stands and no taker comes, what the book will show is foreseen, and the steps on the way are
 * hurried over. Both are held to a venue that goes step by step and looks at its ladder's levels.
 */

const candles = (count: number): readonly Candle[] =>
  Array.from({ length: count }, (_, place) => ({
    atMillis: startMillis + place * 20_000 + (place > 30 ? 45_000 : 0),
    spanMillis: 20_000,
    open: 50_000 + (place % 7),
    high: 50_020 + (place % 7),
    low: 49_990,
    close: 50_000 + ((place + 1) % 7),
    volume: place % 3,
  }))

const options: fc.Arbitrary<LivelyOptions> = fc.record({
  model: fc.constantFrom(
    { kind: 'gbm', vol: 2, drift: 0 } as const,
    { kind: 'replay', candles: candles(60), gaps: 'halt', noiseVol: 0.5 } as const,
    { kind: 'replay', candles: candles(60), gaps: 'interpolate', noiseVol: 0 } as const,
  ),
  impact: fc.constantFrom(null, { ...bitcoinImpact, halfLifeMillis: 20_000 }),
  liquidity: fc.constantFrom(
    { kind: 'power', spreadBps: 4, depth10bpUsd: 2_000_000, dynamics } as const,
    { kind: 'power', spreadBps: 4, depth10bpUsd: 400, dynamics: { ...dynamics, flickerSd: 1 } } as const,
    { kind: 'flat', spreadBps: 4, levelUsd: 5000, stepBps: 1, levels: 9 } as const,
    { kind: 'ladder', bids: [[49_990, 2]], asks: [[50_010, 3]] } as const,
  ),
  minQuantitySteps: fc.constant(20),
  gridMillis: fc.constantFrom(1000, 5000, 60_000),
})

const deed = fc.record({
  side: fc.constantFrom<Side>(buy, sell),
  steps: fc.integer({ min: 20, max: 300_000 }),
  isResting: fc.boolean(),
  waitSteps: fc.integer({ min: 1, max: 12 }),
})

test('what a market that nobody is in will show is foreseen', () => {
  let foreseen = 0
  fc.assert(
    fc.property(fc.array(deed, { minLength: 2, maxLength: 6 }), options, (deeds, choice) => {
      const hurried = new LivelyVenue(choice)
      const stepped = new LivelyVenue(choice)
      const gridMillis = choice.gridMillis ?? 1000
      for (const { side, steps, isResting, waitSteps } of deeds) {
        const ticks = isResting ? (side === buy ? 4_950_000 : 5_050_000) : 0
        for (const venue of [hurried, stepped]) venue.place(traders.alice, side, steps, ticks)
        for (const venue of [hurried, stepped]) venue.advance(gridMillis)
        for (let step = 1; step <= waitSteps; step += 1) {
          stepped.advance(gridMillis)
          if (!isUnattended(hurried.state)) continue
          foreseen += 1
          const mid = foreseenMidHalfTicks(hurried.state, btc, stepped.state.gridIndex)
          expect(mid).toBe(topOfBook(stepped.state, btc).midHalfTicks)
          const [bid] = stepped.levels(buy)
          if (bid !== undefined) expect(topOfBook(stepped.state, btc).bidTicks).toBeGreaterThanOrEqual(bid[0])
        }
        hurried.advance(waitSteps * gridMillis)
        expect(hurried.venue.digest()).toBe(stepped.venue.digest())
        for (const venue of [hurried, stepped]) venue.cancelAll(traders.alice)
      }
    }),
    { seed: 7, numRuns: 40 },
  )
  expect(foreseen).toBeGreaterThan(300)
})
