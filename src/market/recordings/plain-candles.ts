import { millisPerHour, millisPerMinute } from '../../numeric/time-text.ts'
import { isPrice } from '../../shape/spec-checks.ts'
import type { CandleColumns } from './candle-columns.ts'
import { cutReturn, isSameText, PlainRows, readPlainNumber } from './plain-rows.ts'
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
export class PlainCandles {
  atMillis = 0
  open = 0
  high = 0
  low = 0
  close = 0
  volume = 0
  /** The average price; NaN for a table without one. */
  average = Number.NaN
  private readonly rows: PlainRows
  private readonly columns: CandleColumns
  private readonly volumeColumn: number
  private readonly time: PlainTime
  /** Columns whose text is to be that of a row that the usual way has read. */
  private readonly sames: readonly number[]
  private readonly lastColumn: number
  /** Where the fields of the row begin, and behind the last one that is needed a byte after its end. */
  private readonly begins: Uint32Array
  /** Where the fields of a row begin that the usual way has read; empty before the first one. */
  private accepted: Uint32Array | null = null
  private dayBegins = -1
  private dayMillis = 0

  constructor(rows: PlainRows, columns: CandleColumns, time: PlainTime, volume: number) {
    const { close, finished, high, low, open, sameValues, vwap } = columns
    this.rows = rows
    this.columns = columns
    this.time = time
    this.volumeColumn = volume
    this.sames = finished < 0 ? sameValues : [...sameValues, finished]
    this.lastColumn = Math.max(columns.time, open, high, low, close, volume, vwap, ...this.sames)
    this.begins = new Uint32Array(this.lastColumn + 2)
  }

  /** Reads a row; false where it is one for the usual way. */
  read(place: number): boolean {
    if ((this.accepted === null && this.sames.length > 0) || !this.split(place, this.begins)) return false
    for (const column of this.sames) if (!this.isAsAccepted(column)) return false
    const { columns, volumeColumn } = this
    this.atMillis = this.readTime(columns.time)
    this.open = this.readField(columns.open)
    this.volume = volumeColumn < 0 || this.isEmpty(volumeColumn) ? 0 : this.readField(volumeColumn)
    if (columns.vwap >= 0) this.average = this.readField(columns.vwap)
    if (columns.layout === 'opens') {
      this.high = this.open
      this.low = this.open
      this.close = this.open
    } else {
      this.high = this.readField(columns.high)
      this.low = this.readField(columns.low)
      this.close = this.readField(columns.close)
    }
    return this.isSound()
  }

  /** Notes that the usual way has found a row to belong to the recording. */
  accept(place: number): void {
    if (this.sames.length === 0) return
    const begins = new Uint32Array(this.begins.length)
    if (this.split(place, begins)) this.accepted = begins
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

  /** Finds where the fields of a row begin, up to the last one that is needed; false for a row that is too short. */
  private split(place: number, begins: Uint32Array): boolean {
    const { lastColumn, rows } = this
    const { bytes, delimiter, starts } = rows
    const begin = starts[place] as number
    const end = rows.endOf(place)
    let column = 0
    begins[0] = begin
    for (let byte = begin; byte < end; byte += 1) {
      if (bytes[byte] !== delimiter) continue
      column += 1
      begins[column] = byte + 1
      if (column > lastColumn) return true
    }
    begins[column + 1] = cutReturn(bytes, begins[column] as number, end) + 1
    return column >= lastColumn
  }

  private readField(column: number): number {
    const { begins, rows } = this
    return readPlainNumber(rows.bytes, begins[column] as number, (begins[column + 1] as number) - 1)
  }

  private isEmpty(column: number): boolean {
    return this.begins[column] === (this.begins[column + 1] as number) - 1
  }

  private isAsAccepted(column: number): boolean {
    const { accepted, begins, rows } = this
    const [from, to] = [begins[column] ?? 0, (begins[column + 1] ?? 0) - 1]
    const [other, otherEnd] = [accepted?.[column] ?? 0, (accepted?.[column + 1] ?? 0) - 1]
    return to - from === otherEnd - other && isSameText(rows.bytes, from, to, other)
  }

  /** Reads the time of the row; NaN for one of the usual way. */
  private readTime(column: number): number {
    if (this.time === 'epoch') return convertEpoch(this.readField(column))
    const { begins, rows } = this
    return this.readInstant(rows.bytes, begins[column] as number, (begins[column + 1] as number) - 1)
  }

  /** Reads `2025-01-31`, `2025-01-31 06:30`, with seconds or without, with `Z` or without. */
  private readInstant(bytes: Uint8Array, from: number, to: number): number {
    const isUtc = bytes[to - 1] === letterZ
    const length = isUtc ? to - from - 1 : to - from
    const day = this.readDay(bytes, from, to)
    if (length === 10) return isUtc ? Number.NaN : day
    const separator = bytes[from + 10]
    if ((length !== 16 && length !== 19) || (separator !== blank && separator !== letterT)) return Number.NaN
    if (bytes[from + 13] !== colon || (length === 19 && bytes[from + 16] !== colon)) return Number.NaN
    const hours = readPlainNumber(bytes, from + 11, from + 13)
    const minutes = readPlainNumber(bytes, from + 14, from + 16)
    const seconds = length === 16 ? 0 : readPlainNumber(bytes, from + 17, from + 19)
    if (!(hours <= 23 && minutes <= 59 && seconds <= 59 && Number.isInteger(hours + minutes + seconds)))
      return Number.NaN
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

const [blank, dash, colon, letterT, letterZ] = [32, 45, 58, 84, 90]
