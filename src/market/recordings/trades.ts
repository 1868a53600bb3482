import { isPrice, notAPrice } from '../../shape/spec-checks.ts'
import type { Print } from './candle.ts'
import { findStated, sampleRows, symbolNames } from './candle-columns.ts'
import { createSameValueCheck } from './candle-rows.ts'
import type { FileOptions } from './file-options.ts'
import { LeftOutTally, type RecordingExplanation, type RecordingProblem } from './interpretation.ts'
import { findNamedExport, type KnownLayout } from './known-exports.ts'
import {
  findColumn,
  isBlank,
  isMissing,
  isNumber,
  numberHint,
  readBoolean,
  readNumber,
} from './table-fields.ts'
import {
  type FieldCounts,
  findWidthProblem,
  isOtherHeader,
  isRepeatedHeader,
  measureWidth,
  type TableHeader,
  type TableRows,
  type TextTable,
} from './table-header.ts'
import { createTableNumbers, createTimeReader, type ReadRowTime, type TimeAccess } from './table-reader.ts'
import { readTime, type ZoneLookup } from './table-times.ts'

/** Trade of one row, with the row's number and the trade's id for comparison. */
export interface TradeRow extends Print {
  readonly row: number
  readonly id: string | null
}

/** A table of trades as it was read: what it holds, and its first problem if it cannot be used. */
export interface TradeResult {
  readonly kind: 'trades'
  readonly layout: string
  /** The good rows, in the order of the file. */
  readonly rows: readonly TradeRow[]
  readonly badRows: number
  /** The first few problems of rows. */
  readonly problems: readonly RecordingProblem[]
  readonly trades: readonly Print[]
  readonly explanation: RecordingExplanation | null
  /** Why the table cannot be used as it is; null when it can. */
  readonly problem: RecordingProblem | null
}

const problemsKept = 5

/**
 * Reads a table of trades. Times are read like those of candles, but cut to milliseconds. Rows may be in ascending or
 * descending order; trades of one instant keep their order. Choice: a row with the id of the one before is left out.
 */
export function readTradeTable(
  table: TextTable,
  header: TableHeader,
  columns: TradeColumns,
  options: FileOptions,
  findOffset: ZoneLookup,
): TradeResult {
  const { rows, firstRowNumber, hasSemicolons } = table
  const sample = sampleRows(rows, header.firstRow)
  const row = header.firstRow + firstRowNumber
  const fail = (problem: RecordingProblem): TradeResult => ({
    kind: 'trades',
    layout: columns.layout,
    ...{ rows: [], badRows: 0, problems: [], trades: [], explanation: null, problem },
  })
  const numbers = createTableNumbers(sample, [columns.price, columns.quantity], hasSemicolons, options, row)
  if ('message' in numbers) return fail(numbers)
  const time = createTimeReader(
    { ...columns, clock: columns.clock, zone: -1 },
    sample,
    options,
    true,
    findOffset,
  )
  if ('message' in time) return fail({ ...time, row })
  const leftOut = new LeftOutTally()
  const readers = { time: time.read, number: numbers, width: measureWidth(rows, header) }
  const read = readTradeRows(table, header, columns, readers, options, leftOut)
  if ('message' in read) return fail(read)
  const base = { kind: 'trades' as const, layout: columns.layout, ...read, trades: [], explanation: null }
  const [first] = read.problems
  if (first !== undefined && options.skipBad !== true) {
    const rows = read.badRows === 1 ? 'this row' : `${read.badRows} such rows`
    return { ...base, problem: { ...first, message: `${first.message}; skipBad: true leaves out ${rows}` } }
  }
  if (first !== undefined) leftOut.add('that cannot be read', first.row, read.badRows)
  const ordered = orderTrades(read.rows, options, columns.known, leftOut)
  if ('message' in ordered) return { ...base, problem: ordered }
  const last = rows.length + firstRowNumber - 1
  if (ordered.trades.length === 0)
    return { ...base, problem: { row: last, column: '', message: 'there are no trades' } }
  const { trades, sorted } = ordered
  const scaled = options.volumeIn === 'usd' ? trades.map(toAssetQuantity) : trades
  const explanation = describeTrades({
    header,
    columns,
    options,
    time,
    leftOut,
    sorted,
    count: trades.length,
  })
  return { ...base, trades: scaled, explanation, problem: null }
}

