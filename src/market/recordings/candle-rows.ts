import { isPrice } from '../../shape/spec-checks.ts'
import {
  findColumn,
  isBanner,
  isBlank,
  isNumber,
  normalizeName,
  numberHint,
  readNumber,
  readTime,
} from './table-fields.ts'

/** Describes what is wrong with a table of candles, and where. */
export interface CandleProblem {
  /** Row number from 1, the header included. */
  readonly row: number
  /** Column by its meaning; empty where the whole row is wrong. */
  readonly column: '' | 'time' | 'open' | 'high' | 'low' | 'close' | 'volume'
  readonly message: string
}

/** Candle of one row, without its span. Prices in USD, volume in units of the asset. */
export interface CandleRow {
  readonly row: number
  readonly atMillis: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/**
 * Returns the candle of a row, or the first problem of the row. `row` is its number from 1. Checks in order:
 * the number of fields, time, open, volume, high, low, close, and whether high and low enclose the others.
 */
export function readRow(
  fields: readonly string[],
  columns: CandleColumns,
  row: number,
): CandleRow | CandleProblem {
  const needed = Math.max(columns.time, columns.open, columns.high, columns.low, columns.close)
  if (fields.length <= needed) {
    return { row, column: '', message: `${fields.length} fields where at least ${needed + 1} are needed` }
  }
  const atMillis = readTime(fields[columns.time] ?? '')
  if (atMillis === null) {
    return {
      row,
      column: 'time',
      message: `"${fields[columns.time]}" is not a time (ISO 8601, or a number since 1970)`,
    }
  }
  const open = readNumber(fields[columns.open])
  if (!isPrice(open)) return { row, column: 'open', message: formatNotPrice(fields[columns.open]) }
  const volume = readVolume(fields[columns.volume])
  if (!(volume >= 0)) {
    const field = fields[columns.volume]
    return { row, column: 'volume', message: `"${field}" is not a quantity of 0 or more${numberHint(field)}` }
  }
  if (columns.layout === 'opens') return { row, atMillis, open, high: open, low: open, close: open, volume }
  const prices = { high: open, low: open, close: open }
  for (const column of ['high', 'low', 'close'] as const) {
    const price = readNumber(fields[columns[column]])
    if (!isPrice(price)) return { row, column, message: formatNotPrice(fields[columns[column]]) }
    prices[column] = price
  }
  const { high, low, close } = prices
  if (high < Math.max(open, close)) {
    return {
      row,
      column: 'high',
      message: `${high} is below the ${high < open ? `open ${open}` : `close ${close}`}`,
    }
  }
  if (low > Math.min(open, close)) {
    return {
      row,
      column: 'low',
      message: `${low} is above the ${low > open ? `open ${open}` : `close ${close}`}`,
    }
  }
  return { row, atMillis, open, high, low, close, volume }
}

/** Returns the volume of a field; 0 for an empty or missing one, NaN for text. */
function readVolume(field: string | undefined): number {
  return field === undefined || field.trim() === '' ? 0 : readNumber(field)
}

function formatNotPrice(field: string | undefined): string {
  return `"${field}" is not a price above 0${numberHint(field)}`
}

/**
 * Returns the commonest distance between neighbours in time, milliseconds; of equally common ones the shortest;
 * 0 where no two rows differ. Rows are in ascending order; rows of one instant have no distance.
 */
export function findCommonestDistance(rows: readonly { readonly atMillis: number }[]): number {
  const counts = new Map<number, number>()
  for (const [place, row] of rows.entries()) {
    const distance = (rows[place + 1]?.atMillis ?? row.atMillis) - row.atMillis
    if (distance > 0) counts.set(distance, (counts.get(distance) ?? 0) + 1)
  }
  let commonest = 0
  for (const [distance, count] of counts) {
    const most = counts.get(commonest) ?? 0
    if (count > most || (count === most && distance < commonest)) commonest = distance
  }
  return commonest
}

/*
 * Which column of a table of candles holds what. Headers are matched by the names that the archives of
 * exchanges and data vendors use. A table without a header is read in the order that nearly all of them share,
 * or in Coinbase's.
 */

/** Column numbers of a table of candles, from 0. */
export interface CandleColumns {
  /**
   * Layout of the rows: whole candles, or `opens` with one price per row, from which the candle up to the next
   * row is made.
   */
  readonly layout: 'candles' | 'opens'
  /** Number of rows before the first candle. */
  readonly headerRows: number
  /* Column numbers within a row; `volume` is -1 where there is none. */
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** Returns the columns of a table of candles, or what its header lacks. */
export function detectColumns(
  rows: readonly (readonly string[])[],
): CandleColumns | { readonly row: number; readonly message: string } {
  const headerAt = isBanner(rows[0]) ? 1 : 0
  const header = rows[headerAt]
  if (header === undefined || isBlank(header)) return { row: 1, message: 'there are no rows' }
  if (header.length >= 5 && readTime(header[0] ?? '') !== null && header.slice(1).every(isNumberOrBlank)) {
    const places = isLowFirst(rows.slice(headerAt, headerAt + 1000)) ? lowFirst : usualOrder
    return { ...places, headerRows: headerAt, volume: header.length > 5 ? 5 : -1 }
  }
  const names = header.map(normalizeName)
  const columns = {
    headerRows: headerAt + 1,
    time: findTimeColumn(names, rows[headerAt + 1]),
    open: findColumn(names, openNames),
    high: findColumn(names, highNames),
    low: findColumn(names, lowNames),
    close: findColumn(names, closeNames),
    volume: findVolumeColumn(names),
  }
  const known = `; the columns are ${header.map((name) => name.trim()).join(', ')}`
  const row = headerAt + 1
  if (columns.time < 0)
    return { row, message: `no column for the time (one of ${timeNames.join(', ')})${known}` }
  if (columns.open < 0) return { row, message: `no column for the open${known}` }
  if (columns.high < 0 && columns.low < 0 && columns.close < 0) return { layout: 'opens', ...columns }
  for (const name of ['high', 'low', 'close'] as const) {
    if (columns[name] < 0) return { row, message: `no column for the ${name}${known}` }
  }
  return { layout: 'candles', ...columns }
}

const usualOrder = { layout: 'candles', time: 0, open: 1, high: 2, low: 3, close: 4 } as const
/** Column order of Coinbase's interface: time, low, high, open, close. */
const lowFirst = { layout: 'candles', time: 0, low: 1, high: 2, open: 3, close: 4 } as const

const isNumberOrBlank = (field: string): boolean => field.trim() === '' || isNumber(field)

/** Returns whether the rows are candles in Coinbase's order and not in the usual one. */
function isLowFirst(rows: readonly (readonly string[])[]): boolean {
  let isUsual = true
  for (const fields of rows) {
    if (isBlank(fields)) continue
    const [first = 0, second = 0, third = 0, fourth = 0] = fields.slice(1, 5).map(Number)
    isUsual &&= second >= Math.max(first, fourth) && third <= Math.min(first, fourth)
    if (first > Math.min(third, fourth) || second < Math.max(third, fourth)) return false
  }
  return !isUsual
}

/* The earliest name in this list wins: numbers come before texts, because a text may leave out its zone. */
const timeNames = [
  'ts_ms',
  'timestamp_ms',
  'open_time',
  'opentime',
  'unix',
  'unix_timestamp',
  'timestamp',
  'time',
  'ts',
  't',
  'start',
  'start_time',
  'start_at',
  'open_timestamp',
  'datetime',
  'date',
] as const
const openNames = ['open', 'o', 'open_price'] as const
const highNames = ['high', 'h', 'high_price'] as const
const lowNames = ['low', 'l', 'low_price'] as const
const closeNames = ['close', 'c', 'close_price'] as const
const volumeNames = ['volume', 'vol', 'v', 'base_volume', 'volume_base'] as const

/**
 * Names of a nameless index column: as pandas writes it, and as it writes that column again after reading it.
 */
const indexColumnNames = ['', 'index', 'unnamed_0'] as const

/**
 * Returns the column of the time: the one with a name for it, else a nameless first column that has a time in
 * its first row, else -1.
 */
function findTimeColumn(names: readonly string[], first: readonly string[] | undefined): number {
  const place = findColumn(names, timeNames)
  const isIndex = indexColumnNames.some((name) => name === names[0]) && readTime(first?.[0] ?? '') !== null
  return place < 0 && isIndex ? 0 : place
}

/**
 * Returns the column of the volume in units of the asset, or -1. `Volume BTC` is such a column; `Volume USDT`
 * is not.
 */
function findVolumeColumn(names: readonly string[]): number {
  const place = findColumn(names, volumeNames)
  if (place >= 0) return place
  return names.findIndex((name) => name.startsWith('volume_') && !/^volume_(usd|eur|quote)/.test(name))
}
