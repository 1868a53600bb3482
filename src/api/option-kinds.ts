import { isObject } from './json.ts'
import { nearestWord } from './nearest-word.ts'

/** What an option may be: in words, and as a check. */
export interface OptionKind {
  readonly expected: string
  readonly holds: (value: unknown) => boolean
}

export const aText: OptionKind = { expected: 'a text', holds: (value) => typeof value === 'string' }

export const aTruth: OptionKind = {
  expected: 'true or false',
  holds: (value) => value === true || value === false,
}

export const aFunction: OptionKind = {
  expected: 'a function',
  holds: (value) => typeof value === 'function',
}

export const anObject: OptionKind = { expected: 'an object', holds: isObject }

export const aTextOrObject: OptionKind = {
  expected: 'a text or an object',
  holds: (value) => typeof value === 'string' || isObject(value),
}

export const aListOrObject: OptionKind = {
  expected: 'a list or an object',
  holds: (value) => Array.isArray(value) || isObject(value),
}

/** For texts that people also write as numbers: seeds, values of readings and parameters. */
export const aTextOrNumber: OptionKind = {
  expected: 'a text or a number',
  holds: (value) => typeof value === 'string' || Number.isFinite(value),
}

/** Both bounds included. */
export function wholeNumber(least: number, most: number): OptionKind {
  return {
    expected: `a whole number from ${least} to ${most}`,
    holds: (value) => Number.isSafeInteger(value) && isWithin(value, least, most),
  }
}

/** Both bounds included. */
export function numberFrom(least: number, most: number): OptionKind {
  return { expected: `a number from ${least} to ${most}`, holds: (value) => isWithin(value, least, most) }
}

/** The bound included. */
export function numberAboveZero(most: number): OptionKind {
  return {
    expected: `a number above 0 and at most ${most}`,
    holds: (value) => isWithin(value, 0, most) && value !== 0,
  }
}

export const aNumber: OptionKind = { expected: 'a number', holds: (value) => Number.isFinite(value) }

export function oneOfTexts(...texts: readonly string[]): OptionKind {
  return { expected: `one of ${texts.join(', ')}`, holds: (value) => texts.some((text) => text === value) }
}

/** A list of such values. */
export function listOf({ expected, holds }: OptionKind): OptionKind {
  return {
    expected: `a list in which each is ${expected}`,
    holds: (value) => Array.isArray(value) && value.every(holds),
  }
}

/** The same, or null. */
export function orNull({ expected, holds }: OptionKind): OptionKind {
  return { expected: `null or ${expected}`, holds: (value) => value === null || holds(value) }
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most
}

/** What each option may be. */
interface OptionKinds {
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

type Given<Options> = { [name in keyof Options]?: Exclude<Options[name], undefined> }

/** The options that are given: without those that are undefined. */
export function onlyGiven<Options extends object>(options: Options): Given<Options> {
  const kept: Given<Options> = {}
  for (const name of Object.keys(options)) {
    if (!isNameOf(options, name)) continue
    const value = options[name]
    if (isGiven(value)) kept[name] = value
  }
  return kept
}

const isNameOf = <Options extends object>(options: Options, name: string): name is keyof Options & string =>
  Object.hasOwn(options, name)

const isGiven = <Value>(value: Value): value is Exclude<Value, undefined> => value !== undefined
