import { type CandleTable, parseCandles } from './candles.ts'
import type { Candle, Trade } from './market.ts'
import { detectTradeColumns } from './trade-columns.ts'
import { parseTrades, type TradeTable } from './trades.ts'

/** What a file recorded: candles, or single trades. */
export type Recording =
  | { readonly kind: 'candles'; readonly candles: readonly Candle[] }
  | { readonly kind: 'trades'; readonly trades: readonly Trade[] }

export type RecordingTable =
  | ({ readonly kind: 'candles' } & CandleTable)
  | ({ readonly kind: 'trades' } & TradeTable)

/** Reads a table of either kind, told apart by its header or else by its shape. */
export function parseRecording(rows: readonly (readonly string[])[]): RecordingTable {
  return detectTradeColumns(rows) === null
    ? { kind: 'candles', ...parseCandles(rows) }
    : { kind: 'trades', ...parseTrades(rows) }
}

/** How a recording is moved to another price, another time, or another pace. */
export interface Adjustment {
  /** What the first price becomes; all others keep their ratio to it. Null: as recorded. */
  readonly rebaseTo: number | null
  /** Added to every time. */
  readonly timeShiftMillis: number
  /** How many times faster than it was: 2 makes an hour half an hour. */
  readonly speed: number
}

/**
 * A recording at another price, time or pace; quantities stay. Null when the pace leaves candles no whole milliseconds,
 * or a price leaves the range that markets keep.
 */
export function adjustRecording(recording: Recording, adjustment: Adjustment): Recording | null {
  const { rebaseTo, timeShiftMillis, speed } = adjustment
  if (rebaseTo === null && timeShiftMillis === 0 && speed === 1) return recording
  if (recording.kind === 'candles') {
    const first = recording.candles[0]
    if (first === undefined) return recording
    const ratio = rebaseTo === null ? 1 : rebaseTo / first.open
    const candles = recording.candles.map(
      (candle): Candle => ({
        atMillis: first.atMillis + timeShiftMillis + (candle.atMillis - first.atMillis) / speed,
        spanMillis: candle.spanMillis / speed,
        open: candle.open * ratio,
        high: candle.high * ratio,
        low: candle.low * ratio,
        close: candle.close * ratio,
        volume: candle.volume,
      }),
    )
    const isWhole = candles.every(
      ({ atMillis, spanMillis }) =>
        Number.isSafeInteger(atMillis) && Number.isSafeInteger(spanMillis) && spanMillis > 0,
    )
    return isWhole && candles.every(({ low, high }) => low >= 1e-10 && high <= 1e10)
      ? { kind: 'candles', candles }
      : null
  }
  const first = recording.trades[0]
  if (first === undefined) return recording
  const ratio = rebaseTo === null ? 1 : rebaseTo / first.price
  const trades = recording.trades.map((trade): Trade => {
    const offset = Math.floor((trade.atMillis - first.atMillis) / speed)
    return { ...trade, atMillis: first.atMillis + timeShiftMillis + offset, price: trade.price * ratio }
  })
  return trades.every(({ price }) => price >= 1e-10 && price <= 1e10) ? { kind: 'trades', trades } : null
}
