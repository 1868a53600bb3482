import { nearestWord } from '../../api/nearest-word.ts'
import { joinPath, type Mistakes, mistakeAt } from './mistake.ts'
import {
  type Broken,
  brokenTree,
  child,
  type Entry,
  entriesIn,
  type Scalar,
  type SourceLocation,
  scalar,
  type Tree,
} from './tree.ts'

/**
 * Replaces the parameters in all texts of a scenario by their values. A text that consists of one parameter takes the
 * type of its value, so an amount stays a number; in a longer text the parameter's text is inserted. A given value is
 * read as the type of the default. Values are given by a matrix, which stands in the file, or by the caller;
 * `isCallers` returns whether a parameter has its value from the caller.
 */
export function substituteParams(
  tree: Tree,
  given: ReadonlyMap<string, string>,
  isCallers: (name: string) => boolean,
  mistakes: Mistakes,
): Tree {
  return substituteIn(tree, '', readParams(tree, given, isCallers, mistakes), mistakes)
}

const reference = /\$\{([^}]*)\}/g

/** Cuts a text after its last `}`. Without this, matching would search the rest of the text again from each `${`. */
const cutAfterLastBrace = (text: string): string => text.slice(0, text.lastIndexOf('}') + 1)

const hasReference = (text: string): boolean => cutAfterLastBrace(text).search(reference) !== -1

/**
 * The longest value of a parameter, in characters: longer than any value that a scenario takes, and short enough to
 * be inserted a hundred thousand times.
 */
const longestValue = 1000

/** The values of the parameters by name. A value that cannot be read is broken. */
type ParameterValues = ReadonlyMap<string, Scalar | Broken>

function readParams(
  tree: Tree,
  given: ReadonlyMap<string, string>,
  isCallers: (name: string) => boolean,
  mistakes: Mistakes,
): ParameterValues | null {
  const values = new Map<string, Scalar | Broken>()
  const params = child(tree, 'params')
  const isMisspelt = params === null && nearestWord('params', entriesIn(tree).keys()) !== null
  if (isMisspelt || (params !== null && params.kind !== 'mapping')) return null
  const declared = entriesIn(params)
  for (const [name, { keyPlace, value: byDefault }] of declared) {
    const refuse = (place: SourceLocation, reason: string): void => {
      mistakes.add(mistakeAt(place, joinPath('params', name), reason))
      values.set(name, brokenTree(place))
    }
    if (byDefault.kind === 'broken') {
      values.set(name, byDefault)
      continue
    }
    if (byDefault.kind !== 'scalar') {
      refuse(byDefault.place, `a parameter is its default alone, as in params: { ${name}: 1 }`)
      continue
    }
    const value = given.get(name)
    if (typeof byDefault.value === 'string' && hasReference(byDefault.value))
      refuse(byDefault.place, 'a parameter cannot be made of others; write its value')
    else if ((value ?? byDefault.text).length > longestValue)
      refuse(byDefault.place, `longer than ${longestValue} characters`)
    else if (value !== undefined) values.set(name, readGiven(value, byDefault, isCallers(name)))
    else if (byDefault.value !== null) values.set(name, byDefault)
    else refuse(keyPlace, `the parameter has no default; give it with --param ${name}=VALUE`)
  }
  for (const name of given.keys()) {
    if (declared.has(name)) continue
    // A matrix names parameters in the file itself; others come from the caller.
    const axis = entriesIn(child(tree, 'matrix')).get(name)
    const [place, path] =
      axis === undefined ? [tree.place, 'params'] : [axis.keyPlace, joinPath('matrix', name)]
    const reason = `the scenario has no parameter "${name}"`
    const words = axis === undefined ? declared.keys() : [...declared.keys(), 'seed']
    mistakes.add(mistakeAt(place, path, reason, nearestWord(name, words)))
  }
  return values
}

/**
 * Reads a given text as the type of the parameter's default: a number or a boolean if it can be read as one, else
 * text.
 */
function readGiven(text: string, byDefault: Scalar, isCallers: boolean): Scalar {
  const { place, value } = byDefault
  const read = (given: Scalar['value']): Scalar => ({
    ...scalar(place, given, text),
    isParameter: isCallers,
  })
  if (typeof value === 'number' && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) {
    return read(Number(text))
  }
  if (typeof value === 'boolean' && (text === 'true' || text === 'false')) {
    return read(text === 'true')
  }
  return read(text)
}

function substituteIn(tree: Tree, path: string, values: ParameterValues | null, mistakes: Mistakes): Tree {
  if (tree.kind === 'broken') return tree
  if (tree.kind === 'list') {
    return {
      ...tree,
      items: tree.items.map((item, index) => substituteIn(item, joinPath(path, index), values, mistakes)),
    }
  }
  if (tree.kind === 'mapping') {
    const entries = new Map<string, Entry>()
    for (const [key, entry] of tree.entries) {
      const keyPath = joinPath(path, key)
      if (hasReference(key)) {
        mistakes.add(mistakeAt(entry.keyPlace, keyPath, 'parameters stand in values, not in keys'))
        entries.set(key, { ...entry, value: brokenTree(entry.keyPlace, entry.value) })
        continue
      }
      const value =
        path === '' && key === 'params' ? entry.value : substituteIn(entry.value, keyPath, values, mistakes)
      entries.set(key, { ...entry, value })
    }
    return { ...tree, entries }
  }
  return typeof tree.value === 'string' && tree.value.includes('${')
    ? substituteText(tree, tree.value, path, values, mistakes)
    : tree
}

