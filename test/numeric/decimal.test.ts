import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InvariantError } from '../../src/numeric/assert.ts'
import {
  decimalToNumber,
  decimalToText,
  numberToScaled,
  parseDecimal,
  powerOfTen,
  roundAmount,
  textToScaled,
  toStepCount,
} from '../../src/numeric/units.ts'

const runs = { seed: 7, numRuns: 5_000 }
const fifteenDigits = fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 })
const scales = fc.integer({ min: 0, max: 18 })

it.each([
  [0.1 + 0.2, 0.3],
  [4.180000000000291, 4.18],
  [-19.170000000000073, -19.17],
  [-4e-13, 0],
  [17_276_593.914029002, 17_276_593.914029],
  [123_456_789_012.345_67, 123_456_789_012.346],
  [-1e300, -1e300],
])('roundAmount makes of %d the amount %d', (value, amount) => {
  expect(roundAmount(value)).toBe(amount)
})

describe('parseDecimal', () => {
  it.each([
    ['0', 0, 0],
    ['-0', 0, 0],
    ['0.000', 0, 0],
    ['0e9999', 0, 0],
    ['7', 7, 0],
    ['-7', -7, 0],
    ['0.1', 1, 1],
    ['0.10', 1, 1],
    ['-12.50', -125, 1],
    ['1e7', 10_000_000, 0],
    ['1E+7', 10_000_000, 0],
    ['2.5e-3', 25, 4],
    ['1e-7', 1, 7],
    ['1200', 1200, 0],
    ['123456789012345', 123_456_789_012_345, 0],
    ['1.00000000000000000', 1, 0],
    ['9000000000000000', 9_000_000_000_000_000, 0],
    ['-9.007e15', -9_007_000_000_000_000, 0],
    ['0.000000000000000000012', 12, 21],
    ['1e-400', 1, 400],
  ])('reads %s', (text, units, scale) => {
    expect(parseDecimal(text)).toEqual({ units, scale })
  })

  it.each([
    '',
    ' 1',
    '1 ',
    '+1',
    '.5',
    '5.',
    '01',
    '-',
    '--1',
    '1e',
    '1e+',
    '0x10',
    '1_000',
    '1,000',
    'NaN',
    'Infinity',
    '1n',
    '١',
    '1234567890123456',
    '0.1234567890123456',
    '10000000000000000',
    '1e16',
    '9.1e15',
    '-123456789012345e5',
    '1e400',
    '1e-401',
    '1e99999',
  ])('refuses %j', (text) => {
    expect(parseDecimal(text)).toBeNull()
  })

  it('reads back what scaledToText wrote', () => {
    fc.assert(
      fc.property(fifteenDigits, scales, (integer, scale) => {
        expect(textToScaled(decimalToText(integer, scale), scale)).toBe(integer)
      }),
      runs,
    )
  })

  it('agrees with the runtime on every JSON number that it accepts', () => {
    const text = fc.stringMatching(/^-?(0|[1-9]\d{0,9})(\.\d{1,9})?([eE][+-]?\d)?$/)
    fc.assert(
      fc.property(text, (value) => {
        const decimal = parseDecimal(value)
        if (decimal !== null) expect(decimalToNumber(decimal.units, decimal.scale)).toBe(Number(value) + 0)
      }),
      runs,
    )
  })
})

