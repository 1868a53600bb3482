import { isObject } from '../../api/json.ts'
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
 * Candles and trades in the store: their columns, and what a run says of their file. A column that another one gives is
 * left out: ends of candles of one span, and all prices of trades but one.
 */

/** Candles as they were read, with how their file was understood. */
export interface ReadCandles {
  readonly candles: CandleTable
  readonly explanation: RecordingExplanation
}

/** The version of what is written here, and of how files are read: what another version has read is read again. */
const format = 'candles 1'

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

/** What is told of the columns: `spanMillis` is null where candles differ in span, and 0 for trades. */
interface Facts {
  readonly explanation: RecordingExplanation
  readonly spanMillis: number | null
}

function writeStored(writer: PreparedWriter, { candles, explanation }: ReadCandles): Facts {
  const spanMillis = isUniform(candles) ? candles.grid.spanMillis : null
  const { atMillis, close, endMillis, high, low, open, volume } = candles
  writer.add('atMillis', atMillis)
  if (spanMillis === null) writer.add('endMillis', endMillis)
  writer.add('open', open)
  if (spanMillis !== 0) {
    writer.add('high', high)
    writer.add('low', low)
    writer.add('close', close)
  }
  writer.add('volume', volume)
  return { explanation, spanMillis }
}

function readStored(file: PreparedFile): { readonly read: ReadCandles; readonly madeAtMillis: number } {
  const { facts, madeAtMillis } = file
  if (!isFacts(facts)) throw new PreparedFileError(format, 'its index is of another kind')
  const { explanation, spanMillis } = facts
  const atMillis = file.readFloat64('atMillis')
  const open = file.readFloat64('open')
  const isTrades = spanMillis === 0
  const endMillis =
    spanMillis === null ? file.readFloat64('endMillis') : isTrades ? atMillis : addSpan(atMillis, spanMillis)
  const candles = createCandleTable({
    ...{ atMillis, endMillis, open },
    high: isTrades ? open : file.readFloat64('high'),
    low: isTrades ? open : file.readFloat64('low'),
    close: isTrades ? open : file.readFloat64('close'),
    volume: file.readFloat64('volume'),
  })
  // Only sound ones are kept, and the checksums say that they are as they were.
  noteSound(candles)
  return { read: { candles, explanation }, madeAtMillis }
}

function addSpan(atMillis: Float64Array, spanMillis: number): Float64Array {
  const ends = new Float64Array(atMillis.length)
  for (let place = 0; place < ends.length; place += 1) ends[place] = element(atMillis, place) + spanMillis
  return ends
}

const isFacts = (value: unknown): value is Facts =>
  isObject(value) && isObject(value['explanation']) && 'spanMillis' in value
