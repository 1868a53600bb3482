import {
  isBanner,
  isBlank,
  isHeader,
  isNumber,
  normalized,
  placeOf,
  readTime,
  readTruth,
} from './table-fields.ts'

/*
 * Which column of a table of trades holds what. Headers are matched by the names that the archives of exchanges use;
 * tables without one are told apart by their shape.
 */

export interface TradeColumns {
  readonly layout: TradeLayout
  /** Rows before the first trade. */
  readonly headerRows: number
  /** Places within a row; -1 when there is none. */
  readonly time: number
  readonly price: number
  readonly quantity: number
  readonly id: number
  /** Of a text: `buy`, `Sell`, `b`. */
  readonly side: number
  /** Of a truth: whether the buyer was the maker, so that the taker sold. */
  readonly isBuyerMaker: number
  /** Whether the side is that of the maker, as Coinbase has it, and not of the taker. */
  readonly isSideOfMaker: boolean
}

/** Whose shape a table has: named columns, or that of an archive without a header. */
export type TradeLayout = 'named' | 'binance trades' | 'binance aggTrades' | 'time, price, volume'

/** The columns of a table of trades; null when it does not look like one. */
export function detectTradeColumns(rows: readonly (readonly string[])[]): TradeColumns | null {
  const headerAt = isBanner(rows[0]) ? 1 : 0
  const header = rows[headerAt]
  if (header === undefined || isBlank(header)) return null
  return isHeader(header) ? byName(header, headerAt + 1) : byShape(header, headerAt)
}

function byName(header: readonly string[], headerRows: number): TradeColumns | null {
  const names = header.map(normalized)
  const columns = {
    time: placeOf(names, timeNames),
    price: placeOf(names, ['price', 'p', 'trade_price', 'exec_price']),
    quantity: placeOf(names, quantityNames),
    id: placeOf(names, idNames),
    side: placeOf(names, ['side', 'taker_side', 'direction', 'type', 'maker_side']),
    isBuyerMaker: placeOf(names, ['is_buyer_maker', 'buyer_is_maker', 'buyer_maker', 'm']),
  }
  const isCandles = ['open', 'high', 'o', 'open_price'].some((name) => names.includes(name))
  if (isCandles || columns.time < 0 || columns.price < 0 || columns.quantity < 0) return null
  // Coinbase's interface names the maker's side, and is the one that calls the columns so.
  const isCoinbase = ['trade_id', 'time', 'size', 'side'].every((name) => names.includes(name))
  const isSideOfMaker = isCoinbase || names[columns.side] === 'maker_side'
  return { layout: 'named', headerRows, isSideOfMaker, ...columns }
}

/** Binance's archives: id, price, quantity, then one value or two ids, time, whether the buyer was the maker. */
function byShape(row: readonly string[], headerRows: number): TradeColumns | null {
  const common = { headerRows, id: 0, price: 1, quantity: 2, side: -1, isSideOfMaker: false }
  const isTruth = (place: number): boolean => readTruth(row[place]) !== null && !isNumber(row[place] ?? '')
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
