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
    const { buffer } = new Uint8Array(bytes)
    const metadata = parquetMetadata(buffer)
    if (metadata.num_rows === 0n) return 'it is Parquet, and there are no rows'
    const columns = readColumns(buffer, metadata)
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

function readColumns(buffer: ArrayBuffer, metadata: FileMetaData): readonly Column[] {
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
  const names = new Set<string>()
  for (const { columnMetadata, range } of group.chunks) {
    const { path_in_schema: pathInSchema } = columnMetadata
    const schemaPath = getTreePath(tree, pathInSchema)
    const element = schemaPath.at(-1)?.element
    const [name = ''] = pathInSchema
    if (pathInSchema.length > 1 || element === undefined || element.repetition_type === 'REPEATED') continue
    if (names.has(name)) throw new Error(`two of its columns are called "${name}"`)
    names.add(name)
    const view = viewOf(range.startByte, range.endByte)
    const scale = findScale(element)
    const kept = scale === null ? { element } : { element: withoutMeaning(element), utf8: false }
    const decoder = { pathInSchema, schemaPath, compressors, ...columnMetadata, parsers, ...kept }
    const { data } = readColumn({ view, offset: 0 }, group, decoder)
    yield { name, element, values: scale === null ? data : data.map((part) => readDecimals(part, scale)) }
  }
}

/** Returns how many digits of a decimal's whole number stand behind the point; null for a column of another kind. */
function findScale({ converted_type, logical_type, scale }: SchemaElement): number | null {
  if (logical_type?.type === 'DECIMAL') return logical_type.scale
  return converted_type === 'DECIMAL' ? (scale ?? 0) : null
}

/**
 * Returns a column as one of whole numbers or bytes. The library multiplies decimals by a power of ten, which leaves
 * noise in them.
 */
const withoutMeaning = ({ name, type, type_length, repetition_type }: SchemaElement): SchemaElement => ({
  name,
  ...(type === undefined ? {} : { type }),
  ...(type_length === undefined ? {} : { type_length }),
  ...(repetition_type === undefined ? {} : { repetition_type }),
})

/** Reads decimals as the numbers that stand nearest to them, as their texts would be read. */
const readDecimals = (part: DecodedArray, scale: number): DecodedArray =>
  Array.from(part, (value: unknown) => {
    if (value === null || value === undefined) return null
    const whole = value instanceof Uint8Array ? readWholeNumber(value) : value
    return Number(`${String(whole)}e-${scale}`)
  })

/** Reads a whole number in two's complement, its most significant byte first. Spec: Parquet, DECIMAL. */
const readWholeNumber = (bytes: Uint8Array): bigint =>
  bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`))

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
  LZ4: () => refuseCompression('LZ4'),
  LZ4_RAW: () => refuseCompression('LZ4'),
  LZO: () => refuseCompression('LZO'),
}

function refuseCompression(name: string): never {
  throw new Error(`it is compressed with ${name}, which is not unpacked here: write it with gzip or snappy`)
}

const maximumPageBytes = 1024 * 1024 * 1024
