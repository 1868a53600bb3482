/*
 * A parsed document in which every value knows its place. YAML, JSON text and plain objects all become such a tree,
 * so one validator and one compiler serve them all, and every message names its line.
 */

export interface SourceLocation {
  readonly file: string
  /** The line, from 1; 0 in a document that came as an object. */
  readonly line: number
  readonly column: number
}

export const nowhere: SourceLocation = { file: '', line: 0, column: 0 }

export type Tree = Scalar | List | Mapping | Broken

export interface Scalar {
  readonly kind: 'scalar'
  readonly place: SourceLocation
  readonly value: string | number | boolean | null
  /** The value as written. For numbers it is the exact decimal, which the floating-point value may have lost. */
  readonly text: string
  /** The column of the first character of `text`; 0 when the text is not in the file literally. */
  readonly textColumn: number
  /**
   * Whether the value comes from a parameter that the caller gave. A file name is then relative to the caller's
   * directory.
   */
  readonly isParameter: boolean
  /**
   * The characters as the file has them, by which a mistake inside a text over several lines is located; absent for
   * others.
   */
  readonly lines?: WrittenText
}

/** A text as it is written in a file, and the place of its first character. */
export interface WrittenText {
  readonly place: SourceLocation
  readonly written: string
}

export interface List {
  readonly kind: 'list'
  readonly place: SourceLocation
  readonly items: readonly Tree[]
}

export interface Mapping {
  readonly kind: 'mapping'
  readonly place: SourceLocation
  readonly entries: ReadonlyMap<string, Entry>
}

export interface Entry {
  readonly keyPlace: SourceLocation
  readonly value: Tree
}

/** A part that cannot be used. Its mistake has been reported, so whatever depends on it is skipped. */
export interface Broken {
  readonly kind: 'broken'
  readonly place: SourceLocation
  /** The value that could be read there; null when none could. */
  readonly was: Tree | null
}

export const maximumDepth = 32

export const scalar = (
  place: SourceLocation,
  value: Scalar['value'],
  text: string,
  textColumn = 0,
): Scalar => ({
  kind: 'scalar',
  place,
  value,
  text,
  textColumn,
  isParameter: false,
})

export const brokenTree = (place: SourceLocation, was: Tree | null = null): Broken => ({
  kind: 'broken',
  place,
  was,
})

export function isWhole(tree: Tree): boolean {
  return tree.kind !== 'broken' && listParts(tree).every(isWhole)
}

/** Returns whether a tree or one of its direct parts is broken. Deeper parts are not looked at. */
export const hasBrokenPart = (tree: Tree): boolean =>
  tree.kind === 'broken' || listParts(tree).some(({ kind }) => kind === 'broken')

function listParts(tree: Tree): readonly Tree[] {
  if (tree.kind === 'list') return tree.items
  return tree.kind === 'mapping' ? [...tree.entries.values()].map(({ value }) => value) : []
}

/** Returns the tree with the given parts broken, and with a broken entry for each key that a mapping lacks. */
export function breakParts(
  tree: Tree,
  parts: ReadonlySet<Tree>,
  lacking: ReadonlyMap<Tree, readonly string[]>,
): Tree {
  if (parts.has(tree)) return brokenTree(tree.place, tree)
  if (tree.kind === 'list')
    return { ...tree, items: tree.items.map((item) => breakParts(item, parts, lacking)) }
  if (tree.kind !== 'mapping') return tree
  const entries = [...tree.entries].map(
    ([key, entry]) => [key, { ...entry, value: breakParts(entry.value, parts, lacking) }] as const,
  )
  const { place } = tree
  const lacked = (lacking.get(tree) ?? []).map(
    (key) => [key, { keyPlace: place, value: brokenTree(place) }] as const,
  )
  return { ...tree, entries: new Map([...entries, ...lacked]) }
}

/**
 * Finds the names that broken parts may give to assets, accounts, keys, agents, actions, orders and quotes, and the
 * texts that stand where such a name should.
 */
