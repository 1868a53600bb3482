import { nearestWord } from '../../api/nearest-word.ts'
import { assert } from '../../numeric/assert.ts'
import { joinPath, type Problem, problemAt } from './problem.ts'
import type { Mapping, Place, Scalar, Tree } from './tree.ts'

/**
 * A value, where it stands, and the list of what is wrong with its file. The schema has been checked, so these
 * functions assert what it promises.
 */
export interface Field {
  readonly tree: Tree
  readonly path: string
  /** One list for all fields of a file. */
  readonly problems: Problem[]
}

/** A whole file. */
export const rootField = (tree: Tree): Field => ({ tree, path: '', problems: [] })

/** Notes what is wrong with a value. */
export function complain(
  { tree, path, problems }: Field,
  reason: string,
  nearest: string | null = null,
): void {
  problems.push(problemAt(tree.place, path, reason, nearest))
}

/** Notes that the text names none of what is known. */
export function complainOfUnknown(field: Field, noun: string, known: Iterable<string>): void {
  const word = textOf(field)
  complain(field, `unknown ${noun} "${word}"`, nearestWord(word, known))
}

/** The same of each key, where the field is a mapping. */
export function complainOfUnknownKeys(field: Field | null, noun: string, known: readonly string[]): void {
  if (field?.tree.kind !== 'mapping') return
  for (const [key, { keyPlace }] of field.tree.entries) {
    if (known.includes(key)) continue
    const reason = `unknown ${noun} "${key}"`
    field.problems.push(problemAt(keyPlace, joinPath(field.path, key), reason, nearestWord(key, known)))
  }
}

/** The value of a key; null when it is absent or null. */
export function fieldOf(parent: Field | null, key: string): Field | null {
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
  const field = fieldOf(parent, key)
  return field === null ? null : take(field)
}

export function requiredField(parent: Field, key: string): Field {
  const field = fieldOf(parent, key)
  assert(field !== null, 'the schema has checked that required keys are there')
  return field
}

/** The field along a path such as `model.points[2].price`, as far as the file has it: the place to point at. */
export function fieldAlong(start: Field, path: string): Field {
  let field = start
  for (const step of path.split(/[.[\]]+/)) {
    const next = fieldOf(field, step) ?? itemsOf(field)[Number(step)]
    if (next === undefined) return field
    field = next
  }
  return field
}

export function itemsOf(field: Field | null): readonly Field[] {
  if (field === null || field.tree.kind !== 'list') return []
  return field.tree.items.map((tree, index) => ({ ...field, tree, path: joinPath(field.path, index) }))
}

/** The entries of a mapping, in the order of the file. */
export function entriesOf(field: Field | null): readonly (readonly [string, Field])[] {
  if (field === null) return []
  return [...mappingOf(field).entries].map(([key, entry]) => [
    key,
    { ...field, tree: entry.value, path: joinPath(field.path, key) },
  ])
}

/** Where a key of a mapping stands. */
export function keyPlaceOf(field: Field, key: string): Place {
  return mappingOf(field).entries.get(key)?.keyPlace ?? field.tree.place
}

export function scalarOf(field: Field): Scalar {
  assert(field.tree.kind === 'scalar', 'the schema has checked that this is a single value')
  return field.tree
}

/** A text, or the decimal text of a number. */
export function textOf(field: Field): string {
  return scalarOf(field).text
}

export const textOr = (field: Field | null, fallback: string): string =>
  field === null ? fallback : textOf(field)

export function numberOf(field: Field): number {
  const { value } = scalarOf(field)
  assert(typeof value === 'number', 'the schema has checked that this is a number')
  return value
}

export const numberOr = (field: Field | null, fallback: number): number =>
  field === null ? fallback : numberOf(field)

export function booleanOr(field: Field | null, fallback: boolean): boolean {
  if (field === null) return fallback
  const { value } = scalarOf(field)
  assert(typeof value === 'boolean', 'the schema has checked that this is true or false')
  return value
}

/** The text as one of the words that the schema allows. */
export function wordOr<Word extends string>(
  field: Field | null,
  words: readonly Word[],
  fallback: Word,
): Word {
  if (field === null) return fallback
  const given = textOf(field)
  const found = words.find((candidate) => candidate === given)
  assert(found !== undefined, 'the schema has checked that this is one of the words')
  return found
}

function mappingOf(field: Field): Mapping {
  assert(field.tree.kind === 'mapping', 'the schema has checked that this is a mapping')
  return field.tree
}
