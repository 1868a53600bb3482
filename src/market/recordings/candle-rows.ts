import { isPrice, notAPrice } from '../../shape/spec-checks.ts'
import type { CandleColumns } from './candle-columns.ts'
import type { FileOptions } from './file-options.ts'
import { LeftOutTally, type RecordingProblem } from './interpretation.ts'
import { AverageTally, createPlainCandles } from './plain-candles.ts'
import { type CandleRow, type CandleRows, RowWriter } from './row-table.ts'
import { isBlank, isMissing, numberHint, readBoolean } from './table-fields.ts'
import {
  type FieldCounts,
  findWidthProblem,
  isOtherHeader,
  isRepeatedHeader,
  measureWidth,
  type TableHeader,
  type TableRows,
} from './table-header.ts'
import type { PlainTime, ReadRowTime } from './table-reader.ts'

/** How the fields of a row are read. */
export interface RowAccess {
  readonly readTime: ReadRowTime
  readonly plainTime: PlainTime
  readonly readNumber: (field: string | undefined) => number
  /** The column of the volume, or -1. */
  readonly volume: number
}

/** The rows of a table: the good ones in the order of the file, what is wrong with the others, and those left out. */
export interface ReadRows {
  readonly rows: CandleRows
  readonly problems: readonly RecordingProblem[]
  readonly badRows: number
  readonly leftOut: LeftOutTally
  /** Number of rows whose average price lies outside of the candle, and of those that have one. */
  readonly averages: { readonly outside: number; readonly count: number }
}

const problemsKept = 5

/**
 * Reads every row below the header. Left out, and counted, are repeated headers, rows without any price, unfinished
 * candles, and rows of other symbols than the one asked for. Another header in the middle, or a second symbol, is a
 * problem that no option skips.
 */
export function readCandleRows(
  rows: TableRows,
  header: TableHeader,
  columns: CandleColumns,
  reader: RowAccess,
  options: FileOptions,
  firstRowNumber: number,
): ReadRows | RecordingProblem {
  const read = new RowWriter(Math.max(0, rows.length - header.firstRow))
  const problems: RecordingProblem[] = []
  const leftOut = new LeftOutTally()
  const same = createSameValueCheck(columns.sameValues, header, options)
  const width = measureWidth(rows, header)
  const plain = createPlainCandles(rows, columns, width, reader)
  let badRows = 0
  const averages = new AverageTally()
  for (let place = header.firstRow; place < rows.length; place += 1) {
    const row = place + firstRowNumber
    if (plain?.read(place, row, read, averages) === true) continue
    const fields = rows.at(place) ?? []
    if (isBlank(fields)) continue
    const reason = findReasonToLeaveOut(fields, header, columns)
    if (reason !== null) {
      leftOut.add(reason, row)
      continue
    }
    const candle = readRow(fields, columns, width, reader, row)
    if ('message' in candle) {
      if (candle.column === 'time' && isOtherHeader(fields))
        return { row, column: '', message: 'another header: from here on the columns are others' }
      badRows += 1
      if (problems.length < problemsKept) problems.push(candle)
      continue
    }
    const other = same(fields)
    if (other === 'other symbol') leftOut.add('of other symbols', row)
    else if (other !== null) return { row, column: '', message: other }
    else {
      if (columns.vwap >= 0) averages.add(reader.readNumber(fields[columns.vwap]), candle.low, candle.high)
      read.add(candle)
      plain?.accept(place)
    }
  }
  return { rows: read.finish(), problems, badRows, leftOut, averages }
}

function findReasonToLeaveOut(
  fields: readonly string[],
  header: TableHeader,
  { open, high, low, close, finished }: CandleColumns,
): string | null {
  if (fields[open] === header.written[open] && isRepeatedHeader(fields, header.written))
    return 'with the header again'
  if (
    isMissing(fields[open]) &&
    [high, low, close].every((column) => column < 0 || isMissing(fields[column]))
  ) {
    // A row that is too short is a bad one.
    const isWhole = fields.length > Math.max(open, high, low, close)
    if (isWhole && fields.some((field) => field.trim() !== '')) return 'without prices'
  }
  return finished >= 0 && readBoolean(fields[finished]) === false ? 'of candles that were not over' : null
}

