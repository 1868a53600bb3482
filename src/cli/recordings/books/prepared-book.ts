import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { isObject } from '../../../api/json.ts'
import type { BookChunk } from '../../../market/books/book-maker.ts'
import { type BookFacts, describeFailure } from '../../../market/books/readers/book-facts.ts'
import type { BookFault } from '../../../market/books/readers/book-notes.ts'
import { type BookOptions, formatBookOptions } from '../../../market/books/readers/book-options.ts'
import { fileOfPlace, lineOfPlace } from '../../../market/books/readers/row-queue.ts'
import {
  type BookIndex,
  type BookLevels,
  type BookRows,
  bookChunkRows,
  type RecordedBook,
} from '../../../market/books/recorded-book.ts'
import { missing } from '../../../numeric/assert.ts'
import { byteElement, element } from '../../../numeric/columns.ts'
import type { PreparedFile, PreparedWriter } from '../prepared-file.ts'
import { computePreparedKey, keepPrepared, openPrepared, type PreparedStore } from '../prepared-store.ts'
import { hashFile, UnreadableFile } from './file-pieces.ts'
import { type BookFiles, readBook, type StatedUnits } from './read-book.ts'

/** The version of the columns below: files of another one are prepared again. */
const format = 'book 3'

/** A recorded book from files, and what is to be known of it; or what is wrong with the files. */
export type PreparedBook =
  | {
      readonly ok: true
      readonly book: RecordedBook
      readonly facts: BookFacts
      readonly madeAtMillis: number
    }
  | { readonly ok: false; readonly faults: readonly BookFault[] }

export interface PrepareRequest {
  readonly files: BookFiles
  readonly options: BookOptions
  readonly units: StatedUnits
  readonly cwd: string
  /** Where the prepared form is kept; null for a temporary file of this process. */
  readonly store: PreparedStore | null
}

/** Opens a recorded book: prepared before, or read from its files now and kept. */
export function openRecordedBook(request: PrepareRequest): PreparedBook {
  const files = dropRepeated(request.files)
  const key = computeKey(files, request)
  if (typeof key !== 'string') return { ok: false, faults: [key] }
  if (request.store !== null) {
    const known = openKept(request.store, key)
    if (known !== null) return known
    const answer = prepare(files, request, request.store, key)
    if (answer !== null) return answer
  }
  // A store that cannot be written is no reason not to run.
  const answer = prepare(files, request, createTemporaryStore(), key)
  return answer ?? { ok: false, faults: [describeFailure('no prepared form of it can be written')] }
}

/** Returns the book of a hash where a store has it; null otherwise. */
export function findPreparedBook(store: PreparedStore, hash: string): RecordedBook | null {
  const kept = openKept(store, hash)
  return kept?.ok === true ? kept.book : null
}

/** Drops files of trades that are named as books, too: such a file has both, and is read once. */
const dropRepeated = ({ book, trades }: BookFiles): BookFiles => ({
  book,
  trades: trades?.filter((name) => !book.includes(name)) ?? null,
})

function computeKey(
  { book, trades }: BookFiles,
  { cwd, options, units }: PrepareRequest,
): string | BookFault {
  const contents: Buffer[] = []
  for (const name of [...book, ...(trades ?? [])]) {
    try {
      contents.push(hashFile(resolve(cwd, name)))
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      return describeFailure(`cannot be read: ${error.message}`, name)
    }
  }
  // Names are part of it, because places and messages have them.
  const stated = JSON.stringify([formatBookOptions(options), units, book, trades])
  return computePreparedKey({ format, options: stated, contents })
}

function openKept(store: PreparedStore, key: string): PreparedBook | null {
  const file = openPrepared(store, key)
  if (file === null) return null
  const { facts } = file
  if (isPreparedFacts(facts)) return openBook(file, key, facts)
  file.close()
  return null
}

