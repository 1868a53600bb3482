import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Side } from '../../src/engine/codes.ts'
import { buy, sell } from '../../src/engine/codes.ts'
import type { LivelyOptions } from '../engine/fixtures/lively-venue.ts'
import { bitcoinImpact, dynamics, LivelyVenue, traders } from '../engine/fixtures/lively-venue.ts'
import { startMillis } from '../engine/fixtures/small-venue.ts'
import { caseBudget } from '../support/full-run.ts'

/*
 * Where the price is constant, grid steps that would do nothing are skipped. On a ladder with dynamics they may do
 * something: levels recover, sizes wander, the spread changes with the hour. The same must happen however time is split.
 */

const deed = fc.record({
  side: fc.constantFrom<Side>(buy, sell),
  steps: fc.integer({ min: 20, max: 300_000 }),
  // At the touch, inside it and beyond; 0 takes.
  bps: fc.constantFrom(0, 0, -1.5, 1.5, 1.95, 2, 2.3, -2, 2.6, -2.4),
  waitMillis: fc.oneof(
    fc.integer({ min: 0, max: 3000 }),
    fc.integer({ min: 1, max: 5 }).map((half) => half * 1_800_000 + 250),
  ),
})

const choices: fc.Arbitrary<LivelyOptions> = fc.record({
  impact: fc.constantFrom(null, { ...bitcoinImpact, halfLifeMillis: 60_000 }),
  liquidity: fc.constantFrom(
    { kind: 'power', spreadBps: 4, depth10bpUsd: 2_000_000, dynamics } as const,
    // Levels near the smallest size that is shown come and go.
    { kind: 'power', spreadBps: 4, depth10bpUsd: 400, dynamics: { ...dynamics, flickerSd: 1 } } as const,
    { kind: 'flat', spreadBps: 4, levelUsd: 5000, stepBps: 1, levels: 9, dynamics } as const,
    { kind: 'power', spreadBps: 4, depth10bpUsd: 2_000_000 } as const,
  ),
  minQuantitySteps: fc.constant(20),
  // Friday evening: the late hours and the weekend are ahead.
  startMillis: fc.constantFrom(startMillis, startMillis + 4 * 86_400_000 + 20 * 3_600_000),
})

test('a market with a constant price behaves the same however time is split', () => {
  fc.assert(
    fc.property(fc.array(deed, { minLength: 2, maxLength: 8 }), choices, (deeds, options) => {
      const whole = new LivelyVenue(options)
      const parted = new LivelyVenue(options)
      for (const { side, steps, bps, waitMillis } of deeds) {
        const ticks = bps === 0 ? 0 : Math.round(5_000_000 * (1 + bps / 10_000))
        for (const venue of [whole, parted]) venue.place(traders.alice, side, steps, ticks)
        whole.advance(waitMillis)
        for (let left = waitMillis; left > 0; left -= 1000) parted.advance(Math.min(left, 1000))
        expect(parted.venue.digest()).toBe(whole.venue.digest())
      }
    }),
    { seed: 7, numRuns: caseBudget(15) },
  )
})
