import { rememberBook } from '../../market/books/known-books.ts'
import type { BookIndex, BookLevels, BookRows, RecordedBook } from '../../market/books/recorded-book.ts'
import { bookChunkRows } from '../../market/books/recorded-book.ts'
import { missing } from '../../numeric/assert.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import { type PlainSource, toPlainSource } from '../../scenario/file/source.ts'
import { loadSource } from '../../scenario/load-tree.ts'

/*
 * Recorded books for the threads of a sweep from code. A book answers by functions, which no thread can be given, so its
 * columns are copied once into memory that all threads share, and each thread compiles its scenarios around them.
 */

/** A recorded book as data. The places of its rows stay behind: rows of a sweep name none. */
interface SharedBook extends Pick<RecordedBook, 'hash' | 'rowCount' | 'firstMillis' | 'lastMillis' | 'gaps'> {
  readonly index: BookIndex
  readonly chunks: readonly BookRows[]
  readonly levels: readonly BookLevels[]
}

/** The scenarios of a sweep by their digests, as data that threads can be given. */
export interface SharedScenarios {
  /** The scenarios that have no recorded book. */
  readonly scenarios: ReadonlyMap<string, CompiledScenario>
  /**
   * The sources and seeds of the scenarios that have a recorded book. In a source, the hash of each book stands in its
   * place.
   */
  readonly sources: ReadonlyMap<string, { readonly source: PlainSource; readonly seed: string }>
  readonly books: readonly SharedBook[]
}

/** Makes data of scenarios, with each of their recorded books once. */
export function shareScenarios(scenarios: ReadonlyMap<string, CompiledScenario>): SharedScenarios {
  const plain = new Map<string, CompiledScenario>()
  const sources = new Map<string, { readonly source: PlainSource; readonly seed: string }>()
  const books = new Map<string, SharedBook>()
  for (const [digest, scenario] of scenarios) {
    const own = [...(scenario.source.books?.values() ?? [])]
    if (own.length === 0) plain.set(digest, scenario)
    else sources.set(digest, { source: toPlainSource(scenario.source), seed: scenario.venue.seed })
    for (const { book, hash } of own) if (book !== null && !books.has(hash)) books.set(hash, shareBook(book))
  }
  return { scenarios: plain, sources, books: [...books.values()] }
}

/** Makes the scenarios again, in a thread, by their digests. */
export function openScenarios({
  books,
  scenarios,
  sources,
}: SharedScenarios): ReadonlyMap<string, CompiledScenario> {
  const opened = new Map(books.map((shared) => [shared.hash, openBook(shared)]))
  for (const book of opened.values()) rememberBook(book)
  const compiled = [...sources].map(
    ([
      digest,
      {
        seed,
        source: { books: plain, ...source },
      },
    ]) => {
      const named = [...(plain ?? [])].map(
        ([key, one]) => [key, { ...one, book: opened.get(one.hash) ?? null }] as const,
      )
      const loaded = loadSource({ ...source, books: new Map(named) }, seed)
      if (!loaded.ok) throw new Error('the scenario of a sweep compiles again in its threads')
      return [digest, loaded.value] as const
    },
  )
  return new Map([...scenarios, ...compiled])
}

function shareBook(book: RecordedBook): SharedBook {
  const { firstMillis, gaps, hash, lastMillis, rowCount } = book
  const chunks: BookRows[] = []
  const levels: BookLevels[] = []
  for (let number = 0; number * bookChunkRows < rowCount; number += 1) {
    chunks.push(shareColumns(book.chunk(number)))
    levels.push(shareColumns(book.levels(number)))
  }
  return { hash, rowCount, firstMillis, lastMillis, gaps, index: shareColumns(book.index), chunks, levels }
}

function openBook({ chunks, levels, ...shared }: SharedBook): RecordedBook {
  return {
    ...shared,
    chunk: (number) => chunks[number] ?? missing('a chunk that is asked for is in the recording'),
    levels: (number) => levels[number] ?? missing('levels that are asked for are in the recording'),
    place: () => null,
  }
}

/** Copies a record whose typed arrays are then in memory that threads share. */
function shareColumns<Columns extends object>(columns: Columns): Columns {
  const shared = Object.entries(columns).map(([name, value]) => [name, shareColumn(value)] as const)
  return { ...columns, ...Object.fromEntries(shared) }
}

function shareColumn(value: unknown): unknown {
  if (value instanceof Float64Array) {
    const copy = new Float64Array(new SharedArrayBuffer(value.byteLength))
    copy.set(value)
    return copy
  }
  if (value instanceof Int32Array) {
    const copy = new Int32Array(new SharedArrayBuffer(value.byteLength))
    copy.set(value)
    return copy
  }
  if (value instanceof Uint8Array) {
    const copy = new Uint8Array(new SharedArrayBuffer(value.byteLength))
    copy.set(value)
    return copy
  }
  return value
}
