import { describe, expect, test } from 'vitest'
import { daysOfMinutes, weeksOfHours } from '../../../src/metrics/realism/window-features.ts'
import { type CloseSeries, cutWindows } from '../../../src/metrics/realism/windows.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Prices that alternate and drift, a close each step, from an instant on; `missing` have none. */
function closesOf(
  fromMillis: number,
  stepMillis: number,
  count: number,
  missing: readonly number[] = [],
): CloseSeries {
  const prices = Float64Array.from({ length: count }, (_, place) => 100 + ((place * 7919) % 101) / 10)
  for (const place of missing) prices[place] = Number.NaN
  return { fromMillis, stepMillis, prices }
}

describe('days of minutes', () => {
  test.each([
    ['two whole days and the minute before', closesOf(-minute, minute, 1 + 2_880), [0, day]],
    ['two days without the minute before', closesOf(0, minute, 2_880), [day]],
    ['the whole days among parts', closesOf(5 * hour, minute, 19 * 60 + 1_440 + 30), [day]],
    ['no whole day', closesOf(minute, minute, 2_878), []],
    ['nothing', closesOf(0, minute, 0), []],
  ])('of %s', (_, closes, wanted) => {
    const { windows, withGaps } = cutWindows(closes, daysOfMinutes)
    expect([windows.map(({ fromMillis }) => fromMillis), withGaps]).toEqual([wanted, 0])
  })

  test.each([
    ['five closes', [100, 101, 102, 900, 1_440], 1],
    ['six closes', [100, 101, 102, 900, 901, 1_440], 0],
    ['the close before', [0], 0],
  ])('without %s', (_, missing, count) => {
    const { windows, withGaps } = cutWindows(closesOf(-minute, minute, 1_441, missing), daysOfMinutes)
    expect([windows.length, withGaps]).toEqual([count, 1 - count])
  })

  test('in which the price stands still say nothing', () => {
    const closes = { fromMillis: -minute, stepMillis: minute, prices: new Float64Array(1_441).fill(7) }
    expect(cutWindows(closes, daysOfMinutes)).toEqual({ windows: [], withGaps: 0, standing: 1 })
  })

  test('are put into blocks of a week', () => {
    const { windows } = cutWindows(closesOf(-minute, minute, 1 + 10 * 1_440), daysOfMinutes)
    expect(windows.map(({ group }) => group)).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1, 1])
  })
})

describe('weeks of hours', () => {
  const monday = 4 * day

  test('begin on Mondays', () => {
    const { windows } = cutWindows(closesOf(0, hour, 24 * 20), weeksOfHours)
    expect(windows.map(({ fromMillis }) => fromMillis)).toEqual([monday, monday + 7 * day])
  })

  test.each([minute, 5 * minute, 30 * minute])('are the same from steps of %d ms', (step) => {
    const fine = closesOf(monday - hour, step, (169 * hour) / step)
    const perHour = hour / step
    const prices = Float64Array.from(
      { length: 169 },
      (_, place) => fine.prices[(place + 1) * perHour - 1] ?? 0,
    )
    const coarse = { fromMillis: monday - hour, stepMillis: hour, prices }
    expect(cutWindows(fine, weeksOfHours)).toEqual(cutWindows(coarse, weeksOfHours))
  })

  test('an hour closes with its last minute that has a close', () => {
    const whole = closesOf(monday - hour, minute, 169 * 60)
    const moved = { ...whole, prices: whole.prices.slice() }
    moved.prices[60 * 50 + 59] = Number.NaN
    whole.prices[60 * 50 + 59] = whole.prices[60 * 50 + 58] ?? 0
    expect(cutWindows(moved, weeksOfHours)).toEqual(cutWindows(whole, weeksOfHours))
  })

  test('cannot be cut from steps that do not fit into an hour', () => {
    expect(() => cutWindows(closesOf(0, 7 * minute, 100), weeksOfHours)).toThrow(RangeError)
  })
})
