import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toStep } from '../../src/client/to-step.ts'
import { parseDecimal, toStepCount } from '../../src/numeric/units.ts'

const steps = [0.01, 0.5, 0.0001, 1e-8, 5e-8, 0.25, 1, 100, 0.00000125]

describe('a value becomes a multiple of its step', () => {
  it.each([
    [0.1 + 0.2, 0.1, 'down', 0.3],
    [0.1 + 0.2, 0.1, 'up', 0.3],
    [0.7 - 0.1, 0.1, 'up', 0.6],
    [87_123.456, 0.01, 'nearest', 87_123.46],
    [87_123.456, 0.01, 'down', 87_123.45],
    [87_123.451, 0.01, 'up', 87_123.46],
    [0.123456789, 1e-8, 'down', 0.12345678],
    [3.0000001e-8, 1e-8, 'up', 4e-8],
    [7, 0.25, 'up', 7],
    [7.1, 0.25, 'up', 7.25],
    [149, 100, 'nearest', 100],
    [-0.004, 0.01, 'nearest', 0],
    [-1.239, 0.01, 'down', -1.24],
    [0, 0.01, 'up', 0],
    [500_000_000, 1e-8, 'down', 500_000_000],
    [500_000_000.1 + 0.2, 1e-8, 'nearest', 500_000_000.3],
    [1e20, 0.01, 'up', 1e20],
  ] as const)('%d in steps of %d, %s: %d', (value, step, rounding, expected) => {
    expect(toStep(value, step, rounding)).toBe(expected)
  })

  it('that the venue accepts, and that is the next one on its side', () => {
    const property = fc.property(
      fc.constantFrom(...steps),
      fc.integer({ min: 0, max: 10_000_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom('nearest' as const, 'down' as const, 'up' as const),
      (step, whole, part, rounding) => {
        const value = (whole + part) * step
        const got = toStep(value, step, rounding)
        const decimal = parseDecimal(String(step))
        if (decimal === null) throw new Error('a step is a decimal')
        expect(toStepCount(got, decimal)).not.toBeNull()
        const error = step * 1e-6
        expect(Math.abs(got - value)).toBeLessThan((rounding === 'nearest' ? step / 2 : step) + error)
        if (rounding === 'down') expect(got).toBeLessThanOrEqual(value + error)
        if (rounding === 'up') expect(got).toBeGreaterThanOrEqual(value - error)
        expect(toStep(got, step, rounding)).toBe(got)
      },
    )
    fc.assert(property, { numRuns: 300 })
  })

  it('without the rounding errors of a hundred sums', () => {
    const property = fc.property(
      fc.constantFrom(...steps),
      fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 100 }),
      (step, counts) => {
        const sum = counts.reduce((total, count) => total + toStep(count * step, step), 0)
        const whole = toStep(counts.reduce((total, count) => total + count, 0) * step, step)
        for (const rounding of ['nearest', 'down', 'up'] as const)
          expect(toStep(sum, step, rounding)).toBe(whole)
      },
    )
    fc.assert(property, { numRuns: 200 })
  })

  it.each([
    [1, 0, 'step must be a positive decimal, not 0'],
    [1, -0.01, 'step must be a positive decimal, not -0.01'],
    [1, Number.NaN, 'step must be a positive decimal, not NaN'],
    [Number.NaN, 0.01, 'value must be a finite number, not NaN'],
    [Number.POSITIVE_INFINITY, 0.01, 'value must be a finite number, not Infinity'],
  ])('unless there is none: %d in steps of %d', (value, step, message) => {
    expect(() => toStep(value, step)).toThrow(new RangeError(message))
  })

  it('refuses another rounding', () => {
    const rounding: string = 'floor'
    expect(() => Reflect.apply(toStep, null, [1, 0.01, rounding])).toThrow(/nearest, down or up, not floor/)
  })
})
