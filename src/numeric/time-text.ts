import { assert } from './assert.ts'

/*
 * Instants and durations as text, by integer arithmetic on the Gregorian calendar: no Date, no time zone, no locale.
 * Instants are milliseconds since 1970-01-01T00:00:00Z, from the year 0001 to 9999.
 */

export const millisPerMinute = 60_000
export const millisPerHour = 60 * millisPerMinute
export const millisPerDay = 24 * millisPerHour
/** A year of 365 days, as annual rates use it. */
export const millisPerYear = 365 * millisPerDay

/** Round durations from 1 ms to two weeks, in milliseconds and ascending: the steps of axes and sliders. */
export const roundSpans: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1_000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * millisPerMinute),
  ...[1, 2, 3, 6, 12].map((hours) => hours * millisPerHour),
  ...[1, 2, 7, 14].map((days) => days * millisPerDay),
]

/** Formats an instant as `2026-01-05T00:00:00.000Z`. Asserts that it lies in the years 0001 to 9999. */
export function millisToIso(millis: number): string {
  const place = Math.abs(millis % cacheSize)
  if (cachedMillis[place] === millis) return cachedTexts[place] ?? ''
  const text = formatInstant(millis)
  cachedMillis[place] = millis
  cachedTexts[place] = text
  return text
}

function formatInstant(millis: number): string {
  const start = startOfDayMillis(millis)
  if (start !== lastDayMillis) {
    lastDayText = formatDay(start)
    lastDayMillis = start
  }
  const rest = millis - start
  const hours = Math.floor(rest / millisPerHour)
  const minutes = Math.floor(rest / millisPerMinute) % 60
  const seconds = Math.floor(rest / 1_000) % 60
  return `${lastDayText}T${pad2(hours)}:${pad2(minutes)}:${pad2(seconds)}.${pad3(rest % 1_000)}Z`
}

/**
 * Parses a date `YYYY-MM-DD` (its first instant in UTC) or an RFC 3339 instant with seconds and `Z` or an offset. Returns
 * null for any other text, for days that do not exist, for leap seconds, and for digits finer than a millisecond.
 */
export function isoToMillis(text: string): number | null {
  const match = isoInstant.exec(text)
  if (match === null) return null
  const day = toDayNumber(Number(match[1]), Number(match[2]), Number(match[3]))
  if (day === null) return null
  if (match[4] === undefined) return day * millisPerDay
  const hours = Number(match[4])
  const minutes = Number(match[5])
  const seconds = Number(match[6])
  const fraction = (match[7] ?? '').padEnd(3, '0')
  const offsetHours = Number(match[10] ?? 0)
  const offsetMinutes = Number(match[11] ?? 0)
  if (hours > 23 || minutes > 59 || seconds > 59 || offsetHours > 23 || offsetMinutes > 59) return null
  if (/[1-9]/.test(fraction.slice(3))) return null
  const local = ((hours * 60 + minutes) * 60 + seconds) * 1_000 + Number(fraction.slice(0, 3))
  const offset = (offsetHours * 60 + offsetMinutes) * millisPerMinute
  const millis = day * millisPerDay + local - (match[9] === '-' ? -offset : offset)
  return millis >= earliestMillis && millis <= latestMillis ? millis : null
}

/** Names an instant, given as ISO 8601, by its day, and by its minute where it is not midnight. */
export const nameInstant = (text: string): string =>
  text.includes('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ')

/**
 * Parses a duration such as `250ms`, `5s`, `2m`, `1h`, `3d`, `1h30m` or `1.5h` to milliseconds. Units go from large to
 * small, each at most once. Returns null for other text, for fractions of a millisecond, and beyond 2^53.
 */
export function parseDuration(text: string): number | null {
  if (text === '' || !durationText.test(text)) return null
  let total = 0
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(durationPart)) {
    const unitMillis = millisPerUnit.get(unit)
    if (unitMillis === undefined || whole.length + fraction.length > 15) return null
    const millis = scaleToMillis(whole + fraction, fraction.length, unitMillis)
    if (millis === null) return null
    total += millis
  }
  return Number.isSafeInteger(total) ? total : null
}

