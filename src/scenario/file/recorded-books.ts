import { findKnownBook } from '../../market/books/known-books.ts'
import type { RecordedBook } from '../../market/books/recorded-book.ts'
import type { Candle } from '../../market/recordings/candle.ts'
import type { RecordingInfo } from '../../market/recordings/interpretation.ts'
import { decimalToNumber, parseDecimal } from '../../numeric/units.ts'
import type { Shape } from '../../shape/shape.ts'
import {
  addMistake,
  childField,
  type Field,
  listItems,
  requiredField,
  statedScalar,
  statedText,
  textOr,
} from './fields.ts'
import type { LoadOptions, ReadFiles } from './source.ts'
import { isWhole } from './tree.ts'

/*
 * The recorded books that a scenario names: `liquidity: {kind: recorded, data: FILE}` with the book, and `flow: {kind:
 * recorded, data: FILE}` with the trades, which a host reads together, because their rows are worked off in one order.
 */

/** A file as a scenario names it. */
export interface NamedFile {
  /** The name as written: relative to the scenario's file or, when `isParameter`, to the caller's directory. */
  readonly name: string
  readonly isParameter: boolean
}

/** A step as `units * 10^-scale`. */
interface Step {
  readonly units: number
  readonly scale: number
}

/** The files of one asset's recorded book, and how they are to be read. */
export interface BookRequest {
  readonly symbol: string
  readonly book: readonly NamedFile[]
  /** Files of trades; empty where none are named. */
  readonly trades: readonly NamedFile[]
  /** Whether trades are wanted: those of `trades` or, if that is empty, those among the rows of `book`. */
  readonly hasTrades: boolean
  /** The steps that the pair states, which the prices and quantities must be multiples of; null: those of the data. */
  readonly priceStep: Step | null
  readonly quantityStep: Step | null
  /** All of this as one text: equal requests have equal keys. */
  readonly key: string
}

/** A recorded book with the steps by which its ticks and steps count. */
export interface ReadBook {
  readonly book: RecordedBook
  readonly priceStep: Step
  readonly quantityStep: Step
  /** How the files were understood; absent for a book that does not come from any. */
  readonly notes?: readonly RecordingInfo[]
}

/** A recorded book in the source of a scenario. */
export interface SourceBook extends Pick<ReadBook, 'priceStep' | 'quantityStep'> {
  /** The hash of its content. */
  readonly hash: string
  /** The book; null where only its hash is known, as in a journal whose files are elsewhere. */
  readonly book: RecordedBook | null
}

/** What stands for a recorded book in journals and snapshots: never its rows. */
export type PlainSourceBook = Omit<SourceBook, 'book'>

/** Returns a source's book by what stands for it, with the book itself if the host has it. */
export const findSourceBook = (plain: PlainSourceBook): SourceBook => ({
  ...plain,
  book: findKnownBook(plain.hash),
})

/** Answers for a book of a source. */
export function answerSourceBook(read: SourceBook | undefined, key: string): BookAnswer {
  if (read === undefined) return { ok: false, reason: `the recorded book ${key} is not there` }
  const { book, hash, priceStep, quantityStep } = read
  if (book === null)
    return {
      ok: false,
      reason: `is the recorded book of hash ${hash}, which is not at hand: name the same files, or prepare them again`,
    }
  return { ok: true, book, priceStep, quantityStep }
}

export type BookAnswer =
  | ({ readonly ok: true } & ReadBook)
  | {
      readonly ok: false
      readonly reason: string
      /** The file that the reason is about: its place in `book`, or after those in `trades`; absent for all. */
      readonly file?: number
    }

/** Recorded books by asset symbol. */
export type RecordedBooks = ReadonlyMap<string, ReadBook>

/** Returns whether an asset's liquidity is a recorded book. */
export const hasRecordedBook = (asset: Field): boolean =>
  textOr(childField(childField(asset, 'liquidity'), 'kind'), '') === 'recorded'

/** Reads the recorded books that the assets of a market name. `asRead` receives each of them, by its key. */
export function readBooks(
  assets: readonly (readonly [string, Field])[],
  market: Field,
  options: LoadOptions,
  asRead: ReadFiles,
): RecordedBooks {
  const books = new Map<string, ReadBook>()
  for (const [symbol, asset] of assets) {
    if (!hasRecordedBook(asset) || !isWhole(asset.tree)) continue
    const data = requiredField(requiredField(asset, 'liquidity'), 'data')
    if (options.readBook === undefined) {
      addMistake(data, 'recordings can only be read from scenario files, not here')
      continue
    }
    const flow = childField(asset, 'flow') ?? childField(market, 'flow')
    const isRecorded = textOr(childField(flow, 'kind'), '') === 'recorded'
    const trades = isRecorded ? childField(flow, 'data') : null
    const request = createRequest(symbol, asset, data, trades, isRecorded)
    const answer = options.readBook(request)
    if (answer.ok) {
      books.set(symbol, answer)
      const { book, priceStep, quantityStep } = answer
      asRead.books.set(request.key, { hash: book.hash, book, priceStep, quantityStep })
      asRead.notes.push(...(answer.notes ?? []))
    } else {
      const files = [...listFiles(data), ...listFiles(trades)]
      addMistake((answer.file === undefined ? undefined : files[answer.file]) ?? data, answer.reason)
    }
  }
  return books
}

function createRequest(
  symbol: string,
  asset: Field,
  data: Field,
  trades: Field | null,
  hasTrades: boolean,
): BookRequest {
  const pair = childField(asset, 'pair')
  const nameFile = (file: Field): NamedFile => ({
    name: statedText(file),
    isParameter: statedScalar(file).isParameter,
  })
  const request = {
    symbol,
    book: listFiles(data).map(nameFile),
    trades: listFiles(trades).map(nameFile),
    hasTrades,
    priceStep: readStep(childField(pair, 'priceStep')),
    quantityStep: readStep(childField(pair, 'quantityStep')),
  }
  return { ...request, key: JSON.stringify(request) }
}

const readStep = (field: Field | null): Step | null =>
  field === null ? null : parseDecimal(statedText(field))

const listFiles = (data: Field | null): readonly Field[] =>
  data === null ? [] : data.tree.kind === 'list' ? listItems(data) : [data]

/**
 * Returns a book's span and first price as a single candle, by which the clock starts and ends and the pair gets its
 * price, as they do by the candles of a replay.
 */
export function coverBook({ book, priceStep }: ReadBook): readonly Candle[] {
  const { index } = book
  let first = 0
  while (first + 1 < index.count && (index.bidTicks[first] === 0 || index.askTicks[first] === 0)) first += 1
  const halfTicks = Math.max(1, (index.bidTicks[first] ?? 0) + (index.askTicks[first] ?? 0))
  const price = (halfTicks * decimalToNumber(priceStep.units, priceStep.scale)) / 2
  const spanMillis = Math.max(1, book.lastMillis - book.firstMillis)
  return [
    { atMillis: book.firstMillis, spanMillis, open: price, high: price, low: price, close: price, volume: 0 },
  ]
}

const fileName: Shape = { title: 'the name of a file', type: 'string', minLength: 1, maxLength: 4096 }

/** Schema of the files of a recorded book or of its trades. */
export const bookFiles: Shape = {
  title: 'the name of a file of a recorded book or of its trades, or a list of them',
  oneOf: [
    fileName,
    { type: 'array', minItems: 1, maxItems: 1000, items: fileName, description: 'One after the other.' },
  ],
}
