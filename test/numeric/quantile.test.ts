import fc from 'fast-check'
import { expect, it } from 'vitest'
import { quantileOfSorted, selectQuantile } from '../../src/numeric/quantile.ts'

it.each<[readonly number[], number, number]>([
  [[5], 0.3, 5],
  [[1, 2], 0, 1],
  [[1, 2], 0.25, 1.25],
  [[1, 2], 1, 2],
  [[1, 2, 4, 8], 0.5, 3],
  [[1, 2, 4, 8, 16], 0.75, 8],
  [[], 0.5, Number.NaN],
])('of %j at %d is %d', (sorted, share, expected) => {
  expect(quantileOfSorted(sorted, share)).toBe(expected)
})

it('is the same of values in any order', () => {
  const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, min: -9, max: 9 }))
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 60 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (values, share) => {
        const sorted = values.toSorted((left, right) => left - right)
        expect(selectQuantile(Float64Array.from(values), share)).toBeCloseTo(
          quantileOfSorted(sorted, share),
          12,
        )
      },
    ),
    { seed: 7, numRuns: 500 },
  )
})
