import { nearestWord } from '../../api/nearest-word.ts'
import { isTupleOfShapes, type Shape, type TypeName } from '../../shape/shape.ts'
import { joinPath, type Mistake, type Mistakes, maximumReported, mistakeAt } from './mistake.ts'
import { type RootSchema, resolveRef, typeNouns } from './schema-words.ts'
import {
  breakParts,
  describeTree,
  type Entry,
  type List,
  type Mapping,
  type Scalar,
  type SourceLocation,
  type Tree,
} from './tree.ts'

/*
 * The only schema checker beside ajv. Tried: ajv 8.20 with every error asked for. Its code for this schema is a
 * megabyte, and no faster (20,000 entries in half a second). It reports each branch of a union (31 errors for three
 * mistakes), and lets a number written as text pass every range. Choosing the branch that was meant, places, nouns
 * and nearest words would still be left to us.
 */

/**
 * Checks a tree by a schema. Returns the tree with each part that the schema does not allow broken, and adds a
 * mistake for each of them.
 */
export function validate(root: RootSchema, tree: Tree, mistakes: Mistakes): Tree {
  const run: Run = { root, found: [], refused: new Set(), lacking: new Map() }
  check(run, root, tree, '')
  const unreported = run.found.filter((mistake) => {
    // A missing key may be in a file that could not be included.
    const isElsewhere = mistake.path === '' && mistakes.isUncertain(mistake.missing ?? '')
    return !isElsewhere && !mistakes.isReported(mistake)
  })
  for (const mistake of unreported) mistakes.add(mistake)
  return run.found.length === 0 ? tree : breakParts(tree, run.refused, run.lacking)
}

interface Run {
  readonly root: RootSchema
  /** The mistakes found, in the order of the document. */
  readonly found: Mistake[]
  readonly refused: Set<Tree>
  /** The required keys that mappings lack. */
  readonly lacking: Map<Tree, readonly string[]>
}

/**
 * Returns the nearest word, or null when none is near. Also returns null once mistakes are only counted, because the
 * search is slow.
 */
const findNearest = ({ found }: Run, word: string, words: readonly string[]): string | null =>
  found.length < maximumReported ? nearestWord(word, words) : null

function refuse(
  run: Run,
  part: Tree,
  path: string,
  reason: string,
  { nearest = null, place = part.place }: { nearest?: string | null; place?: SourceLocation } = {},
): void {
  run.found.push(mistakeAt(place, path, reason, nearest))
  run.refused.add(part)
}

function check(run: Run, given: Shape, tree: Tree, path: string): void {
  if (tree.kind === 'broken') return
  const schema = resolveRef(given, run.root)
  const refusal = schema['x-refused']
  if (refusal !== undefined) {
    refuse(run, tree, path, `"${lastStep(path)}" ${refusal}`)
    return
  }
  if (schema.oneOf !== undefined && !isKeyChoice(schema)) {
    checkChoice(run, schema, tree, path)
    return
  }
  if (!hasType(schema, tree)) {
    refuse(run, tree, path, `expected ${formatNoun(schema)}, found ${describeTree(tree)}`)
    return
  }
  if (tree.kind === 'scalar') checkScalar(run, schema, tree, path)
  else if (tree.kind === 'list') checkList(run, schema, tree, path)
  else checkMapping(run, schema, tree, path)
}

function hasType(schema: Shape, tree: Tree): boolean {
  if (tree.kind === 'broken') return true
  if (schema.const !== undefined || schema.enum !== undefined) return tree.kind === 'scalar'
  if (schema.type === undefined) return true
  const allowed: readonly TypeName[] = typeof schema.type === 'string' ? [schema.type] : schema.type
  if (tree.kind !== 'scalar') return allowed.includes(tree.kind === 'list' ? 'array' : 'object')
  const { value } = tree
  return allowed.some((name) =>
    name === 'integer' ? Number.isInteger(value) : name === (value === null ? 'null' : typeof value),
  )
}

function formatNoun(schema: Shape): string {
  if (schema.title !== undefined) return schema.title
  if (schema.const !== undefined) return String(schema.const)
  if (schema.enum !== undefined)
    return schema.enum.length === 1 ? String(schema.enum[0]) : `one of ${schema.enum.join(', ')}`
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  return types.map((name) => typeNouns[name]).join(' or ')
}

function checkScalar(run: Run, schema: Shape, tree: Scalar, path: string): void {
  const { value } = tree
  const unexpected = `expected ${formatNoun(schema)}, found ${describeTree(tree)}`
  if (schema.const !== undefined && value !== schema.const) refuse(run, tree, path, unexpected)
  else if (schema.enum !== undefined && !schema.enum.some((option) => option === value)) {
    const nearest = findNearest(run, String(value), schema.enum.map(String))
    refuse(run, tree, path, unexpected, { nearest })
  } else {
    const reason = typeof value === 'string' ? findTextMistake(schema, value, unexpected) : null
    // An amount may be written as text. A change such as -4% is not a number, and is within every range.
    const isMeasured = typeof value === 'number' || typeof value === 'string'
    const mistake = reason ?? (isMeasured ? findRangeMistake(schema, Number(value)) : null)
    if (mistake !== null) refuse(run, tree, path, mistake)
  }
}

