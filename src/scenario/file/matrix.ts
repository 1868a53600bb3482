import { joinPath, type Problems, problemAt } from './problem.ts'
import { child, entriesIn, type Tree } from './tree.ts'

/** One run of a matrix: its seed, when the matrix has seeds, and its parameters. */
export interface Variant {
  readonly seed: string | null
  readonly params: ReadonlyMap<string, string>
  /** `seed=3 spread=2`; empty for the one run of a scenario without a matrix. */
  readonly name: string
}

const maximumVariants = 10_000
/** In characters. */
export const longestSeed = 200

/**
 * The runs that a scenario asks for: the product of its dimensions, the last one changing fastest. What the caller
 * gives replaces a whole dimension. Without a matrix there is one run, and so there is where nothing of it can be read.
 */
export function readMatrix(
  tree: Tree,
  given: { readonly seed: string | null; readonly params: ReadonlyMap<string, string> },
  problems: Problems,
): readonly Variant[] {
  let variants: readonly Variant[] = [{ seed: given.seed, params: given.params, name: '' }]
  for (const [key, { value }] of entriesIn(child(tree, 'matrix'))) {
    if (key === 'seed' ? given.seed !== null : given.params.has(key)) continue
    const path = joinPath('matrix', key)
    const values = valuesOf(value, path, problems)
    if (key === 'seed' && values.some((text) => text === '' || text.length > longestSeed))
      problems.add(problemAt(value.place, path, `a seed has 1 to ${longestSeed} characters`))
    const again = firstRepeated(values)
    if (again !== undefined) problems.add(problemAt(value.place, path, `${again} is there twice`))
    if (values.length === 0) continue
    if (values.length * variants.length > maximumVariants) {
      problems.add(problemAt(value.place, path, `more than ${maximumVariants} runs`))
      break
    }
    variants = variants.flatMap((variant) => values.map((text) => withValue(variant, key, text)))
  }
  return variants
}

function firstRepeated(values: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return values.find((value) => seen.size === seen.add(value).size)
}

function withValue(variant: Variant, key: string, text: string): Variant {
  const name = `${variant.name}${variant.name === '' ? '' : ' '}${key}=${text}`
  if (key === 'seed') return { ...variant, seed: text, name }
  return { ...variant, params: new Map([...variant.params, [key, text]]), name }
}

/** `1..100`, a list of values and such ranges, or one value. Of too many, only some more than there may be. */
function valuesOf(tree: Tree, path: string, problems: Problems): readonly string[] {
  const items = tree.kind === 'list' ? tree.items : [tree]
  if (items.length === 0)
    problems.add(problemAt(tree.place, path, 'expected at least one value, or nothing runs'))
  const values: string[] = []
  for (const item of items) {
    if (values.length > maximumVariants) break
    values.push(...valuesOfItem(item, path, problems))
  }
  return values
}

function valuesOfItem(item: Tree, path: string, problems: Problems): readonly string[] {
  if (item.kind === 'broken') return []
  if (item.kind !== 'scalar' || item.value === null) {
    problems.add(problemAt(item.place, path, 'expected values, or a span such as 1..100'))
    return []
  }
  const span = /^(\d{1,9})\.\.(\d{1,9})$/.exec(item.text)
  if (span === null) {
    if (item.text.includes('..') && /^[\d.+-]*$/.test(item.text))
      problems.add(problemAt(item.place, path, `${item.text} is not a span; write 1..100`))
    return [item.text]
  }
  const [from, to] = [Number(span[1]), Number(span[2])]
  if (to < from || to - from >= maximumVariants) {
    problems.add(problemAt(item.place, path, `${item.text} is not a span of 1 to ${maximumVariants} values`))
    return []
  }
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
}
