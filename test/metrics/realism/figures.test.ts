import { describe, expect, test } from 'vitest'
import { computeLogReturns } from '../../../src/metrics/realism/facts.ts'
import {
  autocorrelations,
  decayExponent,
  greatestAutocorrelation,
  varianceRatio,
} from '../../../src/metrics/realism/memory.ts'
import {
  correlation,
  countJumps,
  excessKurtosis,
  mean,
  tailIndex,
  variance,
} from '../../../src/metrics/realism/moments.ts'
import { createStream } from '../../../src/numeric/random.ts'
import { lowerTailDependence, rankCorrelation } from '../../realism/long-facts.ts'
import { aggregated, firstPassages, realizedVariances, seasonOf } from '../../realism/series.ts'
import { median, quantile } from '../../support/statistics.ts'

/** Draws of a distribution from a stream of its own. */
function draws(count: number, name: string, draw: (uniform: number, normal: number) => number): Float64Array {
  const stream = createStream('figures', name, '', 0)
  return Float64Array.from({ length: count }, () => draw(stream.uniform(), stream.normal()))
}

const normals = draws(100_000, 'normal', (_, normal) => normal)

describe('moments', () => {
  test('of small tables', () => {
    expect(mean([1, 2, 3, 6])).toBe(3)
    expect(variance([1, 2, 3, 6])).toBe(3.5)
    expect(excessKurtosis([1, -1, 1, -1])).toBe(-2)
    expect(excessKurtosis([0, 0, 0, 3, -3, 0, 0, 0])).toBe(1)
    expect(correlation([1, 2, 3], [2, 4, 6])).toBeCloseTo(1, 12)
    expect(correlation([1, 2, 3], [1, 0, -1])).toBeCloseTo(-1, 12)
    expect(rankCorrelation([1, 2, 3, 4], [1, 100, 1000, 1001])).toBeCloseTo(1, 12)
    expect(rankCorrelation([1, 1, 2], [5, 5, 9])).toBeCloseTo(1, 12)
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5)
    expect(quantile([10, 20], 0.25)).toBe(12.5)
    expect(median([7])).toBe(7)
    expect(median([])).toBe(Number.NaN)
  })

  test('of a normal distribution', () => {
    expect(Math.abs(excessKurtosis(normals))).toBeLessThan(4 * Math.sqrt(24 / normals.length))
    expect(Math.abs(variance(normals) - 1)).toBeLessThan(4 * Math.sqrt(2 / normals.length))
  })
})

describe('memory', () => {
  test('of an alternating series', () => {
    const series = Array.from({ length: 1_000 }, (_, place) => (place % 2 === 0 ? 1 : -1))
    expect(autocorrelations(series, [1, 2])).toEqual([-0.999, 0.998])
    expect(greatestAutocorrelation(series, 5)).toBeCloseTo(0.999, 9)
    expect(varianceRatio(series, 2)).toBe(0)
  })

  test('none in independent normal draws, whose variances add up', () => {
    expect(greatestAutocorrelation(normals, 20)).toBeLessThan(4.5 / Math.sqrt(normals.length))
    expect(varianceRatio(normals, 60)).toBeCloseTo(1, 1)
  })

  test('of an autoregression it falls by its coefficient', () => {
    let value = 0
    const series = normals.map((normal) => {
      value = 0.8 * value + normal
      return value
    })
    const [one = 0, two = 0, five = 0] = autocorrelations(series, [1, 2, 5])
    expect([one, two, five]).toEqual([
      expect.closeTo(0.8, 1),
      expect.closeTo(0.64, 1),
      expect.closeTo(0.328, 1),
    ])
  })

  test('the exponent of a long memory is estimated', () => {
    // Sums of autoregressions whose scales are spread evenly over the logarithm of time have a slow decay.
    const scales = [10, 40, 160, 640, 2560]
    const values = scales.map(() => 0)
    const stream = createStream('figures', 'long', '', 0)
    const series = Float64Array.from({ length: 60_000 }, () => {
      let sum = 0
      for (const [place, scale] of scales.entries()) {
        const kept = Math.exp(-1 / scale)
        values[place] = kept * (values[place] ?? 0) + Math.sqrt(1 - kept * kept) * stream.normal()
        sum += values[place] ?? 0
      }
      return sum
    })
    expect(decayExponent(series, 10, 1000)).toBeGreaterThan(0.15)
    expect(decayExponent(series, 10, 1000)).toBeLessThan(0.6)
    expect(decayExponent(normals, 1, 3)).toBe(Number.NaN)
  })
})

