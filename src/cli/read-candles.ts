import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { parseCandles } from '../market/candles.ts'
import type { CandleAnswer } from '../scenario/load-tree.ts'
import { readRegularFile } from './read-text-file.ts'

const fileBytesMaximum = 512 * 1024 * 1024
const textBytesMaximum = 1024 * 1024 * 1024

/** A recording from a CSV file, plain or gzip. Reasons name the file, and the row where one is at fault. */
export function readCandleFile(path: string): CandleAnswer {
  const file = readRegularFile(path, fileBytesMaximum)
  if (!file.ok) return fail(`cannot read ${path}: ${file.reason}`)
  const bytes = unpack(file.bytes)
  if (bytes === null) return fail(`cannot read ${path}: it is no whole gzip file`)
  const rows = splitRows(bytes)
  if (typeof rows === 'string') return fail(`cannot read ${path}: ${rows}`)
  const table = parseCandles(rows)
  if (table.ok) return { ok: true, candles: table.candles }
  const { row, column, message } = table.problem
  return fail(`${path}:${row}${column === '' ? '' : ` ${column}`}: ${message}`)
}

const fail = (reason: string): CandleAnswer => ({ ok: false, reason })

function unpack(bytes: Buffer): Buffer | null {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: textBytesMaximum })
  } catch {
    return null
  }
}

/** Rows as they stand, blank ones too, so that their numbers are those of an editor; or what is wrong. */
function splitRows(bytes: Buffer): string[][] | string {
  try {
    return parse(bytes, { bom: true, relax_column_count: true, skip_empty_lines: false, trim: true })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
