import { findColumn, isBlank, isFigure, isMissing, normalizeName } from './table-fields.ts'
import { isTime } from './table-times.ts'

/** Rows of fields, all of them texts: a list, or what splits a row when it is asked for. */
export interface TableRows {
  readonly length: number
  /** Returns the fields of a row from 0; undefined beyond the end. */
  at(place: number): readonly string[] | undefined
}

/** Table as its file has it. */
export interface TextTable {
  readonly rows: TableRows
  /** Whether semicolons separate the fields, which says something about decimals. */
  readonly hasSemicolons: boolean
  /** Number of the first row in its file, from 1. */
  readonly firstRowNumber: number
}

/** Where a table has its header and its rows. */
export interface TableHeader {
  /** Names of the columns as they are written; empty without a header. */
  readonly written: readonly string[]
  /** Names in our spelling. */
  readonly names: readonly string[]
  /** What a second header row says of each column, such as its symbol; empty where there is none. */
  readonly labels: readonly string[]
  /** Place of the first row below the header, from 0. */
  readonly firstRow: number
  /** Number of rows with content above the header. */
  readonly rowsAbove: number
}

/** Names of the beginning of a candle, of its end, and of a time that may be either. */
const openTimeNames = [
  ...[
    'ts_ms',
    'timestamp_ms',
    'open_time',
    'opentime',
    'time_open',
    'time_period_start',
    'period_start',
    'start',
  ],
  ...['start_time', 'start_at', 'begin', 'open_timestamp', 'candle_begin_time', 'bucket_start'],
] as const
const closeTimeNames = [
  ...[
    'close_time',
    'closetime',
    'time_close',
    'time_period_end',
    'period_end',
    'end_time',
    'close_timestamp',
  ],
] as const
const plainTimeNames = [
  ...['unix', 'unix_timestamp', 'timestamp', 'time', 'ts', 't', 'transact_time', 'trade_time', 'exec_time'],
  ...['created_time', 'created_at', 'datetime', 'date', 'gmt_time', 'local_time'],
] as const

/** The names of a time. The earliest in this list wins: numbers come before texts, which may leave out their zone. */
export const timeNames: readonly string[] = [...openTimeNames, ...plainTimeNames, ...closeTimeNames]

/** Returns which end of a candle a name says its time is; null where it does not say. */
export function findTimeEnd(name: string): 'open' | 'close' | null {
  if (closeTimeNames.some((known) => known === name)) return 'close'
  const isPlain = name === 'ts_ms' || name === 'timestamp_ms'
  return !isPlain && openTimeNames.some((known) => known === name) ? 'open' : null
}

const priceNames = [
  'open',
  'o',
  'open_price',
  'price',
  'p',
  'trade_price',
  'exec_price',
  'close',
  'c',
] as const

const knownNames: ReadonlySet<string> = new Set([
  ...timeNames,
  ...priceNames,
  'high',
  'low',
  'volume',
  'h',
  'l',
])

/** How far down a header is looked for. */
const maximumRowsAbove = 100

/** Finds the header of a table: the first row with names that tables of candles or trades have. Null without any rows. */
export function findHeader(rows: TableRows): TableHeader | null {
  let rowsAbove = 0
  let first: number | null = null
  for (let place = 0; place < Math.min(rows.length, maximumRowsAbove); place += 1) {
    const row = rows.at(place) ?? []
    if (isBlank(row)) continue
    const names = row.map(normalizeName)
    if (isHeader(row) && names.filter((name) => knownNames.has(name)).length >= 2)
      return readHeader(rows, place, rowsAbove)
    if (isData(row)) {
      const above = first === null ? undefined : rows.at(place - 1)
      const isNamed = above !== undefined && isHeader(above) && above.length === row.length
      if (isNamed) return readHeader(rows, place - 1, rowsAbove - 1)
      return { written: [], names: [], labels: [], firstRow: place, rowsAbove }
    }
    if (first === null && !isBanner(row)) first = place
    rowsAbove += 1
  }
  return first === null ? null : readHeader(rows, first, 0)
}