const toAssetQuantity = (trade: Print): Print => ({ ...trade, quantity: trade.quantity / trade.price })

interface Readers {
  readonly time: ReadRowTime
  readonly number: (field: string | undefined) => number
  readonly width: FieldCounts
}

function readTradeRows(
  { rows, firstRowNumber }: TextTable,
  header: TableHeader,
  columns: TradeColumns,
  readers: Readers,
  options: FileOptions,
  leftOut: LeftOutTally,
): RecordingProblem | Pick<TradeResult, 'rows' | 'badRows' | 'problems'> {
  const read: TradeRow[] = []
  const problems: RecordingProblem[] = []
  const same = createSameValueCheck(columns.sameValues, header, options)
  let badRows = 0
  for (let place = header.firstRow; place < rows.length; place += 1) {
    const fields = rows.at(place) ?? []
    if (isBlank(fields)) continue
    const row = place + firstRowNumber
    if (fields[columns.price] === header.written[columns.price] && isRepeatedHeader(fields, header.written)) {
      leftOut.add('with the header again', row)
      continue
    }
    const trade = readTradeRow(fields, columns, readers, row)
    if ('message' in trade) {
      if (trade.column === 'time' && isOtherHeader(fields))
        return { row, column: '', message: 'another header: from here on the columns are others' }
      badRows += 1
      if (problems.length < problemsKept) problems.push(trade)
      continue
    }
    const other = same(fields)
    if (other === 'other symbol') leftOut.add('of other symbols', row)
    else if (other !== null) return { row, column: '', message: other }
    else read.push(trade)
  }
  return { rows: read, badRows, problems }
}

/** Orders trades by time, and leaves out rows that repeat the id of the one before. */
function orderTrades(
  read: readonly TradeRow[],
  { sort }: FileOptions,
  known: KnownLayout | null,
  leftOut: LeftOutTally,
): RecordingProblem | { readonly trades: readonly Print[]; readonly sorted: number } {
  const order = (read[0]?.atMillis ?? 0) <= (read.at(-1)?.atMillis ?? 0) ? 'ascending' : 'descending'
  const rows = order === 'descending' ? read.toReversed() : [...read]
  let sorted = 0
  if (sort === true || known?.isInLocalOrder === true) {
    let latest = Number.NEGATIVE_INFINITY
    for (const { atMillis } of rows) {
      if (atMillis < latest) sorted += 1
      latest = Math.max(latest, atMillis)
    }
    if (sorted > 0) rows.sort((left, right) => left.atMillis - right.atMillis)
  }
  const trades: Print[] = []
  let before: TradeRow | null = null
  for (const row of rows) {
    if (before !== null && row.atMillis < before.atMillis) {
      const message = `out of order: the rows are ${order}, but row ${before.row} is not before it; say sort: true`
      return { row: row.row, column: 'time', message }
    }
    if (before === null || row.id === null || row.id !== before.id) {
      const { atMillis, price, quantity, side } = row
      trades.push({ atMillis, price, quantity, side })
    } else leftOut.add('with the id of the one before', row.row)
    before = row
  }
  return { trades, sorted }
}

interface TradeDescription {
  readonly header: TableHeader
  readonly columns: TradeColumns
  readonly options: FileOptions
  readonly time: TimeAccess
  readonly leftOut: LeftOutTally
  readonly sorted: number
  readonly count: number
}

