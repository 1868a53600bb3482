import type { RecordedBook } from './recorded-book.ts'

/*
 * The recorded books that a host has at hand, by the hash of their content. Journals and snapshots hold hashes only, so
 * whoever reads one needs the book from here. A book is its hash, so that nobody can tell who has remembered it.
 */
const known = new Map<string, RecordedBook>()

/** Makes a book known to those who only have its hash. A later one of the same hash takes its place. */
export function rememberBook(book: RecordedBook): void {
  known.set(book.hash, book)
}

/** Returns the book of a hash, or null. */
export function findKnownBook(hash: string): RecordedBook | null {
  return known.get(hash) ?? null
}

/** Makes a book unknown again, so that its memory can be freed. */
export function forgetBook(hash: string): void {
  known.delete(hash)
}
