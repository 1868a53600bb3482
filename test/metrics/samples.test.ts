import fc from 'fast-check'
import { expect, it } from 'vitest'
import { autocorrelation, correlation, deviation, shape } from '../../src/metrics/samples.ts'

it('a sample that does not vary has no spread, whatever its sum is rounded to', () => {
  const values = fc.record({
    value: fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
    count: fc.integer({ min: 3, max: 200 }),
  })
  const others = Array.from({ length: 200 }, (_, place) => place)
  fc.assert(
    fc.property(values, ({ count, value }) => {
      const same = Array.from({ length: count }, () => value)
      expect(deviation(same).value).toBe(0)
      expect(shape(same)).toBeNull()
      for (const figure of [autocorrelation(same), correlation(same, others), correlation(others, same)])
        expect(figure.value).toBeNull()
    }),
  )
})