function describeTrades({
  header,
  columns,
  options,
  time,
  leftOut,
  sorted,
  count,
}: TradeDescription): RecordingExplanation {
  const nameOf = (column: number): string => header.written[column] ?? `column ${column + 1}`
  const side = columns.isBuyerMaker >= 0 ? columns.isBuyerMaker : columns.side
  const whose = columns.isBuyerMaker >= 0 || columns.isSideOfMaker ? ' (of the maker)' : ''
  const unit = options.volumeIn === 'usd' ? 'USD as stated' : 'units of the asset'
  return {
    kind: 'trades',
    export: columns.known?.name ?? (columns.layout === 'named' ? null : columns.layout),
    columns: {
      time: columns.clock < 0 ? nameOf(columns.time) : `${nameOf(columns.time)} ${nameOf(columns.clock)}`,
      price: nameOf(columns.price),
      quantity: nameOf(columns.quantity),
      ...(side < 0 ? {} : { side: `${nameOf(side)}${whose}` }),
    },
    times: null,
    timeForm: time.form,
    zone: options.zone ?? time.zone,
    volume: `${nameOf(columns.quantity)} in ${unit}`,
    ...{ spanMillis: 0, span: '', phaseMillis: 0, rows: count },
    leftOut: [
      ...(header.rowsAbove === 0
        ? []
        : [{ reason: 'above the header', count: header.rowsAbove, firstRow: 1 }]),
      ...leftOut.list(),
    ],
    changed: sorted === 0 ? [] : [`${sorted} ${sorted === 1 ? 'row' : 'rows'} sorted into the order of time`],
    assumed: [
      ...(time.isZoneAssumed ? ['times are in UTC (zone: if not)'] : []),
      ...(options.volumeIn === undefined
        ? ['quantities are in units of the asset (volumeIn: usd if not)']
        : []),
    ],
    warnings: listUnusedOptions(options),
  }
}

