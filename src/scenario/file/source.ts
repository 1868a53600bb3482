import { type Candles, type CandleTable, getCandleTable } from '../../market/recordings/candle-table.ts'
import type { FileOptions } from '../../market/recordings/file-options.ts'
import type { RecordingInfo } from '../../market/recordings/interpretation.ts'
import { element } from '../../numeric/columns.ts'
import { Hash128 } from '../../numeric/hash.ts'
import type { ReadInclude } from './include.ts'
import { joinPath, type Mistake, mistakeAt, type ReadTree, toReadTree } from './mistake.ts'
import type { BookAnswer, BookRequest, PlainSourceBook, SourceBook } from './recorded-books.ts'
import { brokenTree, type Entry, maximumDepth, nowhere, scalar, type Tree, toPlain } from './tree.ts'

/*
 * The source of a compiled scenario: the document with its parameters filled in, and its recordings. A journal
 * carries it, so a replay needs neither the file nor its recordings.
 */

export interface ScenarioSource {
  /** The scenario as plain JSON, for `loadScenarioValue`. */
  readonly document: unknown
  /** Candles as read from their files, with volumes in units of the asset, by the key of their request. */
  readonly recordings: ReadonlyMap<string, Candles>
  /** Recorded books by the key of their request; absent when there are none. */
  readonly books?: ReadonlyMap<string, SourceBook>
  /** The entries added to the timeline of a running world; absent when there are none. */
  readonly added?: AddedEntries
}

/** The recordings that a scenario has read. */
export interface ReadFiles {
  /** Candles by the key of their request. */
  readonly candles: Map<string, Candles>
  /** Recorded books by the key of their request. */
  readonly books: Map<string, SourceBook>
  readonly notes: RecordingInfo[]
}

export interface AddedEntries {
  /** How many entries at the end of the document's timeline were added. */
  readonly count: number
  /** The accounts opened since the start, which the added entries may name, in the order of their rows. */
  readonly accounts: readonly string[]
}

/** Returns the source of a scenario from its valid tree, in which parameters are filled in. */
export function toSource(
  tree: Tree,
  { books, candles }: Pick<ReadFiles, 'books' | 'candles'>,
): ScenarioSource {
  const read = { recordings: candles, ...(books.size === 0 ? {} : { books }) }
  if (tree.kind !== 'mapping') return { document: toPlain(tree), ...read }
  const entries = new Map([...tree.entries].filter(([key]) => !omittedKeys.includes(key)))
  return { document: toPlain({ ...tree, entries }), ...read }
}

/** A source as journals and snapshots hold it: recorded books by their hashes. */
export type PlainSource = Omit<ScenarioSource, 'books'> & {
  readonly books?: ReadonlyMap<string, PlainSourceBook>
}

/** Returns a source with hashes in place of its recorded books. */
export function toPlainSource({ books, ...source }: ScenarioSource): PlainSource {
  if (books === undefined) return source
  const plain = [...books].map(([key, { book: _, ...rest }]) => [key, rest] as const)
  return { ...source, books: new Map(plain) }
}

const omittedKeys = ['params', '$schema', 'include', 'matrix']

/** Returns 32 hexadecimal digits that are equal for sources that make equal worlds from one seed. */
export function digestSource({ books, document, recordings }: ScenarioSource): string {
  const hash = new Hash128()
  hash.addText(JSON.stringify(document))
  for (const [name, candles] of recordings) {
    hash.addText(name)
    addCandles(hash, getCandleTable(candles))
  }
  for (const [name, book] of books ?? []) {
    hash.addText(name)
    hash.addText(book.hash)
  }
  return hash.digest()
}

function addCandles(hash: Hash128, table: CandleTable): void {
  const { atMillis, close, count, endMillis, high, low, open, volume } = table
  hash.addInteger(count)
  for (let place = 0; place < count; place += 1) {
    const at = element(atMillis, place)
    hash.addInteger(at)
    hash.addInteger(element(endMillis, place) - at)
    hash.addInteger(element(open, place))
    hash.addInteger(element(high, place))
    hash.addInteger(element(low, place))
    hash.addInteger(element(close, place))
    hash.addInteger(element(volume, place))
  }
}

export interface LoadOptions {
  readonly params?: ReadonlyMap<string, string>
  /** A seed that replaces the scenario's own. */
  readonly seed?: string
  /** Reads a recording. Without a reader, recordings are refused. */
  readonly readCandles?: (request: RecordingRequest) => CandleAnswer
  /** Reads a recorded book. Without a reader, recorded books are refused. */
  readonly readBook?: (request: BookRequest) => BookAnswer
  /** Accounts opened since the start of the world, whose rows follow those of the scenario's own. */
  readonly laterAccounts?: readonly string[]
  /** Reads the files that `include` names. Without a reader, included files are refused. */
  readonly readInclude?: ReadInclude
}

/** A file of a recording, and how it is to be read. */
export interface RecordingRequest {
  /** The name as written: relative to the scenario's file or, when `isParameter`, to the caller's directory. */
  readonly name: string
  readonly isParameter: boolean
  /** What the scenario says of the file; its volumes are to be converted to units of the asset. */
  readonly options: FileOptions
  /** The name together with the options: one file may be read in several ways. */
  readonly key: string
}

export type CandleAnswer =
  | {
      readonly ok: true
      readonly candles: Candles
      /** How the file was understood; absent for a recording that does not come from one. */
      readonly note?: RecordingInfo
    }
  | { readonly ok: false; readonly reason: string }

/** Converts a scenario that came as a JSON value (from the admin API or a library call) to a tree without lines. */
export function treeFromValue(value: unknown): ReadTree {
  const mistakes: Mistake[] = []
  return toReadTree(read(value, '', 0, mistakes), mistakes)
}

function read(value: unknown, path: string, depth: number, mistakes: Mistake[]): Tree {
  const refuse = (reason: string): Tree => {
    mistakes.push(mistakeAt(nowhere, path, reason))
    return brokenTree(nowhere)
  }
  if (depth > maximumDepth) return refuse(`nested deeper than ${maximumDepth} levels`)
  if (value === null || value === undefined) return scalar(nowhere, null, '')
  if (typeof value === 'string' || typeof value === 'boolean') return scalar(nowhere, value, String(value))
  if (typeof value === 'number') {
    return Number.isFinite(value) ? scalar(nowhere, value, String(value)) : refuse('not a finite number')
  }
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) => read(item, joinPath(path, index), depth + 1, mistakes))
    return { kind: 'list', place: nowhere, items }
  }
  if (typeof value !== 'object') return refuse('not JSON')
  const entries = new Map<string, Entry>()
  for (const [key, item] of Object.entries(value)) {
    // A key whose value is undefined is absent, as in JSON.stringify.
    if (item === undefined) continue
    entries.set(key, { keyPlace: nowhere, value: read(item, joinPath(path, key), depth + 1, mistakes) })
  }
  return { kind: 'mapping', place: nowhere, entries }
}