/** Formats milliseconds as the text that `parseDuration` reads back: `90000` is `1m30s`, 0 is `0ms`. */
export function formatDuration(millis: number): string {
  assert(Number.isSafeInteger(millis) && millis >= 0, 'a span is a whole number of milliseconds, 0 or more')
  if (millis === 0) return '0ms'
  let rest = millis
  let text = ''
  for (const [unit, unitMillis] of millisPerUnit) {
    const count = Math.floor(rest / unitMillis)
    if (count > 0) text += `${count}${unit}`
    rest -= count * unitMillis
  }
  return text
}

/** Returns the first instant of the UTC day in which an instant lies. */
export function startOfDayMillis(millis: number): number {
  return Math.floor(millis / millisPerDay) * millisPerDay
}

const earliestMillis = -62_135_596_800_000 // 0001-01-01T00:00:00.000Z
const latestMillis = 253_402_300_799_999 // 9999-12-31T23:59:59.999Z
/**
 * The last instant of any world. It lies two years before the last instant that can be written, so that whatever is
 * scheduled later, such as the settlement of a deposit, still has an instant with a text.
 */
export const lastWorldMillis = 253_339_228_800_000 // 9998-01-01T00:00:00.000Z

const isoInstant =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?(Z|([+-])([0-9]{2}):([0-9]{2})))?$/
const durationText =
  /^(?:[0-9]+(?:\.[0-9]+)?d)?(?:[0-9]+(?:\.[0-9]+)?h)?(?:[0-9]+(?:\.[0-9]+)?m)?(?:[0-9]+(?:\.[0-9]+)?s)?(?:[0-9]+(?:\.[0-9]+)?ms)?$/
const durationPart = /([0-9]+)(?:\.([0-9]+))?(ms|[dhms])/g

const millisPerUnit: ReadonlyMap<string, number> = new Map([
  ['d', millisPerDay],
  ['h', millisPerHour],
  ['m', millisPerMinute],
  ['s', 1_000],
  ['ms', 1],
])

// The texts of recent instants: a response repeats the same few instants, and lists repeat the same day. The number of
// entries is prime because instants on a grid would collide in a round number of them.
const cacheSize = 251
const cachedMillis = new Float64Array(cacheSize).fill(Number.NaN)
const cachedTexts = new Array<string>(cacheSize).fill('')
let lastDayMillis = Number.NaN
let lastDayText = ''

function scaleToMillis(digits: string, decimals: number, unitMillis: number): number | null {
  let scaled = Number(digits) * unitMillis
  if (!Number.isSafeInteger(scaled)) return null
  for (let place = 0; place < decimals; place++) {
    if (scaled % 10 !== 0) return null
    scaled /= 10
  }
  return scaled
}

/** Formats a day's first instant as `YYYY-MM-DD`, after Howard Hinnant's civil_from_days. */
function formatDay(startMillis: number): string {
  assert(
    startMillis >= earliestMillis && startMillis <= latestMillis,
    'instants lie in the years 0001 to 9999',
  )
  const shifted = startMillis / millisPerDay + 719_468 // days since 0000-03-01
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  return `${String(year).padStart(4, '0')}-${pad2(month)}-${pad2(day)}`
}

/** Counts the days since 1970-01-01, after Howard Hinnant's days_from_civil. Returns null for a day that does not exist. */
function toDayNumber(year: number, month: number, day: number): number | null {
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null
  const shiftedYear = month <= 2 ? year - 1 : year
  const era = Math.floor(shiftedYear / 400)
  const yearOfEra = shiftedYear - era * 400
  const monthFromMarch = month > 2 ? month - 3 : month + 9
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function pad2(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}

function pad3(value: number): string {
  return value < 10 ? `00${value}` : value < 100 ? `0${value}` : String(value)
}

/** Returns the UTC hour of the day of an instant, 0 to 23. Instants before 1970 are negative. */
export function hourOfDay(atMillis: number): number {
  return remainder(Math.floor(atMillis / millisPerHour), 24)
}

/** Returns the UTC day of the week of an instant, 0 (Monday) to 6 (Sunday). Instants before 1970 are negative. */
export function dayOfWeek(atMillis: number): number {
  return remainder(Math.floor(atMillis / millisPerDay) + 3, 7) // 1 January 1970 was a Thursday
}

export function isWeekend(atMillis: number): boolean {
  return dayOfWeek(atMillis) >= 5
}

/** Returns the remainder of a division, which is never negative and never -0, unlike that of `%`. */
function remainder(value: number, divisor: number): number {
  return value - divisor * Math.floor(value / divisor)
}
