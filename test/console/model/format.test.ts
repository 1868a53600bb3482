import { describe, expect, it } from 'vitest'
import {
  countDecimals,
  formatCountdown,
  formatFixed,
  formatNumber,
  formatPercent,
  formatSigned,
} from '../../../src/console/model/format.ts'

describe('numbers as texts', () => {
  it.each([
    [formatNumber(1_234_567.5), '1,234,567.5'],
    [formatNumber(0.1 + 0.2), '0.3'],
    [formatNumber(-0.000_000_001), '0'],
    [formatNumber(-1000), '−1,000'],
    [formatNumber(Number.NaN), 'n/a'],
    [formatFixed(999.994, 2), '999.99'],
    [formatFixed(-0.001, 2), '0.00'],
    [formatFixed(null, 2), 'n/a'],
    [formatSigned(5), '+5.00'],
    [formatSigned(-5), '−5.00'],
    [formatPercent(12.34), '12.3 %'],
    [countDecimals(0.01), 2],
    [countDecimals(1), 0],
    [countDecimals(0.000_01), 5],
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
    expect(formatCountdown(later, new Date(0).toISOString())).toBe(expected)
  })

  it('counts down to an instant', () => {
    expect(formatCountdown('2026-01-05T00:00:30.000Z', '2026-01-05T00:00:17.800Z')).toBe('12 s')
    expect(formatCountdown('2026-01-05T00:00:30.000Z', '2026-01-05T00:00:30.000Z')).toBe('over')
  })
})
