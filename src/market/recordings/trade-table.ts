import { element, numberOrNaN } from '../../numeric/columns.ts'
import type { Print } from './candle.ts'
import {
  type Candles,
  type CandleTable,
  candleAt,
  createCandleTable,
  getCandleTable,
} from './candle-table.ts'

/*
 * Recorded trades by column. What carries candles (journals, snapshots, sweeps) can carry trades: as candles without a
 * span, whose open is the price. The taker's side is lost.
 */

/** Trades by column, oldest first: instants in milliseconds since 1970, prices in USD, quantities in units of the asset. */
export interface TradeTable {
  readonly count: number
  readonly atMillis: Float64Array
  readonly price: Float64Array
  readonly quantity: Float64Array
}

/** Recorded trades: a table, or a list. */
export type Trades = readonly Print[] | TradeTable

const isTradeTable = (trades: Trades): trades is TradeTable => 'count' in trades

/** Returns the table of trades. That of a list is made once. */
export function getTradeTable(trades: Trades): TradeTable {
  if (isTradeTable(trades)) return trades
  const known = tables.get(trades)
  if (known !== undefined) return known
  const column = (read: (trade: Print) => number): Float64Array => {
    const values = new Float64Array(trades.length)
    for (const [place, trade] of trades.entries()) values[place] = numberOrNaN(read(trade))
    return values
  }
  const table = {
    count: trades.length,
    atMillis: column(({ atMillis }) => atMillis),
    price: column(({ price }) => price),
    quantity: column(({ quantity }) => quantity),
  }
  tables.set(trades, table)
  return table
}

const tables = new WeakMap<readonly Print[], TradeTable>()

/** Returns the instant of the last trade, milliseconds since 1970; NaN where there is none. */
export function findLastTradeMillis(trades: Trades): number {
  const { atMillis, count } = getTradeTable(trades)
  return count === 0 ? Number.NaN : element(atMillis, count - 1)
}

/**
 * Converts trades to candles without a span. Choice: a table is one or the other, so the first row decides.
 */
export function convertTradesToCandles(trades: Trades): CandleTable {
  const { atMillis, price, quantity } = getTradeTable(trades)
  return createCandleTable({
    ...{ atMillis, endMillis: atMillis, open: price, high: price, low: price, close: price },
    volume: quantity,
  })
}

/** Converts candles without a span back to trades. Returns null for real candles. */
export function convertCandlesToTrades(candles: Candles): TradeTable | null {
  if (candleAt(candles, 0)?.spanMillis !== 0) return null
  const { atMillis, count, open, volume } = getCandleTable(candles)
  return { count, atMillis, price: open, quantity: volume }
}
