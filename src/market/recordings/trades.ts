import { isPrice } from '../../shape/spec-checks.ts'
import type { Print } from './candle.ts'
import {
  findColumn,
  isBanner,
  isBlank,
  isHeader,
  isNumber,
  normalizeName,
  numberHint,
  readBoolean,
  readNumber,
  readTime,
} from './table-fields.ts'

/** Trades in order, or the first problem of their table. */
export type ParsedTrades =
  | { readonly ok: true; readonly trades: readonly Print[] }
  | { readonly ok: false; readonly problem: TradeProblem }

/** Describes what is wrong with a table of trades, and where. */
export interface TradeProblem {
  /** Row number from 1, the header included. */
  readonly row: number
  readonly column: '' | 'time' | 'price' | 'quantity' | 'side'
  readonly message: string
}

/** Trade of one row, with the row's number and the trade's id for comparison. */
export interface TradeRow extends Print {
  readonly row: number
  readonly id: string | null
}

/**
 * Parses a table of trades that is already split into fields. Times are read like those of candles, but cut to
 * milliseconds. Rows may be in ascending or descending order; trades of one instant keep their order.
 *
 * Problems, in order: no columns of trades; for each row the number of fields, time, price, quantity, side; no
 * trades; then the order of the rows. Choice: a row with the id of the one before is dropped.
 */
