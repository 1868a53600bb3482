import type { Candle } from '../../../src/market/recordings/candle.ts'
import {
  cheap,
  coinMarketCap,
  days,
  type ExportFile,
  hour,
  hours,
  inUsd,
  iso,
  lines,
  list,
  mean,
  ohlc,
  text,
  trades,
  worth,
} from './exports.ts'

const withoutVolume = (of: readonly Candle[]): readonly Candle[] =>
  of.map((candle) => ({ ...candle, volume: 0 }))

/** Files that look like known exports and mean something else, or say too little: read right, or refused with an option. */
export const lookAlikes: readonly (ExportFile & { readonly says?: string })[] = [
  {
    name: 'Binance with volume and quote volume exchanged',
    text: lines(
      'open_time,open,high,low,close,volume,close_time,quote_volume',
      list(hours, (c) => [c.atMillis, ...ohlc(c), worth(c), c.atMillis + hour - 1, c.volume]),
    ),
    candles: hours,
    says: 'columns: volume=NAME',
  },
  {
    name: 'Binance with open and close times exchanged',
    text: lines(
      'open_time,open,high,low,close,volume,close_time,quote_volume',
      list(hours, (c) => [c.atMillis + hour - 1, ...ohlc(c), c.volume, c.atMillis, worth(c)]),
    ),
    candles: hours,
    says: 'times: open or times: close',
  },
  {
    name: 'Bitfinex, in the order open, close, high, low',
    text: lines(
      null,
      list(hours, (c) => [c.atMillis, c.open, c.close, c.high, c.low, c.volume]),
    ),
    candles: hours,
  },
  {
    name: 'prices in the order close, high, low, open',
    text: lines(
      null,
      list(hours, (c) => [c.atMillis, c.close, c.high, c.low, c.open, c.volume]),
    ),
    candles: hours,
    says: 'columns: open=…,close=…',
  },
  {
    name: 'Kraken REST cut behind the average price',
    text: lines(
      null,
      list(cheap, (c) => [c.atMillis / 1000, ...ohlc(c), mean(c).toFixed(6)]),
    ),
    candles: cheap,
    says: 'columns: volume=NAME',
  },
  {
    name: 'Kraken archive with whole volumes and turnovers, by KuCoin',
    text: lines(
      null,
      list(hours, (c) => [c.atMillis / 1000, c.open, c.close, c.high, c.low, c.volume, Math.round(worth(c))]),
    ),
    candles: hours,
  },
  {
    name: 'Bybit inverse contracts, with volume in USD and turnover in coins',
    text: lines(
      'startTime,openPrice,highPrice,lowPrice,closePrice,volume,turnover',
      list(hours, (c) => [c.atMillis, ...ohlc(c), worth(c), c.volume]),
    ),
    candles: hours,
  },
  {
    name: 'OKX with a column that is no confirmation',
    text: lines(
      null,
      list(hours, (c) => [c.atMillis, ...ohlc(c), c.volume, worth(c), worth(c), 7]),
    ),
    candles: hours,
  },
  {
    name: 'Bitstamp with ends of candles a millisecond short',
    text: lines(
      'timestamp,open,high,low,close,volume',
      list(hours, (c) => [c.atMillis + hour - 1, ...ohlc(c), c.volume]),
    ),
    candles: hours,
  },
  {
    name: 'BitMEX of another tool, whose times are beginnings',
    text: lines(
      'timestamp,symbol,open,high,low,close,trades,volume,vwap',
      list(hours, (c) => [iso(c.atMillis), 'XBTUSD', ...ohlc(c), trades(c), c.volume, mean(c).toFixed(4)]),
    ),
    candles: hours,
  },
  {
    name: 'a vwap that is none',
    text: lines(
      'timestamp,open,high,low,close,volume,vwap',
      list(hours, (c) => [c.atMillis, ...ohlc(c), c.volume, mean(c) * 1.2]),
    ),
    candles: hours,
    says: 'columns: open=…',
  },
  {
    name: 'CoinMarketCap with candles of two coins',
    text: lines(
      'timeOpen;timeClose;timeHigh;timeLow;name;open;high;low;close;volume;marketCap;timestamp',
      list(days, (c, place) => coinMarketCap(c).with(4, place % 2 === 0 ? 1027 : 2781), ';'),
    ),
    hasSemicolons: true,
    delimiter: ';',
    candles: days,
    says: 'symbol: 1027',
  },
  {
    name: 'CryptoDataDownload of two symbols',
    text: lines(
      'unix,date,symbol,open,high,low,close,Volume BTC,Volume USD',
      list(hours, (c, place) => [
        ...[
          c.atMillis / 1000,
          text(c.atMillis),
          place < 24 ? 'BTC/USD' : 'ETH/USD',
          ...ohlc(c),
          c.volume,
          worth(c),
        ],
      ]),
    ),
    candles: hours,
    says: 'symbol: BTC/USD',
  },
  {
    name: 'CryptoDataDownload whose date is local time',
    text: lines(
      'unix,date,symbol,open,high,low,close,Volume BTC,Volume USD',
      list(hours, (c) => [
        c.atMillis / 1000,
        text(c.atMillis - 5 * hour),
        'BTC/USD',
        ...ohlc(c),
        c.volume,
        worth(c),
      ]),
    ),
    candles: hours,
  },
  {
    name: 'CryptoDataDownload whose date is another time',
    text: lines(
      'unix,date,symbol,open,high,low,close,Volume BTC,Volume USD',
      list(hours, (c, place) => [
        ...[
          c.atMillis / 1000,
          text(c.atMillis + (place > 30 ? hour : 0)),
          'BTC/USD',
          ...ohlc(c),
          c.volume,
          worth(c),
        ],
      ]),
    ),
    candles: hours,
    says: 'columns: time=NAME',
  },
  {
    name: 'CryptoCompare with volumes exchanged',
    text: lines(
      'time,high,low,open,volumefrom,volumeto,close',
      list(hours, (c) => [c.atMillis / 1000, c.high, c.low, c.open, worth(c), c.volume, c.close]),
    ),
    candles: hours,
    says: 'columns: volume=NAME',
  },
  {
    name: 'Yahoo without a word on its volume',
    text: lines(
      'Date,Open,High,Low,Close,Adj Close,Volume',
      list(days, (c) => [iso(c.atMillis).slice(0, 10), ...ohlc(c), c.close, Math.round(worth(c) * 3e4)]),
    ),
    candles: days,
    says: 'volumeIn: usd or volumeIn: asset',
  },
  {
    name: 'yfinance of two assets',
    text: lines(
      'Price,Close,Close,High,High,Low,Low,Open,Open,Volume,Volume\nTicker,BTC-USD,ETH-USD,BTC-USD,ETH-USD,BTC-USD,ETH-USD,BTC-USD,ETH-USD,BTC-USD,ETH-USD\nDate,,,,,,,,,,',
      list(days, (c) => [
        ...[iso(c.atMillis).slice(0, 10), c.close, c.close / 30, c.high, c.high / 30, c.low, c.low / 30],
        ...[c.open, c.open / 30, c.volume, c.volume],
      ]),
    ),
    candles: days,
    says: 'symbol: BTC-USD',
  },
  {
    name: 'MetaTrader 5 with ticks alone',
    text: lines(
      ['<DATE>', '<TIME>', '<OPEN>', '<HIGH>', '<LOW>', '<CLOSE>', '<TICKVOL>', '<VOL>', '<SPREAD>'].join(
        '\t',
      ),
      list(
        hours,
        (c) => [...iso(c.atMillis).slice(0, 19).replaceAll('-', '.').split('T'), ...ohlc(c), trades(c), 0, 1],
        '\t',
      ),
    ),
    delimiter: '\t',
    candles: withoutVolume(hours),
  },
  {
    name: 'a lone volume in USD',
    text: lines(
      'timestamp,open,high,low,close,volume_usd',
      list(hours, (c) => [c.atMillis, ...ohlc(c), worth(c)]),
    ),
    candles: inUsd(hours, worth),
  },
  {
    name: 'German thousands',
    text: lines(
      'time;open;high;low;close;volume',
      list(
        hours,
        (c) => [c.atMillis, ...ohlc(c).map((price) => Math.round(price).toLocaleString('de-DE')), 12],
        ';',
      ),
    ),
    hasSemicolons: true,
    delimiter: ';',
    candles: hours,
    says: 'decimal: point or decimal: comma',
  },
]
