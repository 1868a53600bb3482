import type { Candle, Trade } from './candle.ts'
import { type ParsedCandles, parseCandles } from './candles.ts'
import { detectTradeColumns } from './trade-columns.ts'
import { parseTrades, type TradeTable } from './trades.ts'

export type RecordingTable =
  | ({ readonly kind: 'candles' } & ParsedCandles)
  | ({ readonly kind: 'trades' } & TradeTable)

/** A table of either kind, told apart by its header or else by its shape. */
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
 * Trades as candles without a span, so that everything that carries candles (journals, snapshots, sweeps) carries
 * trades, too; the taker's side is lost. Choice: a table is one or the other, so the first row decides.
 */
export function tradesAsCandles(trades: readonly Trade[]): readonly Candle[] {
  return trades.map(({ atMillis, price, quantity }) => {
    return { atMillis, spanMillis: 0, open: price, high: price, low: price, close: price, volume: quantity }
  })
}

/** The trades of candles without a span; null for real candles. */
export function candlesAsTrades(candles: readonly Candle[]): readonly Trade[] | null {
  if (candles[0]?.spanMillis !== 0) return null
  return candles.map(({ atMillis, open, volume }) => ({
    atMillis,
    price: open,
    quantity: volume,
    side: null,
  }))
}

/**
 * A recording at another price, time or pace; quantities stay. Null when the pace leaves candles no whole milliseconds
 * (the instants of trades are cut to them), or a price leaves the range that markets keep.
 */
export function adjustCandles(
  candles: readonly Candle[],
  { rebaseTo, timeShiftMillis, speed }: Adjustment,
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
    const isWhole = Number.isSafeInteger(atMillis) && Number.isSafeInteger(spanMillis)
    return isWhole && (isTrades || spanMillis > 0) && low >= 1e-10 && high <= 1e10
  })
  return isSound ? moved : null
}
