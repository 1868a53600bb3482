import { readNumber } from './table-fields.ts'

/*
 * The files that exchanges, vendors and programs write, and how they are recognized. An entry says only what its names or
 * its shape do not say themselves; whatever it says is checked against the rows.
 */

/** What a column of amounts is known to hold. */
export type VolumeKind = 'asset' | 'usd' | 'unknown' | 'count'

export interface KnownLayout {
  readonly name: string
  readonly holds: 'candles' | 'trades'
  /** Names, in our spelling, all of which the header has; empty for a table without a header. */
  readonly header: readonly string[]
  /** Names that the header must not have. */
  readonly lacks?: readonly string[]
  /** Whether the header has the names of `header` first, in this order. */
  readonly isInOrder?: boolean
  /** Returns whether a row without a header has the shape. */
  readonly isRow?: (row: readonly string[]) => boolean
  /** The column of the times, where several could be it. */
  readonly time?: string
  readonly times?: 'open' | 'close'
  /** The unit of the column called `volume`; `ask` where the file does not say it and people mean both. */
  readonly volumeIn?: 'asset' | 'usd' | 'ask'
  /** The columns of amounts of a table without a header, by their numbers from 0. */
  readonly volumes?: Readonly<Record<number, VolumeKind>>
  /** Whether rows stand in the order in which somebody received them, so that they are sorted by their own time. */
  readonly isInLocalOrder?: boolean
}

/** The exports that are known by their header. The first that fits counts. */
const namedExports: readonly KnownLayout[] = [
  {
    name: 'CoinMarketCap',
    holds: 'candles',
    header: ['time_open', 'time_close', 'open', 'close', 'volume', 'timestamp'],
    time: 'time_open',
    volumeIn: 'usd',
  },
  {
    name: 'CoinMarketCap',
    holds: 'candles',
    header: ['open', 'high', 'low', 'close', 'volume', 'market_cap'],
    volumeIn: 'usd',
  },
  {
    name: 'CoinAPI',
    holds: 'candles',
    header: ['time_period_start', 'time_period_end', 'price_open', 'price_close', 'volume_traded'],
    time: 'time_period_start',
  },
  {
    name: 'Tardis trade bars',
    holds: 'candles',
    header: ['open_timestamp', 'close_timestamp', 'timestamp', 'open', 'buy_volume', 'sell_volume'],
    time: 'timestamp',
    times: 'close',
  },
  {
    name: 'BitMEX',
    holds: 'candles',
    header: ['timestamp', 'symbol', 'open', 'close', 'home_notional', 'foreign_notional'],
    times: 'close',
  },
  {
    name: 'Binance',
    holds: 'candles',
    header: ['open_time', 'open', 'high', 'low', 'close', 'volume', 'close_time'],
    isInOrder: true,
  },
  {
    name: 'OKX',
    holds: 'candles',
    header: ['ts', 'o', 'h', 'l', 'c', 'vol', 'vol_ccy', 'confirm'],
  },
  { name: 'OKX', holds: 'candles', header: ['instrument_name', 'open', 'vol', 'vol_ccy', 'open_time'] },
  {
    name: 'Kraken',
    holds: 'candles',
    header: ['time', 'open', 'high', 'low', 'close', 'vwap', 'volume', 'count'],
  },
  { name: 'CryptoCompare', holds: 'candles', header: ['open', 'close', 'volumefrom', 'volumeto'] },
  {
    name: 'Bitstamp by Kaggle',
    holds: 'candles',
    header: ['timestamp', 'open', 'volume_btc', 'volume_currency', 'weighted_price'],
  },
  {
    name: 'CryptoDataDownload',
    holds: 'candles',
    header: ['date', 'symbol', 'open', 'high', 'low', 'close'],
  },
  {
    name: 'Yahoo',
    holds: 'candles',
    header: ['date', 'open', 'high', 'low', 'close', 'adj_close', 'volume'],
    volumeIn: 'ask',
  },
  {
    name: 'yfinance',
    holds: 'candles',
    header: ['open', 'close', 'volume', 'dividends', 'stock_splits'],
    volumeIn: 'ask',
  },
  {
    name: 'yfinance',
    holds: 'candles',
    header: ['date', 'close', 'high', 'low', 'open', 'volume'],
    isInOrder: true,
    volumeIn: 'ask',
  },
  {
    name: 'yfinance',
    holds: 'candles',
    header: ['datetime', 'close', 'high', 'low', 'open', 'volume'],
    isInOrder: true,
    volumeIn: 'ask',
  },
  {
    name: 'MetaTrader 5',
    holds: 'candles',
    header: ['date', 'open', 'high', 'low', 'close', 'tickvol', 'vol', 'spread'],
  },
  {
    name: 'MetaTrader 5',
    holds: 'candles',
    header: ['time', 'open', 'close', 'tick_volume', 'spread', 'real_volume'],
  },
  {
    name: 'Bybit',
    holds: 'candles',
    header: ['open', 'high', 'low', 'close', 'volume', 'turnover'],
    lacks: ['home_notional'],
  },
  {
    name: 'Coinbase',
    holds: 'candles',
    header: ['time', 'low', 'high', 'open', 'close', 'volume'],
    isInOrder: true,
  },
  {
    name: 'Tardis',
    holds: 'trades',
    header: ['exchange', 'symbol', 'timestamp', 'local_timestamp', 'id', 'side', 'price', 'amount'],
    time: 'timestamp',
    isInLocalOrder: true,
  },
]

/** The shapes of rows without a header. The first that fits every row counts. */
const shapedExports: readonly KnownLayout[] = [
  {
    name: 'Binance',
    holds: 'candles',
    header: [],
    isRow: (row) => row.length >= 8 && isEndOf(row[0], row[6]),
    volumes: { 5: 'asset', 7: 'usd' },
  },
  {
    name: 'OKX',
    holds: 'candles',
    header: [],
    isRow: (row) => row.length === 9 && /^[01]$/.test(row[8]?.trim() ?? ''),
    volumes: { 5: 'unknown', 6: 'unknown', 7: 'unknown' },
  },
  {
    name: 'Kraken',
    holds: 'candles',
    header: [],
    isRow: (row) =>
      row.length === 7 && /^\d{10}$/.test(row[0]?.trim() ?? '') && /^\d+$/.test(row[6]?.trim() ?? ''),
    volumes: { 5: 'unknown', 6: 'count' },
  },
]

/** Returns whether a field is a time a little after another one, in the same unit. */
function isEndOf(begin: string | undefined, end: string | undefined): boolean {
  const [from, to] = [readNumber(begin), readNumber(end)]
  return from > 1e9 && to > from && to < from * 2
}

/** Finds the export that has a header; null for none of the known ones. */
export function findNamedExport(names: readonly string[], holds: KnownLayout['holds']): KnownLayout | null {
  const found = namedExports.find(
    (known) =>
      known.holds === holds &&
      known.header.every((name) => names.includes(name)) &&
      !(known.lacks ?? []).some((name) => names.includes(name)) &&
      (known.isInOrder !== true || known.header.every((name, place) => names[place] === name)),
  )
  return found ?? null
}

/** Finds the export whose shape all of these rows have; null for none of the known ones. */
export function findShapedExport(rows: readonly (readonly string[])[]): KnownLayout | null {
  return (
    shapedExports.find(({ isRow }) => rows.length > 0 && rows.every((row) => isRow?.(row) === true)) ?? null
  )
}
