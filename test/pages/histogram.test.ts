import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  countHistogram,
  makeFanLayers,
  makeHistogramBars,
  makeNormalOverlay,
} from '../../src/pages/histogram.ts'

describe('a histogram', () => {
  it('counts like a count by hand', () => {
    const made = countHistogram([0, 1, 1, 2, 3, 4, Number.NaN], 4)
    expect(made?.edges).toEqual([0, 1, 2, 3, 4])
    expect(made?.counts).toEqual([1, 2, 1, 2])
    expect(made?.mean).toBeCloseTo(11 / 6)
    expect(made?.sd).toBeCloseTo(1.4719601)
  })

  it('is null without values, and is centred on a single value', () => {
    expect(countHistogram([Number.NaN])).toBeNull()
    const one = countHistogram([5, 5])
    expect(one?.counts.reduce((sum, count) => sum + count, 0)).toBe(2)
    expect(one && makeNormalOverlay(one, 1)).toBeNull()
  })

  it('includes every finite value', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 }), (values) => {
        const made = countHistogram(values)
        expect(made?.counts.reduce((sum, count) => sum + count, 0)).toBe(values.length)
      }),
      { seed: 7, numRuns: 200 },
    )
  })

  it('has bars between its edges, and a normal curve of its area', () => {
    const made = countHistogram([1, 2, 2, 3, 3, 3, 4, 4, 5], 5)
    expect(made).not.toBeNull()
    if (made === null) return
    const bars = makeHistogramBars(made, 'returns')
    expect([bars.froms[0], bars.tos[4]]).toEqual([1, 5])
    const curve = makeNormalOverlay(made, 2)
    const step = 4 / 120
    const area = [...(curve === null ? [] : Array.from(curve.ys))].reduce((sum, y) => sum + y * step, 0)
    // Nine values in bins of 0.8; the tails of the curve beyond the bins are missing.
    expect(area).toBeGreaterThan(9 * 0.8 * 0.85)
    expect(area).toBeLessThan(9 * 0.8)
  })
})

describe('a fan', () => {
  it('has the quantiles of the paths that have a figure', () => {
    const paths = [
      [1, 10],
      [2, Number.NaN],
      [3, 30],
      [4, 40],
      [5, 50],
    ]
    const [wide, narrow, median] = makeFanLayers([0, 1], paths)
    expect(wide).toMatchObject({ lows: Float64Array.of(1.2, 13), highs: Float64Array.of(4.8, 48.5) })
    expect(narrow).toMatchObject({ lows: Float64Array.of(2, 25), highs: Float64Array.of(4, 42.5) })
    // Their samples in the legend differ as they do in the picture.
    expect([wide, narrow].map((band) => band?.kind === 'band' && band.isInner === true)).toEqual([
      false,
      true,
    ])
    expect(median).toMatchObject({ ys: Float64Array.of(3, 35) })
  })
})

it('a single value has no deviation, and no normal law beside it', () => {
  const found = countHistogram([5])
  expect(found).toMatchObject({ total: 1, mean: 5, sd: 0 })
  expect(found === null ? found : makeNormalOverlay(found, 2)).toBeNull()
})
