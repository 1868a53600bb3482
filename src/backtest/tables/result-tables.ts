import {
  type FillRecord,
  markoutMillis,
  type OrderRecord,
  type QuoteRecord,
  type Records,
  type TransferRecord,
} from '../../metrics/records.ts'
import { findTrips, type Trip } from '../../metrics/trip-metrics.ts'
import { formatDuration } from '../../numeric/time-text.ts'
import { roundAmount } from '../../numeric/units.ts'
import type { BacktestResult, RunResult } from '../result.ts'

/**
 * A column of values of one kind: milliseconds since 1970, numbers, texts, or yes and no. A missing number is NaN; a
 * missing text or flag is null.
 */
export type ResultColumn =
  | { readonly kind: 'instant' | 'number'; readonly values: Float64Array }
  | { readonly kind: 'text'; readonly values: readonly (string | null)[] }
  | { readonly kind: 'flag'; readonly values: readonly (boolean | null)[] }

/** One table of a result: columns of equal length by name, in order. */
export interface ResultTable {
  readonly name: string
  readonly rows: number
  readonly columns: ReadonlyMap<string, ResultColumn>
}

/**
 * A table in parts that follow each other, at least one. Where a run sends hundreds of thousands of orders, a part holds
 * some of them and is made when it is read: all at once take more memory than the run.
 */
export interface TableParts {
  readonly name: string
  /**
   * Returns the parts, from the first one on at each call. Parts that are made when they are read have `partRows`
   * rows, or `mostRows` where that is less.
   */
  parts(mostRows?: number): Iterable<ResultTable>
}

/** Values of a run by column, as typed arrays where they are numbers. */
export interface ResultColumns {
  readonly [name: string]: ResultColumn['values']
}

/** The tables of a run: the equity on its grid, orders, fills, round trips, quotes, and what the strategy recorded. */
export interface RunTables<Table = ResultColumns> {
  readonly equity: Table
  readonly orders: Table
  readonly fills: Table
  readonly trips: Table
  readonly quotes: Table
  readonly transfers: Table
  /** The strategy's own series, one below the other: `name`, `atMillis`, `value`. */
  readonly series: Table
}

/** A result whose tables can be had as columns, for notebooks and files. */
export interface BacktestRun extends BacktestResult {
  /** Returns the tables of the run by column. They are made anew at each call. */
  columns(): RunTables
}

/** Adds the method `columns` to a result, which stays plain JSON data: the method is no part of copies and texts. */
export function withColumns(result: BacktestResult): BacktestRun {
  return Object.assign(new ColumnsMethod(), result)
}

class ColumnsMethod {
  columns(this: BacktestResult): RunTables {
    const tables = makeRunTables(this)
    return {
      equity: collectValues(tables.equity),
      orders: collectValues(tables.orders),
      fills: collectValues(tables.fills),
      trips: collectValues(tables.trips),
      quotes: collectValues(tables.quotes),
      transfers: collectValues(tables.transfers),
      series: collectValues(tables.series),
    }
  }
}

const collectValues = ({ columns }: ResultTable): ResultColumns =>
  Object.fromEntries([...columns].map(([name, { values }]) => [name, values]))

/** Makes the tables of a result. Columns of orders, fills and quotes have the names of the records' fields. */
export function makeRunTables(result: BacktestResult): RunTables<ResultTable> {
  const { equity, fills, orders, quotes, transfers } = result
  return {
    equity: makeEquityTable(result),
    orders: makeTable('orders', orderColumns, orders),
    fills: makeFillTable(fills),
    trips: makeTable('trips', tripColumns, findTrips(equity, fills, transfers).trips),
    quotes: makeTable('quotes', quoteColumns, quotes),
    transfers: makeTable('transfers', transferColumns, transfers),
    series: makeSeriesTable(result),
  }
}

/** Lists the tables of a result for files, in the order of `RunTables`. Each is made when it is read, orders by parts. */
export function listTableParts(result: RunResult): readonly TableParts[] {
  const { equity, fills, orders, quotes, transfers } = result
  const whole = (name: string, make: () => ResultTable): TableParts => ({ name, parts: () => [make()] })
  return [
    whole('equity', () => makeEquityTable(result)),
    { name: 'orders', parts: (most) => makeParts('orders', orderColumns, orders, most) },
    whole('fills', () => makeFillTable(fills)),
    whole('trips', () => makeTable('trips', tripColumns, findTrips(equity, fills, transfers).trips)),
    { name: 'quotes', parts: (most) => makeParts('quotes', quoteColumns, quotes, most) },
    whole('transfers', () => makeTable('transfers', transferColumns, transfers)),
    whole('series', () => makeSeriesTable(result)),
  ]
}

