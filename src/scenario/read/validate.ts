import { nearestWord } from '../../api/nearest-word.ts'
import { joinPath, type Problem, problemAt } from './problem.ts'
import { isTuple, type RootSchema, type Schema, type TypeName, typeNouns } from './schema-type.ts'
import { describe, type List, type Mapping, type Scalar, type Tree } from './tree.ts'

/** The most problems reported for one document: the first ones are what a reader needs. */
const maximumProblems = 50

/** Everything in the tree that the schema does not allow, in the order of the document; empty when it is valid. */
export function validate(root: RootSchema, tree: Tree): readonly Problem[] {
  const problems: Problem[] = []
  check({ root, problems }, root, tree, '')
  return problems.slice(0, maximumProblems)
}

interface Run {
  readonly root: RootSchema
  readonly problems: Problem[]
}

function check(run: Run, given: Schema, tree: Tree, path: string): void {
  if (run.problems.length >= maximumProblems) return
  const schema = resolve(run.root, given)
  const refusal = schema['x-refused']
  if (refusal !== undefined) {
    run.problems.push(problemAt(tree.place, path, `"${lastStep(path)}" ${refusal}`))
    return
  }
  if (schema.oneOf !== undefined && !isKeyChoice(schema)) {
    checkChoice(run, schema, tree, path)
    return
  }
  if (!hasType(schema, tree)) {
    run.problems.push(problemAt(tree.place, path, `expected ${nounOf(schema)}, found ${describe(tree)}`))
    return
  }
  if (tree.kind === 'scalar') {
    const flaw = scalarFlaw(schema, tree)
    if (flaw !== null) run.problems.push(problemAt(tree.place, path, flaw.reason, flaw.nearest))
  } else if (tree.kind === 'list') checkList(run, schema, tree, path)
  else checkMapping(run, schema, tree, path)
}

function resolve(root: RootSchema, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  const name = schema.$ref.slice('#/definitions/'.length)
  return root.definitions[name] ?? schema
}

function hasType(schema: Schema, tree: Tree): boolean {
  if (schema.const !== undefined || schema.enum !== undefined) return tree.kind === 'scalar'
  if (schema.type === undefined) return true
  const allowed = typeof schema.type === 'string' ? [schema.type] : schema.type
  const own = typesOf(tree)
  return allowed.some((name) => own.includes(name))
}

function typesOf(tree: Tree): readonly TypeName[] {
  if (tree.kind === 'list') return ['array']
  if (tree.kind === 'mapping') return ['object']
  switch (typeof tree.value) {
    case 'string':
      return ['string']
    case 'boolean':
      return ['boolean']
    case 'number':
      return Number.isInteger(tree.value) ? ['integer', 'number'] : ['number']
    default:
      return ['null']
  }
}

function nounOf(schema: Schema): string {
  if (schema.title !== undefined) return schema.title
  if (schema.const !== undefined) return String(schema.const)
  if (schema.enum !== undefined)
    return schema.enum.length === 1 ? String(schema.enum[0]) : `one of ${schema.enum.join(', ')}`
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  return types.map((name) => typeNouns[name]).join(' or ')
}

interface Flaw {
  readonly reason: string
  readonly nearest?: string | null
}

function scalarFlaw(schema: Schema, tree: Scalar): Flaw | null {
  const { value } = tree
  const unexpected = `expected ${nounOf(schema)}, found ${describe(tree)}`
  if (schema.const !== undefined && value !== schema.const) return { reason: unexpected }
  if (schema.enum !== undefined && !schema.enum.some((option) => option === value)) {
    const given = String(value)
    return { reason: unexpected, nearest: nearestWord(given, schema.enum.map(String)) }
  }
  if (typeof value === 'number') return numberFlaw(schema, value)
  return typeof value === 'string' ? textFlaw(schema, value, unexpected) : null
}

function textFlaw(schema: Schema, value: string, unexpected: string): Flaw | null {
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(value)) return { reason: unexpected }
  const length = [...value].length
  if (length < (schema.minLength ?? 0)) return { reason: 'must not be empty' }
  const isTooLong = schema.maxLength !== undefined && length > schema.maxLength
  return isTooLong ? { reason: `longer than ${schema.maxLength} characters` } : null
}

function numberFlaw(schema: Schema, value: number): Flaw | null {
  if (schema.exclusiveMinimum !== undefined && value <= schema.exclusiveMinimum) {
    return { reason: `must be above ${schema.exclusiveMinimum}` }
  }
  if (schema.minimum !== undefined && value < schema.minimum)
    return { reason: `must be at least ${schema.minimum}` }
  if (schema.maximum !== undefined && value > schema.maximum)
    return { reason: `must be at most ${schema.maximum}` }
  return null
}

