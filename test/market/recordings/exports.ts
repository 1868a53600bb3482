import type { Candle } from '../../../src/market/recordings/candle.ts'
import type { FileOptions } from '../../../src/market/recordings/file-options.ts'

/*
 * The files that exchanges, vendors and programs write, in their exact form, made from one walk of prices. Each has a
 * look-alike: a file of nearly the same form that means something else, with what is right for it.
 */

export const hour = 3_600_000
const day = 86_400_000
/** 2025-01-01T00:00:00Z. */
export const start = 1_735_689_600_000

/** A walk of prices with volumes, by a formula. */
function walk(count: number, spanMillis: number, first = 94_123.45): readonly Candle[] {
  let open = first
  const digits = first > 1000 ? 2 : 5
  const round = (value: number): number => Number(value.toFixed(digits))
  return Array.from({ length: count }, (_, place) => {
    const close = round(open * (1 + 0.004 * Math.sin(place * 1.7) + 0.001 * Math.cos(place * 5.1)))
    const candle = {
      atMillis: start + place * spanMillis,
      spanMillis,
      open,
      high: round(Math.max(open, close) * 1.0013),
      low: round(Math.min(open, close) * 0.9991),
      close,
      volume: Number((12 + 7 * Math.sin(place * 0.9) + (place % 3) * 0.11).toFixed(5)),
    }
    open = close
    return candle
  })
}

export const hours = walk(48, hour)
export const days = walk(48, day)
export const iso = (millis: number): string => new Date(millis).toISOString()
export const text = (millis: number): string => iso(millis).slice(0, 19).replace('T', ' ')
export const mean = ({ open, close }: Candle): number => (open + close) / 2
export const worth = (candle: Candle): number => Number((candle.volume * mean(candle)).toFixed(4))
export const trades = (candle: Candle): number => 100 + (Math.round(candle.volume * 1000) % 97)
export const lines = (header: string | null, rows: readonly string[]): string =>
  `${[...(header === null ? [] : [header]), ...rows].join('\n')}\n`
export const list = (
  of: readonly Candle[],
  row: (candle: Candle, place: number) => readonly unknown[],
  by = ',',
): readonly string[] => of.map((candle, place) => row(candle, place).join(by))

export interface ExportFile {
  readonly name: string
  readonly text: string
  readonly hasSemicolons?: boolean
  readonly delimiter?: string
  /** What the file means. */
  readonly candles: readonly Candle[]
  readonly options?: FileOptions
  /** What the explanation calls it; undefined where nothing is expected. */
  readonly known?: string | null
}

const binance = (unit: number) => (c: Candle) => [
  ...[c.atMillis * unit, c.open, c.high, c.low, c.close, c.volume, (c.atMillis + c.spanMillis) * unit - 1],
  ...[worth(c), trades(c), c.volume / 2, worth(c) / 2, 0],
]
export const coinMarketCap = (c: Candle) => [
  ...[
    iso(c.atMillis),
    iso(c.atMillis + day - 1),
    iso(c.atMillis + 3 * hour),
    iso(c.atMillis + 5 * hour),
    2781,
  ],
  ...[c.open, c.high, c.low, c.close, 2e6 * worth(c), 1e12, iso(c.atMillis + day - 1)],
]
export const inUsd = (of: readonly Candle[], usd: (candle: Candle) => number): readonly Candle[] =>
  of.map((candle) => ({ ...candle, volume: (2 * usd(candle)) / (candle.open + candle.close) }))

export const ohlc = ({ open, high, low, close }: Candle) => [open, high, low, close]
export const cheap = walk(48, hour, 0.45123).map((candle) => ({
  ...candle,
  volume: candle.volume * 40_000 + 0.5,
}))
const newestFirst = <Item>(items: readonly Item[]): readonly Item[] => items.toReversed()

/** Writes a time with tenths of microseconds, as CoinAPI does. */
const inSevenDigits = (text: string): string => text.replace('Z', '0000Z')

