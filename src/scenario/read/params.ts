import { nearestWord } from '../../api/nearest-word.ts'
import { failure, joinPath, type Problem, problemAt, type Result, success } from './problem.ts'
import { child, type Entry, entriesIn, type Place, type Scalar, scalar, type Tree } from './tree.ts'

/**
 * Puts parameters into all texts. A text that consists of one parameter takes its type, so an amount stays a number;
 * inside a longer text the parameter's text is inserted. A given value is read as the type of the default. Values are
 * given by a matrix, which stands in the file, or by the caller; `isCallers` tells which.
 */
export function substituteParams(
  tree: Tree,
  given: ReadonlyMap<string, string>,
  isCallers: (name: string) => boolean,
): Result<Tree> {
  const problems: Problem[] = []
  const values = readParams(tree, given, isCallers, problems)
  const substituted = problems.length > 0 ? tree : walk(tree, '', values, problems)
  return problems.length > 0 ? failure(problems) : success(substituted)
}

const reference = /\$\{([^}]*)\}/g

/** Only what a reference can be in: the rest would be looked through anew for the end of each `${`. */
const withinReach = (text: string): string => text.slice(0, text.lastIndexOf('}') + 1)

const hasReference = (text: string): boolean => withinReach(text).search(reference) !== -1

/** Longer than any value that a scenario takes, and short enough to stand in a document a hundred thousand times. */
const longestValue = 1000

function readParams(
  tree: Tree,
  given: ReadonlyMap<string, string>,
  isCallers: (name: string) => boolean,
  problems: Problem[],
): ReadonlyMap<string, Scalar> {
  const values = new Map<string, Scalar>()
  const declared = entriesIn(child(tree, 'params'))
  for (const [name, { keyPlace, value: byDefault }] of declared) {
    const refuse = (place: Place, reason: string): void => {
      problems.push(problemAt(place, joinPath('params', name), reason))
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
    problems.push(problemAt(place, path, reason, nearestWord(name, words)))
  }
  return values
}

/** A given text stays text, unless the default is a number or a boolean and the text can be read as one. */
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

function walk(tree: Tree, path: string, values: ReadonlyMap<string, Scalar>, problems: Problem[]): Tree {
  if (tree.kind === 'list') {
    return {
      ...tree,
      items: tree.items.map((item, index) => walk(item, joinPath(path, index), values, problems)),
    }
  }
  if (tree.kind === 'mapping') {
    const entries = new Map<string, Entry>()
    for (const [key, entry] of tree.entries) {
      const keyPath = joinPath(path, key)
      if (hasReference(key))
        problems.push(problemAt(entry.keyPlace, keyPath, 'parameters stand in values, not in keys'))
      const value =
        path === '' && key === 'params' ? entry.value : walk(entry.value, keyPath, values, problems)
      entries.set(key, { ...entry, value })
    }
    return { ...tree, entries }
  }
  return typeof tree.value === 'string' && tree.value.includes('${')
    ? fill(tree, tree.value, path, values, problems)
    : tree
}

function fill(
  tree: Scalar,
  text: string,
  path: string,
  values: ReadonlyMap<string, Scalar>,
  problems: Problem[],
): Scalar {
  const reach = withinReach(text)
  const names = [...reach.matchAll(reference)].map((match) => match[1] ?? '')
  const unknown = names.find((name) => !values.has(name))
  if (unknown !== undefined) {
    const reason = `unknown parameter "${unknown}"; parameters are declared under "params"`
    problems.push(problemAt(tree.place, path, reason, nearestWord(unknown, values.keys())))
    return tree
  }
  const [only] = names
  const whole = only !== undefined && text === `\${${only}}` ? values.get(only) : undefined
  if (whole !== undefined)
    return { ...scalar(tree.place, whole.value, whole.text), isParameter: whole.isParameter }
  const inserted = reach.replace(reference, (_, name: string) => values.get(name)?.text ?? '')
  const filled = inserted + text.slice(reach.length)
  const isParameter = names.some((name) => values.get(name)?.isParameter === true)
  return { ...scalar(tree.place, filled, filled), isParameter }
}