/** Reads the files and keeps what they hold; null where nothing can be written. */
function prepare(
  files: BookFiles,
  { cwd, options, units }: PrepareRequest,
  store: PreparedStore,
  key: string,
): PreparedBook | null {
  let faults: readonly BookFault[] | null = null
  try {
    const problem = keepPrepared(store, key, (writer) => {
      let attempt = 0
      const chunks: { count: number }[] = []
      const reading = readBook(files, options, units, cwd, {
        take: (chunk, places) => {
          writeChunk(writer, `${attempt}.${chunk.number}`, chunk, places)
          chunks.push({ count: chunk.rows.count })
        },
        restart: () => {
          attempt += 1
          chunks.length = 0
        },
      })
      if (!reading.ok) {
        faults = reading.faults
        throw new UnusableBook()
      }
      const { facts, summary } = reading
      writeIndex(writer, summary.index)
      const { firstMillis, gaps, lastMillis, rowCount } = summary
      const { count, firstMillis: indexFirstMillis } = summary.index
      const shape = { attempt, rowCount, firstMillis, lastMillis, gaps, indexCount: count, indexFirstMillis }
      return { facts, shape } satisfies PreparedFacts
    })
    if (problem !== null) return null
  } catch (error) {
    if (error instanceof UnusableBook && faults !== null) return { ok: false, faults }
    throw error
  }
  return openKept(store, key)
}

/** Thrown to leave the writing of a book that cannot be used. */
class UnusableBook extends Error {}

/** What a prepared book has besides its columns. */
interface PreparedFacts {
  readonly facts: BookFacts
  readonly shape: Pick<RecordedBook, 'rowCount' | 'firstMillis' | 'lastMillis' | 'gaps'> & {
    /** The number of the attempt that wrote the columns; their names begin with it. */
    readonly attempt: number
    readonly indexCount: number
    readonly indexFirstMillis: number
  }
}

const isPreparedFacts = (value: unknown): value is PreparedFacts =>
  isObject(value) && isObject(value['facts']) && isObject(value['shape'])

const sidesOfCode = 4

function writeChunk(
  writer: PreparedWriter,
  name: string,
  { levels, rows }: BookChunk,
  places: Float64Array,
): void {
  const { count } = rows
  const codes = new Uint8Array(count)
  const lines = new Uint32Array(count)
  const files = new Uint8Array(count)
  let hasOtherFiles = false
  for (let row = 0; row < count; row += 1) {
    codes[row] = byteElement(rows.kinds, row) * sidesOfCode + byteElement(rows.sides, row)
    const place = element(places, row)
    lines[row] = lineOfPlace(place)
    const file = Math.min(fileOfPlace(place), unknownFile)
    files[row] = file
    if (file > 0) hasOtherFiles = true
  }
  writer.add(`at.${name}`, rows.atMillis.subarray(0, count))
  writer.add(`codes.${name}`, codes)
  writer.add(`prices.${name}`, rows.priceTicks.subarray(0, count))
  writer.add(`quantities.${name}`, rows.quantitySteps.subarray(0, count))
  writer.add(`lines.${name}`, lines)
  if (hasOtherFiles) writer.add(`files.${name}`, files)
  writer.add(`bidTicks.${name}`, levels.bidTicks)
  writer.add(`bidSteps.${name}`, levels.bidSteps)
  writer.add(`askTicks.${name}`, levels.askTicks)
  writer.add(`askSteps.${name}`, levels.askSteps)
}

/** Stands for the files behind the first 255. */
const unknownFile = 255

const indexColumns = ['bidTicks', 'askTicks', 'lastTicks', 'trades', 'highTicks', 'lowTicks'] as const

function writeIndex(writer: PreparedWriter, index: BookIndex): void {
  for (const name of indexColumns) writer.add(`index.${name}`, index[name])
  writer.add('index.tradedSteps', index.tradedSteps)
  writer.add('index.tradedTickSteps', index.tradedTickSteps)
}