describe('tails', () => {
  test.each([2, 3, 4])('the index of a Pareto distribution of %d', (index) => {
    const pareto = draws(100_000, 'pareto', (uniform) => uniform ** (-1 / index))
    expect(Math.abs(tailIndex(pareto, 0.01) / index - 1)).toBeLessThan(4 / Math.sqrt(1_000))
  })

  test('too few values have none', () => {
    const rising = Array.from({ length: 1_000 }, (_, place) => 1 + place)
    expect(tailIndex(rising.slice(1), 0.01)).toBe(Number.NaN)
    expect(tailIndex(rising, 0.01)).toBeGreaterThan(100)
    // Of values that are not above 0 there is no logarithm.
    expect(
      tailIndex(
        rising.map((value) => value - 1_000),
        0.5,
      ),
    ).toBe(Number.NaN)
  })

  test('tail dependence is 1 with itself, and that of chance for independent series', () => {
    const others = draws(100_000, 'others', (_, normal) => normal)
    expect(lowerTailDependence(normals, normals, 0.01)).toBe(1)
    expect(lowerTailDependence(normals, others, 0.01)).toBeLessThan(0.03)
  })

  test('a return that is large for its surroundings is a jump; the same return in a volatile period is not', () => {
    const calm = normals.slice(0, 5 * 1440)
    expect(countJumps(calm, 8)).toEqual({ perDay: 0, dispersion: Number.NaN })
    calm[2_000] = 9
    calm[2_010] = -9
    expect(countJumps(calm, 8).perDay).toBe(2 / 5)
    expect(countJumps(calm, 8).dispersion).toBeCloseTo((4 / 5 - 4 / 25) / (2 / 5), 12)
    for (let i = 1_900; i < 2_100; i += 1) calm[i] = 9 * (calm[i] ?? 0)
    calm[2_000] = 9
    calm[2_010] = -9
    expect(countJumps(calm, 8).perDay).toBe(0)
  })
})

describe('series', () => {
  test('prices to returns, returns to longer spans', () => {
    const returns = computeLogReturns([1, 2, 4, 8, 16], 2)
    expect([...returns]).toEqual([expect.closeTo(Math.log(4), 12), expect.closeTo(Math.log(4), 12)])
    expect([...aggregated([1, 2, 3, 4, 5], 2)]).toEqual([3, 7])
    expect([...realizedVariances([1, 2, 3, 4, 5], 2)]).toEqual([5, 25])
  })

  test('the season is estimated, by hour and on weekends', () => {
    const monday = Date.UTC(2026, 0, 5)
    const sizes = Array.from({ length: 24 * 14 }, (_, hour) => {
      const day = Math.floor(hour / 24) % 7
      return (
        (hour % 24 === 14 ? 3 : hour % 24 === 4 ? 1 : 2) * (day >= 5 ? 0.5 : 1) * (hour % 2 === 0 ? 1 : -1)
      )
    })
    expect(seasonOf(sizes, monday, 3_600_000)).toEqual({
      peakOverTrough: expect.closeTo(3, 12),
      peakHour: 14,
      weekend: expect.closeTo(0.5, 12),
    })
  })

  test('first passages count steps to either side', () => {
    expect(firstPassages([1, 1, 1, -9, -9], 2, -5, 10)).toEqual({ up: 2, down: 4 })
    expect(firstPassages([-9, 1, 20, 0], 2, -5, 10)).toEqual({ up: 3, down: 1 })
    expect(firstPassages([1, -1, 1, -1], 5, -5, 1)).toEqual({
      up: Number.POSITIVE_INFINITY,
      down: Number.POSITIVE_INFINITY,
    })
  })
})