/**
 * Creates the check that columns such as `symbol` have one value. It returns null for a row that belongs to the
 * recording, `other symbol` for one that the options leave out, else what is wrong.
 */
export function createSameValueCheck(
  columns: readonly number[],
  header: TableHeader,
  { symbol }: FileOptions,
): (fields: readonly string[]) => string | null {
  const spell = (text: string): string =>
    text
      .trim()
      .replace(/[^A-Za-z0-9]/g, '')
      .toUpperCase()
  const first = new Map<number, { readonly raw: string; readonly spelt: string }>()
  const isLabel = symbol !== undefined && header.labels.includes(symbol)
  const wanted = symbol === undefined || isLabel ? null : spell(symbol)
  return (fields) => {
    if (wanted !== null && !columns.some((column) => spell(fields[column] ?? '') === wanted))
      return 'other symbol'
    for (const column of columns) {
      const raw = fields[column] ?? ''
      const known = first.get(column)
      if (known === undefined) first.set(column, { raw, spelt: spell(raw) })
      else if (raw !== known.raw && spell(raw) !== known.spelt)
        return `"${raw.trim()}" in column ${header.written[column]}, and "${known.raw.trim()}" above: these are several recordings; say symbol: ${known.raw.trim()} or symbol: ${raw.trim()}`
    }
    return null
  }
}

/**
 * Returns the candle of a row, or the first problem of the row. `row` is its number from 1. Checks in order: whether
 * there are enough fields, time, the number of fields, open, volume, high, low, close, and whether high and low
 * enclose the others.
 */
function readRow(
  fields: readonly string[],
  columns: CandleColumns,
  width: FieldCounts,
  { readTime, readNumber, volume: volumeColumn }: RowAccess,
  row: number,
): CandleRow | RecordingProblem {
  const needed = Math.max(columns.time, columns.open, columns.high, columns.low, columns.close)
  if (fields.length <= needed) {
    return { row, column: '', message: `${fields.length} fields where at least ${needed + 1} are needed` }
  }
  const atMillis = readTime(fields)
  if (typeof atMillis === 'string') return { row, column: 'time', message: atMillis }
  const ragged = findWidthProblem(fields, width)
  if (ragged !== null) return { row, column: '', message: ragged }
  const open = readNumber(fields[columns.open])
  if (!isPrice(open)) return { row, column: 'open', message: formatNotPrice(fields[columns.open]) }
  const field = fields[volumeColumn]
  const volume = isMissing(field) ? 0 : readNumber(field)
  if (!(volume >= 0))
    return { row, column: 'volume', message: `"${field}" is not a quantity of 0 or more${numberHint(field)}` }
  if (columns.layout === 'opens') return { row, atMillis, open, high: open, low: open, close: open, volume }
  const prices = { high: open, low: open, close: open }
  for (const column of ['high', 'low', 'close'] as const) {
    const price = readNumber(fields[columns[column]])
    if (!isPrice(price)) return { row, column, message: formatNotPrice(fields[columns[column]]) }
    prices[column] = price
  }
  const { high, low, close } = prices
  if (high < Math.max(open, close)) {
    return {
      row,
      column: 'high',
      message: `${high} is below the ${high < open ? `open ${open}` : `close ${close}`}`,
    }
  }
  if (low > Math.min(open, close)) {
    return {
      row,
      column: 'low',
      message: `${low} is above the ${low > open ? `open ${open}` : `close ${close}`}`,
    }
  }
  return { row, atMillis, open, high, low, close, volume }
}

const formatNotPrice = (field: string | undefined): string => `"${field}" ${notAPrice}${numberHint(field)}`
