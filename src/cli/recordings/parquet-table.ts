import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import {
  type Compressors,
  type DecodedArray,
  type FileMetaData,
  parquetMetadata,
  parquetSchema,
  type SchemaElement,
} from 'hyparquet'
import { readColumn } from 'hyparquet/src/column.js'
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import { parquetPlan } from 'hyparquet/src/plan.js'
import { getTreePath } from 'hyparquet/src/schema.js'
import type { TableRows } from '../../market/recordings/table-header.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { unpackZstd } from './unpack-zstd.ts'

/*
 * Tables in Parquet, as pandas, polars and DuckDB write them: their columns by name, their values as the texts that a
 * CSV file of them would have. All else is read as in any other file.
 */

/** Returns whether bytes are a Parquet file, by their beginning. */
export const isParquet = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 4) === 'PAR1'

/** Reads the table of a Parquet file; or returns why it cannot be read. */
export function readParquetTable(bytes: Buffer): TableRows | string {
  try {
    const columns = readColumns(new Uint8Array(bytes).buffer)
    return columns.length === 0 ? 'it is Parquet without a plain column' : new ParquetRows(columns)
  } catch (error) {
    return `it is Parquet that cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

interface Column {
  readonly name: string
  readonly values: readonly DecodedArray[]
  readonly write: (value: unknown) => string
}

/** The rows of a Parquet file, whose first one is the header. Fields are written when a row is asked for. */
class ParquetRows implements TableRows {
  readonly length: number
  private readonly columns: readonly Column[]

  constructor(columns: readonly Column[]) {
    this.columns = columns
    this.length =
      1 + Math.max(...columns.map(({ values }) => values.reduce((sum, { length }) => sum + length, 0)))
  }

  at(place: number): readonly string[] | undefined {
    if (place < 0 || place >= this.length) return undefined
    if (place === 0) return this.columns.map(({ name }) => name)
    return this.columns.map(({ values, write }) => write(findValue(values, place - 1)))
  }
}

/** Returns a value of a column by its row, over the parts in which it was read. */
export function findValue(values: readonly DecodedArray[], place: number): unknown {
  let rest = place
  for (const part of values) {
    if (rest < part.length) return part[rest]
    rest -= part.length
  }
  return undefined
}

function readColumns(buffer: ArrayBuffer): readonly Column[] {
  const metadata = parquetMetadata(buffer)
  const tree = parquetSchema(metadata)
  const file = { byteLength: buffer.byteLength, slice: () => buffer }
  const columns = new Map<string, { readonly element: SchemaElement; readonly values: DecodedArray[] }>()
  for (const group of parquetPlan({ file, metadata }).groups) {
    const view = (from: number, to: number): DataView => new DataView(buffer, from, to - from)
    for (const { element, name, values } of decodeGroup(tree, group, view)) {
      const known = columns.get(name) ?? { element, values: [] }
      columns.set(name, known)
      known.values.push(...values)
    }
  }
  const written = [...columns].map(([name, { element, values }]) => ({
    // pandas keeps an index without a name under this one, behind the columns.
    name: isNamelessIndex(name) ? '' : name,
    values,
    write: chooseSpelling(element),
  }))
  return written.sort((left, right) => Number(right.name === '') - Number(left.name === ''))
}

type Group = ReturnType<typeof parquetPlan>['groups'][number]

/** Decodes the plain columns of a row group. Lists and records have no place in a table of candles, trades or levels. */
function* decodeGroup(
  tree: ReturnType<typeof parquetSchema>,
  group: Group,
  viewOf: (from: number, to: number) => DataView,
) {
  for (const { columnMetadata, range } of group.chunks) {
    const { path_in_schema: pathInSchema } = columnMetadata
    const schemaPath = getTreePath(tree, pathInSchema)
    const element = schemaPath.at(-1)?.element
    const [name = ''] = pathInSchema
    if (pathInSchema.length > 1 || element === undefined || element.repetition_type === 'REPEATED') continue
    const view = viewOf(range.startByte, range.endByte)
    const decoder = { pathInSchema, element, schemaPath, compressors, ...columnMetadata, parsers }
    yield { name, element, values: readColumn({ view, offset: 0 }, group, decoder).data }
  }
}

/** A column of a row group. Times are whole numbers of nanoseconds. */
export interface ParquetColumn {
  readonly name: string
  readonly isTime: boolean
  readonly values: readonly DecodedArray[]
}

/** Reads the plain columns of a row group; `readBytes` returns the bytes of the file between two places. */
export function readGroupColumns(
  metadata: FileMetaData,
  group: Group,
  readBytes: (from: number, to: number) => ArrayBuffer,
): readonly ParquetColumn[] {
  const viewOf = (from: number, to: number): DataView => new DataView(readBytes(from, to))
  const decoded = [...decodeGroup(parquetSchema(metadata), group, viewOf)]
  return decoded
    .filter(({ name }) => !isNamelessIndex(name))
    .map(({ element, name, values }) => ({ name, isTime: isTimestamp(element), values }))
}

const isNamelessIndex = (name: string): boolean => /^__index_level_\d+__$/.test(name)

/** Reads times as whole numbers of nanoseconds, so that nothing of them is lost. */
const parsers = {
  ...DEFAULT_PARSERS,
  timestampFromMilliseconds: (millis: bigint) => millis * 1_000_000n,
  timestampFromMicroseconds: (micros: bigint) => micros * 1_000n,
  timestampFromNanoseconds: (nanos: bigint) => nanos,
  dateFromDays: (days: number) => BigInt(days) * 86_400_000_000_000n,
}

function chooseSpelling(column: SchemaElement): (value: unknown) => string {
  const { converted_type, logical_type } = column
  const isDay = converted_type === 'DATE' || logical_type?.type === 'DATE'
  if (isDay) return (value) => (typeof value === 'bigint' ? spellInstant(value, '').slice(0, 10) : '')
  if (!isTimestamp(column)) return spell
  // Times of a zone are instants; those without one are local times of the file's zone, which an option may name.
  const isInstant = logical_type?.type === 'TIMESTAMP' ? logical_type.isAdjustedToUTC : true
  return (value) => (typeof value === 'bigint' ? spellInstant(value, isInstant ? 'Z' : '') : spell(value))
}

const isTimestamp = ({ converted_type, logical_type }: SchemaElement): boolean =>
  logical_type?.type === 'TIMESTAMP' || converted_type?.startsWith('TIMESTAMP') === true

function spellInstant(nanos: bigint, zone: string): string {
  const rest = ((nanos % 1_000_000n) + 1_000_000n) % 1_000_000n
  const millis = millisToIso(Number((nanos - rest) / 1_000_000n)).slice(0, -1)
  return `${millis}${rest === 0n ? '' : String(rest).padStart(6, '0')}${zone}`
}

function spell(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? '' : String(value)
}

/** What unpacks pages. Snappy is the library's own. */
const compressors: Compressors = {
  GZIP: (input) => gunzipSync(input),
  BROTLI: (input) => brotliDecompressSync(input),
  ZSTD: (input) => {
    const bytes = unpackZstd(input, maximumPageBytes)
    if (typeof bytes === 'string') throw new Error(bytes)
    return bytes
  },
}

const maximumPageBytes = 1024 * 1024 * 1024
