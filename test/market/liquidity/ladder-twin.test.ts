import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createLadderParameters,
  createLadderSide,
  LadderBuilder,
} from '../../../src/market/liquidity/ladder.ts'
import type { NaiveLadderInputs } from '../../reference/naive-ladder.ts'
import { naiveSide } from '../../reference/naive-ladder.ts'

const usd = fc.double({ min: 0, max: 3e6, noNaN: true })
const footing: fc.Arbitrary<NaiveLadderInputs> = fc
  .record({
    midTicks: fc.oneof(fc.integer({ min: 2, max: 500 }), fc.integer({ min: 1000, max: 9_000_000 })),
    tickUsd: fc.constantFrom(0.01, 1),
    stepUnits: fc.constantFrom(0.0001, 0.01, 1),
    minQuantitySteps: fc.constantFrom(1, 40),
    spreadBps: fc.constantFrom(0, 1, 4, 60),
    depth10bpUsd: fc.constantFrom(10_000, 350_000, 2_000_000),
    spreadMultiplier: fc.constantFrom(0, 0.7, 1, 30),
    depthMultiplier: fc.constantFrom(0, 0.05, 1, 10),
    farDepthMultiplier: fc.constantFrom(0.5, 1),
    skew: fc.constantFrom(-1, -0.2, 0, 0.5),
    consumedUsd: fc.array(usd, { maxLength: 12 }),
    fairBps: fc.constantFrom(-60, -3, 0, 8, 200),
    budgetUsd: fc.constantFrom(null, 0, 40, 3000, -3000),
  })
  .map(({ fairBps, ...rest }) => ({ ...rest, fairTicks: rest.midTicks * (1 + fairBps / 10_000) }))

test('the ladder built level by level equals that of the formulas in market.md', () => {
  fc.assert(
    fc.property(footing, fc.nat(60), (of, lookedAt) => {
      const bids = createLadderSide()
      const asks = createLadderSide()
      const { spreadBps, depth10bpUsd, consumedUsd } = of
      const builder = new LadderBuilder({ kind: 'power', spreadBps, depth10bpUsd }, null, bids, asks)
      const consumed = Float64Array.from(consumedUsd)
      const steps = {
        priceStepUsd: of.tickUsd,
        quantityStepUnits: of.stepUnits,
        minQuantitySteps: of.minQuantitySteps,
      }
      builder.begin(
        { ...createLadderParameters(of.midTicks), ...of, consumedBids: consumed, consumedAsks: consumed },
        steps,
      )
      for (let looks = 0; looks < lookedAt; looks += 1) builder.extendAsks()
      while (builder.extendBids());
      while (builder.extendAsks());
      for (const [side, direction] of [
        [bids, -1],
        [asks, 1],
      ] as const) {
        const expected = naiveSide(of, direction)
        const ticks = Array.from(side.priceTicks.subarray(0, side.count))
        expect(ticks).toEqual(expected.map(([price]) => price))
        for (const [place, [, size]] of expected.entries()) {
          // Powers differ by a unit in the last place, and a size is rounded down to whole steps.
          expect(Math.abs((side.quantitySteps[place] ?? 0) - size)).toBeLessThanOrEqual(1 + size * 1e-9)
        }
      }
    }),
    { seed: 7, numRuns: 600 },
  )
})
