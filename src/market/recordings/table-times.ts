import { isoToMillis, millisPerHour, millisPerMinute } from '../../numeric/time-text.ts'
import { isNumber } from './table-fields.ts'

/*
 * Times of tables, as milliseconds since 1970. How a column writes its times is decided once, by all of its rows:
 * 2025010100 alone may be an instant of 2034 or an hour of 2025.
 */

/**
 * Returns the milliseconds by which a zone is ahead of UTC at a local time, given as if it were UTC; null for an
 * unknown zone, `never` for a time that the zone leaves out. `isLater` asks for the later of two instants that show
 * one local time.
 */
export type ZoneLookup = (zone: string, localMillis: number, isLater: boolean) => number | null | 'never'

/** Form of a column of times. */
export type TimeForm =
  /** Seconds, milli-, micro- or nanoseconds since 1970, told apart by their size, row by row. */
  | { readonly kind: 'epoch' }
  /** Digits of a calendar: 20240131, 2024013106, 202401310630, 20240131063000 and 20240131063000000. */
  | { readonly kind: 'digits' }
  | { readonly kind: 'text'; readonly dates: 'year-first' | 'day-first' | 'month-first' | 'named' }

/** Local time of a text: as if it were UTC, with the offset that the text itself states. */
export interface LocalTime {
  readonly millis: number
  /** Milliseconds ahead of UTC; null where the text names no zone. */
  readonly offsetMillis: number | null
}

/**
 * Reads a time as milliseconds since 1970: a number of seconds, milli-, micro- or nanoseconds, told apart by
 * its size; a text in UTC unless it names its zone (`2021-01-01T00:00:00Z`, `2021-01-01 00:00`, `2021.01.01
 * 00:00`); or a day (`2021-01-01`, `2021/01/01`, `20210101`). Returns null for anything else. Fractions of a
 * millisecond are refused, or dropped with `dropsFractions`, because trades are recorded more finely than a
 * world tells time.
 */
export function readTime(field: string, dropsFractions = false): number | null {
  const text = field.trim()
  if (isNumber(text)) {
    return Number(text) < leastSeconds ? readDigits(text) : readEpoch(text, dropsFractions)
  }
  const local = readTimeText(text, 'year-first', dropsFractions)
  return local === null ? null : local.millis - (local.offsetMillis ?? 0)
}

/** Returns whether a field is a time in any of the forms that tables have, whichever of day and month comes first. */
export function isTime(field: string): boolean {
  const text = field.trim()
  return readTime(text, true) !== null || dateForms.some((dates) => readTimeText(text, dates, true) !== null)
}

const dateForms = ['year-first', 'named', 'day-first', 'month-first'] as const

/*
 * Choice: no recording is older than 1973-03-03. Smaller numbers are days such as 20240101, or those of a
 * spreadsheet.
 */
const leastSeconds = 1e8

/** Reads a number since 1970; null for one before 1973, and for fractions of a millisecond unless they are dropped. */
export function readEpoch(text: string, dropsFractions: boolean): number | null {
  return convertToMillis(Number(text), dropsFractions)
}

/** Converts a number since 1970 to milliseconds; NaN for one before 1973, and for fractions of a millisecond. */
export const convertEpoch = (value: number): number => convertToMillis(value, false) ?? Number.NaN

function convertToMillis(value: number, dropsFractions: boolean): number | null {
  if (!(value >= leastSeconds)) return null
  // Seconds with decimals get a tenth of a microsecond before they are cut, because 1.001 s is 1000.9999 ms in
  // doubles.
  const millis =
    value < 1e11 ? value * 1000 : value < 1e14 ? value : value < 1e17 ? value / 1000 : value / 1e6
  const whole = dropsFractions ? Math.floor(millis + 1e-4) : millis
  return Number.isSafeInteger(whole) ? whole : null
}

/** Returns the unit of a number since 1970, by its size. */
export function findEpochUnit(text: string): 'seconds' | 'milliseconds' | 'microseconds' | 'nanoseconds' {
  const value = Number(text)
  if (value < 1e11) return 'seconds'
  return value < 1e14 ? 'milliseconds' : value < 1e17 ? 'microseconds' : 'nanoseconds'
}

