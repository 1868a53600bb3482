import { isAbsolute, relative, resolve } from 'node:path'
import {
  formatBookFault,
  formatBookReading,
  listBookWarnings,
} from '../../../market/books/readers/book-facts.ts'
import type { BookFault } from '../../../market/books/readers/book-notes.ts'
import type { BookOptions } from '../../../market/books/readers/book-options.ts'
import type { BookAnswer, BookRequest, NamedFile, ReadBook } from '../../../scenario/file/recorded-books.ts'
import type { PreparedStore } from '../prepared-store.ts'
import { openRecordedBook, type PrepareRequest } from './prepared-book.ts'
import type { BookFiles, StatedUnits } from './read-book.ts'

/** Where the files of a scenario stand: relative to its folder, or to the caller's where a parameter names them. */
export interface ScenarioPlace {
  readonly cwd: string
  readonly folder: string
  /** Where prepared books are kept; null to read files anew. */
  readonly store: PreparedStore | null
}

/** Reads the recorded book that a scenario names. A reason names the first fault that keeps it from being used. */
export function readScenarioBook(request: BookRequest, { cwd, folder, store }: ScenarioPlace): BookAnswer {
  const locate = ({ isParameter, name }: NamedFile): string =>
    shorten(resolve(isParameter ? cwd : folder, name), cwd)
  const files = {
    book: request.book.map(locate),
    trades: request.hasTrades ? request.trades.map(locate) : null,
  }
  const units = { price: request.priceStep, quantity: request.quantityStep }
  const answer = readBookFiles(files, request.options, units, { cwd, store })
  if (answer.ok) return { ok: true, ...answer.read }
  const [fault] = answer.faults
  const place = fault === undefined ? -1 : [...files.book, ...(files.trades ?? [])].indexOf(fault.file)
  const reason = answer.faults.map(formatBookFault).join('; ')
  return { ok: false, reason, ...(place < 0 ? {} : { file: place }) }
}

/** A recorded book of files, as a scenario and a backtest take it; or the faults that keep it from being used. */
export type BookFileAnswer =
  | { readonly ok: true; readonly read: ReadBook }
  | { readonly ok: false; readonly faults: readonly BookFault[] }

/** Reads a recorded book from its files, or opens what a store has of them; without a store, they are read anew. */
export function readBookFiles(
  files: BookFiles,
  options: BookOptions,
  units: StatedUnits,
  { cwd, store }: Pick<PrepareRequest, 'cwd' | 'store'>,
): BookFileAnswer {
  const answer = openRecordedBook({ files, options, units, cwd, store })
  if (!answer.ok) return { ok: false, faults: answer.faults.filter(({ isFatal }) => isFatal) }
  const { book, facts } = answer
  const notes = [
    { file: facts.files.join(', '), line: formatBookReading(facts), warnings: listBookWarnings(facts) },
  ]
  return { ok: true, read: { book, priceStep: facts.units.price, quantityStep: facts.units.quantity, notes } }
}

/** Names a file relative to a folder if it lies below. */
function shorten(path: string, folder: string): string {
  const short = relative(folder, path)
  return short.startsWith('..') || isAbsolute(short) ? path : short
}