/** Returns whether a row is a header: none of its fields is a number or a time, however it is written. */
function isHeader(row: readonly string[]): boolean {
  return !row.some((field) => isFigure(field) || isTime(field))
}

/** Returns whether a row is only the address of a site, with which CryptoDataDownload's files begin. */
function isBanner(row: readonly string[]): boolean {
  return row.length === 1 && row[0]?.trim().startsWith('http') === true
}

const isData = (row: readonly string[]): boolean => row.length >= 3 && row.filter(isFigure).length >= 3

function readHeader(rows: TableRows, place: number, rowsAbove: number): TableHeader {
  const written = (rows.at(place) ?? []).map((name) => name.trim().replace(/^\ufeff/, ''))
  const names = written.map(normalizeName)
  const further = listFurtherRows(rows, place)
  // The last of yfinance's three header rows has the name of the index alone, the first one calls it `Price`.
  const index = further.map((row) => normalizeName(row[0] ?? '')).findLast((name) => isTimeName(name))
  if (index !== undefined && findColumn(names, timeNames) < 0) names[0] = index
  const labels = further.find((row) => row.slice(1).some((field) => field.trim() !== '')) ?? []
  return {
    written,
    names,
    labels: labels.map((label) => label.trim()),
    firstRow: place + 1 + further.length,
    rowsAbove,
  }
}

const isTimeName = (name: string): boolean => timeNames.some((known) => known === name)

/**
 * Lists the rows below a header that belong to it: those without any number or time. A repeated header does not belong
 * to it.
 */
function listFurtherRows(rows: TableRows, place: number): readonly (readonly string[])[] {
  const further: (readonly string[])[] = []
  while (further.length < 3) {
    const row = rows.at(place + 1 + further.length)
    const isFurther =
      row !== undefined && !isBlank(row) && isHeader(row) && !isRepeatedHeader(row, rows.at(place) ?? [])
    if (!isFurther || (row[0] ?? '').trim() === '') break
    further.push(row)
  }
  return further
}

/** How many fields the rows of a table have. */
export interface FieldCounts {
  readonly least: number
  readonly most: number
}

/** Measures the width of a table by its header and its first row, which some programs write with one field more or less. */
export function measureWidth(rows: TableRows, header: TableHeader): FieldCounts {
  const named = header.written.findLastIndex((name) => name !== '') + 1
  const first = rows.at(header.firstRow)?.length ?? header.written.length
  if (header.written.length === 0) return { least: first, most: first }
  return { least: Math.min(named, first), most: Math.max(header.written.length, first) }
}

/**
 * Returns what is wrong with the number of fields in a row, or null. A row that ends early was cut, and its last number
 * with it; one with more has a delimiter within a field, and its columns are shifted. Empty fields behind the last column
 * are no fault.
 */
export function findWidthProblem(fields: readonly string[], { least, most }: FieldCounts): string | null {
  const { length } = fields
  if (length < least) return `${length} ${length === 1 ? 'field' : 'fields'} where other rows have ${least}`
  if (length <= most || fields.slice(most).every(isMissing)) return null
  return `${length} fields where other rows have ${most}`
}

/** Returns whether a row has the names of a header again, as where files were joined. */
export function isRepeatedHeader(row: readonly string[], written: readonly string[]): boolean {
  return (
    written.length > 0 &&
    row.length === written.length &&
    row.every(
      (field, place) => field.trim().replace(/^\ufeff/, '') === written[place]?.trim().replace(/^\ufeff/, ''),
    )
  )
}

/** Returns whether a row looks like another header: names alone, two of which tables have. */
export function isOtherHeader(row: readonly string[]): boolean {
  return isHeader(row) && row.map(normalizeName).filter((name) => knownNames.has(name)).length >= 2
}