function checkList(run: Run, schema: Schema, tree: List, path: string): void {
  const count = tree.items.length
  if (count < (schema.minItems ?? 0) || count > (schema.maxItems ?? Number.POSITIVE_INFINITY)) {
    const noun = schema.title ?? sizeNoun(schema.minItems, schema.maxItems, 'item', 'items')
    run.problems.push(problemAt(tree.place, path, `expected ${noun}, found ${count}`))
    return
  }
  for (const [index, item] of tree.items.entries()) {
    const itemSchema = isTuple(schema.items) ? schema.items[index] : schema.items
    if (itemSchema !== undefined) check(run, itemSchema, item, joinPath(path, index))
  }
}

function sizeNoun(least: number | undefined, most: number | undefined, one: string, many: string): string {
  if (least !== undefined && least === most) return `${least} ${least === 1 ? one : many}`
  if (least !== undefined && most === undefined) return `at least ${least} ${least === 1 ? one : many}`
  return `${least ?? 0} to ${most} ${many}`
}

function checkMapping(run: Run, schema: Schema, tree: Mapping, path: string): void {
  const count = tree.entries.size
  if (count < (schema.minProperties ?? 0) || count > (schema.maxProperties ?? Number.POSITIVE_INFINITY)) {
    const noun = schema.title ?? sizeNoun(schema.minProperties, schema.maxProperties, 'key', 'keys')
    run.problems.push(problemAt(tree.place, path, `expected ${noun}, found ${count} keys`))
  }
  const properties = schema.properties ?? {}
  const meant = new Set<string>()
  for (const [key, entry] of tree.entries) {
    const keyPath = joinPath(path, key)
    if (Object.hasOwn(properties, key)) {
      check(run, properties[key] ?? {}, entry.value, keyPath)
      continue
    }
    if (schema.additionalProperties === undefined) continue
    if (schema.additionalProperties === false) {
      const nearest = nearestWord(
        key,
        currentKeys(properties).filter((name) => !tree.entries.has(name)),
      )
      if (nearest !== null) meant.add(nearest)
      run.problems.push(unknownKey(key, currentKeys(properties), nearest, entry.keyPlace, keyPath))
      continue
    }
    checkKey(run, schema, key, entry.keyPlace, keyPath)
    check(run, schema.additionalProperties, entry.value, keyPath)
  }
  const missing = (schema.required ?? []).filter((name) => !tree.entries.has(name) && !meant.has(name))
  const hasRefused = [...tree.entries.keys()].some((key) => isRefused(properties[key]))
  const [first] = missing
  if (first !== undefined && !hasRefused) {
    const reason = `missing ${missing.map((name) => `"${name}"`).join(', ')}`
    run.problems.push({ ...problemAt(tree.place, path, reason), missing: first })
  }
  for (const choice of [schema, ...(schema.allOf ?? [])])
    if (isKeyChoice(choice)) checkKeyChoice(run, schema, choice, tree, path)
}

/** With the nearest key or, when none is near and there are few, with all keys. */
function unknownKey(
  key: string,
  known: readonly string[],
  nearest: string | null,
  place: Tree['place'],
  path: string,
): Problem {
  const isListed = nearest === null && known.length > 0 && known.length <= maximumListedKeys
  const list = isListed ? `; the keys here are ${known.join(', ')}` : ''
  return problemAt(place, path, `unknown key "${key}"${list}`, nearest)
}

const maximumListedKeys = 30

const isRefused = (schema: Schema | undefined): boolean => schema?.['x-refused'] !== undefined

const currentKeys = (properties: { readonly [name: string]: Schema }): readonly string[] =>
  Object.keys(properties).filter((name) => !isRefused(properties[name]))

function checkKey(run: Run, schema: Schema, key: string, place: Tree['place'], path: string): void {
  if (schema.propertyNames === undefined) return
  const names = resolve(run.root, schema.propertyNames)
  if (names.pattern !== undefined && !new RegExp(names.pattern).test(key)) {
    run.problems.push(problemAt(place, path, `the key must be ${nounOf(names)}`))
  }
}

/** A `oneOf` that only says which key must be there: "exactly one of these". */
function isKeyChoice(schema: Schema): boolean {
  return schema.oneOf?.every((branch) => branch.required !== undefined && branch.type === undefined) ?? false
}

