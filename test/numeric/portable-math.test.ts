import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InvariantError } from '../../src/numeric/assert.ts'
import { Hash128 } from '../../src/numeric/hash.ts'
import { exp, inverseNormal, log, normalProbability } from '../../src/numeric/portable-math.ts'

const runs = { seed: 7, numRuns: 5_000 }
const infinity = Number.POSITIVE_INFINITY

/** How far apart two doubles are, in units of the last place of the larger. */
function ulps(left: number, right: number): number {
  if (Object.is(left, right)) return 0
  const size = Math.max(Math.abs(left), Math.abs(right))
  return Math.abs(left - right) / Math.max(size * Number.EPSILON, Number.MIN_VALUE)
}

describe('exp', () => {
  it.each([
    [0, 1],
    [-0, 1],
    [1, Math.E],
    [1e-300, 1],
    [709.782712893384, 1.7976931348622732e308],
    [709.7827128933841, infinity],
    [infinity, infinity],
    [-745.1332191019411, 5e-324],
    [-745.1332191019412, 0],
    [-infinity, 0],
    [-708.3964185322641, 2.2250738585072626e-308],
    [Number.NaN, Number.NaN],
  ])('of %d is %d', (x, expected) => {
    expect(exp(x)).toBe(expected)
  })

  it('is within one unit of the last place of the runtime', () => {
    const x = fc.oneof(fc.double({ min: -746, max: 710 }), fc.double({ min: -2, max: 2 }), fc.double())
    fc.assert(
      fc.property(x, (value) => {
        expect(ulps(exp(value), Math.exp(value))).toBeLessThanOrEqual(1)
      }),
      runs,
    )
  })
})

describe('log', () => {
  it.each([
    [1, 0],
    [2, Math.LN2],
    [10, Math.LN10],
    [0.5, -Math.LN2],
    [0, -infinity],
    [-0, -infinity],
    [-1, Number.NaN],
    [-infinity, Number.NaN],
    [Number.NaN, Number.NaN],
    [infinity, infinity],
    [5e-324, -744.4400719213812],
    [2.2250738585072014e-308, -708.3964185322641],
    [Number.MAX_VALUE, 709.782712893384],
    [1 + Number.EPSILON, 2.2204460492503128e-16],
    [0.9999997708327, -2.2916732628425321e-7], // so near to 1 it has a series of its own
    // The first and the last mantissas near the square root of 2.
    [1.3799991635338884, 0.3220828930340661],
    [1.4199991237591, 0.35065625454192273],
  ])('of %d is %d', (x, expected) => {
    expect(log(x)).toBe(expected)
  })

  it('is within one unit of the last place of the runtime', () => {
    const x = fc.oneof(
      fc.double({ min: 0, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0.5, max: 2, noNaN: true }),
      fc.integer({ min: 1, max: 1e9 }),
    )
    fc.assert(
      fc.property(x, (value) => {
        expect(ulps(log(value), Math.log(value))).toBeLessThanOrEqual(1)
      }),
      runs,
    )
  })
})

describe('inverseNormal', () => {
  // Known values: AS241's own test points, and quantiles of tables.
  it.each([
    [0.25, -0.6744897501960817],
    [0.001, -3.0902323061678136],
    [1e-20, -9.262340089798407],
    [0.5, 0],
    [0.975, 1.9599639845400543],
    [0.995, 2.575829303548901],
    [0.8413447460685429, 1],
    [1e-9, -5.9978070150076865],
    [1e-300, -37.0471],
  ])('of %d is %d', (p, expected) => {
    expect(Math.abs(inverseNormal(p) - expected)).toBeLessThanOrEqual(p === 1e-300 ? 1e-4 : 4e-15)
  })

  it('is odd about one half, and inverts the distribution', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 20 - 1 }), (k) => {
        const p = k / 2 ** 20 // so that 1 - p is exact
        const z = inverseNormal(p)
        expect(inverseNormal(1 - p)).toBe(-z + 0)
        expect(Math.abs(normalProbability(z) - p)).toBeLessThan(2e-15)
      }),
      runs,
    )
  })

  it('rises with the probability across its three pieces', () => {
    const p = fc.double({ min: 1e-300, max: 1 - 2e-16, noNaN: true })
    fc.assert(
      fc.property(p, p, (left, right) => {
        if (left < right) expect(inverseNormal(left)).toBeLessThanOrEqual(inverseNormal(right))
      }),
      runs,
    )
  })

  it.each([0, 1, -0.1, 1.1, Number.NaN])('refuses %d', (p) => {
    expect(() => inverseNormal(p)).toThrow(InvariantError)
  })
})

describe('normalProbability', () => {
  it.each([
    [0, 0.5],
    [1, 0.8413447460685429],
    [-1.959963984540054, 0.025],
    [-3, 0.001349898031630095],
    [-10, 7.619853024160525e-24],
    [40, 1],
    [-40, 0],
    [infinity, 1],
    [-infinity, 0],
  ])('of %d is %d', (z, expected) => {
    expect(Math.abs(normalProbability(z) - expected)).toBeLessThanOrEqual(Math.max(expected * 1e-8, 1e-15))
  })
})

it('gives the same 100,000 outputs on every engine', () => {
  const digest = new Hash128()
  for (let k = 1; k <= 20_000; k++) {
    const p = k / 20_001
    digest.addInteger(exp((p - 0.5) * 1490))
    digest.addInteger(exp((p - 0.5) * 3))
    digest.addInteger(log(k * k * 1e-7))
    digest.addInteger(inverseNormal(p * p))
    digest.addInteger(normalProbability((p - 0.5) * 20))
  }
  expect(digest.digest()).toBe('8e565552c4f6865e2e922c183b6d869e')
})
