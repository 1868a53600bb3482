import { element } from '../../numeric/columns.ts'
import { millisPerHour, millisPerMinute } from '../../numeric/time-text.ts'
import { isPrice } from '../../shape/spec-checks.ts'
import type { CandleColumns } from './candle-columns.ts'
import { isSameText, PlainNumbers, PlainRows } from './plain-rows.ts'
import { readNumber } from './table-fields.ts'
import type { TableRows } from './table-header.ts'
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
  { plainTime, readNumber: read, volume }: Access,
): PlainCandles | null {
  const isPlain = rows instanceof PlainRows && plainTime !== null && read === readNumber && columns.zone < 0
  return isPlain && columns.clock < 0 ? new PlainCandles(rows, columns, plainTime, volume) : null
}

/** One row of plain numbers at a time. */
class PlainCandles {
  atMillis = 0
  open = 0
  high = 0
  low = 0
  close = 0
  volume = 0
  /** The average price; NaN for a table without one. */
  average = Number.NaN
  private readonly rows: PlainRows
  private readonly numbers: PlainNumbers
  private readonly columns: CandleColumns
  private readonly volumeColumn: number
  private readonly time: PlainTime
  /** Columns whose text is to be that of a row that the usual way has read. */
  private readonly sames: readonly number[]
  private readonly lastColumn: number
  /** By column, 1 for those that are numbers. */
  private readonly isNumber: Uint8Array
  /** By column, the number of the row. */
  private readonly values: Float64Array
  /** Where the fields of the row begin, up to the last one that is needed, and where they end. */
  private readonly begins: Uint32Array
  private readonly ends: Uint32Array
  /** The texts of the columns that are to be equal, of a row that the usual way has read: where they begin and end. */
  private accepted: readonly (readonly [column: number, from: number, to: number])[] | null = null
  private dayBegins = -1
  private dayMillis = 0

  constructor(rows: PlainRows, columns: CandleColumns, time: PlainTime, volume: number) {
    const { close, finished, high, low, open, sameValues, vwap } = columns
    this.rows = rows
    this.numbers = new PlainNumbers(rows)
    this.columns = columns
    this.time = time
    this.volumeColumn = volume
    this.sames = finished < 0 ? sameValues : [...sameValues, finished]
    const numbers = [open, high, low, close, volume, vwap, ...(time === 'epoch' ? [columns.time] : [])]
    this.lastColumn = Math.max(columns.time, ...numbers, ...this.sames)
    this.isNumber = new Uint8Array(this.lastColumn + 1)
    for (const column of numbers) if (column >= 0) this.isNumber[column] = 1
    this.values = new Float64Array(this.lastColumn + 1)
    this.begins = new Uint32Array(this.lastColumn + 1)
    this.ends = new Uint32Array(this.lastColumn + 1)
  }

  /** Reads a row; false where it is one for the usual way. */
  read(place: number): boolean {
    const { columns, sames, values, volumeColumn } = this
    if (sames.length > 0 && this.accepted === null) return false
    if (!this.split(place) || (sames.length > 0 && !this.isAsAccepted())) return false
    this.atMillis = this.time === 'epoch' ? convertEpoch(element(values, columns.time)) : this.readInstant()
    this.open = element(values, columns.open)
    const volume = volumeColumn < 0 ? 0 : element(values, volumeColumn)
    // No other field may be empty: an empty one is NaN, which is neither a price nor a time.
    this.volume = Number.isNaN(volume) ? 0 : volume
    if (columns.vwap >= 0) this.average = element(values, columns.vwap)
    const isWhole = columns.layout === 'candles'
    this.high = isWhole ? element(values, columns.high) : this.open
    this.low = isWhole ? element(values, columns.low) : this.open
    this.close = isWhole ? element(values, columns.close) : this.open
    return this.isSound()
  }

  /** Notes that the usual way has found a row to belong to the recording. */
  accept(place: number): void {
    const { begins, ends, sames } = this
    if (sames.length > 0 && this.split(place))
      this.accepted = sames.map((column) => [column, begins[column] ?? 0, ends[column] ?? 0])
  }

  private isSound(): boolean {
    const { atMillis, average, close, columns, high, low, open, volume } = this
    return (
      Number.isSafeInteger(atMillis) &&
      volume >= 0 &&
      isPrice(open) &&
      isPrice(high) &&
      isPrice(low) &&
      isPrice(close) &&
      high >= open &&
      high >= close &&
      low <= open &&
      low <= close &&
      (columns.vwap < 0 || average >= 0)
    )
  }

  /** Splits a row up to the last field that is needed, and reads its numbers; false for a row of the usual way. */
  private split(place: number): boolean {
    const { begins, ends, isNumber, lastColumn, numbers, rows, values } = this
    const { bytes, delimiter, starts } = rows
    const end = rows.findEnd(place)
    let byte = starts[place] ?? 0
    for (let column = 0; column <= lastColumn; column += 1) {
      begins[column] = byte
      if (isNumber[column] === 1) {
        byte = numbers.read(byte, end)
        if (byte < 0) return false
        values[column] = numbers.value
      } else while (byte < end && bytes[byte] !== delimiter) byte += 1
      ends[column] = byte
      if (byte === end && column < lastColumn) return false
      byte += 1
    }
    return true
  }

  private isAsAccepted(): boolean {
    const { accepted, begins, ends, rows } = this
    for (const [column, from, to] of accepted ?? []) {
      const begin = begins[column] ?? 0
      if ((ends[column] ?? 0) - begin !== to - from || !isSameText(rows.bytes, from, to, begin)) return false
    }
    return true
  }

  /** Reads `2025-01-31`, `2025-01-31 06:30`, with seconds or without, with `Z` or without. */
  private readInstant(): number {
    const { begins, columns, ends, rows } = this
    const { bytes } = rows
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