function findTextMistake({ pattern, minLength, maxLength }: Shape, value: string, unexpected: string) {
  if (pattern !== undefined && !new RegExp(pattern).test(value)) return unexpected
  const length = [...value].length
  if (length < (minLength ?? 0)) return 'must not be empty'
  return maxLength !== undefined && length > maxLength ? `longer than ${maxLength} characters` : null
}

function findRangeMistake({ exclusiveMinimum, minimum, maximum }: Shape, value: number): string | null {
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return `must be above ${exclusiveMinimum}`
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`
  return maximum !== undefined && value > maximum ? `must be at most ${maximum}` : null
}

function checkList(run: Run, schema: Shape, tree: List, path: string): void {
  const count = tree.items.length
  if (count < (schema.minItems ?? 0) || count > (schema.maxItems ?? Number.POSITIVE_INFINITY)) {
    const noun = schema.title ?? formatCount(schema.minItems, schema.maxItems, 'item', 'items')
    refuse(run, tree, path, `expected ${noun}, found ${count}`)
    return
  }
  for (const [index, item] of tree.items.entries()) {
    const itemSchema = isTupleOfShapes(schema.items) ? schema.items[index] : schema.items
    if (itemSchema !== undefined) check(run, itemSchema, item, joinPath(path, index))
  }
}

function formatCount(least: number | undefined, most: number | undefined, one: string, many: string): string {
  if (least !== undefined && least === most) return `${least} ${least === 1 ? one : many}`
  if (least !== undefined && most === undefined) return `at least ${least} ${least === 1 ? one : many}`
  return `${least ?? 0} to ${most} ${many}`
}

function checkMapping(run: Run, schema: Shape, tree: Mapping, path: string): void {
  const count = tree.entries.size
  if (count < (schema.minProperties ?? 0) || count > (schema.maxProperties ?? Number.POSITIVE_INFINITY)) {
    const noun = schema.title ?? formatCount(schema.minProperties, schema.maxProperties, 'key', 'keys')
    refuse(run, tree, path, `expected ${noun}, found ${count} keys`)
  }
  const properties = schema.properties ?? {}
  const meant = new Set<string>()
  for (const [key, entry] of tree.entries) {
    const keyPath = joinPath(path, key)
    if (Object.hasOwn(properties, key)) {
      check(run, properties[key] ?? {}, entry.value, keyPath)
      continue
    }
    if (schema.additionalProperties === undefined || entry.value.kind === 'broken') continue
    if (schema.additionalProperties === false) {
      const nearest = findNearest(
        run,
        key,
        listAcceptedKeys(properties).filter((name) => !tree.entries.has(name)),
      )
      if (nearest !== null) meant.add(nearest)
      refuse(run, entry.value, keyPath, formatUnknownKey(key, listAcceptedKeys(properties), nearest), {
        nearest,
        place: entry.keyPlace,
      })
      continue
    }
    checkKey(run, schema, key, entry, keyPath)
    if (typeof schema.additionalProperties === 'object')
      check(run, schema.additionalProperties, entry.value, keyPath)
  }
  const lacked = (schema.required ?? []).filter((name) => !tree.entries.has(name))
  if (lacked.length > 0) run.lacking.set(tree, lacked)
  const missing = lacked.filter((name) => !meant.has(name))
  const hasRefused = [...tree.entries.keys()].some((key) => isRefused(properties[key]))
  const [first] = missing
  if (first !== undefined && !hasRefused) {
    const reason = `missing ${missing.map((name) => `"${name}"`).join(', ')}`
    run.found.push({ ...mistakeAt(tree.place, path, reason), missing: first })
  }
  for (const choice of [schema, ...(schema.allOf ?? [])])
    if (isKeyChoice(choice)) checkKeyChoice(run, schema, choice, tree, path)
}

/** Formats the reason for an unknown key. When no key is near and there are few, it lists all keys. */
function formatUnknownKey(key: string, known: readonly string[], nearest: string | null): string {
  const isListed = nearest === null && known.length > 0 && known.length <= maximumListedKeys
  const list = isListed ? `; the keys here are ${known.join(', ')}` : ''
  return `unknown key "${key}"${list}`
}

const maximumListedKeys = 30

const isRefused = (schema: Shape | undefined): boolean => schema?.['x-refused'] !== undefined

const listAcceptedKeys = (properties: { readonly [name: string]: Shape }): readonly string[] =>
  Object.keys(properties).filter((name) => !isRefused(properties[name]))

function checkKey(run: Run, schema: Shape, key: string, { keyPlace, value }: Entry, path: string): void {
  if (schema.propertyNames === undefined) return
  const names = resolveRef(schema.propertyNames, run.root)
  if (names.pattern !== undefined && !new RegExp(names.pattern).test(key)) {
    refuse(run, value, path, `the key must be ${formatNoun(names)}`, { place: keyPlace })
  }
}

/** Returns whether a schema's `oneOf` only says which key must be there: "exactly one of these". */
function isKeyChoice(schema: Shape): boolean {
  return schema.oneOf?.every((branch) => branch.required !== undefined && branch.type === undefined) ?? false
}

function checkKeyChoice(run: Run, schema: Shape, choice: Shape, tree: Mapping, path: string): void {
  const branches = choice.oneOf ?? []
  const present: string[] = []
  for (const { required = [], not } of branches) {
    const isRuledOut = not?.required.every((name) => tree.entries.has(name)) ?? false
    if (!isRuledOut) present.push(...required.filter((name) => tree.entries.has(name)))
  }
  if (present.length === 1) return
  const names = branches.flatMap(({ required = [] }) => required)
  const isExplained = [...tree.entries.keys()].some(
    (key) =>
      !names.includes(key) && (isRefused(schema.properties?.[key]) || !(key in (schema.properties ?? {}))),
  )
  if (present.length === 0 && isExplained) return
  const reason =
    present.length === 0
      ? `one of these keys must be there: ${names.join(', ')}`
      : `only one of these keys can be there: ${present.join(', ')}`
  run.found.push(mistakeAt(tree.place, path, reason))
}

/**
 * Checks a value by the branch of a choice that was meant. Between objects, `kind` decides; otherwise it is the first
 * branch with a matching type whose text fits.
 */
function checkChoice(run: Run, schema: Shape, tree: Tree, path: string): void {
  const branches = (schema.oneOf ?? []).map((branch) => resolveRef(branch, run.root))
  if (tree.kind === 'mapping' && branches.some((branch) => kindOf(branch) !== null)) {
    checkKind(run, branches, tree, path)
    return
  }
  const fitting = branches.filter((branch) => hasType(branch, tree))
  for (const branch of fitting) {
    if (fitting.length === 1 && branch.const === undefined) {
      check(run, branch, tree, path)
      return
    }
    const trial: Run = { ...run, found: [], refused: new Set(), lacking: new Map() }
    check(trial, branch, tree, path)
    if (trial.found.length === 0) return
  }
  const noun = schema.title ?? formatChoice(branches)
  refuse(run, tree, path, `expected ${noun}, found ${describeTree(tree)}`)
}

function formatChoice(branches: readonly Shape[]): string {
  const kinds = listKinds(branches)
  const [first] = kinds
  return first === undefined
    ? branches.map(formatNoun).join(' or ')
    : `a mapping such as {kind: ${first}}, of the kinds ${kinds.join(', ')}`
}

function checkKind(run: Run, branches: readonly Shape[], tree: Mapping, path: string): void {
  const kind = tree.entries.get('kind')?.value
  const given = kind?.kind === 'scalar' ? String(kind.value) : ''
  const chosen = branches.find((branch) =>
    kind === undefined ? isDefaultBranch(branch) : kindOf(branch) === given,
  )
  const refusal = chosen?.['x-refused']
  if (kind?.kind === 'broken') {
    run.refused.add(tree)
    return
  }
  if (refusal === undefined && chosen !== undefined) {
    check(run, chosen, tree, path)
    return
  }
  run.refused.add(tree)
  if (refusal !== undefined)
    run.found.push(mistakeAt(kind?.place ?? tree.place, joinPath(path, 'kind'), `"${given}" ${refusal}`))
  else
    run.found.push(kind === undefined ? missingKind(branches, tree, path) : unknownKind(branches, kind, path))
}

function unknownKind(branches: readonly Shape[], kind: Tree, path: string): Mistake {
  const kinds = listKinds(branches)
  const given = kind.kind === 'scalar' ? String(kind.value) : ''
  const reason = `unknown kind "${given}", expected one of ${kinds.join(', ')}`
  return mistakeAt(kind.place, joinPath(path, 'kind'), reason, nearestWord(given, kinds))
}

/** Returns the mistake of a mapping without a `kind`, at the key that was probably meant for it if there is one. */
function missingKind(branches: readonly Shape[], tree: Mapping, path: string): Mistake {
  for (const [key, { keyPlace }] of tree.entries) {
    const isKnown = branches.some(({ properties = {} }) => Object.hasOwn(properties, key))
    const nearest = isKnown ? null : nearestWord(key, ['kind'])
    if (nearest !== null) return mistakeAt(keyPlace, joinPath(path, key), `unknown key "${key}"`, nearest)
  }
  const reason = `missing "kind": one of ${listKinds(branches).join(', ')}`
  return mistakeAt(tree.place, joinPath(path, 'kind'), reason)
}

/** Returns whether a branch is the one that is meant when no kind is given. */
const isDefaultBranch = (branch: Shape): boolean =>
  kindOf(branch) !== null && !isRefused(branch) && branch.required?.includes('kind') === false

const listKinds = (branches: readonly Shape[]): readonly string[] =>
  branches.filter((branch) => !isRefused(branch)).flatMap((branch) => kindOf(branch) ?? [])

function kindOf(schema: Shape): string | null {
  const kind = schema.properties?.['kind']?.const
  return typeof kind === 'string' ? kind : null
}

function lastStep(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf(']')) + 1)
}
