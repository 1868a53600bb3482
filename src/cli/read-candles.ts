import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { parseRecording, type Recording } from '../market/recording.ts'
import type { CandleAnswer } from '../scenario/load-tree.ts'
import { readRegularFile } from './read-text-file.ts'

const fileBytesMaximum = 512 * 1024 * 1024
const textBytesMaximum = 1024 * 1024 * 1024

/** What a CSV file recorded, plain or gzip. Reasons name the file, and the row where one is at fault. */
export function readRecordingFile(path: string): RecordingAnswer {
  const read = readTable(path)
  if (!read.ok) return read
  const table = parseRecording(read.rows)
  if (!table.ok) {
    const { row, column, message } = table.problem
    return fail(`${path}:${row}${column === '' ? '' : ` ${column}`}: ${message}`)
  }
  if (table.kind === 'trades') return { ok: true, recording: { kind: 'trades', trades: table.trades } }
  return { ok: true, recording: { kind: 'candles', candles: table.candles } }
}

/** As `readRecordingFile`, where only candles will do. */
export function readCandleFile(path: string): CandleAnswer {
  const answer = readRecordingFile(path)
  if (!answer.ok) return answer
  const { recording } = answer
  if (recording.kind === 'candles') return { ok: true, candles: recording.candles }
  return fail(`${path}: these are trades, and candles are needed here`)
}

/** The rows of a CSV file as they stand, plain or gzip, blank ones too, or why they cannot be had. */
export function readTable(path: string): TableAnswer {
  const file = readRegularFile(path, fileBytesMaximum)
  if (!file.ok) return fail(`cannot read ${path}: ${file.reason}`)
  const bytes = unpack(file.bytes)
  if (bytes === null) return fail(`cannot read ${path}: it is no whole gzip file`)
  const rows = splitRows(bytes)
  return typeof rows === 'string' ? fail(`cannot read ${path}: ${rows}`) : { ok: true, rows }
}

export type RecordingAnswer = { readonly ok: true; readonly recording: Recording } | Unreadable

type TableAnswer = { readonly ok: true; readonly rows: readonly (readonly string[])[] } | Unreadable

interface Unreadable {
  readonly ok: false
  readonly reason: string
}

const fail = (reason: string): Unreadable => ({ ok: false, reason })

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
