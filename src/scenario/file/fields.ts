import { nearestWord } from '../../api/nearest-word.ts'
import { assert } from '../../numeric/assert.ts'
import { joinPath, Mistakes, mistakeAt } from './mistake.ts'
import {
  brokenTree,
  type Entry,
  entriesIn,
  hasBrokenPart,
  type Scalar,
  type SourceLocation,
  scalar,
  type Tree,
} from './tree.ts'

/**
 * A value of a file with its path, and the list that collects the mistakes of that file. The schema has been checked,
 * and parts that it does not allow are broken, so readers assert what it promises. A broken field reads as zero,
 * empty or the default, and nothing more is reported of it.
 */
export interface Field {
  readonly tree: Tree
  readonly path: string
  /** The list that all fields of one file share. */
  readonly mistakes: Mistakes
}

export const rootField = (tree: Tree, problems: Mistakes = new Mistakes()): Field => ({
  tree,
  path: '',
  mistakes: problems,
})

/** Returns the field with a list of its own, so that mistakes found in it are discarded. */
export const muteMistakes = (field: Field): Field => ({ ...field, mistakes: new Mistakes() })

/**
 * Notes a mistake at the place of a field. Nothing is noted where a direct part of the field is broken, because that
 * part may be the only mistake.
 */
export function addMistake(
  { tree, path, mistakes: problems }: Field,
  reason: string,
  nearest: string | null = null,
): void {
  if (!hasBrokenPart(tree)) problems.add(mistakeAt(tree.place, path, reason, nearest))
}

/** Notes that a text names none of the known things, together with the nearest known name. */
export function addUnknownMistake(field: Field, noun: string, known: Iterable<string>): void {
  addNameMistake(field, `unknown ${noun} "${statedText(field)}"`, known)
}

export function addNameMistake(field: Field, reason: string, known: Iterable<string>): void {
  const word = statedText(field)
  if (!field.mistakes.isUncertain(word))
    addMistake(field, reason, nearestWord(word, [...known, ...field.mistakes.uncertainNames]))
}

/**
 * Notes each key of a mapping that is not among the known ones, together with the nearest known key. Does nothing for
 * other fields.
 */
export function checkKnownKeys(field: Field | null, noun: string, known: readonly string[]): void {
  if (field?.tree.kind !== 'mapping') return
  for (const [key, { keyPlace }] of field.tree.entries) {
    if (known.includes(key) || field.mistakes.isUncertain(key)) continue
    const reason = `unknown ${noun} "${key}"`
    field.mistakes.add(mistakeAt(keyPlace, joinPath(field.path, key), reason, nearestWord(key, known)))
  }
}

export function childField(parent: Field | null, key: string): Field | null {
  if (parent === null || parent.tree.kind !== 'mapping') return null
  const tree = parent.tree.entries.get(key)?.value
  if (tree === undefined || (tree.kind === 'scalar' && tree.value === null)) return null
  return { ...parent, tree, path: joinPath(parent.path, key) }
}

/** Reads the value of a key by a given reader; returns null when the key is absent or null. */
export function readOptional<Value>(
  parent: Field | null,
  key: string,
  take: (field: Field) => Value,
): Value | null {
  const field = childField(parent, key)
  return field === null ? null : take(field)
}

/**
 * Returns the field under a required key. When the key is absent, the schema check has reported that, and the field
 * is broken.
 */
export function requiredField(parent: Field, key: string): Field {
  const field = childField(parent, key)
  if (field !== null) return field
  assert(parent.mistakes.count > 0, 'the schema has checked that required keys are there')
  return { ...parent, tree: brokenTree(parent.tree.place), path: joinPath(parent.path, key) }
}

/**
 * Follows a path such as `model.points[2].price` as far as the file has it. Returns the last field that is there, and
 * the rest of the path.
 */
export function findFieldAlong(
  start: Field,
  path: string,
): { readonly stated: Field; readonly rest: string } {
  let stated = start
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '')
  for (const [place, step] of steps.entries()) {
    const next = childField(stated, step) ?? listItems(stated)[Number(step)]
    if (next === undefined) return { stated, rest: steps.slice(place).join('.') }
    stated = next
  }
  return { stated, rest: '' }
}

export function listItems(field: Field | null): readonly Field[] {
  if (field === null || field.tree.kind !== 'list') return []
  return field.tree.items.map((tree, index) => ({ ...field, tree, path: joinPath(field.path, index) }))
}

export function listEntries(field: Field | null): readonly (readonly [string, Field])[] {
  if (field === null) return []
  return [...mappingOf(field)].map(([key, entry]) => [
    key,
    { ...field, tree: entry.value, path: joinPath(field.path, key) },
  ])
}

export function keyPlaceOf(field: Field, key: string): SourceLocation {
  return mappingOf(field).get(key)?.keyPlace ?? field.tree.place
}

export function statedScalar(field: Field): Scalar {
  if (field.tree.kind === 'broken') return scalar(field.tree.place, null, '')
  assert(field.tree.kind === 'scalar', 'the schema has checked that this is a single value')
  return field.tree
}

/** Returns the text of a field, or the decimal text of a number as it is written. */
export function statedText(field: Field): string {
  return statedScalar(field).text
}

export const textOr = (field: Field | null, fallback: string): string =>
  isReadable(field) ? statedText(field) : fallback

export function statedNumber(field: Field): number {
  if (field.tree.kind === 'broken') return 0
  const { value } = statedScalar(field)
  assert(typeof value === 'number', 'the schema has checked that this is a number')
  return value
}

export const numberOr = (field: Field | null, fallback: number): number =>
  isReadable(field) ? statedNumber(field) : fallback

export function booleanOr(field: Field | null, fallback: boolean): boolean {
  if (!isReadable(field)) return fallback
  const { value } = statedScalar(field)
  assert(typeof value === 'boolean', 'the schema has checked that this is true or false')
  return value
}

export function wordOr<Word extends string>(
  field: Field | null,
  words: readonly Word[],
  fallback: Word,
): Word {
  if (!isReadable(field)) return fallback
  const given = statedText(field)
  const found = words.find((candidate) => candidate === given)
  assert(found !== undefined, 'the schema has checked that this is one of the words')
  return found
}

export const isReadable = (field: Field | null): field is Field =>
  field !== null && field.tree.kind !== 'broken'

function mappingOf(field: Field): ReadonlyMap<string, Entry> {
  const isMapping = field.tree.kind === 'mapping' || field.tree.kind === 'broken'
  assert(isMapping, 'the schema has checked that this is a mapping')
  return entriesIn(field.tree)
}
