import { isObject } from '../api/json.ts'
import { type Readings, resolveReadings } from '../api/readings/readings.ts'
import type { Candle } from '../market/recordings/candle.ts'
import { listCandles } from '../market/recordings/candle-table.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import { findSourceBook, type PlainSourceBook } from '../scenario/file/recorded-books.ts'
import { digestSource, type ScenarioSource, toPlainSource } from '../scenario/file/source.ts'
import { loadSource } from '../scenario/load-tree.ts'
import {
  natural as aNatural,
  nullable,
  oneOfWords,
  orNone,
  type RecordOf,
  record,
  shapeTyped,
  text,
  wholeNumber,
} from '../shape/shape.ts'
import {
  text as aText,
  byNameDecoder,
  codecFor,
  type Decode,
  finite,
  listDecoder,
  natural,
  Undecodable,
} from './codec.ts'
import { makeSnapshotDocument, readSnapshotDocument } from './snapshot-document.ts'
import { sourceBook } from './source-book.ts'
import { type ClockSettings, clockSettings, type WorldSnapshot } from './world-snapshot.ts'

/*
 * The first line of a journal: everything that a world starts from. It has the whole scenario, recordings included, so that
 * the file replays anywhere.
 */

const journalFormat = 'otcsim-journal'
const journalVersion = 1

const scenarioShape = record({
  name: text(),
  /** The digest of the document and the recordings. */
  digest: text(),
  document: shapeTyped<unknown>({ $ref: 'anything' }),
  /** Candles by their names in the document, as `[atMillis, spanMillis, open, high, low, close, volume]`. */
  recordings: shapeTyped<readonly Recording[]>({ type: 'array', items: { $ref: 'recording' } }),
  /** Recorded books by their names in the document: their hashes, never their rows. Absent when there are none. */
  books: orNone(shapeTyped<readonly BookEntry[]>({ type: 'array', items: { $ref: 'book' } })),
})

/**
 * The shape of the state in which a journal began, if the world did not begin at its scenario's start: a fork, for
 * example.
 */
const startShape = record({
  /** The check over all events before the journal began. */
  events: text(),
  /** The document of the snapshot. */
  snapshot: shapeTyped<unknown>({ $ref: 'anything' }),
})

const forkSource = record({
  world: text(),
  /** The last line of its journal at the fork. */
  sequence: aNatural(),
  atMillis: wholeNumber(),
})

/** The world that another one was forked from, and the moment of it. */
export type ForkSource = RecordOf<typeof forkSource>

const headerShape = record({
  format: oneOfWords(journalFormat),
  version: oneOfWords(journalVersion),
  /** The version of the package that began the journal. */
  otcsim: text(),
  world: text(),
  seed: text(),
  clock: clockSettings,
  readings: shapeTyped<{ readonly [key: string]: string }>({ $ref: 'textsByName' }),
  scenario: scenarioShape,
  /** The state in which the journal began; null for the scenario's own start. */
  start: nullable(startShape),
  /** How long the world may go unused, in wall time; null for no limit. Older journals lack it. */
  ttlMillis: shapeTyped<number | null>({ $ref: 'timeToLive' }),
  /** What the world was forked from; absent when it is no fork. */
  parent: orNone(forkSource),
})

/** The first line of a journal, without its hash. */
export type JournalHeader = RecordOf<typeof headerShape>

type Recording = readonly [name: string, rows: readonly (readonly number[])[]]
type BookEntry = readonly [name: string, book: PlainSourceBook]

/** The world in which a journal begins. */
export interface InitialWorld {
  readonly scenario: CompiledScenario
  readonly seed: string
  readonly clock: ClockSettings
  readonly readings: Readings
  /** The state, with the check over all events before it; null for the scenario's own start. */
  readonly start: { readonly check: number; readonly snapshot: WorldSnapshot } | null
  /** What the world was forked from; null when it is no fork. */
  readonly parent: ForkSource | null
}

/** The world in which its own journal begins, with its id. It is captured at that instant and does not change afterwards. */
export interface OwnInitialWorld extends InitialWorld {
  readonly world: string
}

/** Makes the header of a world's journal. `otcsim` is the version of the package. */
export function makeHeader(
  initial: OwnInitialWorld,
  otcsim: string,
  ttlMillis: number | null,
): JournalHeader {
  const { world, seed, clock, readings, scenario, start, parent } = initial
  const { document, recordings, books } = toPlainSource(scenario.source)
  return {
    format: journalFormat,
    version: journalVersion,
    otcsim,
    world,
    seed,
    clock,
    readings,
    scenario: {
      name: scenario.name,
      digest: digestSource(scenario.source),
      document,
      recordings: [...recordings].map(([name, candles]) => [name, listCandles(candles).map(toRow)]),
      ...(books === undefined ? {} : { books: [...books] }),
    },
    start:
      start === null
        ? null
        : { events: formatCheck(start.check), snapshot: makeSnapshotDocument(start.snapshot) },
    ttlMillis,
    ...(parent === null ? {} : { parent }),
  }
}

