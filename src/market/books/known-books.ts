import type { RecordedBook } from './recorded-book.ts'

/*
 * The recorded books that were read last, by the hash of their content. Journals and snapshots hold hashes only, so
 * whoever reads one needs the book from here. A book is its hash, so that nobody can tell who has remembered it.
 */
const known = new Map<string, RecordedBook>()
const mostKnown = 64

/** Makes a book known to those who only have its hash. A later one of the same hash takes its place. */
export function rememberBook(book: RecordedBook): void {
  known.delete(book.hash)
  known.set(book.hash, book)
  const [oldest] = known.keys()
  if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
}

/** Returns the book of a hash, or null. */
export const findKnownBook = (hash: string): RecordedBook | null => known.get(hash) ?? null
