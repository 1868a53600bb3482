import { expect, it } from 'vitest'
import { quantileOfSorted } from '../../src/numeric/quantile.ts'

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
