/*
 * A parsed document in which every value knows where it stands. YAML, JSON text and plain objects all become such a
 * tree, so one validator and one compiler serve them all, and every message names its line.
 */

export interface Place {
  readonly file: string
  /** From 1; 0 in a document that came as an object. */
  readonly line: number
  readonly column: number
}

/** The place of what was not read from a file. */
export const nowhere: Place = { file: '', line: 0, column: 0 }

export type Tree = Scalar | List | Mapping

export interface Scalar {
  readonly kind: 'scalar'
  readonly place: Place
  readonly value: string | number | boolean | null
  /** The value as written: for numbers the exact decimal, which the double may have lost. */
  readonly text: string
  /** The column of the first character of `text`; 0 when the text is not in the file literally. */
  readonly textColumn: number
  /** Whether a parameter of the caller stands here: a file name in it is then relative to the caller. */
  readonly isParameter: boolean
  /** Of a text over several lines, where its characters can be found again. */
  readonly lines?: WrittenText
}

/** A text as it stands in its file, and where its first character stands. */
export interface WrittenText {
  readonly place: Place
  readonly written: string
}

export interface List {
  readonly kind: 'list'
  readonly place: Place
  readonly items: readonly Tree[]
}

export interface Mapping {
  readonly kind: 'mapping'
  readonly place: Place
  readonly entries: ReadonlyMap<string, Entry>
}

export interface Entry {
  readonly keyPlace: Place
  readonly value: Tree
}

/** Deepest nesting that is read at all. */
export const maximumDepth = 32

export const scalar = (place: Place, value: Scalar['value'], text: string, textColumn = 0): Scalar => ({
  kind: 'scalar',
  place,
  value,
  text,
  textColumn,
  isParameter: false,
})

/** The entries of a mapping; none for anything else. */
export const entriesIn = (tree: Tree | null): ReadonlyMap<string, Entry> =>
  tree?.kind === 'mapping' ? tree.entries : new Map()

/** The value of a key; null where there is none. */
export const child = (tree: Tree, key: string): Tree | null => entriesIn(tree).get(key)?.value ?? null

/** What a tree is, in the words of a message. */
export function describe(tree: Tree): string {
  if (tree.kind === 'list') return 'a list'
  if (tree.kind === 'mapping') return 'a mapping'
  if (tree.value === null) return 'nothing'
  return typeof tree.value === 'string' ? quoted(tree.value) : `${typeof tree.value} ${tree.text}`
}

/** Control characters are escaped: a message must not steer the reader's terminal. */
const quoted = (text: string): string =>
  `"${shorten(text).replace(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1))}"`

const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 37)}...` : text)

/** The tree as plain data, for values that are only passed on, such as metadata. It is bounded, as trees are. */
export function toPlain(tree: Tree): unknown {
  if (tree.kind === 'scalar') return tree.value
  if (tree.kind === 'list') return tree.items.map(toPlain)
  return Object.fromEntries([...tree.entries].map(([key, entry]) => [key, toPlain(entry.value)]))
}
