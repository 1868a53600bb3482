import { isObject } from './json.ts'
import { nearestWord } from './nearest-word.ts'
import type { OptionKind } from './option-kinds.ts'

/** What each option may be. */
export interface OptionKinds {
  readonly [name: string]: OptionKind
}

/** The same for options that have a type, so that none can be forgotten. */
export type OptionKindsOf<Options> = { readonly [name in keyof Options]-?: OptionKind }

/**
 * Throws a TypeError for options that are not an object, and for an option that does not exist; a RangeError for a
 * value of the wrong kind (a comparison would take `[1]`, `true` and `'1'` for 1). JavaScript callers get no help from
 * the types, and a misspelt option would be ignored in silence.
 */
export function checkOptions(callee: string, given: unknown, known: OptionKinds): void {
  if (!isObject(given)) throw new TypeError(`${callee} takes its options as an object, found ${shown(given)}`)
  const names = Object.keys(known)
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined) {
    const nearest = nearestWord(unknown, names)
    const hint = nearest === null ? `there are ${names.join(', ')}` : `did you mean "${nearest}"?`
    throw new TypeError(`${callee} has no option "${unknown}"; ${hint}`)
  }
  for (const [name, kind] of Object.entries(known)) checkOption(callee, name, given[name], kind)
}

/** The same for one option; undefined means that it is not given. */
export function checkOption(callee: string, name: string, value: unknown, kind: OptionKind): void {
  if (value === undefined || kind.holds(value)) return
  throw new RangeError(`${callee}: ${name} must be ${kind.expected}, found ${shown(value)}`)
}

export function shown(value: unknown): string {
  if (typeof value === 'string') return `"${value}"`
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'another object' : String(value)
}
