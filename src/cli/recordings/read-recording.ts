import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { CandleResult } from '../../market/recordings/candle-reading.ts'
import type { Candles } from '../../market/recordings/candle-table.ts'
import type { FileOptions } from '../../market/recordings/file-options.ts'
import { type RecordingInfo, toNote } from '../../market/recordings/interpretation.ts'
import { joinRecordings, type RecordingPart } from '../../market/recordings/join-recordings.ts'
import { readTable } from '../../market/recordings/recording.ts'
import { convertTradesToCandles } from '../../market/recordings/trade-table.ts'
import type { TradeResult } from '../../market/recordings/trades.ts'
import type { CandleAnswer } from '../../scenario/file/source.ts'
import { findStoredCandles } from './prepared-candles.ts'
import type { PreparedStore } from './prepared-store.ts'
import { parseTable, readTableBytes } from './read-table.ts'
import { findZoneOffset } from './zone-offset.ts'

/** What a file holds, or why nothing can be read from it. */
export type FileResult =
  | { readonly ok: true; readonly reading: CandleResult | TradeResult }
  | { readonly ok: false; readonly reason: string }

/** Reads a file whole: what it holds, and what is wrong with it. */
export function readFileWhole(path: string, options: FileOptions): FileResult {
  const file = readTableBytes(path)
  return file.ok ? readBytes(path, file.bytes, options) : file
}

function readBytes(path: string, bytes: Buffer, options: FileOptions): FileResult {
  const table = parseTable(path, bytes)
  return table.ok ? { ok: true, reading: readTable(table.table, options, findZoneOffset) } : table
}

/**
 * Reads a recording from one file. Trades become candles without a span. The reason of a failure names the file, and
 * the row if one is at fault. `name` is how the file was named. With a store, a file that was read before is not read
 * again, and says the same.
 */
export function readRecordingFile(
  path: string,
  options: FileOptions = {},
  name = basename(path),
  store: PreparedStore | null = null,
): CandleAnswer {
  const bytes = readTableBytes(path)
  if (!bytes.ok) return bytes
  const stored = findStoredCandles(store, bytes.bytes, options)
  if (stored.found !== null) {
    const { candles, explanation } = stored.found
    return { ok: true, candles, note: toNote(name, explanation, stored.since) }
  }
  const file = readBytes(path, bytes.bytes, options)
  if (!file.ok) return file
  const { reading } = file
  const candles = reading.kind === 'trades' ? convertTradesToCandles(reading.trades) : reading.candles
  if (reading.problem !== null || reading.explanation === null)
    return { ok: false, reason: formatProblem(path, reading) }
  const { explanation } = reading
  const unkept = stored.keep({ candles, explanation })
  return {
    ok: true,
    candles,
    note: toNote(name, explanation, unkept === null ? null : `not kept: ${unkept}`),
  }
}

/** Formats why a reading cannot be used, with its file and row. */
export function formatProblem(path: string, { problem }: CandleResult | TradeResult): string {
  if (problem === null) return ''
  const { column, message, row } = problem
  return `${path}:${row}${column === '' ? '' : ` ${column}`}: ${message}`
}

/** A recording of one file or several, with what is to be said of each. */
export type RecordingAnswer =
  | { readonly ok: true; readonly candles: Candles; readonly notes: readonly RecordingInfo[] }
  | { readonly ok: false; readonly reason: string }

/** Reads a recording from files and patterns of files, and joins them in the order of time. */
export function readRecordingFiles(
  files: readonly string[],
  options: FileOptions,
  cwd: string,
  store: PreparedStore | null = null,
): RecordingAnswer {
  const parts: RecordingPart[] = []
  const notes: RecordingInfo[] = []
  for (const file of files.flatMap((name) => expandFile(name, cwd))) {
    const answer = readRecordingFile(resolve(cwd, file), options, file, store)
    if (!answer.ok) return answer
    parts.push({ file, candles: answer.candles })
    if (answer.note !== undefined) notes.push(answer.note)
  }
  const joined = joinRecordings(parts, options)
  if (!joined.ok)
    return { ok: false, reason: `${resolve(cwd, parts[joined.place]?.file ?? '')}: ${joined.reason}` }
  return {
    ok: true,
    candles: joined.candles,
    notes: joined.repeated === 0 ? notes : addRepeated(notes, joined.repeated),
  }
}

function addRepeated(notes: readonly RecordingInfo[], repeated: number): readonly RecordingInfo[] {
  const counted = repeated === 1 ? '1 candle is' : `${repeated} candles are`
  return notes.map((note, place) =>
    place === 0
      ? { ...note, warnings: [...note.warnings, `${counted} in two of the files, and count once.`] }
      : note,
  )
}

/**
 * Lists the files that a name or a pattern (`BTC-*.csv`, `2024/*.csv.gz`) stands for, in the order of their names. A
 * pattern without any file stands for itself, so that the error names it.
 */
export function expandFile(name: string, cwd: string): readonly string[] {
  if (!/[*?]/.test(name) || existsSync(resolve(cwd, name))) return [name]
  const found = listMatches(dirname(name), basename(name), cwd)
  return found.length === 0 ? [name] : found
}

function listMatches(folder: string, pattern: string, cwd: string): readonly string[] {
  const folders = /[*?]/.test(folder) ? listMatches(dirname(folder), basename(folder), cwd) : [folder]
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  const whole = new RegExp(`^${source}$`)
  return folders.flatMap((one) => {
    const path = resolve(cwd, one)
    const names = existsSync(path) ? readdirSync(path).filter((file) => whole.test(file)) : []
    return names.sort().map((file) => (one === '.' ? file : join(one, file)))
  })
}

/** Writes the options of files that a message names as flags: `volumeIn: usd` is `--volume-in usd`. */
export function nameFileFlags(message: string): string {
  return message
    .replace(/\b(skipBad|sort): true\b/g, (_, name: string) => (name === 'sort' ? '--sort' : '--skip-bad'))
    .replace(/\bvolumeIn: (?=usd|asset|if)/g, '--volume-in ')
    .replace(/\b(columns|times|zone|dates|decimal|symbol|dedupe): (?=\S)/g, '--$1 ')
}
