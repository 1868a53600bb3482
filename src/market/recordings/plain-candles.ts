import { element } from '../../numeric/columns.ts'
import { millisPerHour, millisPerMinute } from '../../numeric/time-text.ts'
import { isPrice } from '../../shape/spec-checks.ts'
import type { CandleColumns } from './candle-columns.ts'
import { isSameText, PlainFields, PlainRows } from './plain-rows.ts'
import type { RowWriter } from './row-table.ts'
import { readNumber } from './table-fields.ts'
import type { FieldCounts, TableRows } from './table-header.ts'
import type { PlainTime } from './table-reader.ts'
import { convertEpoch, readTimeText } from './table-times.ts'

/*
 * The quick way through a table of plain numbers. It reads a row only where nothing about it is in question, and then
 * as the usual way would: every other row is left to that way.
 */

interface Access {
  readonly plainTime: PlainTime
  readonly readNumber: (field: string | undefined) => number
  /** The column of the volume, or -1. */
  readonly volume: number
}

/** Reads candles out of plain rows, one row after the other; null for a table that needs the usual way throughout. */
export function createPlainCandles(
  rows: TableRows,
  columns: CandleColumns,
  width: FieldCounts,
  { plainTime, readNumber: read, volume }: Access,
): PlainCandles | null {
  const isPlain = rows instanceof PlainRows && plainTime !== null && read === readNumber && columns.zone < 0
  return isPlain && columns.clock < 0 ? new PlainCandles(rows, columns, width, plainTime, volume) : null
}

/** Counts the rows whose average price lies outside of the candle, and those that have one. */
export class AverageTally {
  outside = 0
  count = 0

  add(average: number, low: number, high: number): void {
    if (!(average > 0)) return
    this.count += 1
    const slack = high * 1e-4
    if (average < low - slack || average > high + slack) this.outside += 1
  }
}

/** Reads one row of plain numbers at a time. */
class PlainCandles {
  private readonly rows: PlainRows
  private readonly fields: PlainFields
  private readonly columns: CandleColumns
  private readonly volumeColumn: number
  private readonly width: FieldCounts
  private readonly time: PlainTime
  /** Columns whose text is to be that of a row that the usual way has read. */
  private readonly sames: readonly number[]
  /** The texts of the columns that are to be equal, of a row that the usual way has read: where they begin and end. */
  private accepted: readonly (readonly [column: number, from: number, to: number])[] | null = null
  private dayBegins = -1
  private dayMillis = 0

  constructor(rows: PlainRows, columns: CandleColumns, width: FieldCounts, time: PlainTime, volume: number) {
    const { close, finished, high, low, open, sameValues, vwap } = columns
    this.rows = rows
    this.columns = columns
    this.width = width
    this.time = time
    this.volumeColumn = volume
    this.sames = finished < 0 ? sameValues : [...sameValues, finished]
    const numbers = [open, high, low, close, volume, vwap, ...(time === 'epoch' ? [columns.time] : [])]
    const isNumber = new Uint8Array(Math.max(columns.time, ...numbers, ...this.sames) + 1)
    for (const column of numbers) if (column >= 0) isNumber[column] = 1
    this.fields = new PlainFields(rows, isNumber)
  }

  /** Reads a row of a number into the table of rows; false where it is one for the usual way, and nothing is read. */
  read(place: number, row: number, into: RowWriter, averages: AverageTally): boolean {
    const { columns, sames, volumeColumn } = this
    if (sames.length > 0 && this.accepted === null) return false
    if (!this.split(place) || !this.isWide(place) || (sames.length > 0 && !this.isAsAccepted())) return false
    const { values } = this.fields
    const atMillis = this.time === 'epoch' ? convertEpoch(element(values, columns.time)) : this.readInstant()
    const open = element(values, columns.open)
    const isWhole = columns.layout === 'candles'
    const high = isWhole ? element(values, columns.high) : open
    const low = isWhole ? element(values, columns.low) : open
    const close = isWhole ? element(values, columns.close) : open
    const stated = volumeColumn < 0 ? 0 : element(values, volumeColumn)
    // No other field may be empty: an empty one is NaN, which is neither a price nor a time.
    const volume = Number.isNaN(stated) ? 0 : stated
    const isSound = low <= open && low <= close && open <= high && close <= high && volume >= 0
    if (!isSound || !isPrice(low) || !isPrice(high) || !Number.isSafeInteger(atMillis)) return false
    if (columns.vwap >= 0) {
      const average = element(values, columns.vwap)
      if (!(average >= 0)) return false
      averages.add(average, low, high)
    }
    into.addFigures(row, atMillis, open, high, low, close, volume)
    return true
  }

