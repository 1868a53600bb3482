import { type ColumnKind, columnRoles, type FileOptions } from './file-options.ts'
import type { RecordingProblem } from './interpretation.ts'
import { findNamedExport, findShapedExport, type KnownLayout } from './known-exports.ts'
import { findColumn, isBlank, isMissing, isNumber } from './table-fields.ts'
import { type TableHeader, type TableRows, timeNames } from './table-header.ts'
import { isClock } from './table-times.ts'
import { findVolumeClaim, type VolumeCandidate } from './volume-column.ts'

/*
 * Which column of a table of candles holds what. Headers are matched by the names that the archives of
 * exchanges and data vendors use. A table without a header is read in the order that its prices allow.
 */

/** Column numbers of a table of candles, from 0; -1 for a column that does not exist. */
export interface CandleColumns {
  readonly known: KnownLayout | null
  /**
   * Layout of the rows: whole candles, or `opens` with one price per row, from which the candle up to the next
   * row is made.
   */
  readonly layout: 'candles' | 'opens'
  readonly time: number
  /** Column of the time of the day, where `time` has the day alone. */
  readonly clock: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly vwap: number
  /** Column that says whether a candle is complete. */
  readonly finished: number
  readonly zone: number
  /** Columns of other times, which are compared with the time. */
  readonly otherTimes: readonly number[]
  /** Columns that have one value in the rows of one recording: symbols, exchanges, spans. */
  readonly sameValues: readonly number[]
  readonly volumes: readonly VolumeCandidate[]
}

type Rows = readonly (readonly string[])[]

/** The names of each column. The earliest in a list wins. */
const namesByRole = {
  open: ['open', 'o', 'open_price', 'price_open', 'opening_price', 'first'],
  high: ['high', 'h', 'high_price', 'price_high', 'max'],
  low: ['low', 'l', 'low_price', 'price_low', 'min'],
  close: ['close', 'c', 'close_price', 'price_close', 'closing_price', 'close_last', 'last', 'adj_close'],
  vwap: ['vwap', 'vw', 'weighted_price', 'weighted_average'],
  finished: ['confirm', 'is_closed', 'closed', 'is_final', 'complete', 'is_complete'],
  zone: ['tz', 'timezone', 'time_zone', 'utc_offset', 'zone', 'offset'],
} as const

const clockNames = ['time', 'clock', 'hour'] as const
/** Names of columns that have one value in the rows of one recording. */
export const symbolNames: ReadonlySet<string> = new Set([
  ...[
    'symbol',
    'pair',
    'ticker',
    'instrument',
    'instrument_name',
    'inst_id',
    'market',
    'coin',
    'name',
    'exchange',
  ],
  ...['interval', 'timeframe', 'resolution', 'venue', 'base', 'product_id', 'currency_pair', 's', 'i'],
])

/**
 * Names of a nameless index column: as pandas writes it, and as it writes that column again after reading it.
 */
const indexNames: ReadonlySet<string> = new Set(['', 'index', 'unnamed_0'])

/** Finds the columns of a table of candles, or what its header lacks. */
export function findCandleColumns(
  header: TableHeader,
  rows: TableRows,
  options: FileOptions,
): CandleColumns | RecordingProblem {
  const sample = sampleRows(rows, header.firstRow)
  return header.written.length === 0
    ? findByShape(sample, options, header.firstRow + 1)
    : findByName(header, sample, options)
}

/** The number of rows by which columns are judged. */
const sampleSize = 1000

/** Picks rows evenly from a table, the last one included. */
export function sampleRows(rows: TableRows, firstRow: number): Rows {
  const step = Math.max(1, Math.floor((rows.length - firstRow) / sampleSize))
  const sample: (readonly string[])[] = []
  for (let place = rows.length - 1; place >= firstRow; place -= step) {
    const row = rows.at(place)
    if (row !== undefined && !isBlank(row)) sample.push(row)
  }
  return sample.reverse()
}

