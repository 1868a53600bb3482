import { nearestWord } from '../api/nearest-word.ts'

/**
 * Throws a TypeError for what are no options, and for one that does not exist: whoever writes JavaScript gets no help from
 * the types, and an option that is misspelt would be as good as none.
 */
export function checkOptions(callee: string, given: unknown, known: { readonly [name: string]: true }): void {
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`${callee} takes its options as an object, found ${String(given)}`)
  const names = Object.keys(known)
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name))
  if (unknown === undefined) return
  const nearest = nearestWord(unknown, names)
  const hint = nearest === null ? `there are ${names.join(', ')}` : `did you mean "${nearest}"?`
  throw new TypeError(`${callee} has no option "${unknown}"; ${hint}`)
}