/** Lists the options that are for candles alone, each with a sentence that it changes nothing in trades. */
function listUnusedOptions({ dedupe, times }: FileOptions): readonly string[] {
  return Object.entries({ dedupe, times }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value} is for candles, and changes nothing in trades.`],
  )
}

/** Returns the trade of a row, or the first problem of the row. `row` is its number from 1. */
function readTradeRow(
  fields: readonly string[],
  columns: TradeColumns,
  readers: Readers,
  row: number,
): TradeRow | RecordingProblem {
  const needed = Math.max(columns.time, columns.price, columns.quantity)
  if (fields.length <= needed) {
    return { row, column: '', message: `${fields.length} fields where at least ${needed + 1} are needed` }
  }
  const atMillis = readers.time(fields)
  if (typeof atMillis === 'string') return { row, column: 'time', message: atMillis }
  const ragged = findWidthProblem(fields, readers.width)
  if (ragged !== null) return { row, column: '', message: ragged }
  const price = readers.number(fields[columns.price])
  if (!isPrice(price)) {
    const field = fields[columns.price]
    return { row, column: 'price', message: `"${field}" ${notAPrice}${numberHint(field)}` }
  }
  const quantity = readers.number(fields[columns.quantity])
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
  if (text === 'unknown' || isMissing(text)) return null
  const isBuy = ['buy', 'b', 'bid'].includes(text)
  if (!isBuy && !['sell', 's', 'ask'].includes(text)) return undefined
  return isBuy !== columns.isSideOfMaker ? 'buy' : 'sell'
}

/*
 * Which column of a table of trades holds what. Headers are matched by the names that the archives of exchanges
 * use. Tables without one are distinguished by their shape.
 */

/** Column numbers of a table of trades, from 0; -1 for a column that does not exist. */
export interface TradeColumns {
  readonly layout: TradeLayout
  readonly known: KnownLayout | null
  readonly time: number
  /** Column of the time of the day, where `time` has the day alone; -1 for none. */
  readonly clock: number
  readonly price: number
  readonly quantity: number
  readonly id: number
  /** Column of the side as text: `buy`, `Sell`, `b`. */
  readonly side: number
  /** Column of a boolean: whether the buyer was the maker, so that the taker sold. */
  readonly isBuyerMaker: number
  /** Whether the side is the maker's, as in Coinbase's tables, and not the taker's. */
  readonly isSideOfMaker: boolean
  /** Columns that have one value in the trades of one recording: symbols, exchanges. */
  readonly sameValues: readonly number[]
}

/** Layout of a table: named columns, or that of an archive without a header. */
export type TradeLayout = 'named' | 'binance trades' | 'binance aggTrades' | 'time, price, volume'

/** Finds the columns of a table of trades; null when it does not look like one. */
export function findTradeColumns(
  header: TableHeader,
  rows: TableRows,
  options: FileOptions,
): TradeColumns | RecordingProblem | null {
  if (header.written.length > 0) return findByNames(header, options)
  const first = rows.at(header.firstRow)
  const found = first === undefined ? null : findByShape(first)
  if (found === null && options.columns?.price === undefined) return null
  const stated = findStated(header, options, first?.length ?? 0)
  if ('message' in stated) return stated
  return { ...(found ?? noColumns), ...stated }
}

const noColumns: TradeColumns = {
  ...{ layout: 'named', known: null, time: 0, clock: -1, price: -1, quantity: -1, id: -1, side: -1 },
  ...{ isBuyerMaker: -1, isSideOfMaker: false, sameValues: [] },
}

function findByNames(header: TableHeader, options: FileOptions): TradeColumns | RecordingProblem | null {
  const { names } = header
  const stated = findStated(header, options)
  if ('message' in stated) return stated
  const isCandles = ['open', 'high', 'o', 'open_price'].some((name) => names.includes(name))
  if ((isCandles && stated.price === undefined) || stated.open !== undefined) return null
  const known = findNamedExport(names, 'trades')
  const columns = {
    time: known?.time === undefined ? findColumn(names, timeNames) : names.indexOf(known.time),
    price: findColumn(names, ['price', 'p', 'trade_price', 'exec_price']),
    quantity: findColumn(names, quantityNames),
    id: findColumn(names, idNames),
    side: findColumn(names, ['side', 'taker_side', 'direction', 'type', 'maker_side']),
    isBuyerMaker: findColumn(names, ['is_buyer_maker', 'buyer_is_maker', 'buyer_maker', 'm']),
    clock: -1,
    ...stated,
  }
  if (columns.time < 0 || columns.price < 0 || columns.quantity < 0) return null
  const twice = (['time', 'price', 'quantity'] as const).find((role) => {
    const name = names[columns[role]] ?? ''
    return stated[role] === undefined && names.indexOf(name) !== names.lastIndexOf(name)
  })
  if (twice !== undefined) {
    const name = names[columns[twice]] ?? ''
    const message = `the name ${name} is there twice; say which with columns: ${twice}=${names.indexOf(name) + 1}`
    return { row: header.firstRow, column: '', message }
  }
  // Only Coinbase's interface has exactly these names, and its side is the maker's.
  const isCoinbase = ['trade_id', 'time', 'size', 'side'].every((name) => names.includes(name))
  const isSideOfMaker = isCoinbase || names[columns.side] === 'maker_side'
  const sameValues = names.flatMap((name, place) => (symbolNames.has(name) ? [place] : []))
  return { layout: 'named', known, isSideOfMaker, sameValues, ...columns }
}

/**
 * Returns the columns of a table without a header: those of Binance's archives (id, price, quantity, then one
 * value or two ids, time, whether the buyer was the maker), or time, price and volume; null for other shapes.
 */
function findByShape(row: readonly string[]): TradeColumns | null {
  const common = { ...noColumns, id: 0, price: 1, quantity: 2 }
  const isTruth = (place: number): boolean => readBoolean(row[place]) !== null && !isNumber(row[place] ?? '')
  const isTime = (place: number): boolean =>
    readNumber(row[place]) > 1e12 && readTime(row[place] ?? '', true) !== null
  if (isTime(4) && isTruth(5)) return { ...common, layout: 'binance trades', time: 4, isBuyerMaker: 5 }
  if (isTime(5) && isTruth(6)) return { ...common, layout: 'binance aggTrades', time: 5, isBuyerMaker: 6 }
  const isPlain = row.length === 3 && row.every(isNumber) && readNumber(row[0]) > 1e8
  return isPlain ? { ...common, layout: 'time, price, volume', id: -1 } : null
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
const quantityNames = [
  'home_notional',
  'quantity',
  'qty',
  'size',
  'amount',
  'volume',
  'vol',
  'q',
  'exec_qty',
  'base_volume',
]
const idNames = ['trade_id', 'agg_trade_id', 'tid', 'id', 'trd_match_id', 'exec_id', 'a', 'aggregate_tradeid']
