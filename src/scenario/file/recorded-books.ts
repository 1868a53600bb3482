import { findKnownBook } from '../../market/books/known-books.ts'
import { type BookOptions, bookOptions } from '../../market/books/readers/book-options.ts'
import type { BookStep } from '../../market/books/readers/book-units.ts'
import type { RecordedBook } from '../../market/books/recorded-book.ts'
import type { RecordingInfo } from '../../market/recordings/interpretation.ts'
import { schemaInFile } from '../../shape/in-file.ts'
import type { Shape } from '../../shape/shape.ts'
import { childField, type Field, textOr } from './fields.ts'

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

/** The files of one asset's recorded book, and how they are to be read. */
export interface BookRequest {
  readonly symbol: string
  readonly book: readonly NamedFile[]
  /** Files of trades; empty where none are named. */
  readonly trades: readonly NamedFile[]
  /** Whether trades are wanted: those of `trades` or, if that is empty, those among the rows of `book`. */
  readonly hasTrades: boolean
  /** The steps that the pair states, which the prices and quantities must be multiples of; null: those of the data. */
  readonly priceStep: BookStep | null
  readonly quantityStep: BookStep | null
  /** How the files are to be read. */
  readonly options: BookOptions
  /** The whole request as one text: equal requests have equal keys. */
  readonly key: string
}

/** A recorded book with the steps by which its ticks and steps count. */
export interface ReadBook {
  readonly book: RecordedBook
  readonly priceStep: BookStep
  readonly quantityStep: BookStep
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

/** Returns the recorded book that a source brings along under `key`, or why it cannot be used. */
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

const fileName: Shape = { title: 'the name of a file', type: 'string', minLength: 1, maxLength: 4096 }

/** Schema of the files of a recorded book or of its trades. */
export const bookFiles: Shape = {
  title: 'the name of a file of a recorded book or of its trades, or a list of them',
  oneOf: [
    fileName,
    { type: 'array', minItems: 1, maxItems: 1000, items: fileName, description: 'One after the other.' },
  ],
}

const { oneOf: namesOnly = [] } = bookFiles

/** Schema of the key `data` of a recorded book: its files, or its files with how they are to be read. */
export const bookData: Shape = {
  title: 'the name of a file of a recorded book, a list of them, or {file, symbol, ...}',
  oneOf: [
    ...namesOnly,
    {
      type: 'object',
      additionalProperties: false,
      description: 'Files, and how they and those of the trades are to be read.',
      required: ['file'],
      properties: {
        file: { ...bookFiles, description: 'The file, or several in order of time, relative to this file.' },
        ...Object.fromEntries(
          Object.entries(bookOptions.properties).map(([name, shape]) => [name, schemaInFile(shape)]),
        ),
      },
    },
  ],
}
