import { lastWorldMillis } from '../../numeric/time-text.ts'
import { isIntegerWithin, isPrice } from '../../shape/spec-checks.ts'
import type { Candle, Print } from './candle.ts'
import {
  type CandleColumns,
  type CandleProblem,
  type CandleRow,
  detectColumns,
  findCommonestDistance,
  readRow,
} from './candle-rows.ts'
import { isBlank } from './table-fields.ts'
import { detectTradeColumns, type ParsedTrades, parseTrades } from './trades.ts'

/** Content of a table of candles or of trades, or the first problem of the table. */
export type RecordingTable =
  | ({ readonly kind: 'candles' } & ParsedCandles)
  | ({ readonly kind: 'trades' } & ParsedTrades)

/**
 * Parses a table of candles or of trades. The header decides which of them it is, or the shape of the rows
 * where there is no header.
 */
export function parseRecording(rows: readonly (readonly string[])[]): RecordingTable {
  return detectTradeColumns(rows) === null
    ? { kind: 'candles', ...parseCandles(rows) }
    : { kind: 'trades', ...parseTrades(rows) }
}

/** How a recording is moved to another price, time or pace. */
export interface RecordingOptions {
  /** New first price in USD, to which all others keep their ratio; null to leave prices as recorded. */
  readonly rebaseTo: number | null
  /** Milliseconds added to every time. */
  readonly timeShiftMillis: number
  /** How many times faster the recording runs: 2 makes an hour half an hour. */
  readonly speed: number
}

/**
 * Converts trades to candles without a span. Everything that carries candles (journals, snapshots, sweeps) can
 * then carry trades; the taker's side is lost. Choice: a table is one or the other, so the first row decides.
 */
export function convertTradesToCandles(trades: readonly Print[]): readonly Candle[] {
  return trades.map(({ atMillis, price, quantity }) => {
    return { atMillis, spanMillis: 0, open: price, high: price, low: price, close: price, volume: quantity }
  })
}

/** Converts candles without a span back to trades. Returns null for real candles. */
export function convertCandlesToTrades(candles: readonly Candle[]): readonly Print[] | null {
  if (candles[0]?.spanMillis !== 0) return null
  return candles.map(({ atMillis, open, volume }) => ({
    atMillis,
    price: open,
    quantity: volume,
    side: null,
  }))
}

/**
 * Moves a recording to another price, time or pace; quantities stay. Returns null when the pace gives candles
 * fractions of milliseconds (instants of trades are cut to whole ones), a time lies outside those of a world,
 * or a price leaves the range that markets allow.
 */
export function adjustCandles(
  candles: readonly Candle[],
  { rebaseTo, timeShiftMillis, speed }: RecordingOptions,
): readonly Candle[] | null {
  const first = candles[0]
  if (first === undefined || (rebaseTo === null && timeShiftMillis === 0 && speed === 1)) return candles
  const ratio = rebaseTo === null ? 1 : rebaseTo / first.open
  const isTrades = first.spanMillis === 0
  const moved = candles.map((candle): Candle => {
    const offset = (candle.atMillis - first.atMillis) / speed
    return {
      atMillis: first.atMillis + timeShiftMillis + (isTrades ? Math.floor(offset) : offset),
      spanMillis: candle.spanMillis / speed,
      open: candle.open * ratio,
      high: candle.high * ratio,
      low: candle.low * ratio,
      close: candle.close * ratio,
      volume: candle.volume,
    }
  })
  const isSound = moved.every(({ atMillis, spanMillis, low, high }) => {
    const isInTime = isIntegerWithin(atMillis, 0, lastWorldMillis) && Number.isSafeInteger(spanMillis)
    return isInTime && (isTrades || spanMillis > 0) && isPrice(low) && isPrice(high)
  })
  return isSound ? moved : null
}

/** Candles in order, or the first problem of their table. */
export type ParsedCandles =
  | { readonly ok: true; readonly candles: readonly Candle[] }
  | { readonly ok: false; readonly problem: CandleProblem }

