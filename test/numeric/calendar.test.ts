import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dayOfWeek, hourOfDay, isWeekend } from '../../src/numeric/time-text.ts'

it('has the same hours and days as the platform, before 1970 too', () => {
  const instants = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 })
  fc.assert(
    fc.property(instants, (millis) => {
      const date = new Date(millis)
      expect(hourOfDay(millis)).toBe(date.getUTCHours())
      expect(dayOfWeek(millis)).toBe((date.getUTCDay() + 6) % 7)
    }),
    { seed: 7, numRuns: 500 },
  )
})

it.each([
  ['2026-01-09T23:59:59.999Z', false],
  ['2026-01-10T00:00:00.000Z', true],
  ['2026-01-11T23:59:59.999Z', true],
  ['2026-01-12T00:00:00.000Z', false],
  ['1969-12-28T00:00:00.000Z', true],
  ['1969-12-29T00:00:00.000Z', false],
])('knows whether %s is on a weekend', (instant, expected) => {
  expect(isWeekend(Date.parse(instant))).toBe(expected)
})