function openBook(file: PreparedFile, key: string, { facts, shape }: PreparedFacts): PreparedBook {
  const { attempt, indexCount, indexFirstMillis, ...summary } = shape
  const index: BookIndex = {
    firstMillis: indexFirstMillis,
    count: indexCount,
    bidTicks: file.readInt32('index.bidTicks'),
    askTicks: file.readInt32('index.askTicks'),
    lastTicks: file.readInt32('index.lastTicks'),
    trades: file.readInt32('index.trades'),
    highTicks: file.readInt32('index.highTicks'),
    lowTicks: file.readInt32('index.lowTicks'),
    tradedSteps: file.readFloat64('index.tradedSteps'),
    tradedTickSteps: file.readFloat64('index.tradedTickSteps'),
  }
  const nameOf = (number: number): string => `${attempt}.${number}`
  const chunks = new LastUsed((number) => readRows(file, nameOf(number)))
  const places = new LastUsed((number) => readPlaces(file, nameOf(number)))
  const book: RecordedBook = {
    ...summary,
    hash: key,
    index,
    chunk: (number) => chunks.read(number),
    levels: (number) => readLevels(file, nameOf(number)),
    place: (row) => {
      const { lines, numbers } = places.read(Math.floor(row / bookChunkRows))
      const line = lines[row % bookChunkRows]
      const named = facts.files[numbers === null ? 0 : (numbers[row % bookChunkRows] ?? unknownFile)]
      return line === undefined || named === undefined ? null : { file: named, line }
    },
  }
  return { ok: true, book, facts, madeAtMillis: file.madeAtMillis }
}

function readRows(file: PreparedFile, name: string): BookRows {
  const codes = file.readUint8(`codes.${name}`)
  const kinds = new Uint8Array(codes.length)
  const sides = new Uint8Array(codes.length)
  for (let row = 0; row < codes.length; row += 1) {
    const code = byteElement(codes, row)
    kinds[row] = code >> 2
    sides[row] = code & 3
  }
  return {
    count: codes.length,
    atMillis: file.readFloat64(`at.${name}`),
    kinds,
    sides,
    priceTicks: file.readInt32(`prices.${name}`),
    quantitySteps: file.readFloat64(`quantities.${name}`),
  }
}

/** Reads where the rows of a chunk stand: their lines, and the numbers of their files where there are several. */
const readPlaces = (file: PreparedFile, name: string) => ({
  lines: file.readUint32(`lines.${name}`),
  numbers: file.has(`files.${name}`) ? file.readUint8(`files.${name}`) : null,
})

const readLevels = (file: PreparedFile, name: string): BookLevels => ({
  bidTicks: file.readInt32(`bidTicks.${name}`),
  bidSteps: file.readFloat64(`bidSteps.${name}`),
  askTicks: file.readInt32(`askTicks.${name}`),
  askSteps: file.readFloat64(`askSteps.${name}`),
})

/** How many chunks are in memory: the one being worked off, and one that a fork or a look back still uses. */
const keptChunks = 3

/** Keeps what was read last, by number. */
class LastUsed<Part> {
  private readonly kept = new Map<number, Part>()
  private readonly load: (number: number) => Part

  constructor(load: (number: number) => Part) {
    this.load = load
  }

  read(number: number): Part {
    const rows = this.kept.get(number) ?? this.load(number)
    this.kept.delete(number)
    this.kept.set(number, rows)
    if (this.kept.size > keptChunks) {
      const [oldest] = this.kept.keys()
      this.kept.delete(oldest ?? missing('a map that is not empty has a first key'))
    }
    return rows
  }
}

/** Creates a store that is removed when this process ends. */
function createTemporaryStore(): PreparedStore {
  const folder = mkdtempSync(join(tmpdir(), 'otcsim-books-'))
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true })
  })
  return { folder, maximumBytes: Number.POSITIVE_INFINITY }
}
