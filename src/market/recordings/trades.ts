import type { Print } from './candle.ts'
import { isBlank, numberHint, readNumber, readTime, readTruth } from './table-fields.ts'
import { detectTradeColumns, type TradeColumns } from './trade-columns.ts'

/** Trades in order, or the first thing that is wrong. */
export type TradeTable =
  | { readonly ok: true; readonly trades: readonly Print[] }
  | { readonly ok: false; readonly problem: TradeProblem }

export interface TradeProblem {
  /** From 1, the header included. */
  readonly row: number
  readonly column: '' | 'time' | 'price' | 'quantity' | 'side'
  readonly message: string
}

/** One row's trade, with its place and its id for comparing. */
export interface TradeRow extends Print {
  readonly row: number
  readonly id: string | null
}

/**
 * Reads a table of trades that was already split into fields. Times are as in tables of candles, but cut to
 * milliseconds; rows in ascending or descending order, several at one instant in the order in which they stand.
 *
 * Problems, in order: no trades; for each row the number of fields, time, price, quantity, side; then the order of
 * the rows. Choice: a row with the id of the one before is dropped.
 */
export function parseTrades(rows: readonly (readonly string[])[]): TradeTable {
  const columns = detectTradeColumns(rows)
  if (columns === null) return failed(1, '', 'no columns for time, price and quantity of trades')
  const read: TradeRow[] = []
  for (let place = columns.headerRows; place < rows.length; place += 1) {
    const fields = rows[place] ?? []
    if (isBlank(fields)) continue
    const trade = readTradeRow(fields, columns, place + 1)
    if ('message' in trade) return { ok: false, problem: trade }
    read.push(trade)
  }
  const first = read[0]
  const last = read.at(-1)
  if (first === undefined || last === undefined) return failed(rows.length, '', 'there are no trades')
  const order = first.atMillis <= last.atMillis ? 'ascending' : 'descending'
  if (order === 'descending') read.reverse()
  const trades: Print[] = []
  let before: TradeRow | null = null
  for (const row of read) {
    if (before !== null && row.atMillis < before.atMillis) {
      return failed(
        row.row,
        'time',
        `out of order: the rows are ${order}, but row ${before.row} is not before it`,
      )
    }
    if (before === null || row.id === null || row.id !== before.id) {
      const { atMillis, price, quantity, side } = row
      trades.push({ atMillis, price, quantity, side })
    }
    before = row
  }
  return { ok: true, trades }
}

/** The first thing that is wrong with a row, else its trade; `row` counts from 1. */
export function readTradeRow(
  fields: readonly string[],
  columns: TradeColumns,
  row: number,
): TradeRow | TradeProblem {
  const needed = Math.max(columns.time, columns.price, columns.quantity)
  if (fields.length <= needed) {
    return { row, column: '', message: `${fields.length} fields where at least ${needed + 1} are needed` }
  }
  const time = fields[columns.time] ?? ''
  const atMillis = readTime(time, true)
  if (atMillis === null) {
    return { row, column: 'time', message: `"${time}" is not a time (ISO 8601, or a number since 1970)` }
  }
  const price = readNumber(fields[columns.price])
  if (!(price >= 1e-10 && price <= 1e10)) {
    const field = fields[columns.price]
    return { row, column: 'price', message: `"${field}" is not a price above 0${numberHint(field)}` }
  }
  const quantity = readNumber(fields[columns.quantity])
  if (!(quantity > 0 && quantity <= 1e15)) {
    const field = fields[columns.quantity]
    return { row, column: 'quantity', message: `"${field}" is not a quantity above 0${numberHint(field)}` }
  }
  const side = sideOf(fields, columns)
  if (side === undefined) {
    const place = columns.side >= 0 ? columns.side : columns.isBuyerMaker
    return { row, column: 'side', message: `"${fields[place]}" is not a side` }
  }
  const id = columns.id < 0 ? null : (fields[columns.id] ?? null)
  return { row, atMillis, price, quantity, side, id }
}

/** The taker's side, null where the table has none; undefined for text that is no side. */
function sideOf(fields: readonly string[], columns: TradeColumns): Print['side'] | undefined {
  if (columns.isBuyerMaker >= 0) {
    const isBuyerMaker = readTruth(fields[columns.isBuyerMaker])
    return isBuyerMaker === null ? undefined : isBuyerMaker ? 'sell' : 'buy'
  }
  if (columns.side < 0) return null
  const text = (fields[columns.side] ?? '').trim().toLowerCase()
  if (text === '') return null
  const isBuy = ['buy', 'b', 'bid'].includes(text)
  if (!isBuy && !['sell', 's', 'ask'].includes(text)) return undefined
  return isBuy !== columns.isSideOfMaker ? 'buy' : 'sell'
}

function failed(row: number, column: TradeProblem['column'], message: string): TradeTable {
  return { ok: false, problem: { row, column, message } }
}
