import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeDrawdown } from '../../src/metrics/drawdown-metrics.ts'

const hour = 3_600_000

describe('drawdowns', () => {
  it('are measured from every peak, the first value among them', () => {
    const index = [1, 0.9, 1.1, 1, 0.88, 1.2, 1.14]
    const at = index.map((_, place) => place * hour)
    const found = computeDrawdown(index, at)
    expect(found.maximum.value).toBeCloseTo(-0.2, 12)
    expect(
      found.deepest.map(({ peakMillis, recoveryMillis, troughMillis }) => [
        peakMillis,
        troughMillis,
        recoveryMillis,
      ]),
    ).toEqual([
      [2 * hour, 4 * hour, 5 * hour],
      [0, hour, 2 * hour],
      [5 * hour, 6 * hour, null],
    ])
    expect(found.longestMillis).toBe(3 * hour)
    expect(found.isLongestOpen).toBe(false)
    const squares = [0, 0.1, 0, 1 / 11, 0.2, 0, 0.05].map((depth) => depth ** 2)
    expect(found.ulcer.value).toBeCloseTo(Math.sqrt(squares.reduce((sum, one) => sum + one) / 7), 12)
  })

  it('are shown up to the five deepest, and the longest may be open', () => {
    const index = [1, 0.99, 1, 0.97, 1, 0.95, 1, 0.98, 1, 0.96, 1, 0.94, 1, 0.999, 0.999]
    const found = computeDrawdown(
      index,
      index.map((_, place) => place * hour),
    )
    expect(found.deepest.map(({ depth }) => Math.round(depth * 1000))).toEqual([-60, -50, -40, -30, -20])
    // All others took two hours; the first of equally long ones counts, which has ended.
    expect(found).toMatchObject({ longestMillis: 2 * hour, isLongestOpen: false })
    const longer = [...index, 0.999]
    expect(
      computeDrawdown(
        longer,
        longer.map((_, place) => place * hour),
      ),
    ).toMatchObject({ longestMillis: 3 * hour, isLongestOpen: true })
  })

  it('are none where nothing falls', () => {
    expect(computeDrawdown([1, 1, 2], [0, hour, 2 * hour])).toEqual({
      maximum: { value: 0, reason: null },
      longestMillis: 0,
      isLongestOpen: false,
      ulcer: { value: 0, reason: null },
      deepest: [],
    })
  })

  it('equal those of a naive search', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 40 }), (index) => {
        let worst = 0
        for (const [end, value] of index.entries())
          for (const peak of index.slice(0, end + 1)) worst = Math.min(worst, value / peak - 1)
        const found = computeDrawdown(
          index,
          index.map((_, place) => place),
        )
        expect(found.maximum.value).toBeCloseTo(worst, 12)
        expect(found.deepest[0]?.depth ?? 0).toBeCloseTo(worst, 12)
      }),
      { seed: 7, numRuns: 200 },
    )
  })
})
