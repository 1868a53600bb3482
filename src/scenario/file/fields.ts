import { nearestWord } from '../../api/flaw.ts'
import { assert } from '../../numeric/assert.ts'
import { joinPath, Mistakes, mistakeAt } from './mistake.ts'
import {
  broken,
  type Entry,
  entriesIn,
  hasBrokenPart,
  type Place,
  type Scalar,
  scalar,
  type Tree,
} from './tree.ts'

/**
 * A value, where it stands, and the list of what is wrong with its file. The schema has been checked, and what it does
 * not allow is broken, so these functions assert what it promises. A broken field reads as the least of its kind, and
 * nothing more is said of it.
 */
export interface Field {
  readonly tree: Tree
  readonly path: string
  /** One list for all fields of a file. */
  readonly problems: Mistakes
}

export const rootField = (tree: Tree, problems: Mistakes = new Mistakes()): Field => ({
  tree,
  path: '',
  problems,
})

/** The field as if of another file: what is wrong with it is not noted. */
export const muteMistakes = (field: Field): Field => ({ ...field, problems: new Mistakes() })

/** Notes what is wrong with a value. Of one with a broken part, perhaps only that part is. */
export function addMistake(
  { tree, path, problems }: Field,
  reason: string,
  nearest: string | null = null,
): void {
  if (!hasBrokenPart(tree)) problems.add(mistakeAt(tree.place, path, reason, nearest))
}

/** Notes that the text names none of what is known. */
export function addUnknownMistake(field: Field, noun: string, known: Iterable<string>): void {
  addNameMistake(field, `unknown ${noun} "${statedText(field)}"`, known)
}

export function addNameMistake(field: Field, reason: string, known: Iterable<string>): void {
  const word = statedText(field)
  if (!field.problems.isUncertain(word))
    addMistake(field, reason, nearestWord(word, [...known, ...field.problems.uncertainNames]))
}

/** The same of each key, where the field is a mapping. */
export function checkKnownKeys(field: Field | null, noun: string, known: readonly string[]): void {
  if (field?.tree.kind !== 'mapping') return
  for (const [key, { keyPlace }] of field.tree.entries) {
    if (known.includes(key) || field.problems.isUncertain(key)) continue
    const reason = `unknown ${noun} "${key}"`
    field.problems.add(mistakeAt(keyPlace, joinPath(field.path, key), reason, nearestWord(key, known)))
  }
}

export function childField(parent: Field | null, key: string): Field | null {
  if (parent === null || parent.tree.kind !== 'mapping') return null
  const tree = parent.tree.entries.get(key)?.value
  if (tree === undefined || (tree.kind === 'scalar' && tree.value === null)) return null
  return { ...parent, tree, path: joinPath(parent.path, key) }
}

/** What the value of a key is read as; null when it is absent or null. */
export function optional<Value>(
  parent: Field | null,
  key: string,
  take: (field: Field) => Value,
): Value | null {
  const field = childField(parent, key)
  return field === null ? null : take(field)
}

/** Broken where it is not there: then the schema has said so. */
export function requiredField(parent: Field, key: string): Field {
  const field = childField(parent, key)
  if (field !== null) return field
  assert(parent.problems.count > 0, 'the schema has checked that required keys are there')
  return { ...parent, tree: broken(parent.tree.place), path: joinPath(parent.path, key) }
}

/** The field along a path such as `model.points[2].price`, as far as the file has it, and the rest of the path. */
export function findFieldAlong(
  start: Field,
  path: string,
): { readonly stated: Field; readonly rest: string } {
  let stated = start
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '')
  for (const [place, step] of steps.entries()) {
    const next = childField(stated, step) ?? itemsOf(stated)[Number(step)]
    if (next === undefined) return { stated, rest: steps.slice(place).join('.') }
    stated = next
  }
  return { stated, rest: '' }
}

export function itemsOf(field: Field | null): readonly Field[] {
  if (field === null || field.tree.kind !== 'list') return []
  return field.tree.items.map((tree, index) => ({ ...field, tree, path: joinPath(field.path, index) }))
}

export function entriesOf(field: Field | null): readonly (readonly [string, Field])[] {
  if (field === null) return []
  return [...mappingOf(field)].map(([key, entry]) => [
    key,
    { ...field, tree: entry.value, path: joinPath(field.path, key) },
  ])
}

export function keyPlaceOf(field: Field, key: string): Place {
  return mappingOf(field).get(key)?.keyPlace ?? field.tree.place
}

export function statedScalar(field: Field): Scalar {
  if (field.tree.kind === 'broken') return scalar(field.tree.place, null, '')
  assert(field.tree.kind === 'scalar', 'the schema has checked that this is a single value')
  return field.tree
}

/** A text, or the decimal text of a number. */
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
