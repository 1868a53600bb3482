import { element } from '../../numeric/columns.ts'
import { lastWorldMillis } from '../../numeric/time-text.ts'
import { isIntegerWithin, isPrice } from '../../shape/spec-checks.ts'
import { type CandleResult, readCandleTable } from './candle-reading.ts'
import {
  type Candles,
  type CandleTable,
  candleAt,
  createCandleTable,
  getCandleTable,
  noCandles,
} from './candle-table.ts'
import type { FileOptions } from './file-options.ts'
import { noRows } from './row-table.ts'
import { findHeader, type TextTable } from './table-header.ts'
import type { ZoneLookup } from './table-times.ts'
import { findTradeColumns, readTradeTable, type TradeResult } from './trades.ts'

/**
 * Reads a table of candles or of trades. The header decides which of them it is, or the shape of the rows where there
 * is no header. `findOffset` knows zones by their names; without it only offsets such as -05:00 are known.
 */
export function readTable(
  table: TextTable,
  options: FileOptions = {},
  findOffset: ZoneLookup = () => null,
): CandleResult | TradeResult {
  const header = findHeader(table.rows)
  const none = { rows: noRows, badRows: 0, problems: [], candles: noCandles, explanation: null }
  if (header === null)
    return {
      kind: 'candles',
      layout: 'candles',
      ...none,
      problem: { row: 1, column: '', message: 'there are no rows' },
    }
  const trades = findTradeColumns(header, table.rows, options)
  if (trades === null) return readCandleTable(table, header, options, findOffset)
  if (!('message' in trades)) return readTradeTable(table, header, trades, options, findOffset)
  return { kind: 'candles', layout: 'candles', ...none, problem: trades }
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

/** Converts candles whose volumes are in USD to ones in units of the asset, at the mean of open and close. */
export function toAssetVolumes(candles: Candles): CandleTable {
  const table = getCandleTable(candles)
  const { close, open, volume } = table
  return createCandleTable({
    ...table,
    volume: volume.map((usd, place) => (2 * usd) / (element(open, place) + element(close, place))),
  })
}

/**
 * Moves a recording to another price, time or pace; quantities stay. Returns null when the pace gives candles
 * fractions of milliseconds (instants of trades are cut to whole ones), a time lies outside those of a world,
 * or a price leaves the range that markets allow.
 */
export function adjustCandles(
  candles: Candles,
  { rebaseTo, timeShiftMillis, speed }: RecordingOptions,
): Candles | null {
  const first = candleAt(candles, 0)
  if (first === undefined || (rebaseTo === null && timeShiftMillis === 0 && speed === 1)) return candles
  const table = getCandleTable(candles)
  const ratio = rebaseTo === null ? 1 : rebaseTo / first.open
  const isTrades = first.spanMillis === 0
  const scale = (prices: Float64Array): Float64Array => prices.map((price) => price * ratio)
  const atMillis = table.atMillis.map((at) => {
    const offset = (at - first.atMillis) / speed
    return first.atMillis + timeShiftMillis + (isTrades ? Math.floor(offset) : offset)
  })
  const spans = table.endMillis.map((end, place) => (end - element(table.atMillis, place)) / speed)
  const isSound =
    spans.every((span) => Number.isSafeInteger(span) && (isTrades || span > 0)) &&
    atMillis.every((at) => isIntegerWithin(at, 0, lastWorldMillis))
  if (!isSound) return null
  const moved = {
    ...{ atMillis, endMillis: spans.map((span, place) => element(atMillis, place) + span) },
    ...{ open: scale(table.open), high: scale(table.high), low: scale(table.low), close: scale(table.close) },
    volume: table.volume,
  }
  return moved.low.every(isPrice) && moved.high.every(isPrice) ? createCandleTable(moved) : null
}
