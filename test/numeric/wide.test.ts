import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InvariantError } from '../../src/numeric/assert.ts'
import {
  multiplyDivideCeil,
  multiplyDivideFloor,
  multiplyDivideHalfEven,
  notionalAtoms,
} from '../../src/numeric/units.ts'
import { caseBudget } from '../support/full-run.ts'

const runs = { seed: 7, numRuns: caseBudget(10_000) }
const largest = Number.MAX_SAFE_INTEGER

/** Magnitudes spread over the exponents, and the neighbours of powers of two and ten. */
const magnitude = fc.oneof(
  fc.tuple(fc.nat(52), fc.integer({ min: 0, max: largest })).map(([drop, value]) => {
    let result = value
    for (let i = 0; i < drop; i++) result = Math.floor(result / 2)
    return result
  }),
  fc.tuple(fc.nat(53), fc.integer({ min: -2, max: 2 })).map(([bits, offset]) => {
    let power = 1
    for (let i = 0; i < bits; i++) power *= 2
    return Math.min(largest, Math.max(0, power + offset))
  }),
  fc.constantFrom(1, 10, 100, 1e4, 1e6, 1e8, 1e12, 1e15, largest, largest - 1),
)
const signed = fc.tuple(magnitude, fc.boolean()).map(([value, negative]) => (negative ? -value : value))
const divisors = magnitude.filter((value) => value > 0)

type Rounding = 'floor' | 'ceil' | 'halfEven'

function exact(product: bigint, divisor: bigint, rounding: Rounding): bigint {
  let quotient = product / divisor
  if (product < 0n && quotient * divisor !== product) quotient -= 1n
  const twice = 2n * (product - quotient * divisor)
  if (rounding === 'ceil') return twice > 0n ? quotient + 1n : quotient
  if (rounding === 'floor') return quotient
  if (twice === divisor) return quotient % 2n === 0n ? quotient : quotient + 1n
  return twice > divisor ? quotient + 1n : quotient
}

function expectExact(compute: () => number, product: bigint, divisor: number, rounding: Rounding): void {
  const expected = exact(product, BigInt(divisor), rounding)
  if (expected > BigInt(largest) || expected < -BigInt(largest)) {
    expect(compute).toThrow(InvariantError)
  } else {
    expect(compute()).toBe(Number(expected))
  }
}

