import { isBanner, isBlank, isNumber, normalized, placeOf, readTime } from './table-fields.ts'

/*
 * Which column of a table of candles holds what. Headers are matched by the names that the archives of exchanges and
 * data vendors use; a table without a header is read in the order that nearly all of them share, or in Coinbase's.
 */

export interface CandleColumns {
  /** `opens`: one price per row, from which the candle up to the next row is made. */
  readonly layout: 'candles' | 'opens'
  /** Rows before the first candle. */
  readonly headerRows: number
  /** Places within a row; `volume` is -1 when there is none. */
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** The columns of a table, or what its header lacks. */
export function detectColumns(
  rows: readonly (readonly string[])[],
): CandleColumns | { readonly row: number; readonly message: string } {
  const headerAt = isBanner(rows[0]) ? 1 : 0
  const header = rows[headerAt]
  if (header === undefined || isBlank(header)) return { row: 1, message: 'there are no rows' }
  if (header.length >= 5 && readTime(header[0] ?? '') !== null && header.slice(1).every(isNumberOrBlank)) {
    const places = isLowFirst(rows.slice(headerAt, headerAt + 1000)) ? lowFirst : inOrder
    return { ...places, headerRows: headerAt, volume: header.length > 5 ? 5 : -1 }
  }
  const names = header.map(normalized)
  const columns = {
    headerRows: headerAt + 1,
    time: timePlace(names, rows[headerAt + 1]),
    open: placeOf(names, openNames),
    high: placeOf(names, highNames),
    low: placeOf(names, lowNames),
    close: placeOf(names, closeNames),
    volume: volumePlace(names),
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

const inOrder = { layout: 'candles', time: 0, open: 1, high: 2, low: 3, close: 4 } as const
/** Coinbase's interface answers time, low, high, open, close. */
const lowFirst = { layout: 'candles', time: 0, low: 1, high: 2, open: 3, close: 4 } as const

const isNumberOrBlank = (field: string): boolean => field.trim() === '' || isNumber(field)

/** Whether the rows are candles in Coinbase's order, and not in the usual one. */
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

/* Of several, the first of this list counts: numbers before texts, since texts may leave out the zone. */
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

/** As pandas writes an index without a name, and as it writes that column again after it has read it. */
const namesOfIndexes = ['', 'index', 'unnamed_0'] as const

/** The place of the time: a column with its name, else a first one without a name that has a time in its first row. */
function timePlace(names: readonly string[], first: readonly string[] | undefined): number {
  const place = placeOf(names, timeNames)
  const isIndex = namesOfIndexes.some((name) => name === names[0]) && readTime(first?.[0] ?? '') !== null
  return place < 0 && isIndex ? 0 : place
}

/** The volume in units of the asset; `Volume BTC` is one, `Volume USDT` is not. */
function volumePlace(names: readonly string[]): number {
  const place = placeOf(names, volumeNames)
  if (place >= 0) return place
  return names.findIndex((name) => name.startsWith('volume_') && !/^volume_(usd|eur|quote)/.test(name))
}