const digitsPattern = /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2})(\d{3})?)?)?)?$/

/** Reads calendar digits such as 2024013106 as if they were UTC; null for other text and for days that do not exist. */
export function readDigits(text: string): number | null {
  const match = digitsPattern.exec(text)
  if (match === null) return null
  const [, year, month, day, hours = '00', minutes = '00', seconds = '00', millis = '000'] = match
  if (Number(year) < 1970 || Number(year) > 2200) return null
  return isoToMillis(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${millis}Z`)
}

const timeTextPattern =
  /^(\d{4})[-./](\d{1,2})[-./](\d{1,2})(?:[TD ]+(.+))?$|^(\d{1,2})[-./](\d{1,2})[-./](\d{4})(?:[T ,]+(.+))?$/
const namedDatePattern =
  /^(?:(\d{1,2})[- ]([A-Za-z]{3,9})[- ](\d{4})|([A-Za-z]{3,9})[- ](\d{1,2}),?[- ](\d{4}))(?:[T ,]+(.+))?$/
const clockPattern =
  /^(\d{1,2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?(?:[ -]?([AaPp])\.?[Mm]\.?)?\s?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Reads the text of a time; null for other text, for times that do not exist, and for fractions of a millisecond. */
export function readTimeText(
  text: string,
  dates: Extract<TimeForm, { kind: 'text' }>['dates'],
  dropsFractions: boolean,
): LocalTime | null {
  const parts =
    dates === 'named'
      ? splitNamedDate(text)
      : (splitDate(text, dates) ?? (dates === 'year-first' ? splitCompactDate(text) : null))
  if (parts === null) return null
  const day = isoToMillis(
    `${parts.year}-${parts.month.padStart(2, '0')}-${parts.day.padStart(2, '0')}T00:00:00Z`,
  )
  if (day === null) return null
  if (parts.clock === undefined) return { millis: day, offsetMillis: null }
  const clock = readClock(parts.clock, dropsFractions)
  return clock === null ? null : { millis: day + clock.millis, offsetMillis: clock.offsetMillis }
}

function splitDate(text: string, dates: 'year-first' | 'day-first' | 'month-first') {
  const match = timeTextPattern.exec(text)
  if (match === null) return null
  const [, year, month = '', day = '', clock, first = '', second = '', lastYear = '', lastClock] = match
  if (year !== undefined) return dates === 'year-first' ? { year, month, day, clock } : null
  if (dates === 'year-first') return null
  const [ownDay, ownMonth] = dates === 'day-first' ? [first, second] : [second, first]
  return { year: lastYear, month: ownMonth, day: ownDay, clock: lastClock }
}

/** Splits digits of a day and of a clock such as `20240131 063000`, `20240131T063000Z` and `20240131 06:30`. */
function splitCompactDate(text: string) {
  const match = /^(\d{4})(\d{2})(\d{2})[T ]+(\d.*)$/.exec(text)
  if (match === null) return null
  const [, year = '', month = '', day = '', clock = ''] = match
  const digits = /^(\d{4}(?:\d{2})?)(\D.*)?$/.exec(clock)
  return {
    ...{ year, month, day },
    clock: digits === null ? clock : `${spellClock(digits[1] ?? '')}${digits[2] ?? ''}`,
  }
}

function splitNamedDate(text: string) {
  const match = namedDatePattern.exec(text)
  if (match === null) return null
  const [, day, name, year, otherName, otherDay, otherYear, clock] = match
  const word = (name ?? otherName ?? '').toLowerCase()
  const month = months.indexOf(word.slice(0, 3)) + 1
  if (month === 0) return null
  return { year: year ?? otherYear ?? '', month: String(month), day: day ?? otherDay ?? '', clock }
}

/** Reads a time of the day such as `06:30:00.5`, `06-PM` or `6:30 pm`, with a zone behind it or without. */
function readClock(text: string, dropsFractions: boolean): LocalTime | null {
  const match = clockPattern.exec(text.trim())
  if (match === null) return null
  const [, hourText = '', minuteText, secondText = '0', fraction = '', half, zone] = match
  // An hour alone is a time only with AM or PM.
  if (minuteText === undefined && half === undefined) return null
  if (minuteText !== undefined && half === undefined && hourText.length < 2) return null
  const isAfternoon = half?.toLowerCase() === 'p'
  const stated = Number(hourText)
  if (half !== undefined && (stated < 1 || stated > 12)) return null
  const hours = half === undefined ? stated : (stated % 12) + (isAfternoon ? 12 : 0)
  const [minutes, seconds] = [Number(minuteText ?? 0), Number(secondText)]
  if (hours > 23 || minutes > 59 || seconds > 59) return null
  if (!dropsFractions && /[1-9]/.test(fraction.slice(3))) return null
  const millis =
    hours * millisPerHour +
    minutes * millisPerMinute +
    seconds * 1000 +
    Number(fraction.slice(0, 3).padEnd(3, '0'))
  return { millis, offsetMillis: zone === undefined ? null : readOffset(zone) }
}

/** Reads an offset such as `+02:00`, `-0530`, `+02`, `Z` or `UTC` as milliseconds; null for other text. */
export function readOffset(text: string): number | null {
  const zone = text.trim()
  if (/^(z|utc|gmt)$/i.test(zone)) return 0
  const match = /^(?:UTC|GMT)?([+-])(\d{2})(?::?(\d{2}))?$/.exec(zone)
  if (match === null) return null
  const [, sign, hours, minutes = '00'] = match
  if (Number(hours) > 14 || Number(minutes) > 59) return null
  const offset = Number(hours) * millisPerHour + Number(minutes) * millisPerMinute
  return sign === '-' ? -offset : offset
}

/** Returns whether a text is a time of the day alone, as in tables with a column for the date and one for the time. */
export function isClock(text: string): boolean {
  return /^\d{1,2}:\d{2}(:\d{2}([.,]\d{1,9})?)?( ?[AaPp][Mm])?$/.test(text)
}

/** Returns the digits of a clock such as `63000` or `0630` as `06:30:00`; other text as it is. */
export function spellClock(text: string): string {
  const match = /^(\d{2})(\d{2})(\d{2})?$/.exec(text)
  return match === null ? text : `${match[1]}:${match[2]}:${match[3] ?? '00'}`
}

/** Returns the day of calendar digits as `2024-01-31`, and other text as it is. */
export const spellDay = (text: string): string => text.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')

/**
 * Finds the form of a column of times. `isUndecided` says that dates such as 01/02/2024 fit both ways. Returns null
 * where no field is a time. Choice: the form that most fields have counts, and the others are bad rows; calendar
 * digits win only where every field has them, whose steps are never those of an epoch.
 */
export function findTimeForm(
  fields: readonly string[],
): { readonly form: TimeForm; readonly isUndecided: boolean } | null {
  const given = fields.map((field) => field.trim()).filter((field) => field !== '')
  const share = (holds: (field: string) => boolean): number =>
    given.length === 0 ? 0 : given.filter(holds).length / given.length
  if (given.length > 0 && share((field) => readDigits(field) !== null) === 1)
    return { form: { kind: 'digits' }, isUndecided: false }
  const epoch = share((field) => isNumber(field) && readEpoch(field, true) !== null)
  let best: { readonly form: TimeForm; readonly part: number } = { form: { kind: 'epoch' }, part: epoch }
  for (const dates of dateForms) {
    const part = share((field) => readTimeText(field, dates, true) !== null)
    if (part > best.part) best = { form: { kind: 'text', dates }, part }
  }
  if (best.part === 0) return null
  const { form } = best
  const isDayFirst = form.kind === 'text' && form.dates === 'day-first'
  const isUndecided =
    isDayFirst && share((field) => readTimeText(field, 'month-first', true) !== null) === best.part
  return { form, isUndecided }
}
