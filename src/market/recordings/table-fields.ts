import { isoToMillis } from '../../numeric/time-text.ts'

/* What tables of candles and of trades have in common: names of columns, numbers, truths, times. */

/** Nothing but empty fields, as archives put between or after their rows. */
export function isBlank(fields: readonly string[]): boolean {
  return fields.every((field) => field.trim() === '')
}

/** A plain decimal, with or without an exponent. */
export function isNumber(field: string): boolean {
  return numberPattern.test(field.trim())
}

export function readNumber(field: string | undefined): number {
  return field !== undefined && isNumber(field) ? Number(field) : Number.NaN
}

/** What to say about a field that has digits but is not a number: separators, currency signs, decimal commas. */
export function numberHint(field: string | undefined): string {
  return field !== undefined && /\d/.test(field) && !isNumber(field) ? '; numbers are written as 1234.5' : ''
}

/** `true`, `True`, `1` and their opposites; null for other text. */
export function readBoolean(field: string | undefined): boolean | null {
  const text = (field ?? '').trim().toLowerCase()
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : null
}

/** CryptoDataDownload's files begin with the address of the site. */
export function isBanner(row: readonly string[] | undefined): boolean {
  return row !== undefined && row.length === 1 && row[0]?.trim().startsWith('http') === true
}

/** Whether a row is a header: none of its fields is a number or a time. */
export function isHeader(row: readonly string[]): boolean {
  return !row.some((field) => field.trim() !== '' && (isNumber(field) || readTime(field) !== null))
}

/** A column's name in our spelling: `openPrice`, `<Open Price>` and `open_price` are all `open_price`. */
export function normalizeName(name: string): string {
  return name
    .trim()
    .replace(/^\ufeff/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
}

/** The place of the first of the wanted names that is there, else -1. */
export function findColumn(names: readonly string[], wanted: readonly string[]): number {
  for (const name of wanted) {
    const place = names.indexOf(name)
    if (place >= 0) return place
  }
  return -1
}

/**
 * Milliseconds since 1970, from a number of seconds, milli-, micro- or nanoseconds, told apart by its size, or a text
 * in UTC unless it names its zone (`2021-01-01T00:00:00Z`, `2021-01-01 00:00`, `2021.01.01 00:00`), or a day
 * (`2021-01-01`, `2021/01/01`, `20210101`). Null for anything else. Fractions of a millisecond are refused, or dropped with `isFineTime`: trades are recorded more finely than we
 * tell time.
 */
export function readTime(field: string, isFineTime = false): number | null {
  const text = field.trim()
  if (!isNumber(text)) return readTimeText(text, isFineTime)
  const value = Number(text)
  if (value < leastSeconds) return parseDay(text)
  // A tenth of a microsecond is added before seconds with decimals are cut, since 1.001 s is 1000.9999 ms in doubles.
  const millis =
    value < 1e11 ? value * 1000 : value < 1e14 ? value : value < 1e17 ? value / 1000 : value / 1e6
  const whole = isFineTime ? Math.floor(millis + 1e-4) : millis
  return value > 0 && Number.isSafeInteger(whole) ? whole : null
}

/* Choice: no recording is of before 1973-03-03; smaller numbers are days such as 20240101, or a spreadsheet's. */
const leastSeconds = 1e8

const numberPattern = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/

const timeTextPattern =
  /^(\d{4})[-./](\d{2})[-./](\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s?(Z|UTC|[+-]\d{2}:?\d{2})?$/

/** The first instant of a day. */
function parseDay(text: string): number | null {
  return isoToMillis(text.replace(/^(\d{4})[./]?(\d{2})[./]?(\d{2})$/, '$1-$2-$3'))
}

function readTimeText(text: string, isFineTime: boolean): number | null {
  const match = timeTextPattern.exec(text)
  if (match === null) return parseDay(text)
  const [, year, month, day, time, seconds = '00', fraction = '', zone = 'Z'] = match
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone === 'UTC' ? 'Z' : zone
  const digits = isFineTime ? fraction.slice(0, 3) : fraction
  return isoToMillis(
    `${year}-${month}-${day}T${time}:${seconds}${digits === '' ? '' : `.${digits}`}${offset}`,
  )
}