const toRow = ({ atMillis, spanMillis, open, high, low, close, volume }: Candle): number[] => [
  atMillis,
  spanMillis,
  open,
  high,
  low,
  close,
  volume,
]

/** Decodes the header from the JSON value of the first line. Throws an `Undecodable` that says what is wrong. */
export function decodeHeader(json: unknown): JournalHeader {
  if (!isObject(json) || json['format'] !== journalFormat)
    throw new Undecodable('the first line', 'the header of an otcsim journal')
  if (json['version'] !== journalVersion)
    throw new Undecodable(
      'version',
      `${journalVersion}, the one that this otcsim reads, and is ${JSON.stringify(json['version'])}`,
    )
  const { hash: _, ...header } = json
  return headerCodec.decode(header, '')
}

/**
 * Compiles the world that a header describes. Throws an `Undecodable` if the scenario, readings or snapshot are not
 * valid.
 */
export function compileInitialWorld(header: JournalHeader): InitialWorld {
  const source = toSource(header.scenario)
  if (digestSource(source) !== header.scenario.digest)
    throw new Undecodable('scenario.digest', 'that of the scenario beside it')
  const loaded = loadSource(source, header.seed)
  if (!loaded.ok) {
    const [problem] = loaded.problems
    throw new Undecodable(`scenario.document.${problem?.path}`, `valid: ${problem?.reason}`)
  }
  const readings = resolveReadings(header.readings)
  if (!readings.ok)
    throw new Undecodable(`readings.${readings.problem.field}`, `known: ${readings.problem.reason}`)
  const { seed, clock, parent = null } = header
  const start = decodeStart(header.start)
  return { scenario: loaded.value, seed, clock, readings: readings.value, start, parent }
}

/**
 * Returns the source of a header's scenario: the document and its recordings, with the recorded books that the host has
 * at hand.
 */
export const toSource = ({
  document,
  recordings,
  books,
}: Pick<RecordOf<typeof scenarioShape>, 'document' | 'recordings' | 'books'>): ScenarioSource => ({
  document,
  recordings: new Map(recordings.map(([name, rows]) => [name, rows.map(toCandle)])),
  ...(books === undefined
    ? {}
    : { books: new Map(books.map(([name, plain]) => [name, findSourceBook(plain)])) }),
})

function decodeStart(start: JournalHeader['start']): InitialWorld['start'] {
  if (start === null) return null
  const read = readSnapshotDocument(start.snapshot)
  if (!read.ok) throw new Undecodable(`start.snapshot.${read.field}`, `valid: it ${read.reason}`)
  return { check: readCheck(start.events, 'start.events'), snapshot: read.snapshot }
}

/** Formats a check over events as 8 hexadecimal digits. */
export const formatCheck = (check: number): string => check.toString(16).padStart(8, '0')

/** Decodes a check over events from 8 hexadecimal digits. */
export const readCheck: Decode<number> = (json, path) => {
  if (typeof json !== 'string' || !/^[0-9a-f]{8}$/.test(json))
    throw new Undecodable(path, '8 hexadecimal digits')
  return Number.parseInt(json, 16)
}

const anything: Decode<unknown> = (json) => json

const recording: Decode<Recording> = (json, path) => {
  if (!Array.isArray(json) || json.length !== 2) throw new Undecodable(path, 'a name and its candles')
  return [aText(json[0], path), listDecoder(listDecoder(finite))(json[1], path)]
}

const book: Decode<BookEntry> = (json, path) => {
  if (!Array.isArray(json) || json.length !== 2)
    throw new Undecodable(path, 'a name and what stands for its book')
  return [aText(json[0], path), sourceBook.decode(json[1], path)]
}

const timeToLive: Decode<number | null> = (json, path) =>
  json === undefined || json === null ? null : natural(json, path)

const headerCodec = codecFor<JournalHeader>(headerShape, {
  anything,
  textsByName: byNameDecoder(aText),
  recording,
  book,
  timeToLive,
})

/** Encodes a header as the JSON text of the first line, without its hash. */
export const encodeHeader = (header: JournalHeader): string => JSON.stringify(headerCodec.encode(header))

function toCandle(row: readonly number[]): Candle {
  if (row.length !== 7) throw new Undecodable('scenario.recordings', 'candles of seven numbers')
  const [atMillis = 0, spanMillis = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = row
  return { atMillis, spanMillis, open, high, low, close, volume }
}
