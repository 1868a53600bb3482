import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InvariantError } from '../../src/numeric/assert.ts'
import {
  formatDuration,
  isoToMillis,
  millisToIso,
  nameInstant,
  parseDuration,
  startOfDayMillis,
} from '../../src/numeric/time-text.ts'

const runs = { seed: 7, numRuns: 3_000 }
const first = -62_135_596_800_000
const last = 253_402_300_799_999
const instant = fc.integer({ min: first, max: last })

describe('millisToIso', () => {
  it.each([
    [0, '1970-01-01T00:00:00.000Z'],
    [-1, '1969-12-31T23:59:59.999Z'],
    [1_767_571_200_000, '2026-01-05T00:00:00.000Z'],
    [1_709_164_800_000, '2024-02-29T00:00:00.000Z'],
    [951_782_400_000, '2000-02-29T00:00:00.000Z'],
    [-2_203_891_200_001, '1900-02-28T23:59:59.999Z'],
    [first, '0001-01-01T00:00:00.000Z'],
    [last, '9999-12-31T23:59:59.999Z'],
  ])('writes %d as %s', (millis, text) => {
    expect(millisToIso(millis)).toBe(text)
    expect(isoToMillis(text)).toBe(millis)
  })

  it('agrees with the runtime, and round-trips', () => {
    fc.assert(
      fc.property(instant, (millis) => {
        const text = millisToIso(millis)
        expect(text).toBe(new Date(millis).toISOString())
        expect(isoToMillis(text)).toBe(millis)
      }),
      runs,
    )
  })

  it.each([first - 1, last + 1])('refuses %d, outside of the years 0001 to 9999', (millis) => {
    expect(() => millisToIso(millis)).toThrow(InvariantError)
  })
})

describe('isoToMillis', () => {
  it.each([
    ['1970-01-02', 86_400_000],
    ['2024-02-29', 1_709_164_800_000],
    ['1970-01-01T00:00:00Z', 0],
    ['1970-01-01T00:00:00.5Z', 500],
    ['1970-01-01T00:00:00.120000000Z', 120],
    ['1970-01-01T02:00:00+02:00', 0],
    ['1969-12-31T19:00:00-05:00', 0],
    ['1970-01-01T05:45:00.001+05:45', 1],
    ['1970-01-01T00:00:00-00:00', 0],
    ['1970-01-01T23:59:00+23:59', 0],
  ])('reads %s', (text, millis) => {
    expect(isoToMillis(text)).toBe(millis)
  })

  it.each([
    '',
    '2026',
    '2026-01',
    '2026-1-5',
    '2026-13-01',
    '2026-00-01',
    '2026-01-00',
    '2026-01-32',
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '0000-01-01',
    '10000-01-01',
    '-2026-01-01',
    ' 2026-01-01',
    '2026-01-01 ',
    '2026-01-01\n',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T23:60:00Z',
    '2026-01-01T23:59:60Z',
    '2026-01-01t00:00:00z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00.0001Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+02:60',
    '2026-01-01T00:00:00+0200',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '２026-01-01',
    'now',
  ])('refuses %j', (text) => {
    expect(isoToMillis(text)).toBeNull()
  })

  it('accepts exactly the days that exist', () => {
    for (const year of [1900, 2000, 2023, 2024, 2026]) {
      for (let month = 0; month <= 13; month++) {
        for (let day = 0; day <= 32; day++) {
          const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
          const date = new Date(Date.UTC(year, month - 1, day))
          const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
          expect(isoToMillis(text)).toBe(exists ? date.getTime() : null)
        }
      }
    }
  })
})

describe('parseDuration', () => {
  it.each([
    ['250ms', 250],
    ['0ms', 0],
    ['5s', 5_000],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['3d', 259_200_000],
    ['1.5h', 5_400_000],
    ['0.001s', 1],
    ['1h30m', 5_400_000],
    ['1d2h3m4s5ms', 93_784_005],
    ['1.50s', 1_500],
    ['123456789012345ms', 123_456_789_012_345],
    ['1234567.8900s', 1_234_567_890],
  ])('reads %s', (text, millis) => {
    expect(parseDuration(text)).toBe(millis)
  })

  it.each([
    '',
    '5',
    's',
    '-5s',
    '+5s',
    '5 s',
    ' 5s',
    '5s ',
    '5S',
    '5sec',
    '1w',
    '1y',
    '1m1h',
    '1s1s',
    '0.5ms',
    '1.0005s',
    '0.0005s0.5ms',
    '0.000000000000001s',
    '12345678901.23400s',
    '.5s',
    '5.s',
    '1e3s',
    '0x5s',
    '1,5s',
    '99999999999999d',
    '1234567890123456ms',
    'PT5S',
  ])('refuses %j', (text) => {
    expect(parseDuration(text)).toBeNull()
  })

  it('reads back what formatDuration wrote', () => {
    fc.assert(
      fc.property(fc.oneof(fc.maxSafeNat(), fc.nat(), fc.nat(1_000)), (millis) => {
        expect(parseDuration(formatDuration(millis))).toBe(millis)
      }),
      runs,
    )
  })
})

describe('nameInstant', () => {
  it.each([
    ['2026-01-05T00:00:00.000Z', '2026-01-05'],
    ['2026-01-05T02:30:00.000Z', '2026-01-05 02:30'],
    ['2026-01-05T00:00:10.500Z', '2026-01-05 00:00'],
  ])('names %s as %s', (text, name) => {
    expect(nameInstant(text)).toBe(name)
  })
})

describe('formatDuration', () => {
  it.each([
    [0, '0ms'],
    [999, '999ms'],
    [1_000, '1s'],
    [90_000, '1m30s'],
    [86_400_000, '1d'],
    [93_784_005, '1d2h3m4s5ms'],
  ])('writes %d as %s', (millis, text) => {
    expect(formatDuration(millis)).toBe(text)
  })

  it.each([-1, 0.5, Number.NaN])('refuses %d', (millis) => {
    expect(() => formatDuration(millis)).toThrow(InvariantError)
  })
})

it('a day starts at midnight UTC, before 1970 too', () => {
  expect(startOfDayMillis(0)).toBe(0)
  expect(startOfDayMillis(86_399_999)).toBe(0)
  expect(startOfDayMillis(86_400_000)).toBe(86_400_000)
  expect(startOfDayMillis(-1)).toBe(-86_400_000)
})
