import { isoToMillis } from '../../numeric/time-text.ts'

/* Parsing that tables of candles and of trades share: names of columns, numbers, booleans, times. */

/** Returns whether a row has only empty fields, which archives put between or after their rows. */
export function isBlank(fields: readonly string[]): boolean {
  return fields.every((field) => field.trim() === '')
}

/** Returns whether a field is a plain decimal, with or without an exponent. */
export function isNumber(field: string): boolean {
  return numberPattern.test(field.trim())
}

/** Returns the number of a field, or NaN for a missing field or other text. */
export function readNumber(field: string | undefined): number {
  return field !== undefined && isNumber(field) ? Number(field) : Number.NaN
}

/**
 * Returns a hint for an error message about a field that has digits but is not a plain number: it may have
 * separators, currency signs or decimal commas.
 */
export function numberHint(field: string | undefined): string {
  return field !== undefined && /\d/.test(field) && !isNumber(field) ? '; numbers are written as 1234.5' : ''
}

/** Returns the boolean of a field (`true`, `True`, `1` and their opposites), or null for other text. */
export function readBoolean(field: string | undefined): boolean | null {
  const text = (field ?? '').trim().toLowerCase()
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : null
}

/** Returns whether a row is only the address of a site, with which CryptoDataDownload's files begin. */
export function isBanner(row: readonly string[] | undefined): boolean {
  return row !== undefined && row.length === 1 && row[0]?.trim().startsWith('http') === true
}

/** Returns whether a row is a header: none of its fields is a number or a time. */
export function isHeader(row: readonly string[]): boolean {
  return !row.some((field) => field.trim() !== '' && (isNumber(field) || readTime(field) !== null))
}

/**
 * Returns a column's name in our spelling: `openPrice`, `<Open Price>` and `open_price` all become
 * `open_price`.
 */
export function normalizeName(name: string): string {
  return name
    .trim()
    .replace(/^\ufeff/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
}

/** Returns the column of the first of the wanted names that exists, else -1. */
export function findColumn(names: readonly string[], wanted: readonly string[]): number {
  for (const name of wanted) {
    const place = names.indexOf(name)
    if (place >= 0) return place
  }
  return -1
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
  if (!isNumber(text)) return readTimeText(text, dropsFractions)
  const value = Number(text)
  if (value < leastSeconds) return parseDay(text)
  // Seconds with decimals get a tenth of a microsecond before they are cut, because 1.001 s is 1000.9999 ms in
  // doubles.
  const millis =
    value < 1e11 ? value * 1000 : value < 1e14 ? value : value < 1e17 ? value / 1000 : value / 1e6
  const whole = dropsFractions ? Math.floor(millis + 1e-4) : millis
  return value > 0 && Number.isSafeInteger(whole) ? whole : null
}

/*
 * Choice: no recording is older than 1973-03-03. Smaller numbers are days such as 20240101, or those of a
 * spreadsheet.
 */
const leastSeconds = 1e8

const numberPattern = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/

const timeTextPattern =
  /^(\d{4})[-./](\d{2})[-./](\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s?(Z|UTC|[+-]\d{2}:?\d{2})?$/

/** Returns the first instant of a day, or null for other text. */
function parseDay(text: string): number | null {
  return isoToMillis(text.replace(/^(\d{4})[./]?(\d{2})[./]?(\d{2})$/, '$1-$2-$3'))
}

function readTimeText(text: string, dropsFractions: boolean): number | null {
  const match = timeTextPattern.exec(text)
  if (match === null) return parseDay(text)
  const [, year, month, day, time, seconds = '00', fraction = '', zone = 'Z'] = match
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone === 'UTC' ? 'Z' : zone
  const digits = dropsFractions ? fraction.slice(0, 3) : fraction
  return isoToMillis(
    `${year}-${month}-${day}T${time}:${seconds}${digits === '' ? '' : `.${digits}`}${offset}`,
  )
}
