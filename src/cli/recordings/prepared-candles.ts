import { isObject } from '../../api/json.ts'
import type { CandleGrid } from '../../market/recordings/candle-phases.ts'
import {
  type CandleTable,
  createCandleTable,
  isUniform,
  noteSound,
} from '../../market/recordings/candle-table.ts'
import { checkCandles, checkTrades } from '../../market/recordings/check-recording.ts'
import type { FileOptions } from '../../market/recordings/file-options.ts'
import type { RecordingExplanation } from '../../market/recordings/interpretation.ts'
import { convertCandlesToTrades } from '../../market/recordings/trade-table.ts'
import { element } from '../../numeric/columns.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { type PreparedFile, PreparedFileError, type PreparedWriter } from './prepared-file.ts'
import { computePreparedKey, keepPrepared, type PreparedStore, readPrepared } from './prepared-store.ts'

/*
 * Candles and trades in the store: their columns, and what a run says of their file. A column that others give is left
 * out: ends of candles of one span, times of candles without gaps, and all prices of trades but one.
 */

/** Candles as they were read, with how their file was understood. */
export interface ReadCandles {
  readonly candles: CandleTable
  readonly explanation: RecordingExplanation
}

/** The version of what is written here, and of how files are read: what another version has read is read again. */
const format = 'candles 4'

/** The least size of a file that is kept: a smaller one is read as soon as it is found, bytes. */
const leastKeptBytes = 256 * 1024

/** A file of which the store is asked: where its candles are kept, and whether they were found there. */
export interface StoredCandles {
  /** Null where the store has none. */
  readonly found: ReadCandles | null
  /** Since when the store has them, as a text for whoever runs with them; null where it has none. */
  readonly since: string | null
  /** Keeps what was read. Returns why it could not be kept; null when it is, or is not to be. */
  readonly keep: (read: ReadCandles) => string | null
}

/** Looks up the candles of a file's content in a store. Without a store, or for small files, nothing is kept. */
export function findStoredCandles(
  store: PreparedStore | null,
  bytes: Uint8Array,
  options: FileOptions,
): StoredCandles {
  if (store === null || bytes.length < leastKeptBytes) return { found: null, since: null, keep: () => null }
  const key = computePreparedKey({ format, options: spellOptions(options), contents: [bytes] })
  const found = readPrepared(store, key, readStored)
  return {
    found: found?.read ?? null,
    since: found === null ? null : `prepared at ${millisToIso(found.madeAtMillis)}`,
    keep: (read) =>
      isSound(read.candles) ? keepPrepared(store, key, (writer) => writeStored(writer, read)) : null,
  }
}

/** Spells all options that are stated: also those that say what is usual decide what is refused. */
function spellOptions(options: FileOptions): string {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return JSON.stringify(given.sort(([left], [right]) => (left < right ? -1 : 1)))
}

function isSound(candles: CandleTable): boolean {
  const trades = convertCandlesToTrades(candles)
  return (trades === null ? checkCandles(candles) : checkTrades(trades)) === null
}

/**
 * What a stored file notes of its columns: `spanMillis` is null where candles differ in span, and 0 for trades;
 * `fromMillis` is the first time of candles of one span without gaps, else null.
 */
interface Facts {
  readonly explanation: RecordingExplanation
  readonly spanMillis: number | null
  readonly fromMillis: number | null
  readonly grid: CandleGrid
}

function writeStored(writer: PreparedWriter, { candles, explanation }: ReadCandles): Facts {
  const { atMillis, close, endMillis, grid, high, low, open, volume } = candles
  const spanMillis = isUniform(candles) ? grid.spanMillis : null
  const fromMillis = isWithoutGaps(candles, spanMillis) ? element(atMillis, 0) : null
  if (fromMillis === null) writer.add('atMillis', atMillis)
  if (spanMillis === null) writer.add('endMillis', endMillis)
  writer.add('open', open)
  if (spanMillis !== 0) {
    writer.add('high', high)
    writer.add('low', low)
    writer.add('close', close)
  }
  writer.add('volume', volume)
  return { explanation, spanMillis, fromMillis, grid }
}

function isWithoutGaps({ atMillis, count }: CandleTable, spanMillis: number | null): boolean {
  if (spanMillis === null || spanMillis === 0 || count === 0) return false
  for (let place = 1; place < count; place += 1)
    if (element(atMillis, place) !== element(atMillis, 0) + place * spanMillis) return false
  return true
}

function readStored(file: PreparedFile): { readonly read: ReadCandles; readonly madeAtMillis: number } {
  const { facts, madeAtMillis } = file
  if (!isFacts(facts)) throw new PreparedFileError(format, 'its index is of another kind')
  const { explanation, grid, spanMillis } = facts
  const open = file.readFloat64('open')
  const isTrades = spanMillis === 0
  const fields = {
    ...readTimes(file, facts, open.length),
    open,
    high: isTrades ? open : file.readFloat64('high'),
    low: isTrades ? open : file.readFloat64('low'),
    close: isTrades ? open : file.readFloat64('close'),
    volume: file.readFloat64('volume'),
  }
  const candles = createCandleTable(fields, grid)
  // Only sound ones are kept, and the checksums say that they are as they were.
  noteSound(candles)
  return { read: { candles, explanation }, madeAtMillis }
}

function readTimes(
  file: PreparedFile,
  { fromMillis, spanMillis }: Facts,
  count: number,
): Pick<CandleTable, 'atMillis' | 'endMillis'> {
  if (fromMillis !== null && spanMillis !== null) {
    // Each ends where the next one begins, so that both columns are parts of one.
    const instants = new Float64Array(count + 1)
    for (let place = 0; place <= count; place += 1) instants[place] = fromMillis + place * spanMillis
    return { atMillis: instants.subarray(0, count), endMillis: instants.subarray(1) }
  }
  const atMillis = file.readFloat64('atMillis')
  if (spanMillis === null) return { atMillis, endMillis: file.readFloat64('endMillis') }
  return { atMillis, endMillis: spanMillis === 0 ? atMillis : addSpan(atMillis, spanMillis) }
}

function addSpan(atMillis: Float64Array, spanMillis: number): Float64Array {
  const ends = new Float64Array(atMillis.length)
  for (let place = 0; place < ends.length; place += 1) ends[place] = element(atMillis, place) + spanMillis
  return ends
}

const isFacts = (value: unknown): value is Facts =>
  isObject(value) &&
  isObject(value['explanation']) &&
  isObject(value['grid']) &&
  'spanMillis' in value &&
  'fromMillis' in value