  /** Notes that the usual way has found a row to belong to the recording. */
  accept(place: number): void {
    const { sames } = this
    if (sames.length === 0 || !this.split(place)) return
    const { begins, ends } = this.fields
    this.accepted = sames.map((column) => [column, begins[column] ?? 0, ends[column] ?? 0])
  }

  private split(place: number): boolean {
    const { rows } = this
    return this.fields.split(rows.starts[place] ?? 0, rows.findEnd(place))
  }

  /** Returns whether the row that was split has as many fields as other rows. */
  private isWide(place: number): boolean {
    const { rows, width } = this
    const fields = this.fields.countFields(rows.findEnd(place))
    return fields >= width.least && fields <= width.most
  }

  private isAsAccepted(): boolean {
    const { accepted, rows } = this
    const { begins, ends } = this.fields
    for (const [column, from, to] of accepted ?? []) {
      const begin = begins[column] ?? 0
      if ((ends[column] ?? 0) - begin !== to - from || !isSameText(rows.bytes, from, to, begin)) return false
    }
    return true
  }

  /** Reads `2025-01-31`, `2025-01-31 06:30`, with seconds or without, with `Z` or without. */
  private readInstant(): number {
    const { columns } = this
    const { begins, ends } = this.fields
    const { bytes } = this.rows
    const [from, to] = [begins[columns.time] ?? 0, ends[columns.time] ?? 0]
    const isUtc = bytes[to - 1] === letterZ
    const length = isUtc ? to - from - 1 : to - from
    const day = this.readDay(bytes, from, to)
    if (length === 10) return isUtc ? Number.NaN : day
    const separator = bytes[from + 10]
    if ((length !== 16 && length !== 19) || (separator !== blank && separator !== letterT)) return Number.NaN
    if (bytes[from + 13] !== colon || (length === 19 && bytes[from + 16] !== colon)) return Number.NaN
    const hours = readTwoDigits(bytes, from + 11)
    const minutes = readTwoDigits(bytes, from + 14)
    const seconds = length === 16 ? 0 : readTwoDigits(bytes, from + 17)
    if (!(hours <= 23 && minutes <= 59 && seconds <= 59)) return Number.NaN
    return day + hours * millisPerHour + minutes * millisPerMinute + seconds * 1000
  }

  /** Reads the day of a text. Most rows have that of the row before. */
  private readDay(bytes: Uint8Array, from: number, to: number): number {
    if (to - from < 10 || bytes[from + 4] !== dash || bytes[from + 7] !== dash) return Number.NaN
    if (this.dayBegins >= 0 && isSameText(bytes, from, from + 10, this.dayBegins)) return this.dayMillis
    const text = String.fromCharCode(...bytes.subarray(from, from + 10))
    this.dayMillis = readTimeText(text, 'year-first', false)?.millis ?? Number.NaN
    this.dayBegins = from
    return this.dayMillis
  }
}

/** Reads two digits; infinity for anything else. */
function readTwoDigits(bytes: Uint8Array, place: number): number {
  const [tens, ones] = [(bytes[place] ?? 0) - digitZero, (bytes[place + 1] ?? 0) - digitZero]
  const isDigits = tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9
  return isDigits ? tens * 10 + ones : Number.POSITIVE_INFINITY
}

const [blank, dash, digitZero, colon, letterT, letterZ] = [32, 45, 48, 58, 84, 90]
