import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimate } from '../../src/pages/decimate.ts'

const figures = fc.array(
  fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: -50, max: 50 }) },
    { weight: 1, arbitrary: fc.constant(Number.NaN) },
  ),
  {
    maxLength: 400,
  },
)

describe('decimation', () => {
  it('keeps short rows unchanged', () => {
    expect(decimate([3, 1, 2], 10)).toEqual([0, 1, 2])
    expect(decimate([], 10)).toEqual([])
  })

  it('keeps the lowest, the highest and the ends of a long row', () => {
    const ys = Array.from({ length: 1_000 }, (_, place) =>
      place === 617 ? 90 : place === 401 ? -90 : place % 7,
    )
    const places = decimate(ys, 10)
    expect(places).toEqual(expect.arrayContaining([0, 401, 617, 999]))
    expect(places.length).toBeLessThan(45)
  })

  it('keeps the extremes of every bucket and every gap, in order', () => {
    fc.assert(
      fc.property(figures, fc.integer({ min: 1, max: 60 }), (ys, buckets) => {
        const places = decimate(ys, buckets)
        expect(places).toEqual([...new Set(places)].sort((left, right) => left - right))
        const size = Math.max(1, Math.ceil(ys.length / buckets))
        for (let start = 0; start < ys.length; start += size) {
          const whole = ys.slice(start, start + size).filter(Number.isFinite)
          const kept = places
            .filter((place) => place >= start && place < start + size)
            .map((place) => ys[place] ?? 0)
          const left = kept.filter(Number.isFinite)
          expect([Math.min(...left), Math.max(...left)]).toEqual([Math.min(...whole), Math.max(...whole)])
        }
        for (const [index, place] of places.entries()) {
          const next = places[index + 1]
          if (next === undefined) continue
          const between = ys.slice(place, next + 1)
          const isBroken = between.some(Number.isNaN)
          expect(Number.isNaN(ys[place]) || Number.isNaN(ys[next])).toBe(isBroken)
        }
      }),
      { seed: 7, numRuns: 300 },
    )
  })
})
