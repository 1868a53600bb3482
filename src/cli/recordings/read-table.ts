import { isAscii } from 'node:buffer'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import type AdmZip from 'adm-zip'
import { parse } from 'csv-parse/sync'
import { PlainRows } from '../../market/recordings/plain-rows.ts'
import type { TableRows, TextTable } from '../../market/recordings/table-header.ts'
import { findUtf16 } from '../../shape/decode-text.ts'
import { detectFileKind, jsonKind, readRegularFile } from '../files.ts'
import { readJsonTable } from './json-table.ts'
import { isParquet, readParquetTable } from './parquet-table.ts'
import { unpackZstd, zstdSignature } from './unpack-zstd.ts'
import { listZippedFiles } from './zip-files.ts'

/** How much is unpacked at a time at least: the usual 16 KiB take a third longer. */
const unpackedChunkBytes = 1024 * 1024
/** How many times its own size a packed file may become. */
const mostUnpacked = 1032
const maximumFileBytes = 512 * 1024 * 1024
const maximumTextBytes = 1024 * 1024 * 1024

/** Reads the bytes of a file of candles or trades, or returns why it cannot be read. */
export function readTableBytes(path: string): BytesAnswer {
  const file = readRegularFile(path, maximumFileBytes)
  return file.ok ? file : fail(path, file.reason)
}

export type BytesAnswer = { readonly ok: true; readonly bytes: Buffer } | Unreadable

/**
 * Reads the table in a file's bytes, plain, gzip, zip or zstd, including blank rows; or returns why it cannot be read.
 * The path is for the reason.
 */
export function parseTable(path: string, given: Buffer): TableAnswer {
  const bytes = unpack(given, maximumTextBytes)
  const table = typeof bytes === 'string' ? bytes : splitTable(bytes)
  return typeof table === 'string' ? fail(path, table) : { ok: true, table }
}

export type TableAnswer = { readonly ok: true; readonly table: TextTable } | Unreadable

interface Unreadable {
  readonly ok: false
  readonly reason: string
}

const fail = (path: string, reason: string): Unreadable => ({
  ok: false,
  reason: `cannot read ${path}: ${reason}`,
})

/** Splits a text into rows; or returns what is wrong. Blank rows are kept, so that row numbers match an editor's. */
function splitTable(bytes: Buffer): TextTable | string {
  if (isParquet(bytes)) {
    const rows = readParquetTable(bytes)
    return typeof rows === 'string' ? rows : { rows, hasSemicolons: false, firstRowNumber: 1 }
  }
  const utf16 = findUtf16(bytes)
  if (utf16 !== null) return splitUtf16(bytes, utf16)
  const beginning = bytes.toString('utf8', 0, 4096)
  // The parser's message would quote the file, control characters included, on a terminal.
  if (hasControls(beginning))
    return 'it is not text; a CSV, JSON or Parquet file, plain, gzip, zip or zstd, is needed'
  const kind = detectFileKind(beginning)
  if (kind === jsonKind) {
    const rows =
      bytes.length < maximumPlainBytes ? readJsonTable(bytes.toString('utf8').replace(/^\ufeff/, '')) : null
    return rows === null
      ? `it is JSON without one table of candles or trades: a list of lists or of records, or one inside of an answer`
      : { rows, hasSemicolons: false, firstRowNumber: 1 }
  }
  if (kind !== null) return `it is ${kind}; a CSV file of candles or trades is needed`
  const delimiter = detectDelimiter(beginning)
  const rows = splitRows(bytes, delimiter)
  return typeof rows === 'string' ? rows : { rows, hasSemicolons: delimiter === ';', firstRowNumber: 1 }
}

function splitUtf16(bytes: Buffer, encoding: string): TextTable | string {
  if (bytes.length >= maximumPlainBytes) return 'it is UTF-16; save it as UTF-8'
  return splitTable(Buffer.from(new TextDecoder(encoding).decode(bytes)))
}

