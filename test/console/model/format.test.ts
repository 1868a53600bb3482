import { describe, expect, it } from 'vitest'
import { countdown, decimalsOf, fixed, number, percent, signed } from '../../../src/console/model/format.ts'

describe('numbers as texts', () => {
  it.each([
    [number(1_234_567.5), '1,234,567.5'],
    [number(0.1 + 0.2), '0.3'],
    [number(-0.000_000_001), '0'],
    [number(-1000), '−1,000'],
    [number(Number.NaN), 'n/a'],
    [fixed(999.994, 2), '999.99'],
    [fixed(-0.001, 2), '0.00'],
    [fixed(null, 2), 'n/a'],
    [signed(5), '+5.00'],
    [signed(-5), '−5.00'],
    [percent(12.34), '12.3 %'],
    [decimalsOf(0.01), 2],
    [decimalsOf(1), 0],
    [decimalsOf(0.000_01), 5],
  ])('%s is %s', (shown, expected) => {
    expect(shown).toBe(expected)
  })

  it.each([
    [1, '0 s'],
    [499, '0.4 s'],
    [9999, '9.9 s'],
    [59_999, '59 s'],
    [61_000, '1 m 1 s'],
    [7_260_000, '2 h 1 m'],
    [90_000_000, '1 d 1 h'],
  ])('%s ms is %s', (millis, expected) => {
    const later = new Date(millis).toISOString()
    expect(countdown(later, new Date(0).toISOString())).toBe(expected)
  })

  it('counts down to an instant', () => {
    expect(countdown('2026-01-05T00:00:30.000Z', '2026-01-05T00:00:17.800Z')).toBe('12 s')
    expect(countdown('2026-01-05T00:00:30.000Z', '2026-01-05T00:00:30.000Z')).toBe('over')
  })
})
