import { changeOf, type Mutant } from './mutants.ts'

/** A mutant that behaves like the original, as the list beside this file names it. */
export interface Equivalent {
  readonly path: string
  readonly within: string
  readonly change: string
}

/**
 * Reads the list: a heading per file, and below it items such as "- `wide` `a < b → a <= b`: why". Throws at an item of
 * another form, or without a reason.
 */
export function readEquivalents(text: string): readonly Equivalent[] {
  let path = ''
  return text.split('\n').flatMap((line, index) => {
    if (line.startsWith('## ')) path = line.slice(3).trim()
    if (!line.startsWith('- ')) return []
    const [, within, change, why] = /^- `([^`]+)` `([^`]+)`: (.+)$/.exec(line) ?? []
    if (path === '' || within === undefined || change === undefined || why === undefined)
      throw new Error(`line ${index + 1} of the equivalent mutants is no item of the list: ${line}`)
    return [{ path, within, change }]
  })
}

/** The key of a mutant in the list. */
export function keyOf(equivalent: Equivalent): string {
  return `${equivalent.path} ${equivalent.within} ${equivalent.change}`
}

export function equivalentOf(mutant: Mutant): Equivalent {
  return { path: mutant.path, within: mutant.within, change: changeOf(mutant) }
}