function splitRows(bytes: Buffer, delimiter: string): TableRows | string {
  // The archives of exchanges contain no quotes. Splitting at commas takes a fifth of the parser's time.
  if (bytes.length < maximumPlainBytes && !bytes.includes(quote)) {
    const plain = bytes.subarray(bytes.indexOf(byteOrderMark) === 0 ? byteOrderMark.length : 0)
    if (plain.includes('\n') && isAscii(plain)) return new PlainRows(plain, delimiter)
    const text = bytes.toString('utf8').replace(/^\ufeff/, '')
    const lines = text.includes('\n') ? text.split('\n') : text.split('\r')
    if (lines.at(-1) === '') lines.pop()
    return lines.map((line) => line.split(delimiter).map(trim))
  }
  try {
    return parse(bytes, {
      bom: true,
      delimiter,
      record_delimiter: bytes.includes('\n') ? ['\r\n', '\n'] : ['\r'],
      relax_column_count: true,
      skip_empty_lines: false,
      trim: true,
    })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * Detects the delimiter: of those that most lines have, the one that they have most often. Commas inside of numbers are
 * not counted where semicolons or tabs split the line, too.
 */
function detectDelimiter(beginning: string): string {
  const lines = beginning
    .replace(/"[^"]*"/g, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
  const count = (candidate: string): number =>
    lines.filter((line) => line.split(candidate).length >= 3).length
  const others = ['\t', ';', '|'].filter((candidate) => count(candidate) > lines.length / 2)
  return others[0] ?? ','
}

const byteOrderMark = Buffer.of(0xef, 0xbb, 0xbf)
const quote = '"'
/** The size from which a text may not fit into one string. */
const maximumPlainBytes = 400 * 1024 * 1024

const trim = (field: string): string => field.trim()

function hasControls(text: string): boolean {
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place)
    if (code < 32 && code !== 9 && code !== 10 && code !== 13) return true
  }
  return false
}

/** Unpacks gzip, zip or zstd, and returns other bytes as they are; or returns why the file cannot be read. */
function unpack(bytes: Buffer, maximumBytes: number): Buffer | string {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzip(bytes, maximumBytes)
  if (bytes.length < 4) return bytes
  if (bytes.readUInt32LE(0) === zstdSignature) return unpackZstd(bytes, maximumBytes)
  if (bytes.readUInt32LE(0) === localSignature) return unzip(bytes, maximumBytes)
  return bytes
}

function gunzip(bytes: Buffer, maximumBytes: number): Buffer | string {
  try {
    // The size that the file states, so that its text is unpacked in one piece and not joined. It may be a false one.
    const stated = bytes.readUInt32LE(bytes.length - 4) + 64
    const isLikely = stated <= maximumBytes && stated <= bytes.length * mostUnpacked
    const chunkSize = Math.max(unpackedChunkBytes, isLikely ? stated : 0)
    return gunzipSync(bytes, { maxOutputLength: maximumBytes, chunkSize })
  } catch {
    return 'it is not a complete gzip file'
  }
}

const localSignature = 0x04034b50
const broken = 'it is not a complete zip file'

/** Unpacks a zip archive of one file, as exchanges publish them; or returns why that is not possible. */
function unzip(bytes: Buffer, maximumBytes: number): Buffer | string {
  // Loaded only for zip files, which most users do not have.
  const Archive: typeof AdmZip = createRequire(import.meta.url)('adm-zip')
  try {
    const files = listZippedFiles(new Archive(bytes))
    const [file] = files
    if (file === undefined) return 'the zip file is empty'
    if (files.length > 1)
      return `the zip file holds ${files.length} files; unpack it and name the ones to use`
    const { entryName, header } = file
    if (header.encrypted || (header.method !== 0 && header.method !== 8))
      return `${entryName} in the zip file is encrypted or compressed by an unknown method`
    // The library unpacks no more than the stated size.
    return header.size > maximumBytes ? broken : file.getData()
  } catch {
    return broken
  }
}
