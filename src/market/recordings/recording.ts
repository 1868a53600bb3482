import { lastWorldMillis } from '../../numeric/time-text.ts'
import { isIntegerWithin, isPrice } from '../../shape/spec-checks.ts'
import type { Candle, Print } from './candle.ts'
import { type CandleResult, readCandleTable } from './candle-reading.ts'
import type { FileOptions } from './file-options.ts'
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
  const none = { rows: [], badRows: 0, problems: [], candles: [], explanation: null }
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

/**
 * Converts trades to candles without a span. Everything that carries candles (journals, snapshots, sweeps) can
 * then carry trades; the taker's side is lost. Choice: a table is one or the other, so the first row decides.
 */
export function convertTradesToCandles(trades: readonly Print[]): readonly Candle[] {
  return trades.map(({ atMillis, price, quantity }) => {
    return { atMillis, spanMillis: 0, open: price, high: price, low: price, close: price, volume: quantity }
  })
}

/** Converts a candle whose volume is in USD to one in units of the asset, at the mean of its open and close. */
export function toAssetVolume(candle: Candle): Candle {
  return { ...candle, volume: (2 * candle.volume) / (candle.open + candle.close) }
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