/**
 * Parses a table of candles that is already split into fields. Times are ISO texts (UTC where they name no
 * zone) or numbers of seconds, milli-, micro- or nanoseconds, told apart by their size. Rows may be in
 * ascending or descending order. The span of the candles is the commonest distance of two rows.
 *
 * Problems, in order: the header; for each row the number of fields, the time, open, volume, high, low and
 * close, the high below or the low above another price; then across rows: order, contradicting duplicates, no
 * span, overlaps. Choice: an empty volume is 0; a row that repeats another is dropped; gaps are left, never
 * filled (`summarizeTable` counts both).
 */
export function parseCandles(rows: readonly (readonly string[])[]): ParsedCandles {
  const columns = detectColumns(rows)
  if ('message' in columns) return { ok: false, problem: { ...columns, column: '' } }
  const read: CandleRow[] = []
  for (let place = columns.headerRows; place < rows.length; place += 1) {
    const fields = rows[place] ?? []
    if (isBlank(fields)) continue
    const candle = readRow(fields, columns, place + 1)
    if ('message' in candle) return { ok: false, problem: candle }
    read.push(candle)
  }
  const ordered = sortRows(read)
  if ('message' in ordered) return { ok: false, problem: ordered }
  if (ordered.length === 0) return createFailure(rows.length, '', 'there are no candles')
  return toCandles(ordered, columns)
}

/**
 * Returns the rows by ascending time, each time once, or the first row that is out of order or contradicts
 * another.
 */
function sortRows(read: readonly CandleRow[]): readonly CandleRow[] | CandleProblem {
  const isDescending = (read[0]?.atMillis ?? 0) > (read.at(-1)?.atMillis ?? 0)
  const rows: CandleRow[] = []
  for (const row of isDescending ? read.toReversed() : read) {
    const before = rows.at(-1)
    if (before !== undefined && row.atMillis < before.atMillis) {
      const order = isDescending ? 'descending' : 'ascending'
      const message = `out of order: the rows are ${order}, but row ${before.row} is not before it`
      return { row: row.row, column: 'time', message }
    }
    if (before === undefined || row.atMillis > before.atMillis) rows.push(row)
    else if (!isSame(before, row))
      return { row: row.row, column: 'time', message: `same time as row ${before.row}, other figures` }
  }
  return rows
}

/** Returns the candles of rows in order, all of one span, or the first row that lies within another's span. */
function toCandles(rows: readonly CandleRow[], columns: CandleColumns): ParsedCandles {
  const spanMillis = findCommonestDistance(rows)
  if (spanMillis === 0)
    return createFailure(1 + columns.headerRows, 'time', 'one candle alone does not tell its span')
  const candles: Candle[] = []
  for (const [place, row] of rows.entries()) {
    const next = rows[place + 1]
    const endMillis = row.atMillis + spanMillis
    if (next !== undefined && next.atMillis < endMillis) {
      const message = `${next.atMillis - row.atMillis} ms after row ${row.row}, within its candle`
      return createFailure(next.row, 'time', message)
    }
    candles.push(toCandle(row, columns, spanMillis, next?.atMillis === endMillis ? next : row))
  }
  return { ok: true, candles }
}

/**
 * Makes the candle of a row. Choice: where only opens are recorded, a candle goes straight to the next open,
 * and its price stays before a gap.
 */
function toCandle(row: CandleRow, columns: CandleColumns, spanMillis: number, next: CandleRow): Candle {
  const { atMillis, open, volume } = row
  if (columns.layout === 'candles') {
    return { atMillis, spanMillis, open, high: row.high, low: row.low, close: row.close, volume }
  }
  const close = next.open
  return {
    atMillis,
    spanMillis,
    open,
    high: Math.max(open, close),
    low: Math.min(open, close),
    close,
    volume,
  }
}

function isSame(left: CandleRow, right: CandleRow): boolean {
  return (
    left.open === right.open &&
    left.high === right.high &&
    left.low === right.low &&
    left.close === right.close &&
    left.volume === right.volume
  )
}

function createFailure(row: number, column: CandleProblem['column'], message: string): ParsedCandles {
  return { ok: false, problem: { row, column, message } }
}
