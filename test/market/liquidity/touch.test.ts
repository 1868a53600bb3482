import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createLadderParameters,
  createLadderSide,
  downward,
  LadderBuilder,
  upward,
} from '../../../src/market/liquidity/ladder.ts'
import type { LiquiditySpec } from '../../../src/market/liquidity/liquidity.ts'
import { SizeNoise } from '../../../src/market/liquidity/size-noise.ts'

/** Size noise without a bound, so that every size has to be drawn. */
class UnboundedFlicker extends SizeNoise {
  override readonly leastFactor = 0
}

const spec: LiquiditySpec = { kind: 'power', spreadBps: 4, depth10bpUsd: 2_000_000 }
const names = { seed: '7', symbol: 'BTC' }

test('a best price found without its size equals that of a ladder that draws all sizes', () => {
  const footings = fc.record({
    midTicks: fc.integer({ min: 50, max: 10_000_000 }),
    depthMultiplier: fc.double({ min: 1e-7, max: 2, noNaN: true }),
    skew: fc.double({ min: -1, max: 1, noNaN: true }),
    offsetMillis: fc.integer({ min: 0, max: 10_000_000 }),
    consumedUsd: fc.option(fc.double({ min: 0, max: 600_000, noNaN: true })),
    fairShare: fc.double({ min: 0.99, max: 1.01, noNaN: true }),
    budgetUsd: fc.option(fc.double({ min: -100, max: 100, noNaN: true })),
  })
  let shown = 0
  fc.assert(
    fc.property(
      footings,
      fc.double({ min: 0.01, max: 2, noNaN: true }),
      fc.integer({ min: 1, max: 5000 }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      (given, flickerSd, minQuantitySteps, leastShare) => {
        const { consumedUsd, fairShare, ...rest } = given
        const consumed = consumedUsd === null ? null : Float64Array.of(consumedUsd)
        const plain = { ...createLadderParameters(rest.midTicks), ...rest, budgetUsd: null }
        const fairTicks = rest.midTicks * fairShare
        const taken = { ...plain, ...rest, fairTicks, consumedBids: consumed, consumedAsks: consumed }
        const steps = { priceStepUsd: 0.01, quantityStepUnits: 0.001, minQuantitySteps }
        const [lazy, eager] = [SizeNoise, UnboundedFlicker].map((Kind) => {
          const flicker = new Kind(flickerSd, 5000, names)
          return new LadderBuilder(spec, flicker, createLadderSide(), createLadderSide())
        })
        for (const direction of [downward, upward] as const) {
          const least = { ...plain, depthMultiplier: plain.depthMultiplier * leastShare }
          const certain = lazy?.findCertainTouchTicks(direction, least, steps)
          eager?.begin(plain, steps)
          if (certain !== 0) expect(certain).toBe(eager?.findTouchTicks(direction))
          for (const builder of [lazy, eager]) builder?.begin(taken, steps)
          const ticks = lazy?.findTouchTicks(direction)
          expect(ticks).toBe(eager?.findTouchTicks(direction))
          shown += Number(certain !== 0) + Number(ticks !== 0)
        }
      },
    ),
    { seed: 7, numRuns: 3000 },
  )
  expect(shown).toBeGreaterThan(2000)
  expect(shown).toBeLessThan(10_000)
})