export function findNamesInBroken(tree: Tree): {
  readonly given: ReadonlySet<string>
  readonly misspelt: string[]
} {
  const given = new Set<string>()
  const misspelt: string[] = []
  const collect = (part: Tree, key: string, isWithin: boolean): void => {
    const isBroken = isWithin || part.kind === 'broken'
    if (isBroken) given.add(key)
    if (part.kind === 'broken') {
      if (!isWithin)
        misspelt.push(part.was?.kind === 'scalar' && nameKeys.includes(key) ? part.was.text : key)
      if (part.was !== null) collect(part.was, key, true)
    } else if (part.kind === 'scalar') {
      if (isBroken && (nameKeys.includes(key) || key === '')) given.add(part.text)
    } else if (part.kind === 'list') for (const item of part.items) collect(item, '', isBroken)
    else for (const [name, { value }] of part.entries) collect(value, name, isBroken)
  }
  collect(tree, '', false)
  return { given, misspelt: misspelt.filter((text) => !isSymbol.test(text)) }
}

const isSymbol = /^[A-Z0-9]{1,16}$/

/** The keys whose values are names. */
const nameKeys: readonly string[] = ['id', 'as', 'bind', 'key']

/** Returns the entries of a mapping; an empty map for any other tree. */
export const entriesIn = (tree: Tree | null): ReadonlyMap<string, Entry> =>
  tree?.kind === 'mapping' ? tree.entries : new Map()

export const child = (tree: Tree, key: string): Tree | null => entriesIn(tree).get(key)?.value ?? null

/** Describes a tree in the words of a message, such as `a list` or `number 5`. */
export function describeTree(tree: Tree): string {
  if (tree.kind === 'list') return 'a list'
  if (tree.kind === 'mapping') return 'a mapping'
  if (tree.kind === 'broken') return tree.was === null ? 'nothing' : describeTree(tree.was)
  if (tree.value === null) return 'nothing'
  return typeof tree.value === 'string' ? quoteText(tree.value) : `${typeof tree.value} ${tree.text}`
}

/**
 * Quotes and shortens a text. Control characters are escaped, because a message must not steer the reader's terminal.
 */
const quoteText = (text: string): string =>
  `"${shortenText(text).replace(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1))}"`

const shortenText = (text: string): string => (text.length > 40 ? `${text.slice(0, 37)}...` : text)

/** Converts a tree to plain data. Broken parts become null. */
export function toPlain(tree: Tree): unknown {
  if (tree.kind === 'scalar') return tree.value
  if (tree.kind === 'broken') return null
  if (tree.kind === 'list') return tree.items.map(toPlain)
  return Object.fromEntries([...tree.entries].map(([key, entry]) => [key, toPlain(entry.value)]))
}

/**
 * Returns whether a text consists of the characters that are written in the file, apart from white space. Each character then
 * has a place.
 */
export const isSpelledBy = (text: string, written: string): boolean =>
  text.replace(/\s+/g, '') === written.replace(/\s+/g, '')

/**
 * Returns the place of the character of a text at an offset. Indentation and folding change only white space, so the
 * n-th other character of the text is the n-th one that is written.
 */
export function findPlaceInText(
  { place, written }: WrittenText,
  text: string,
  offset: number,
): SourceLocation {
  let left = text.slice(0, offset).replace(/\s+/g, '').length
  const characters = written.trimEnd()
  let index = 0
  for (; index < characters.length; index += 1) {
    if (/\s/.test(characters[index] ?? '')) continue
    if (left === 0) break
    left -= 1
  }
  return advancePlace(place, characters.slice(0, index))
}

export function advancePlace(from: SourceLocation, text: string): SourceLocation {
  const lines = text.split('\n')
  const last = lines.at(-1) ?? ''
  const column = lines.length === 1 ? from.column + last.length : last.length + 1
  return { ...from, line: from.line + lines.length - 1, column }
}

export type JsonData =
  | null
  | boolean
  | number
  | string
  | readonly JsonData[]
  | { readonly [key: string]: JsonData }