describe('multiply and divide', () => {
  it.each([
    [1, 1, 2, 0, 0, 1],
    [3, 1, 2, 2, 1, 2],
    [5, 1, 2, 2, 2, 3],
    [-1, 1, 2, 0, -1, 0],
    [-3, 1, 2, -2, -2, -1],
    [-5, 1, 2, -2, -3, -2],
    [-7, 1, 4, -2, -2, -1],
    [0, -5, 3, 0, 0, 0],
    [0, -5, 1, 0, 0, 0],
    [largest, largest, largest, largest, largest, largest],
    [largest, 3, 6, 4503599627370496, 4503599627370495, 4503599627370496],
    [1e15, 1e15, 1e15, 1e15, 1e15, 1e15],
    [-9007199254740991, 1e6, 1e6, -9007199254740991, -9007199254740991, -9007199254740991],
  ])('%d * %d / %d is %d half-even, %d down, %d up', (left, right, divisor, even, down, up) => {
    expect(multiplyDivideHalfEven(left, right, divisor)).toBe(even)
    expect(multiplyDivideFloor(left, right, divisor)).toBe(down)
    expect(multiplyDivideCeil(left, right, divisor)).toBe(up)
  })

  it('agrees with BigInt at every magnitude, and refuses unsafe results', () => {
    const check = (left: number, right: number, divisor: number): void => {
      const product = BigInt(left) * BigInt(right)
      expectExact(() => multiplyDivideHalfEven(left, right, divisor), product, divisor, 'halfEven')
      expectExact(() => multiplyDivideFloor(left, right, divisor), product, divisor, 'floor')
      expectExact(() => multiplyDivideCeil(left, right, divisor), product, divisor, 'ceil')
    }
    fc.assert(fc.property(signed, signed, divisors, check), runs)
  })

  it('agrees with BigInt where the product is wide and the quotient is large', () => {
    const nearOne = fc.tuple(magnitude, magnitude, fc.integer({ min: -3, max: 3 })).filter(([, d]) => d > 3)
    fc.assert(
      fc.property(nearOne, signed, ([, divisor, offset], left) => {
        const right = divisor + offset
        if (!Number.isSafeInteger(right)) return
        const product = BigInt(left) * BigInt(right)
        expectExact(() => multiplyDivideFloor(left, right, divisor), product, divisor, 'floor')
        expectExact(() => multiplyDivideHalfEven(left, right, divisor), product, divisor, 'halfEven')
      }),
      runs,
    )
  })

  it('rounds exact ties of wide products to even', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.integer({ min: 1, max: 1e12 }), (k, half) => {
        const result = multiplyDivideHalfEven(2 * k + 1, half, 2 * half)
        expect(Math.abs(result % 2)).toBe(0)
        expect(Math.abs(2 * result - (2 * k + 1))).toBe(1)
      }),
      runs,
    )
  })

  it('is exact where the divisor itself is near 2^53', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2 ** 51 - 2, max: largest }),
        fc.integer({ min: 2 ** 50, max: largest }),
        fc.integer({ min: -largest, max: largest }),
        (divisor, right, left) => {
          const product = BigInt(left) * BigInt(right)
          expectExact(() => multiplyDivideFloor(left, right, divisor), product, divisor, 'floor')
          expectExact(() => multiplyDivideHalfEven(left, right, divisor), product, divisor, 'halfEven')
          expectExact(() => multiplyDivideCeil(left, right, divisor), product, divisor, 'ceil')
        },
      ),
      runs,
    )
  })

  it('refuses what is not an integer when the product is wide', () => {
    expect(() => multiplyDivideFloor(2 * largest, 2, 4)).toThrow(InvariantError)
    expect(() => multiplyDivideFloor(Number.NaN, 2, 4)).toThrow(InvariantError)
    expect(() => multiplyDivideFloor(Number.POSITIVE_INFINITY, 1, 1)).toThrow(InvariantError)
  })
})

describe('notionalAtoms', () => {
  it.each([
    ['a dollar price of a cent, a step of 0.0001', 5_000_000, 5_000, 1, 1, 25_000_000_000],
    ['half an atom down to even', 1, 5_000, 1, 10_000, 0],
    ['one and a half atoms up to even', 3, 5_000, 1, 10_000, 2],
    ['two and a half atoms down to even', 5, 5_000, 1, 10_000, 2],
    ['a step worth more than an atom', 7, 3, 10_000, 1, 210_000],
    ['a product beyond 2^53', 1e9 + 7, 1e9 + 9, 1, 10_000, 100_000_001_600_000],
  ])('%s', (_title, ticks, steps, numerator, denominator, expected) => {
    expect(notionalAtoms(ticks, steps, numerator, denominator)).toBe(expected)
  })

  it('refuses what is worth 2^53 atoms or more, of either sign', () => {
    expect(notionalAtoms(largest, 1, 1, 1)).toBe(largest)
    expect(notionalAtoms(-largest, 1, 1, 1)).toBe(-largest)
    expect(notionalAtoms(0, -5, 1, 1)).toBe(0)
    expect(() => notionalAtoms(largest, 2, 1, 1)).toThrow(InvariantError)
    expect(() => notionalAtoms(-largest, 2, 1, 1)).toThrow(InvariantError)
    expect(() => notionalAtoms(Number.NaN, 2, 1, 1)).toThrow(InvariantError)
  })

  it('agrees with BigInt for any fraction', () => {
    fc.assert(
      fc.property(magnitude, magnitude, divisors, divisors, (ticks, steps, numerator, denominator) => {
        const product = BigInt(ticks) * BigInt(steps) * BigInt(numerator)
        expectExact(
          () => notionalAtoms(ticks, steps, numerator, denominator),
          product,
          denominator,
          'halfEven',
        )
      }),
      runs,
    )
  })
})