export function parseTrades(rows: readonly (readonly string[])[]): ParsedTrades {
  const columns = detectTradeColumns(rows)
  if (columns === null) return createFailure(1, '', 'no columns for time, price and quantity of trades')
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
  if (first === undefined || last === undefined) return createFailure(rows.length, '', 'there are no trades')
  const order = first.atMillis <= last.atMillis ? 'ascending' : 'descending'
  if (order === 'descending') read.reverse()
  const trades: Print[] = []
  let before: TradeRow | null = null
  for (const row of read) {
    if (before !== null && row.atMillis < before.atMillis) {
      return createFailure(
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

/** Returns the trade of a row, or the first problem of the row. `row` is its number from 1. */
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
  if (!isPrice(price)) {
    const field = fields[columns.price]
    return { row, column: 'price', message: `"${field}" is not a price above 0${numberHint(field)}` }
  }
  const quantity = readNumber(fields[columns.quantity])
  if (!(quantity > 0 && quantity <= 1e15)) {
    const field = fields[columns.quantity]
    return { row, column: 'quantity', message: `"${field}" is not a quantity above 0${numberHint(field)}` }
  }
  const side = readSide(fields, columns)
  if (side === undefined) {
    const place = columns.side >= 0 ? columns.side : columns.isBuyerMaker
    return { row, column: 'side', message: `"${fields[place]}" is not a side` }
  }
  const id = columns.id < 0 ? null : (fields[columns.id] ?? null)
  return { row, atMillis, price, quantity, side, id }
}

/** Returns the taker's side: null where the table has none, undefined for text that is no side. */
function readSide(fields: readonly string[], columns: TradeColumns): Print['side'] | undefined {
  if (columns.isBuyerMaker >= 0) {
    const isBuyerMaker = readBoolean(fields[columns.isBuyerMaker])
    return isBuyerMaker === null ? undefined : isBuyerMaker ? 'sell' : 'buy'
  }
  if (columns.side < 0) return null
  const text = (fields[columns.side] ?? '').trim().toLowerCase()
  if (text === '') return null
  const isBuy = ['buy', 'b', 'bid'].includes(text)
  if (!isBuy && !['sell', 's', 'ask'].includes(text)) return undefined
  return isBuy !== columns.isSideOfMaker ? 'buy' : 'sell'
}

function createFailure(row: number, column: TradeProblem['column'], message: string): ParsedTrades {
  return { ok: false, problem: { row, column, message } }
}

/*
 * Which column of a table of trades holds what. Headers are matched by the names that the archives of exchanges
 * use. Tables without one are told apart by their shape.
 */

/** Column numbers of a table of trades, from 0; -1 for a column that does not exist. */
export interface TradeColumns {
  readonly layout: TradeLayout
  /** Number of rows before the first trade. */
  readonly headerRows: number
  readonly time: number
  readonly price: number
  readonly quantity: number
  readonly id: number
  /** Column of the side as text: `buy`, `Sell`, `b`. */
  readonly side: number
  /** Column of a boolean: whether the buyer was the maker, so that the taker sold. */
  readonly isBuyerMaker: number
  /** Whether the side is the maker's, as in Coinbase's tables, and not the taker's. */
  readonly isSideOfMaker: boolean
}

/** Layout of a table: named columns, or that of an archive without a header. */
export type TradeLayout = 'named' | 'binance trades' | 'binance aggTrades' | 'time, price, volume'

/** Returns the columns of a table of trades, or null when it does not look like one. */
export function detectTradeColumns(rows: readonly (readonly string[])[]): TradeColumns | null {
  const headerAt = isBanner(rows[0]) ? 1 : 0
  const header = rows[headerAt]
  if (header === undefined || isBlank(header)) return null
  return isHeader(header) ? detectByNames(header, headerAt + 1) : detectByShape(header, headerAt)
}

function detectByNames(header: readonly string[], headerRows: number): TradeColumns | null {
  const names = header.map(normalizeName)
  const columns = {
    time: findColumn(names, timeNames),
    price: findColumn(names, ['price', 'p', 'trade_price', 'exec_price']),
    quantity: findColumn(names, quantityNames),
    id: findColumn(names, idNames),
    side: findColumn(names, ['side', 'taker_side', 'direction', 'type', 'maker_side']),
    isBuyerMaker: findColumn(names, ['is_buyer_maker', 'buyer_is_maker', 'buyer_maker', 'm']),
  }
  const isCandles = ['open', 'high', 'o', 'open_price'].some((name) => names.includes(name))
  if (isCandles || columns.time < 0 || columns.price < 0 || columns.quantity < 0) return null
  // Only Coinbase's interface has exactly these names, and its side is the maker's.
  const isCoinbase = ['trade_id', 'time', 'size', 'side'].every((name) => names.includes(name))
  const isSideOfMaker = isCoinbase || names[columns.side] === 'maker_side'
  return { layout: 'named', headerRows, isSideOfMaker, ...columns }
}

/**
 * Returns the columns of a table without a header: those of Binance's archives (id, price, quantity, then one
 * value or two ids, time, whether the buyer was the maker), or time, price and volume; null for other shapes.
 */
function detectByShape(row: readonly string[], headerRows: number): TradeColumns | null {
  const common = { headerRows, id: 0, price: 1, quantity: 2, side: -1, isSideOfMaker: false }
  const isTruth = (place: number): boolean => readBoolean(row[place]) !== null && !isNumber(row[place] ?? '')
  const isTime = (place: number): boolean =>
    Number(row[place]) > 1e12 && readTime(row[place] ?? '', true) !== null
  if (isTime(4) && isTruth(5)) {
    return { ...common, layout: 'binance trades', time: 4, isBuyerMaker: 5 }
  }
  if (isTime(5) && isTruth(6)) {
    return { ...common, layout: 'binance aggTrades', time: 5, isBuyerMaker: 6 }
  }
  const isPlain = row.length === 3 && row.every(isNumber) && Number(row[0]) > 1e8
  if (!isPlain) return null
  const none = { id: -1, side: -1, isBuyerMaker: -1, isSideOfMaker: false }
  return { ...none, layout: 'time, price, volume', headerRows, time: 0, price: 1, quantity: 2 }
}

const timeNames = [
  ...[
    'ts_ms',
    'timestamp_ms',
    'transact_time',
    'trade_time',
    'exec_time',
    'created_time',
    'created_at',
    'timestamp',
    'unix',
    'time',
    'ts',
    't',
  ],
  ...['datetime', 'date'],
]
const quantityNames = ['quantity', 'qty', 'size', 'amount', 'volume', 'vol', 'q', 'exec_qty', 'base_volume']
const idNames = ['trade_id', 'agg_trade_id', 'tid', 'id', 'trd_match_id', 'exec_id', 'a', 'aggregate_tradeid']