function checkKeyChoice(run: Run, schema: Schema, choice: Schema, tree: Mapping, path: string): void {
  const branches = choice.oneOf ?? []
  const names = branches.flatMap((branch) => branch.required ?? [])
  const present = branches
    .filter(({ not }) => not === undefined || !not.required.every((name) => tree.entries.has(name)))
    .flatMap((branch) => branch.required ?? [])
    .filter((name) => tree.entries.has(name))
  if (present.length === 1) return
  const isExplained = [...tree.entries.keys()].some(
    (key) =>
      !names.includes(key) && (isRefused(schema.properties?.[key]) || !(key in (schema.properties ?? {}))),
  )
  if (present.length === 0 && isExplained) return
  const reason =
    present.length === 0
      ? `one of these keys must be there: ${names.join(', ')}`
      : `only one of these keys can be there: ${present.join(', ')}`
  run.problems.push(problemAt(tree.place, path, reason))
}

/** Between objects, `kind` decides; otherwise the first branch with a matching type whose text fits. */
function checkChoice(run: Run, schema: Schema, tree: Tree, path: string): void {
  const branches = (schema.oneOf ?? []).map((branch) => resolve(run.root, branch))
  if (tree.kind === 'mapping' && branches.some((branch) => kindOf(branch) !== null)) {
    checkKind(run, branches, tree, path)
    return
  }
  const fitting = branches.filter((branch) => hasType(branch, tree))
  for (const branch of fitting) {
    const trial: Run = { root: run.root, problems: [] }
    check(trial, branch, tree, path)
    if (trial.problems.length === 0) return
    if (fitting.length === 1 && branch.const === undefined) {
      run.problems.push(...trial.problems)
      return
    }
  }
  const noun = schema.title ?? nounOfChoice(branches)
  run.problems.push(problemAt(tree.place, path, `expected ${noun}, found ${describe(tree)}`))
}

function nounOfChoice(branches: readonly Schema[]): string {
  const kinds = kindsOf(branches)
  const [first] = kinds
  return first === undefined
    ? branches.map(nounOf).join(' or ')
    : `a mapping such as {kind: ${first}}, of the kinds ${kinds.join(', ')}`
}

function checkKind(run: Run, branches: readonly Schema[], tree: Mapping, path: string): void {
  const kind = tree.entries.get('kind')?.value
  const given = kind?.kind === 'scalar' ? String(kind.value) : ''
  const chosen = branches.find((branch) => (kind === undefined ? isUsual(branch) : kindOf(branch) === given))
  const refusal = chosen?.['x-refused']
  if (refusal !== undefined) {
    run.problems.push(problemAt(kind?.place ?? tree.place, joinPath(path, 'kind'), `"${given}" ${refusal}`))
  } else if (chosen !== undefined) check(run, chosen, tree, path)
  else
    run.problems.push(
      kind === undefined ? missingKind(branches, tree, path) : unknownKind(branches, kind, path),
    )
}

function unknownKind(branches: readonly Schema[], kind: Tree, path: string): Problem {
  const kinds = kindsOf(branches)
  const given = kind.kind === 'scalar' ? String(kind.value) : ''
  const reason = `unknown kind "${given}", expected one of ${kinds.join(', ')}`
  return problemAt(kind.place, joinPath(path, 'kind'), reason, nearestWord(given, kinds))
}

/** At the key that was meant for it, if there is one. */
function missingKind(branches: readonly Schema[], tree: Mapping, path: string): Problem {
  for (const [key, { keyPlace }] of tree.entries) {
    const isKnown = branches.some(({ properties = {} }) => Object.hasOwn(properties, key))
    const nearest = isKnown ? null : nearestWord(key, ['kind'])
    if (nearest !== null) return problemAt(keyPlace, joinPath(path, key), `unknown key "${key}"`, nearest)
  }
  const reason = `missing "kind": one of ${kindsOf(branches).join(', ')}`
  return problemAt(tree.place, joinPath(path, 'kind'), reason)
}

/** Whether this branch is meant when no kind is given. */
const isUsual = (branch: Schema): boolean =>
  kindOf(branch) !== null && !isRefused(branch) && branch.required?.includes('kind') === false

const kindsOf = (branches: readonly Schema[]): readonly string[] =>
  branches.filter((branch) => !isRefused(branch)).flatMap((branch) => kindOf(branch) ?? [])

function kindOf(schema: Schema): string | null {
  const kind = schema.properties?.['kind']?.const
  return typeof kind === 'string' ? kind : null
}

function lastStep(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf(']')) + 1)
}