describe('numberToScaled', () => {
  it.each([
    [0.3, 1, 3],
    [0.1 + 0.2, 1, null],
    [0.1 + 0.2, 17, null],
    [-0, 4, 0],
    [-0.0, 0, 0],
    [1.005, 3, 1005],
    [1.005, 2, null],
    [-1.5, 1, -15],
    [50_000, 2, 5_000_000],
    [1e-7, 8, 10],
    [1e-9, 8, null],
    [5e-324, 8, null],
    [1e300, 0, null],
    [1e21, 0, null],
    [9e15, 0, 9_000_000_000_000_000],
    [90071992547409.91, 2, 9_007_199_254_740_990],
    [123_456_789_012_345, 0, 123_456_789_012_345],
    [1_234_567_890_123_456, 0, null],
    [1e14, 2, null],
    [9e13, 2, 9_000_000_000_000_000],
    [Number.NaN, 2, null],
    [Number.POSITIVE_INFINITY, 2, null],
    [Number.NEGATIVE_INFINITY, 2, null],
  ])('takes %d at scale %d as %s', (value, scale, expected) => {
    expect(numberToScaled(value, scale)).toBe(expected)
  })

  it('agrees with scaling the shortest decimal text', () => {
    const near = fc
      .tuple(fifteenDigits, scales, fc.integer({ min: -2, max: 2 }))
      .map(([integer, scale, ulps]) => {
        const value = decimalToNumber(integer, scale)
        return value + ulps * Math.abs(value) * Number.EPSILON
      })
    const value = fc.oneof(near, fc.double({ noNaN: true }), fc.float({ noNaN: true }))
    fc.assert(
      fc.property(value, scales, (number, scale) => {
        expect(numberToScaled(number, scale)).toBe(textToScaled(String(number), scale))
      }),
      runs,
    )
  })

  it('returns every integer that scaledToNumber wrote', () => {
    fc.assert(
      fc.property(fifteenDigits, scales, (integer, scale) => {
        expect(numberToScaled(decimalToNumber(integer, scale), scale)).toBe(integer)
      }),
      runs,
    )
  })
})

describe('toStepCount', () => {
  const tenth = { units: 1, scale: 1 }
  const nickel = { units: 5, scale: 2 }
  it.each([
    [0.3, tenth, 3],
    ['0.3', tenth, 3],
    [0.1 + 0.2, tenth, null],
    [0.15, nickel, 3],
    ['0.15', nickel, 3],
    [0.16, nickel, null],
    ['0.150', nickel, 3],
    [-0.15, nickel, -3],
    [0, nickel, 0],
    [-0, nickel, 0],
    ['abc', nickel, null],
    ['', nickel, null],
    [1000, { units: 25, scale: 0 }, 40],
    [1010, { units: 25, scale: 0 }, null],
    [Number.NaN, tenth, null],
  ])('counts %s in steps of %o as %s', (value, step, expected) => {
    expect(toStepCount(value, step)).toBe(expected)
  })
})

describe('scaledToNumber', () => {
  it.each([
    [0, 3, 0],
    [-0, 3, 0],
    [3, 1, 0.3],
    [1005, 3, 1.005],
    [-25, 1, -2.5],
    [9_007_199_254_740_991, 22, 9.007199254740991e-7],
    [1, 30, 1e-30],
    [-0, 30, 0],
  ])('%d at scale %d is %d', (integer, scale, expected) => {
    expect(decimalToNumber(integer, scale)).toBe(expected)
  })

  it('is the double nearest to the exact decimal', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 0, max: 30 }), (integer, scale) => {
        expect(decimalToNumber(integer, scale)).toBe(Number(`${integer}e-${scale}`) + 0)
      }),
      runs,
    )
  })
})

describe('scaledToText', () => {
  it.each([
    [0, 0, '0'],
    [-0, 6, '0'],
    [1, 6, '0.000001'],
    [-1, 6, '-0.000001'],
    [1_500_000, 6, '1.5'],
    [-2_000_000, 6, '-2'],
    [120, 0, '120'],
    [9_007_199_254_740_991, 8, '90071992.54740991'],
  ])('%d at scale %d is %s', (integer, scale, expected) => {
    expect(decimalToText(integer, scale)).toBe(expected)
  })

  it('refuses what is not a safe integer', () => {
    expect(() => decimalToText(0.5, 2)).toThrow(InvariantError)
  })
})

describe('powerOfTen', () => {
  it('equals the literal of each exponent, and refuses exponents at which doubles are not exact', () => {
    for (let exponent = 0; exponent <= 22; exponent++) {
      expect(powerOfTen(exponent)).toBe(Number(`1e${exponent}`))
      expect(BigInt(powerOfTen(exponent))).toBe(10n ** BigInt(exponent))
    }
    expect(() => powerOfTen(23)).toThrow(InvariantError)
    expect(() => powerOfTen(-1)).toThrow(InvariantError)
  })
})