/** Every known export, in its exact form. */
export const exportFiles: readonly ExportFile[] = [
  { name: 'Binance klines', text: lines(null, list(hours, binance(1))), candles: hours, known: 'Binance' },
  {
    name: 'Binance klines in microseconds',
    text: lines(null, list(hours, binance(1000))),
    candles: hours,
    known: 'Binance',
  },
  {
    name: 'Binance futures klines',
    text: lines(
      'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore',
      list(hours, binance(1)),
    ),
    candles: hours,
    known: 'Binance',
  },
  {
    name: 'Binance, milliseconds and then microseconds',
    text: lines(null, [...list(hours.slice(0, 20), binance(1)), ...list(hours.slice(20), binance(1000))]),
    candles: hours,
  },
  {
    name: 'Coinbase',
    text: lines(
      null,
      newestFirst(list(hours, (c) => [c.atMillis / 1000, c.low, c.high, c.open, c.close, c.volume])),
    ),
    candles: hours,
    known: 'Coinbase',
  },
  {
    name: 'Kraken REST',
    text: lines(
      null,
      list(cheap, (c, place) => [c.atMillis / 1000, ...ohlc(c), mean(c).toFixed(6), c.volume, 200 + place]),
    ),
    candles: cheap,
  },
  {
    name: 'Kraken OHLCVT',
    text: lines(
      null,
      list(hours, (c) => [c.atMillis / 1000, ...ohlc(c), c.volume, trades(c)]),
    ),
    candles: hours,
    known: 'Kraken',
  },
  {
    name: 'Bybit',
    text: lines(
      'startTime,openPrice,highPrice,lowPrice,closePrice,volume,turnover',
      list(hours, (c) => [c.atMillis, ...ohlc(c), c.volume, worth(c)]),
    ),
    candles: hours,
  },
  {
    name: 'Bybit REST',
    text: lines(null, newestFirst(list(hours, (c) => [c.atMillis, ...ohlc(c), c.volume, worth(c)]))),
    candles: hours,
  },
  {
    name: 'OKX with its unfinished candle',
    text: lines(
      'ts,o,h,l,c,vol,volCcy,volCcyQuote,confirm',
      newestFirst(
        list(hours, (c, place) => [
          c.atMillis,
          ...ohlc(c),
          c.volume,
          worth(c),
          worth(c),
          place === 47 ? 0 : 1,
        ]),
      ),
    ),
    candles: hours.slice(0, -1),
    known: 'OKX',
  },
  {
    name: 'OKX swaps without a header',
    text: lines(
      null,
      list(hours, (c) => [c.atMillis, ...ohlc(c), Math.round(c.volume * 100), c.volume, worth(c), 1]),
    ),
    candles: hours,
    known: 'OKX',
  },
  {
    name: 'Bitstamp',
    text: lines(
      'timestamp,open,high,low,close,volume',
      list(hours, (c) => [c.atMillis / 1000, ...ohlc(c), c.volume]),
    ),
    candles: hours,
  },
  {
    name: 'Bitstamp by Kaggle',
    text: lines(
      'Timestamp,Open,High,Low,Close,Volume_(BTC),Volume_(Currency),Weighted_Price',
      list(hours, (c, place) =>
        place === 9
          ? [c.atMillis / 1000, ...Array.from({ length: 7 }, () => 'NaN')]
          : [c.atMillis / 1000, ...ohlc(c), c.volume, worth(c), mean(c)],
      ),
    ),
    candles: hours.filter((_, place) => place !== 9),
    known: 'Bitstamp by Kaggle',
  },
  {
    name: 'BitMEX',
    text: lines(
      'timestamp,symbol,open,high,low,close,trades,volume,vwap,lastSize,turnover,homeNotional,foreignNotional',
      list(hours, (c) => [
        ...[
          iso(c.atMillis + hour),
          'XBTUSD',
          ...ohlc(c),
          trades(c),
          Math.round(worth(c)),
          mean(c).toFixed(4),
          100,
        ],
        ...[Math.round(c.volume * 1e8), c.volume, worth(c)],
      ]),
    ),
    candles: hours,
    known: 'BitMEX',
  },
  {
    name: 'CoinMarketCap',
    text: lines(
      'timeOpen;timeClose;timeHigh;timeLow;name;open;high;low;close;volume;marketCap;timestamp',
      newestFirst(list(days, coinMarketCap, ';')),
    ),
    hasSemicolons: true,
    delimiter: ';',
    candles: inUsd(days, (c) => 2e6 * worth(c)),
    known: 'CoinMarketCap',
  },
  {
    name: 'CryptoDataDownload',
    text: lines(
      'https://www.CryptoDataDownload.com\nunix,date,symbol,open,high,low,close,Volume BTC,Volume USD',
      newestFirst(
        list(hours, (c) => [c.atMillis / 1000, text(c.atMillis), 'BTC/USD', ...ohlc(c), c.volume, worth(c)]),
      ),
    ),
    candles: hours,
    known: 'CryptoDataDownload',
  },
  {
    name: 'CryptoDataDownload with 06-PM',
    text: lines(
      'https://www.CryptoDataDownload.com\nDate,Symbol,Open,High,Low,Close,Volume BTC,Volume USD',
      newestFirst(
        list(hours, (c) => {
          const at = new Date(c.atMillis).getUTCHours()
          const shown = `${String(at % 12 === 0 ? 12 : at % 12).padStart(2, '0')}-${at < 12 ? 'AM' : 'PM'}`
          return [`${iso(c.atMillis).slice(0, 10)} ${shown}`, 'BTCUSD', ...ohlc(c), c.volume, worth(c)]
        }),
      ),
    ),
    candles: hours,
    known: 'CryptoDataDownload',
  },
  {
    name: 'CryptoCompare',
    text: lines(
      'time,high,low,open,volumefrom,volumeto,close,conversionType,conversionSymbol',
      list(hours, (c) => [
        c.atMillis / 1000,
        c.high,
        c.low,
        c.open,
        c.volume,
        worth(c),
        c.close,
        'direct',
        '',
      ]),
    ),
    candles: hours,
    known: 'CryptoCompare',
  },
  {
    name: 'Yahoo',
    text: lines(
      'Date,Open,High,Low,Close,Adj Close,Volume',
      list(days, (c, place) =>
        place === 30
          ? [iso(c.atMillis).slice(0, 10), ...Array.from({ length: 6 }, () => 'null')]
          : [iso(c.atMillis).slice(0, 10), ...ohlc(c), c.close, Math.round(worth(c) * 3e4)],
      ),
    ),
    options: { volumeIn: 'usd' },
    candles: inUsd(days, (c) => Math.round(worth(c) * 3e4)).filter((_, place) => place !== 30),
    known: 'Yahoo',
  },
  {
    name: 'yfinance with three header rows',
    text: lines(
      'Price,Close,High,Low,Open,Volume\nTicker,BTC-USD,BTC-USD,BTC-USD,BTC-USD,BTC-USD\nDate,,,,,',
      list(days, (c) => [
        iso(c.atMillis).slice(0, 10),
        c.close,
        c.high,
        c.low,
        c.open,
        Math.round(worth(c) * 3e4),
      ]),
    ),
    options: { volumeIn: 'usd' },
    candles: inUsd(days, (c) => Math.round(worth(c) * 3e4)),
    known: 'yfinance',
  },
  {
    name: 'MetaTrader 5',
    text: lines(
      ['<DATE>', '<TIME>', '<OPEN>', '<HIGH>', '<LOW>', '<CLOSE>', '<TICKVOL>', '<VOL>', '<SPREAD>'].join(
        '\t',
      ),
      list(
        hours,
        (c) => [
          ...iso(c.atMillis).slice(0, 19).replaceAll('-', '.').split('T'),
          ...ohlc(c),
          trades(c),
          c.volume,
          1,
        ],
        '\t',
      ),
    ),
    delimiter: '\t',
    candles: hours,
    known: 'MetaTrader 5',
  },
  {
    name: 'Tardis trade bars',
    text: lines(
      'type,symbol,exchange,interval,open,high,low,close,volume,buyVolume,sellVolume,trades,vwap,openTimestamp,closeTimestamp,localTimestamp,timestamp',
      list(hours, (c) => [
        ...[
          'trade_bar',
          'BTCUSDT',
          'binance',
          hour,
          ...ohlc(c),
          c.volume,
          c.volume / 2,
          c.volume / 2,
          trades(c),
          mean(c),
        ],
        ...[
          iso(c.atMillis + 217),
          iso(c.atMillis + hour - 340),
          iso(c.atMillis + hour + 9),
          iso(c.atMillis + hour),
        ],
      ]),
    ),
    candles: hours,
    known: 'Tardis trade bars',
  },
  {
    name: 'ccxt and freqtrade',
    text: lines(
      null,
      list(hours, (c) => [c.atMillis, ...ohlc(c), c.volume]),
    ),
    candles: hours,
  },
]

/** Further exports, which the mutations of `mutated-files.test.ts` do not draw. */
export const furtherExports: readonly ExportFile[] = [
  {
    name: 'CoinAPI',
    text: lines(
      'time_period_start;time_period_end;time_open;time_close;price_open;price_high;price_low;price_close;volume_traded;trades_count',
      list(
        hours,
        (c, place) => [
          ...[iso(c.atMillis), iso(c.atMillis + hour), iso(c.atMillis + 321 + place)].map(inSevenDigits),
          inSevenDigits(iso(c.atMillis + hour - 99 - place)),
          ...[...ohlc(c), c.volume, trades(c)],
        ],
        ';',
      ),
    ),
    delimiter: ';',
    hasSemicolons: true,
    candles: hours,
    known: 'CoinAPI',
  },
]
