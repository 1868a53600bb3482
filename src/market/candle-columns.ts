/*
 * Where a table of candles keeps what. Headers are matched by the names that the archives of exchanges and data
 * vendors use; a table without a header is taken in the order that all of them share.
 */

export interface CandleColumns {
  /** `opens`: one price a row, from which the candle to the next row's is made. */
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
  if (header.length >= 5 && header.every((field) => field.trim() === '' || isNumber(field))) {
    return { ...inOrder, headerRows: headerAt, volume: header.length > 5 ? 5 : -1 }
  }
  const names = header.map(normalized)
  const columns = {
    headerRows: headerAt + 1,
    time: placeOf(names, timeNames),
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

/** Nothing but empty fields, as archives put between or after their rows. */
export function isBlank(fields: readonly string[]): boolean {
  return fields.every((field) => field.trim() === '')
}

/** A plain decimal, with or without an exponent. */
export function isNumber(field: string): boolean {
  return numberPattern.test(field.trim())
}

const numberPattern = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/
const inOrder = { layout: 'candles', time: 0, open: 1, high: 2, low: 3, close: 4 } as const

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
  'datetime',
  'date',
] as const
const openNames = ['open', 'o', 'open_price'] as const
const highNames = ['high', 'h', 'high_price'] as const
const lowNames = ['low', 'l', 'low_price'] as const
const closeNames = ['close', 'c', 'close_price'] as const
const volumeNames = ['volume', 'vol', 'v', 'base_volume'] as const

/** CryptoDataDownload's files begin with the address of the site. */
function isBanner(row: readonly string[] | undefined): boolean {
  return row !== undefined && row.length === 1 && row[0]?.trim().startsWith('http') === true
}

function placeOf(names: readonly string[], wanted: readonly string[]): number {
  for (const name of wanted) {
    const place = names.indexOf(name)
    if (place >= 0) return place
  }
  return -1
}

/** The volume in units of the asset; `Volume BTC` is one, `Volume USDT` is not. */
function volumePlace(names: readonly string[]): number {
  const place = placeOf(names, volumeNames)
  if (place >= 0) return place
  return names.findIndex((name) => name.startsWith('volume_') && !/^volume_(usd|eur|quote)/.test(name))
}

function normalized(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^\ufeff/, '')
    .replace(/[^a-z0-9]+/g, '_')
}
