import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Figure } from '../../src/metrics/figure.ts'
import {
  autocorrelation,
  bootstrapInterval,
  correlation,
  deviation,
  mean,
  quantile,
  standardizedMoments,
} from '../../src/metrics/samples.ts'

describe('by hand', () => {
  // The mean is 5, the gaps to it -3, -1, -1, -1, 0, 0, 2 and 4: squares of 32, cubes of 42, fourth powers of 356.
  const values = [2, 4, 4, 4, 5, 5, 7, 9]

  test.each<[string, Figure, number]>([
    ['mean', mean(values), 5],
    ['deviation', deviation(values), Math.sqrt(32 / 7)],
    ['deviation of two', deviation([1, 3]), Math.SQRT2],
    // Of neighbours: 3 + 1 + 1 + 8.
    ['autocorrelation', autocorrelation(values), 13 / 32],
    ['autocorrelation of three', autocorrelation([1, 2, 4]), -1 / 42],
    // Gaps of -1.75, -0.75, 0.25, 2.25 and of -2, -3, 0, 5: products of 17, squares of 8.75 and 38.
    ['correlation', correlation([1, 2, 3, 5], [2, 1, 4, 9]), 17 / Math.sqrt(8.75 * 38)],
    ['correlation of three', correlation([1, 2, 3], [3, 2, -1]), -4 / Math.sqrt(2 * (26 / 3))],
    ['quantile', quantile([9, 2, 5, 4], 0.5), 4.5],
  ])('%s', (_name, found, wanted) => {
    expect(found.value).toBeCloseTo(wanted, 12)
  })

  test('shape', () => {
    expect(standardizedMoments(values)).toEqual({
      skewness: expect.closeTo(42 / 8 / 8, 12),
      kurtosis: expect.closeTo(356 / 8 / 16, 12),
    })
    expect(standardizedMoments([1, 3])).toEqual({ skewness: 0, kurtosis: 1 })
    expect(standardizedMoments([1])).toBeNull()
  })

  test.each<[Figure, string]>([
    [mean([]), 'there are no values'],
    [deviation([1]), 'it takes two values'],
    [autocorrelation([1, 2]), 'it takes three values'],
    [autocorrelation([2, 2, 2]), 'the values do not vary'],
    [correlation([1, 2], [1, 2]), 'it takes three pairs'],
    [correlation([1, 2, 3], [2, 2, 2]), 'one of them does not vary'],
    [quantile([], 0.5), 'there are no values'],
  ])('%j is missing: %s', (found, reason) => {
    expect(found).toEqual({ value: null, reason })
  })
})

it('a sample that does not vary has no spread, whatever its sum is rounded to', () => {
  const values = fc.record({
    value: fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
    count: fc.integer({ min: 3, max: 200 }),
  })
  fc.assert(
    fc.property(values, ({ count, value }) => {
      const same = Array.from({ length: count }, () => value)
      const others = Array.from({ length: count }, (_, place) => place)
      expect(deviation(same).value).toBe(0)
      expect(standardizedMoments(same)).toBeNull()
      for (const figure of [autocorrelation(same), correlation(same, others), correlation(others, same)])
        expect(figure.value).toBeNull()
    }),
  )
})

describe('the interval of a weighted mean', () => {
  const atMillis = Array.from({ length: 60 }, (_, place) => 1_000_000 + place * 1_000)
  const times = { atMillis, reachMillis: 0 }

  it('is the value itself where all values are equal, whatever they weigh', () => {
    const weights = atMillis.map((_, place) => 1 + (place % 7))
    const { high, low } = bootstrapInterval(
      atMillis.map(() => 5),
      weights,
      times,
      'a',
    )
    expect([low.value, high.value]).toEqual([expect.closeTo(5, 12), expect.closeTo(5, 12)])
  })

  it('moves and grows with the values, and is another one for another seed', () => {
    const values = atMillis.map((_, place) => (place * 37) % 11)
    const weights = atMillis.map((_, place) => 1 + (place % 3))
    const of = (scale: number, shift: number, seed = 'a'): readonly number[] => {
      const moved = values.map((value) => scale * value + shift)
      const { high, low } = bootstrapInterval(moved, weights, times, seed)
      return [Number(low.value), Number(high.value)]
    }
    const [low = 0, high = 0] = of(1, 0)
    expect(of(3, 100)).toEqual([expect.closeTo(3 * low + 100, 9), expect.closeTo(3 * high + 100, 9)])
    expect(of(-1, 0)[0]).toBeLessThan(of(-1, 0)[1] ?? 0)
    expect(of(1, 0, 'b')).not.toEqual([low, high])
  })

  it('contains only the early values where the late ones weigh nothing', () => {
    const values = atMillis.map((_, place) => (place < 30 ? 1 : 9))
    const weights = atMillis.map((_, place) => (place < 30 ? 2 : 0))
    expect(bootstrapInterval(values, weights, times, 'a')).toMatchObject({
      low: { value: 1 },
      high: { value: 1 },
    })
  })

  // From the first value to the last are 59 s: six spans of 9,833 ms, but only five of 9,834 ms.
  it.each([
    [9_833, null],
    [9_834, 'the fills lie within fewer than six such spans'],
  ])('takes six spans of what the values look ahead: %d ms', (reachMillis, reason) => {
    const { high, low } = bootstrapInterval(atMillis, atMillis, { atMillis, reachMillis }, 'a')
    expect([low.reason, high.reason]).toEqual([reason, reason])
  })

  it('takes two values', () => {
    const one = bootstrapInterval([1], [1], { atMillis: [0], reachMillis: 0 }, 'a')
    expect(one).toEqual({
      low: { value: null, reason: 'it takes two fills' },
      high: { value: null, reason: 'it takes two fills' },
    })
  })
})