/** How many rows are in the first part of a table, and in each that follows. */
export const partRows = { first: 1000, later: 100_000 } as const

function* makeParts<Row>(
  name: string,
  makers: { readonly [name: string]: MakeColumn<Row> },
  records: Records<Row>,
  mostRows: number = partRows.later,
): Generator<ResultTable> {
  let rows: Row[] = []
  let most = Math.min(mostRows, partRows.first)
  for (const record of records) {
    if (rows.length === most) {
      yield makeTable(name, makers, rows)
      rows = []
      most = Math.min(mostRows, partRows.later)
    }
    rows.push(record)
  }
  yield makeTable(name, makers, rows)
}

type MakeColumn<Row> = (rows: readonly Row[]) => ResultColumn

const doubles =
  (kind: 'instant' | 'number') =>
  <Row>(read: (row: Row) => number | null): MakeColumn<Row> =>
  (rows) => {
    const values = new Float64Array(rows.length)
    for (const [place, row] of rows.entries()) values[place] = read(row) ?? Number.NaN
    return { kind, values }
  }
const instants = doubles('instant')
const numbers = doubles('number')
const texts =
  <Row>(read: (row: Row) => string | null): MakeColumn<Row> =>
  (rows) => ({ kind: 'text', values: rows.map(read) })
const flags =
  <Row>(read: (row: Row) => boolean | null): MakeColumn<Row> =>
  (rows) => ({ kind: 'flag', values: rows.map(read) })

/** A column for each field of a record, so that a new field has to say what it is. */
type ColumnsOf<Row> = { readonly [Key in keyof Row]-?: MakeColumn<Row> }

const orderColumns: ColumnsOf<OrderRecord> = {
  orderId: texts((order) => order.orderId),
  clientOrderId: texts((order) => order.clientOrderId),
  asset: texts((order) => order.asset),
  side: texts((order) => order.side),
  type: texts((order) => order.type),
  timeInForce: texts((order) => order.timeInForce),
  price: numbers((order) => order.price),
  quantity: numbers((order) => order.quantity),
  filledQuantity: numbers((order) => order.filledQuantity),
  averagePrice: numbers((order) => order.averagePrice),
  status: texts((order) => order.status),
  decidedAtMillis: instants((order) => order.decidedAtMillis),
  decisionMid: numbers((order) => order.decisionMid),
  createdAtMillis: instants((order) => order.createdAtMillis),
  arrivalMid: numbers((order) => order.arrivalMid),
  updatedAtMillis: instants((order) => order.updatedAtMillis),
}

const fillColumns: ColumnsOf<Omit<FillRecord, 'midAfter' | 'tradedBefore' | 'cause'>> & {
  readonly [name: string]: MakeColumn<FillRecord>
} = {
  fillId: texts((fill) => fill.fillId),
  orderId: texts((fill) => fill.orderId),
  quoteId: texts((fill) => fill.quoteId),
  atMillis: instants((fill) => fill.atMillis),
  asset: texts((fill) => fill.asset),
  side: texts((fill) => fill.side),
  price: numbers((fill) => fill.price),
  quantity: numbers((fill) => fill.quantity),
  value: numbers((fill) => fill.value),
  fee: numbers((fill) => fill.fee),
  feeCurrency: texts((fill) => fill.feeCurrency),
  feeUsd: numbers((fill) => fill.feeUsd),
  realized: numbers((fill) => fill.realized),
  isMaker: flags((fill) => fill.isMaker),
  arrivalMid: numbers((fill) => fill.arrivalMid),
  mid: numbers((fill) => fill.mid),
  ...Object.fromEntries(
    markoutMillis.map((millis, place) => [
      `midAfter.${millis === 0 ? '0s' : formatDuration(millis)}`,
      numbers((fill: FillRecord) => fill.midAfter[place] ?? null),
    ]),
  ),
  'tradedBefore.quantity': numbers((fill) => fill.tradedBefore?.quantity ?? null),
  'tradedBefore.value': numbers((fill) => fill.tradedBefore?.value ?? null),
  'cause.kind': texts((fill) => fill.cause?.kind ?? null),
  'cause.price': numbers((fill) => fill.cause?.price ?? null),
  'cause.orderId': texts((fill) => fill.cause?.orderId ?? null),
  'cause.account': texts((fill) => fill.cause?.account ?? null),
  'cause.sequence': numbers((fill) => fill.cause?.sequence ?? null),
  'cause.command': texts((fill) => fill.cause?.command ?? null),
}

