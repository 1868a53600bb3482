import { missing } from '../../numeric/assert.ts'
import { Hash128 } from '../../numeric/hash.ts'
import { type BookChunk, BookMaker } from './book-maker.ts'
import type { BookRowPlace, RecordedBook } from './recorded-book.ts'

/** A row of a recorded book; the columns of `BookRows` say what its numbers mean. */
export interface BookRow {
  readonly atMillis: number
  readonly kind: number
  readonly side: number
  readonly priceTicks: number
  readonly quantitySteps: number
}

/**
 * Makes a recorded book of rows that are in memory, in the order in which they are to be worked off; there must be one.
 * Its hash is that of the rows, unless `hash` is given. `place` says where a row stood in its file.
 */
export function makeRecordedBook(
  rows: Iterable<BookRow>,
  { hash, place }: { readonly hash?: string; readonly place?: (row: number) => BookRowPlace | null } = {},
): RecordedBook {
  const chunks: BookChunk[] = []
  const maker = new BookMaker((chunk) => chunks.push(chunk))
  const ownHash = new Hash128()
  for (const { atMillis, kind, side, priceTicks, quantitySteps } of rows) {
    maker.add(atMillis, kind, side, priceTicks, quantitySteps)
    for (const value of [atMillis, kind, side, priceTicks, quantitySteps]) ownHash.addInteger(value)
  }
  const summary = maker.finish()
  const find = (number: number): BookChunk =>
    chunks[number] ?? missing('a chunk that is asked for is in the recording')
  return {
    ...summary,
    hash: hash ?? ownHash.digest(),
    chunk: (number) => find(number).rows,
    levels: (number) => find(number).levels,
    place: place ?? (() => null),
  }
}
