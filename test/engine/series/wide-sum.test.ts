import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WideSum } from '../../../src/engine/series/rolling-statistics.ts'

describe('a wide sum', () => {
  it('is exact beyond 2^53, in both directions', () => {
    const amount = fc.oneof(fc.maxSafeNat(), fc.constantFrom(0, 1, Number.MAX_SAFE_INTEGER))
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 50 }), fc.nat(50), (amounts, taken) => {
        const sum = new WideSum()
        let exact = 0n
        for (const value of amounts) {
          sum.add(value)
          exact += BigInt(value)
          expect(sum.toBigInt()).toBe(exact)
        }
        for (const value of amounts.slice(0, taken)) {
          sum.subtract(value)
          exact -= BigInt(value)
          expect(sum.toBigInt()).toBe(exact)
        }
      }),
      { seed: 7, numRuns: 200 },
    )
  })
})
