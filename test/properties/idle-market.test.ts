import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Side } from '../../src/engine/codes.ts'
import { buy, sell } from '../../src/engine/codes.ts'
import { isIdle } from '../../src/engine/idle/idle-market.ts'
import { idleMidHalfTicks, writeIdleMids } from '../../src/engine/idle/idle-prices.ts'
import { topOfBook } from '../../src/engine/reports/top-of-book.ts'
import type { Candle } from '../../src/market/recordings/candle.ts'
import type { LivelyOptions } from '../engine/fixtures/lively-venue.ts'
import { bitcoinImpact, dynamics, LivelyVenue, traders } from '../engine/fixtures/lively-venue.ts'
import { btc, startMillis } from '../engine/fixtures/small-venue.ts'

/*
 * In an idle market (no client's interest rests, no taker comes) the book's prices are computed ahead, and the
 * steps on the way are shortened. Both are compared with a venue that goes step by step and builds its ladder's levels.
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
  impact: fc.constantFrom(
    null,
    { ...bitcoinImpact, halfLifeMillis: 20_000 },
    { ...bitcoinImpact, halfLifeMillis: 1000 },
  ),
  liquidity: fc.constantFrom(
    { kind: 'power', spreadBps: 4, depth10bpUsd: 2_000_000, dynamics } as const,
    { kind: 'power', spreadBps: 4, depth10bpUsd: 400, dynamics: { ...dynamics, flickerSd: 1 } } as const,
    { kind: 'flat', spreadBps: 4, levelUsd: 5000, stepBps: 1, levels: 9 } as const,
    // Levels that are too small to be shown, except all levels of a tick together.
    { kind: 'flat', spreadBps: 24, levelUsd: 15, stepBps: 0, levels: 9 } as const,
    { kind: 'exponential', spreadBps: 4, maxUsd: 1e6, scaleBps: 10 } as const,
    // Whoever takes pays hardly anything beyond the fair price, so the venue pays no more when it buys back.
    { kind: 'flat', spreadBps: 0, levelUsd: 1e6, stepBps: 1, levels: 9 } as const,
    { kind: 'ladder', bids: [[49_990, 2]], asks: [[50_010, 3]] } as const,
  ),
  minQuantitySteps: fc.constant(20),
  gridMillis: fc.constantFrom(1000, 5000, 60_000),
})

const deed = fc.record({
  side: fc.constantFrom<Side>(buy, sell),
  steps: fc.integer({ min: 20, max: 300_000 }),
  /** How far from the mark it rests; near ones trade on the way. 0: it takes. */
  restsBeyondTicks: fc.constantFrom(0, 0, 1500, 50_000),
  // As long as an impact takes to be forgotten, now and then.
  lullSteps: fc.constantFrom(1, 1, 40),
  waitSteps: fc.integer({ min: 1, max: 12 }),
})

test('an idle market shows the prices that were computed ahead', () => {
  let foreseen = 0
  fc.assert(
    fc.property(fc.array(deed, { minLength: 2, maxLength: 6 }), options, (deeds, choice) => {
      const hurried = new LivelyVenue(soundOf(choice))
      const stepped = new LivelyVenue(soundOf(choice))
      const gridMillis = choice.gridMillis ?? 1000
      for (const { side, steps, restsBeyondTicks, lullSteps, waitSteps } of deeds) {
        const beyondTicks = side === buy ? -restsBeyondTicks : restsBeyondTicks
        const ticks = restsBeyondTicks === 0 ? 0 : hurried.markTicks + beyondTicks
        for (const venue of [hurried, stepped]) venue.place(traders.alice, side, steps, ticks)
        for (const venue of [hurried, stepped]) venue.advance(lullSteps * gridMillis)
        const columns = columnSteps.map((share) => columnOf(hurried, share * gridMillis))
        for (let step = 1; step <= waitSteps; step += 1) {
          stepped.advance(gridMillis)
          if (!isIdle(hurried.state)) continue
          foreseen += 1
          const mid = idleMidHalfTicks(hurried.state, btc, stepped.state.nowMillis)
          expect(mid).toBe(topOfBook(stepped.state, btc).midHalfTicks)
          for (const [place, share] of columnSteps.entries())
            if (step % share === 0) expect(columns[place]?.[3 + 2 * (step / share - 1)]).toBe(mid)
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

/** Grid steps between the places of a column: a whole number of them, or less than one. */
const columnSteps = [1, 2, 0.5]

/** As many mids as are ever looked at, in every second place of an array from the fourth on. */
function columnOf({ state }: LivelyVenue, stepMillis: number): Float64Array {
  const mids = new Float64Array(60)
  const column = { first: 3, step: 2, count: 24 }
  if (isIdle(state)) writeIdleMids(state, btc, state.nowMillis + stepMillis, stepMillis, column, mids)
  return mids
}

/** Levels of no depth to speak of, or without a spread, allow no lasting impact. */
function soundOf(choice: LivelyOptions): LivelyOptions {
  const { impact, liquidity } = choice
  const isCheap = liquidity?.kind === 'flat' && (liquidity.stepBps === 0 || liquidity.spreadBps === 0)
  return isCheap && impact ? { ...choice, impact: { ...impact, permanent: 0 } } : choice
}