/** The columns of runs in which a recorded book has filled orders. */
const bookColumns: { readonly [name: string]: MakeColumn<FillRecord> } = {
  'cause.book.kind': texts((fill) => fill.cause?.book?.kind ?? null),
  'cause.book.law': texts((fill) => fill.cause?.book?.law ?? null),
  'cause.book.joinedBehind': numbers((fill) => fill.cause?.book?.joinedBehind ?? null),
  'cause.book.takenByTrades': numbers((fill) => fill.cause?.book?.takenByTrades ?? null),
  'cause.book.leftByLaw': numbers((fill) => fill.cause?.book?.leftByLaw ?? null),
  'cause.book.row': numbers((fill) => fill.cause?.book?.row ?? null),
  'cause.book.rowAtMillis': instants((fill) => fill.cause?.book?.rowAtMillis ?? null),
  'cause.book.rowPrice': numbers((fill) => fill.cause?.book?.rowPrice ?? null),
  'cause.book.rowQuantity': numbers((fill) => fill.cause?.book?.rowQuantity ?? null),
  'cause.book.file': texts((fill) => fill.cause?.book?.file ?? null),
  'cause.book.line': numbers((fill) => fill.cause?.book?.line ?? null),
  'cause.book.text': texts((fill) => fill.cause?.book?.text ?? null),
}

const tripColumns: ColumnsOf<Trip> = {
  asset: texts((trip) => trip.asset),
  atMillis: instants((trip) => trip.atMillis),
  realized: numbers((trip) => roundAmount(trip.realized)),
  fees: numbers((trip) => roundAmount(trip.fees)),
  holdMillis: numbers((trip) => trip.holdMillis),
}

const quoteColumns: ColumnsOf<QuoteRecord> = {
  quoteId: texts((quote) => quote.quoteId),
  clientQuoteId: texts((quote) => quote.clientQuoteId),
  asset: texts((quote) => quote.asset),
  bidPrice: numbers((quote) => quote.bidPrice),
  askPrice: numbers((quote) => quote.askPrice),
  bidSize: numbers((quote) => quote.bidSize),
  askSize: numbers((quote) => quote.askSize),
  bidFilled: numbers((quote) => quote.bidFilled),
  askFilled: numbers((quote) => quote.askFilled),
  status: texts((quote) => quote.status),
  createdAtMillis: instants((quote) => quote.createdAtMillis),
  updatedAtMillis: instants((quote) => quote.updatedAtMillis),
}

const transferColumns: ColumnsOf<TransferRecord> = {
  atMillis: instants((transfer) => transfer.atMillis),
  asset: texts((transfer) => transfer.asset),
  quantity: numbers((transfer) => transfer.quantity),
  value: numbers((transfer) => transfer.value),
}

function makeFillTable(fills: readonly FillRecord[]): ResultTable {
  const hasBook = fills.some(({ cause }) => cause?.book !== undefined)
  return makeTable('fills', hasBook ? { ...fillColumns, ...bookColumns } : fillColumns, fills)
}

function makeTable<Row>(
  name: string,
  makers: { readonly [name: string]: MakeColumn<Row> },
  rows: readonly Row[],
): ResultTable {
  const columns = Object.entries(makers).map(([column, make]) => [column, make(rows)] as const)
  return { name, rows: rows.length, columns: new Map(columns) }
}

/** Makes the table of the equity, with the price and position of each asset: `price.BTC`, `position.BTC`. */
function makeEquityTable({ equity: grid }: Pick<RunResult, 'equity'>): ResultTable {
  const column = (kind: 'instant' | 'number', values: readonly number[]): ResultColumn => ({
    kind,
    values: Float64Array.from(values),
  })
  const columns: [string, ResultColumn][] = [
    ['atMillis', column('instant', grid.atMillis)],
    ['equity', column('number', grid.equity)],
    ['flow', column('number', grid.flow)],
    ['cash', column('number', grid.cash)],
  ]
  for (const { asset, position, price } of grid.assets) {
    columns.push([`price.${asset}`, column('number', price)])
    columns.push([`position.${asset}`, column('number', position)])
  }
  return { name: 'equity', rows: grid.atMillis.length, columns: new Map(columns) }
}

function makeSeriesTable({ series }: Pick<RunResult, 'series'>): ResultTable {
  const names = Object.entries(series).flatMap(([name, { values }]) => values.map(() => name))
  const all = Object.values(series)
  const atMillis = Float64Array.from(all.flatMap((one) => one.atMillis))
  const values = Float64Array.from(all.flatMap((one) => one.values.map((value) => value ?? Number.NaN)))
  const columns = new Map<string, ResultColumn>([
    ['name', { kind: 'text', values: names }],
    ['atMillis', { kind: 'instant', values: atMillis }],
    ['value', { kind: 'number', values }],
  ])
  return { name: 'series', rows: names.length, columns }
}
