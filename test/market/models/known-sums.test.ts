import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KnownSums } from '../../../src/market/models/known-sums.ts'

test('sums are those of their blocks, in whatever order they are read, and are computed once', () => {
  const sumOf = (index: number): number => Math.sin(index)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -3_000, max: 3_000 }), { maxLength: 60 }), (indices) => {
      const computed: number[] = []
      const sums = new KnownSums()
      const compute = (index: number): number => {
        computed.push(index)
        return sumOf(index)
      }
      for (const index of indices) expect(sums.at(index, compute)).toBe(sumOf(index))
      expect(computed).toEqual([...new Set(indices)])
    }),
    { seed: 7, numRuns: 300 },
  )
})