function findByName(
  header: TableHeader,
  sample: Rows,
  options: FileOptions,
): CandleColumns | RecordingProblem {
  const { written, firstRow } = header
  const row = firstRow
  const stated = findStated(header, options)
  if ('message' in stated) return stated
  const names = namesOfSymbol(header, options)
  const twice = findTwice(names, stated)
  if (twice !== null) return { row, column: '', message: formatTwice(twice, header) }
  const known = findNamedExport(names, 'candles')
  const there = `; the columns are ${written.join(', ')}`
  const find = (role: keyof typeof namesByRole): number => findColumn(names, namesByRole[role])
  const time = stated.time ?? findTime(names, known, sample)
  if (time < 0) return { row, column: '', message: `no column for the time${there}; say columns: time=NAME` }
  const columns = {
    open: stated.open ?? find('open'),
    high: stated.high ?? find('high'),
    low: stated.low ?? find('low'),
    close: stated.close ?? find('close'),
  }
  if (columns.open < 0)
    return { row, column: '', message: `no column for the open${there}; say columns: open=NAME` }
  const isOpens = columns.high < 0 && columns.low < 0 && columns.close < 0
  for (const name of ['high', 'low', 'close'] as const) {
    if (!isOpens && columns[name] < 0)
      return { row, column: '', message: `no column for the ${name}${there}; say columns: ${name}=NAME` }
  }
  const clock = stated.clock ?? findClock(names, time, sample)
  return {
    known,
    layout: isOpens ? 'opens' : 'candles',
    ...columns,
    // A table may call the time of the day `time`, and its day `date`.
    ...placeClock(names, time, clock, sample),
    vwap: find('vwap'),
    finished: find('finished'),
    zone: find('zone'),
    otherTimes: names.flatMap((name, place) =>
      isTimeName(name) && place !== time && place !== clock && !isTradeTime(name, known) ? [place] : [],
    ),
    sameValues: names.flatMap((name, place) => (symbolNames.has(name) ? [place] : [])),
    volumes: listVolumes(names, stated.volume),
  }
}

/**
 * Returns whether a column is the time of a trade within the candle: the first and the last one are not the candle's
 * bounds.
 */
const isTradeTime = (name: string, known: KnownLayout | null): boolean =>
  (known?.name === 'Tardis trade bars' && name !== 'timestamp') ||
  (known?.name === 'CoinAPI' && (name === 'time_open' || name === 'time_close'))

type Stated = Partial<Record<ColumnKind, number>>

/**
 * Finds the columns that the options name, by role. Returns a problem for the first name that the file does not have.
 */
export function findStated(
  { labels, names, written, firstRow }: TableHeader,
  { columns = {} }: FileOptions,
  width = written.length,
): Stated | RecordingProblem {
  const stated: Stated = {}
  for (const [role, name] of Object.entries(columns)) {
    const known = findRole(role)
    if (known === null || name === undefined) continue
    const place = name === 'none' ? -1 : findWritten(name, written, names, labels)
    if (place >= width || (place < 0 && name !== 'none')) {
      const there =
        written.length === 0 ? `there are ${width} columns` : `the columns are ${written.join(', ')}`
      return { row: Math.max(1, firstRow), column: known, message: `there is no column "${name}"; ${there}` }
    }
    stated[known] = place
  }
  return stated
}

const findRole = (word: string): ColumnKind | null => columnRoles.find((role) => role === word) ?? null

function findWritten(
  name: string,
  written: readonly string[],
  names: readonly string[],
  labels: readonly string[],
): number {
  const place = written.indexOf(name)
  if (place >= 0) return place
  const labelled = written.findIndex((one, column) => `${one} ${labels[column] ?? ''}`.trim() === name)
  if (labelled >= 0) return labelled
  const ours = names.indexOf(name.toLowerCase())
  return ours < 0 && /^\d{1,4}$/.test(name) ? Number(name) - 1 : ours
}