function substituteText(
  tree: Scalar,
  text: string,
  path: string,
  values: ParameterValues | null,
  mistakes: Mistakes,
): Tree {
  const reach = cutAfterLastBrace(text)
  const names = [...reach.matchAll(reference)].map((match) => match[1] ?? '')
  if (values === null && names.length > 0) return brokenTree(tree.place, tree)
  const unknown = names.find((name) => values?.has(name) !== true)
  if (unknown !== undefined) {
    const reason = `unknown parameter "${unknown}"; parameters are declared under "params"`
    if (!mistakes.isUncertain(unknown))
      mistakes.add(mistakeAt(tree.place, path, reason, nearestWord(unknown, values?.keys() ?? [])))
    return brokenTree(tree.place, tree)
  }
  const given = new Map<string, Scalar>()
  for (const name of names) {
    const value = values?.get(name)
    if (value?.kind !== 'scalar') return brokenTree(tree.place, tree)
    given.set(name, value)
  }
  const [only] = names
  const whole = only !== undefined && text === `\${${only}}` ? given.get(only) : undefined
  if (whole !== undefined)
    return { ...scalar(tree.place, whole.value, whole.text), isParameter: whole.isParameter }
  const inserted = reach.replace(reference, (_, name: string) => given.get(name)?.text ?? '')
  const filled = inserted + text.slice(reach.length)
  const isParameter = [...given.values()].some((value) => value.isParameter)
  return { ...scalar(tree.place, filled, filled), isParameter }
}

export interface Variant {
  readonly seed: string | null
  readonly params: ReadonlyMap<string, string>
  /**
   * The seed and parameters as text, such as `seed=3 spread=2`; empty for the only run of a scenario without a
   * matrix.
   */
  readonly name: string
}

const maximumVariants = 10_000
/** The longest seed, in characters. */
export const longestSeed = 200

/**
 * Lists the runs that a scenario asks for: the product of the dimensions of its matrix, the last one changing
 * fastest. A value that the caller gives replaces a whole dimension. There is one run without a matrix, and also
 * where none of the matrix can be read.
 */
export function readMatrix(
  tree: Tree,
  given: { readonly seed: string | null; readonly params: ReadonlyMap<string, string> },
  mistakes: Mistakes,
): readonly Variant[] {
  let variants: readonly Variant[] = [{ seed: given.seed, params: given.params, name: '' }]
  for (const [key, { value }] of entriesIn(child(tree, 'matrix'))) {
    if (key === 'seed' ? given.seed !== null : given.params.has(key)) continue
    const path = joinPath('matrix', key)
    const values = listValues(value, path, mistakes)
    if (key === 'seed' && values.some((text) => text === '' || text.length > longestSeed))
      mistakes.add(mistakeAt(value.place, path, `a seed has 1 to ${longestSeed} characters`))
    const again = findRepeated(values)
    if (again !== undefined) mistakes.add(mistakeAt(value.place, path, `${again} is there twice`))
    if (values.length === 0) continue
    if (values.length * variants.length > maximumVariants) {
      mistakes.add(mistakeAt(value.place, path, `more than ${maximumVariants} runs`))
      break
    }
    variants = variants.flatMap((variant) => values.map((text) => withValue(variant, key, text)))
  }
  return variants
}

function findRepeated(values: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return values.find((value) => seen.size === seen.add(value).size)
}

function withValue(variant: Variant, key: string, text: string): Variant {
  const name = `${variant.name}${variant.name === '' ? '' : ' '}${key}=${text}`
  if (key === 'seed') return { ...variant, seed: text, name }
  return { ...variant, params: new Map([...variant.params, [key, text]]), name }
}

/**
 * Lists the values of a dimension: one value, a range such as `1..100`, or a list of these. Stops soon after the
 * limit, so a huge list costs little.
 */
function listValues(tree: Tree, path: string, mistakes: Mistakes): readonly string[] {
  const items = tree.kind === 'list' ? tree.items : [tree]
  if (items.length === 0)
    mistakes.add(mistakeAt(tree.place, path, 'expected at least one value, or nothing runs'))
  const values: string[] = []
  for (const item of items) {
    if (values.length > maximumVariants) break
    values.push(...listItemValues(item, path, mistakes))
  }
  return values
}

function listItemValues(item: Tree, path: string, mistakes: Mistakes): readonly string[] {
  if (item.kind === 'broken') return []
  if (item.kind !== 'scalar' || item.value === null) {
    mistakes.add(mistakeAt(item.place, path, 'expected values, or a span such as 1..100'))
    return []
  }
  const span = /^(\d{1,9})\.\.(\d{1,9})$/.exec(item.text)
  if (span === null) {
    if (item.text.includes('..') && /^[\d.+-]*$/.test(item.text))
      mistakes.add(mistakeAt(item.place, path, `${item.text} is not a span; write 1..100`))
    return [item.text]
  }
  const [from = 0, to = 0] = span.slice(1).map(Number)
  if (to < from || to - from >= maximumVariants) {
    mistakes.add(mistakeAt(item.place, path, `${item.text} is not a span of 1 to ${maximumVariants} values`))
    return []
  }
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
}
