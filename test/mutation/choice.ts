import { createHash } from 'node:crypto'
import { changeOf, type Mutant } from './mutants.ts'

/** Files that a pattern names: `*` within a folder, `**` across folders, `{a,b}` either. */
export function matching(paths: readonly string[], pattern: string): readonly string[] {
  const expression = expressionOf(pattern)
  return paths.filter((path) => expression.test(path))
}

/** The mutants in an order drawn from the seed. The rank of a mutant depends on nothing else in the sources. */
export function drawn(mutants: readonly Mutant[], seed: string): readonly Mutant[] {
  const keyOf = (mutant: Mutant) =>
    createHash('sha256')
      .update(`${seed}\n${mutant.path}\n${mutant.within}\n${changeOf(mutant)}\n${mutant.start}`)
      .digest('hex')
  return mutants
    .map((mutant) => ({ mutant, key: keyOf(mutant) }))
    .sort((left, right) => (left.key < right.key ? -1 : 1))
    .map(({ mutant }) => mutant)
}

const special: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '{': '(?:',
  '}': ')',
  ',': '|',
}

function expressionOf(pattern: string): RegExp {
  const source = pattern.replace(
    /\*\*\/|\*\*|[*{},]|[.+?^$()|[\]\\]/g,
    (part) => special[part] ?? `\\${part}`,
  )
  return new RegExp(`^${source}$`)
}