/** Returns the names of the columns, without those that a second header row gives to another symbol. */
function namesOfSymbol({ labels, names }: TableHeader, { symbol }: FileOptions): readonly string[] {
  if (symbol === undefined || !labels.includes(symbol)) return names
  return names.map((name, place) => {
    const label = labels[place] ?? ''
    return label === symbol || label === '' || place === 0 ? name : ''
  })
}

interface TwiceNamed {
  readonly name: string
  readonly role: ColumnKind
}

/** Returns a name that decides something and that two columns have, with what it decides; null for none. */
function findTwice(names: readonly string[], stated: Stated): TwiceNamed | null {
  const isTwice = (name: string): boolean => names.indexOf(name) !== names.lastIndexOf(name)
  for (const role of ['open', 'high', 'low', 'close'] as const) {
    if (stated[role] !== undefined) continue
    const first = namesByRole[role].find((name) => names.includes(name))
    if (first !== undefined && isTwice(first)) return { name: first, role }
  }
  const time = stated.time === undefined ? timeNames.find(isTwice) : undefined
  if (time !== undefined) return { name: time, role: 'time' }
  const volumes = stated.volume === undefined ? names.filter((name) => findVolumeClaim(name) !== null) : []
  const volume = volumes.find(isTwice)
  return volume === undefined ? null : { name: volume, role: 'volume' }
}

function formatTwice({ name, role }: TwiceNamed, { labels, names, written }: TableHeader): string {
  const places = names.flatMap((other, place) => (other === name ? [place] : []))
  const numbers = places.map((place) => place + 1).join(' and ')
  const symbols = [...new Set(places.map((place) => labels[place] ?? '').filter((label) => label !== ''))]
  const remedy =
    symbols.length > 1
      ? `say which with symbol: ${symbols[0]}`
      : `say which with columns: ${role}=${(places[0] ?? 0) + 1}`
  return `the name ${written[places[0] ?? 0]} is there twice (columns ${numbers}); ${remedy}`
}

const isTimeName = (name: string): boolean => timeNames.some((known) => known === name)

/**
 * Returns the column of the time: the one that the export has it in, else the one with a name for it, else a nameless
 * first column that has a time in its first row, else -1.
 */
function findTime(names: readonly string[], known: KnownLayout | null, sample: Rows): number {
  if (known?.time !== undefined) return names.indexOf(known.time)
  const place = findColumn(names, timeNames)
  if (place >= 0) return place
  const first = sample[0]?.[0] ?? ''
  const isIndex = indexNames.has(names[0] ?? '-') && !/^\d{1,7}$/.test(first.trim()) && !isMissing(first)
  return isIndex ? 0 : -1
}

/** Returns the column of the time of the day beside a column of days, else -1. */
function findClock(names: readonly string[], time: number, sample: Rows): number {
  const date = names.indexOf('date')
  if (date < 0) return -1
  const clock = time === date ? findColumn(names, clockNames) : time
  const isOfDay = (field: string | undefined): boolean => {
    const text = field?.trim() ?? ''
    return isClock(text) || /^\d{4}(\d{2})?$/.test(text)
  }
  return clock >= 0 && clock !== date && sample.length > 0 && sample.every((row) => isOfDay(row[clock]))
    ? clock
    : -1
}

function placeClock(names: readonly string[], time: number, clock: number, sample: Rows) {
  const date = names.indexOf('date')
  const isSwapped = clock === time && date >= 0 && sample.length > 0
  return isSwapped ? { time: date, clock } : { time, clock }
}

function listVolumes(names: readonly string[], stated: number | undefined): readonly VolumeCandidate[] {
  const candidates = names.flatMap((name, column) => {
    const claim = findVolumeClaim(name)
    return claim === null ? [] : [{ column, claim }]
  })
  if (stated === undefined || stated < 0) return candidates
  const own = candidates.find(({ column }) => column === stated) ?? {
    column: stated,
    claim: 'unknown' as const,
  }
  return [own, ...candidates.filter(({ column }) => column !== stated)]
}

