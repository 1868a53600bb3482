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

export const nowhere: Place = { file: '', line: 0, column: 0 }

export type Tree = Scalar | List | Mapping | Broken

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

/** A part that cannot be used. It has been complained of already, so whatever depends on it is left alone. */
export interface Broken {
  readonly kind: 'broken'
  readonly place: Place
  /** What stands there, as far as it could be read. */
  readonly was: Tree | null
}

export const maximumDepth = 32

export const scalar = (place: Place, value: Scalar['value'], text: string, textColumn = 0): Scalar => ({
  kind: 'scalar',
  place,
  value,
  text,
  textColumn,
  isParameter: false,
})

export const broken = (place: Place, was: Tree | null = null): Broken => ({ kind: 'broken', place, was })

export function isWhole(tree: Tree): boolean {
  return tree.kind !== 'broken' && partsOf(tree).every(isWhole)
}

/** Whether the tree itself is broken, or a part of it that is not part of a part. */
export const hasBrokenPart = (tree: Tree): boolean =>
  tree.kind === 'broken' || partsOf(tree).some(({ kind }) => kind === 'broken')

function partsOf(tree: Tree): readonly Tree[] {
  if (tree.kind === 'list') return tree.items
  return tree.kind === 'mapping' ? [...tree.entries.values()].map(({ value }) => value) : []
}

/** The same with the given parts broken, and with broken entries for the keys that mappings lack. */
export function breakParts(
  tree: Tree,
  parts: ReadonlySet<Tree>,
  lacking: ReadonlyMap<Tree, readonly string[]>,
): Tree {
  if (parts.has(tree)) return broken(tree.place, tree)
  if (tree.kind === 'list')
    return { ...tree, items: tree.items.map((item) => breakParts(item, parts, lacking)) }
  if (tree.kind !== 'mapping') return tree
  const entries = [...tree.entries].map(
    ([key, entry]) => [key, { ...entry, value: breakParts(entry.value, parts, lacking) }] as const,
  )
  const { place } = tree
  const lacked = (lacking.get(tree) ?? []).map(
    (key) => [key, { keyPlace: place, value: broken(place) }] as const,
  )
  return { ...tree, entries: new Map([...entries, ...lacked]) }
}

/**
 * The names that broken parts may give to assets, accounts, keys, agents, actions, orders and quotes, and the texts
 * that stand where such a name should.
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

/** The entries of a mapping; none for anything else. */
export const entriesIn = (tree: Tree | null): ReadonlyMap<string, Entry> =>
  tree?.kind === 'mapping' ? tree.entries : new Map()

export const child = (tree: Tree, key: string): Tree | null => entriesIn(tree).get(key)?.value ?? null

/** What a tree is, in the words of a message. */
export function describeTree(tree: Tree): string {
  if (tree.kind === 'list') return 'a list'
  if (tree.kind === 'mapping') return 'a mapping'
  if (tree.kind === 'broken') return tree.was === null ? 'nothing' : describeTree(tree.was)
  if (tree.value === null) return 'nothing'
  return typeof tree.value === 'string' ? quoteText(tree.value) : `${typeof tree.value} ${tree.text}`
}

/** Control characters are escaped: a message must not steer the reader's terminal. */
const quoteText = (text: string): string =>
  `"${shortenText(text).replace(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1))}"`

const shortenText = (text: string): string => (text.length > 40 ? `${text.slice(0, 37)}...` : text)

/** The tree as plain data, for values that are only passed on, such as metadata. It is bounded, as trees are. */
export function toPlain(tree: Tree): unknown {
  if (tree.kind === 'scalar') return tree.value
  if (tree.kind === 'broken') return null
  if (tree.kind === 'list') return tree.items.map(toPlain)
  return Object.fromEntries([...tree.entries].map(([key, entry]) => [key, toPlain(entry.value)]))
}

/** Whether the file has the text's own characters, white space apart: then every one of them has a place. */
export const isSpelledBy = (text: string, written: string): boolean =>
  text.replace(/\s+/g, '') === written.replace(/\s+/g, '')

/**
 * Where a character of the text stands in the file. Indentation and folding change white space alone, so the n-th
 * other character of the text is the n-th one of what is written.
 */
export function findPlaceInText({ place, written }: WrittenText, text: string, offset: number): Place {
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

export function advancePlace(from: Place, text: string): Place {
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
