import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { parquetMetadata } from 'hyparquet'
import { parquetPlan } from 'hyparquet/src/plan.js'
import { ownColumns } from '../../../market/books/readers/own-rows.ts'
import { findValue, type ParquetColumn, readGroupColumns } from '../parquet-table.ts'

/*
 * Books and trades in Parquet, as the text that a CSV file of them would have, one row group after the other. Columns are
 * found by their names, never by their order.
 */

/**
 * Reads a Parquet file as pieces of CSV: the names of its columns, then its rows, a row group in memory at a time. Throws an
 * error that says why it cannot be read.
 */
export function* readParquetPieces(path: string): Generator<Uint8Array, void> {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const metadata = parquetMetadata(readFooter(file, size))
    const { groups } = parquetPlan({ file: { byteLength: size, slice: noSlice }, metadata })
    let isFirst = true
    for (const group of groups) {
      const read = (from: number, to: number): ArrayBuffer => readBytes(file, from, to - from)
      const columns = nameColumns(readGroupColumns(metadata, group, read))
      if (isFirst) yield encode(`${columns.map(({ name }) => name).join(',')}\n`)
      isFirst = false
      yield* writeRows(columns)
    }
  } finally {
    closeSync(file)
  }
}

const noSlice = (): ArrayBuffer => new ArrayBuffer(0)
const encoder = new TextEncoder()
const encode = (text: string): Uint8Array => encoder.encode(text)

/** The end of a Parquet file: the length of its metadata, and its mark. */
const trailerBytes = 8

function readFooter(file: number, size: number): ArrayBuffer {
  if (size < trailerBytes) throw new Error('the file is too short')
  const length = new DataView(readBytes(file, size - trailerBytes, trailerBytes)).getUint32(0, true)
  const bytes = Math.min(size, length + trailerBytes)
  return readBytes(file, size - bytes, bytes)
}

function readBytes(file: number, offset: number, length: number): ArrayBuffer {
  const bytes = new Uint8Array(length)
  for (let done = 0; done < length; ) {
    const count = readSync(file, bytes, done, length - done, offset + done)
    if (count === 0) throw new Error('the file is cut off')
    done += count
  }
  return bytes.buffer
}

/** How many rows are written as one piece. */
const pieceRows = 4096

function* writeRows(columns: readonly NamedColumn[]): Generator<Uint8Array, void> {
  const rows = Math.max(
    0,
    ...columns.map(({ values }) => values.reduce((sum, { length }) => sum + length, 0)),
  )
  for (let from = 0; from < rows; from += pieceRows) {
    let text = ''
    for (let row = from; row < Math.min(rows, from + pieceRows); row += 1) {
      for (const [place, { values, spell }] of columns.entries())
        text += `${place === 0 ? '' : ','}${spell(findValue(values, row))}`
      text += '\n'
    }
    yield encode(text)
  }
}

interface NamedColumn extends Pick<ParquetColumn, 'values'> {
  readonly name: string
  readonly spell: (value: unknown) => string
}

/**
 * Names the columns as the readers of CSV know them. Those of Crypto Lake (`bid_0_price`, `origin_time`) become those of
 * Tardis, whose times are microseconds; rows of our own form are put in its order.
 */
function nameColumns(columns: readonly ParquetColumn[]): readonly NamedColumn[] {
  const names = columns.map(({ name }) => name)
  const isLake = names.some((name) => lakeExchangeTimes.includes(name))
  const named = columns.map((column): NamedColumn => {
    const name = isLake ? nameLakeColumn(column.name, names) : column.name
    const isMicros = isLake && (name === 'timestamp' || name === 'local_timestamp')
    return { name, values: column.values, spell: chooseSpelling(column, isMicros) }
  })
  const own = ownColumns.map((name) => named.find((column) => column.name === name))
  const found = own.filter((column) => column !== undefined)
  return found.length === ownColumns.length ? found : named
}

const lakeExchangeTimes = ['origin_time', 'origin_timestamp']

function nameLakeColumn(name: string, names: readonly string[]): string {
  if (lakeExchangeTimes.includes(name)) return 'timestamp'
  if (name === 'received_time' || name === 'timestamp') return 'local_timestamp'
  if (name === 'quantity' && names.includes('price')) return 'amount'
  return name
    .replace(/^(bid|ask)_(\d+)_price$/, '$1s[$2].price')
    .replace(/^(bid|ask)_(\d+)_size$/, '$1s[$2].amount')
}

const nanosPerMicro = 1_000n
const nanosPerMilli = 1_000_000n

/** Chooses how values are written: times as whole numbers of the unit that their column has, rounded up. */
function chooseSpelling({ isTime, name }: ParquetColumn, isMicros: boolean): NamedColumn['spell'] {
  if (isTime) {
    const unit = name === 'ts_ms' ? nanosPerMilli : /^ts_(?:event|recv)$/.test(name) ? 1n : nanosPerMicro
    return (value) => (typeof value === 'bigint' ? String(divideUp(value, unit)) : '')
  }
  if (isMicros)
    return (value) =>
      typeof value === 'bigint' || typeof value === 'number'
        ? String(divideUp(BigInt(value), nanosPerMicro))
        : ''
  return (value) => (value === null || value === undefined ? '' : quote(String(value)))
}

const divideUp = (value: bigint, unit: bigint): bigint => (value + unit - 1n) / unit

const quote = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