/** The orders of prices that exports without a header have, by columns after the time. */
const priceOrders = [
  { open: 1, high: 2, low: 3, close: 4 },
  // Coinbase's interface.
  { low: 1, high: 2, open: 3, close: 4 },
  // Bitfinex and KuCoin.
  { open: 1, close: 2, high: 3, low: 4 },
] as const

type PriceOrder = {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

function findByShape(sample: Rows, options: FileOptions, row: number): CandleColumns | RecordingProblem {
  const width = Math.max(...sample.map((fields) => fields.length))
  const empty: TableHeader = { written: [], names: [], labels: [], firstRow: row - 1, rowsAbove: 0 }
  const stated = findStated(empty, options, width)
  if ('message' in stated) return stated
  if (width < 5 && stated.open === undefined)
    return {
      row,
      column: '',
      message: `${width} fields, where a table without a header has a time and four prices`,
    }
  const known = findShapedExport(sample)
  const order = findPriceOrder(sample)
  const used = new Set<number>([0, 1, 2, 3, 4])
  const volumes = listShapedVolumes(sample, width, known, used)
  return {
    known: known ?? (order === priceOrders[1] ? coinbase : null),
    layout: 'candles',
    clock: stated.clock ?? -1,
    time: stated.time ?? 0,
    open: stated.open ?? order.open,
    high: stated.high ?? order.high,
    low: stated.low ?? order.low,
    close: stated.close ?? order.close,
    vwap: -1,
    finished: known?.name === 'OKX' ? width - 1 : -1,
    zone: -1,
    otherTimes: known?.name === 'Binance' ? [6] : [],
    sameValues: [],
    volumes:
      stated.volume === undefined || stated.volume < 0
        ? volumes
        : [
            { column: stated.volume, claim: 'unknown' },
            ...volumes.filter(({ column }) => column !== stated.volume),
          ],
  }
}

const coinbase: KnownLayout = { name: 'Coinbase', holds: 'candles', header: [] }

/** Finds the order of the prices that most rows have. Where several do, their candles are equal, and the first counts. */
function findPriceOrder(sample: Rows): PriceOrder {
  let best: PriceOrder = priceOrders[0]
  let most = -1
  for (const order of priceOrders) {
    const fitting = sample.filter((row) => isInOrder(row, order)).length
    if (fitting > most) [best, most] = [order, fitting]
  }
  return best
}

function isInOrder(row: readonly string[], { open, high, low, close }: PriceOrder): boolean {
  const prices = [row[open], row[close], row[high], row[low]].map(Number)
  const [first = 0, last = 0, greatest = 0, least = 0] = prices
  return greatest >= Math.max(first, last) && least <= Math.min(first, last)
}

/**
 * Lists the columns of amounts of a table without a header. Counts, times, truths and columns of one value are none,
 * except where nothing else is there.
 */
function listShapedVolumes(
  sample: Rows,
  width: number,
  known: KnownLayout | null,
  used: ReadonlySet<number>,
): readonly VolumeCandidate[] {
  if (known?.volumes !== undefined)
    return Object.entries(known.volumes).map(([column, claim]) => ({ column: Number(column), claim }))
  const amounts: VolumeCandidate[] = []
  const counts: VolumeCandidate[] = []
  for (let column = 0; column < width; column += 1) {
    const fields = sample.map((row) => row[column]?.trim() ?? '').filter((field) => field !== '')
    if (used.has(column) || fields.length === 0 || !fields.every(isNumber)) continue
    if (fields.every((field) => Number(field) > 1e11)) continue
    const isCount = fields.every((field) => /^\d+$/.test(field))
    ;(isCount ? counts : amounts).push({ column, claim: 'unknown' })
  }
  return amounts.length > 0 ? amounts : counts.slice(0, width === 6 ? 1 : counts.length)
}
