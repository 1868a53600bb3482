import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buy, sell } from '../../../src/engine/codes.ts'
import { stateOf } from '../../../src/engine/state.ts'
import type { LiquiditySpec } from '../../../src/market/liquidity/liquidity.ts'
import { millis } from '../../../src/numeric/units.ts'
import { bitcoinImpact, dynamics, LivelyVenue, traders } from '../fixtures/lively-venue.ts'
import { btc, secondMillis } from '../fixtures/small-venue.ts'

/*
 * Two answers that cost no look at the market's activity: that a ladder surely has a better price than some, and that it
 * surely does not reach as far as some. Where they are given they must be true, whatever the ladder then shows.
 */

const factor = fc.constantFrom(0.05, 0.5, 1, 3, 40)

it('what is said of a ladder without building it is true of the ladder', () => {
  let surpassed = 0
  let beyond = 0
  fc.assert(
    fc.property(
      fc.record({
        spreadBps: fc.constantFrom(0, 0.3, 4, 60),
        depth10bpUsd: fc.constantFrom(40, 2_000_000, 80_000_000),
        flickerSd: fc.constantFrom(0, 0.3, 2),
        spread: factor,
        depth: factor,
        taken: fc.constantFrom(0, 0, 3),
        seconds: fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 4 }),
        distance: fc.constantFrom(1, 10, 60, 300, 5_000, 200_000, 2_000_000, 3_000_000),
      }),
      ({ spreadBps, depth10bpUsd, flickerSd, spread, depth, taken, seconds, distance }) => {
        const lively = new LivelyVenue({
          model: { kind: 'gbm', drift: 0, vol: 2 },
          liquidity: { kind: 'power', spreadBps, depth10bpUsd, dynamics: { ...dynamics, flickerSd } },
          impact: { ...bitcoinImpact, permanent: 0 },
          flow: { kind: 'none' },
        })
        const { venue, state } = lively
        const conditions = { spreadMultiplier: spread, depthMultiplier: depth, sides: 'both' } as const
        const at = venue.now
        venue.execute({
          ...{ kind: 'set-liquidity', at, asset: btc, conditions, isStale: false, forMillis: millis(0) },
        })
        if (taken > 0) lively.take(traders.alice, buy, taken * 10_000)
        for (const span of seconds) {
          lively.advance(span * secondMillis)
          const { ladder } = stateOf(state, btc)
          const mark = state.markTicks.get(btc)
          const bidTicks = Math.max(1, mark - distance)
          const told = {
            better: [ladder.isSurelyBetter(buy, bidTicks), ladder.isSurelyBetter(sell, mark + distance)],
            reached: [ladder.mayEverReach(buy, bidTicks), ladder.mayEverReach(sell, mark + distance)],
          }
          const [bid, ask] = [ladder.bestTicks(buy), ladder.bestTicks(sell)]
          if (told.better[0]) expect(bid).toBeGreaterThan(bidTicks)
          if (told.better[1]) expect(ask === -1 ? mark + distance : ask).toBeLessThan(mark + distance)
          if (!told.reached[0]) expect(bid).toBeLessThan(bidTicks)
          if (!told.reached[1] && ask !== -1) expect(ask).toBeGreaterThan(mark + distance)
          surpassed += told.better.filter(Boolean).length
          beyond += told.reached.filter((isReached) => !isReached).length
        }
      },
    ),
    { numRuns: 100 },
  )
  expect(surpassed).toBeGreaterThan(20)
  expect(beyond).toBeGreaterThan(20)
})

it.each<LiquiditySpec>([{ kind: 'ladder', bids: [[49_990, 2]], asks: [[50_010, 3]] }, { kind: 'none' }])(
  'nothing is said in advance of a ladder of kind $kind, which has no rule for distances',
  (liquidity) => {
    const { state } = new LivelyVenue({ model: { kind: 'constant' }, liquidity, flow: { kind: 'none' } })
    const { ladder } = stateOf(state, btc)
    expect([ladder.isSurelyBetter(buy, 1), ladder.isSurelyBetter(sell, 10_000_000)]).toEqual([false, false])
  },
)
