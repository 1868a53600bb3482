import fc from 'fast-check'
import { expect, it } from 'vitest'
import { feeAtoms } from '../../../src/engine/risk/admission.ts'

const largest = Number.MAX_SAFE_INTEGER

/** Returns the quotient by a million, up for what is paid and toward zero for what is given back. */
function exactFee(amount: number, rate: number): number {
  const product = BigInt(amount) * BigInt(rate)
  const quotient = product / 1_000_000n
  return Number(product > quotient * 1_000_000n ? quotient + 1n : quotient)
}

it.each([
  [1, 1, 1],
  [1_000_000, 1, 1],
  [1_000_001, 1, 2],
  [1, -1, 0],
  [1_000_000, -1, -1],
  [1_999_999, -1, -1],
  [0, -5, 0],
  [9_007_199_255, 999_999, 9_007_190_248],
  [largest, 1_000_000, largest],
  [largest, -1_000_000, -largest],
  [largest, 999_999, 9_007_190_247_541_737],
  [largest, -999_999, -9_007_190_247_541_736],
])('the fee of %d atoms at %d millionths is %d', (amount, rate, fee) => {
  expect(feeAtoms(amount, rate)).toBe(fee)
})

it('a fee is exact for any amount and rate', () => {
  const amounts = fc.oneof(fc.integer({ min: 0, max: largest }), fc.nat(1e9))
  const rates = fc.integer({ min: -1_000_000, max: 1_000_000 })
  fc.assert(
    fc.property(amounts, rates, (amount, rate) => {
      expect(feeAtoms(amount, rate)).toBe(exactFee(amount, rate))
    }),
    { seed: 7, numRuns: 3000 },
  )
})
