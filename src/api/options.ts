import { parseDecimal } from '../numeric/units.ts'
import { isObject } from './json.ts'
import { nearestWord } from './nearest-word.ts'

/*
 * The options of programs and of the command line. One row gives the type of an option, its check and error text, and
 * the flag with its help line, choices and default.
 */

/** The kind of an option: a check, and the words that an error uses for what is expected. */
export interface OptionKind<Value = unknown> {
  readonly expected: string
  readonly holds: (value: unknown) => value is Value
  readonly choices?: readonly string[]
  /**
   * Reads the text of a flag; without it the text itself is the value. Throws a RangeError that begins with the name.
   */
  readonly read?: (text: string, name: string) => Value
  readonly flag?: Flag
}

/** The flag of an option on the command line. It has the name of the option: `--equity-grid` is `equityGrid`. */
export interface Flag extends FlagOptions {
  /** The placeholder of its value in help, such as `<span>`; null for a switch. */
  readonly value: string | null
  readonly about: string
}

/** The details of a flag that most flags do without. */
export interface FlagOptions {
  readonly default?: unknown
  /** The other options of which one must be given, because this option would do nothing without them. */
  readonly needs?: readonly string[]
}

/** Returns an option that the command line has, too. */
export const withFlag = <Kind extends OptionKind, const More extends FlagOptions>(
  kind: Kind,
  value: Flag['value'],
  about: string,
  more?: More,
) => ({ ...kind, flag: Object.assign({ value, about }, more) })

/** The options of a call by name. */
export interface OptionKinds {
  readonly [name: string]: OptionKind
}

/** The type of options with these rows. Only the `Needed` ones must be given. */
export type OptionsOf<Kinds extends OptionKinds, Needed extends keyof Kinds = never> = {
  readonly [Name in keyof Kinds as Exclude<Name, Needed>]?: ValueOf<Kinds[Name]>
} & { readonly [Name in keyof Kinds as Extract<Name, Needed>]: ValueOf<Kinds[Name]> }

/** The type of an option's value. */
export type ValueOf<Kind> = Kind extends OptionKind<infer Value> ? Value : never

export const aText: OptionKind<string> = {
  expected: 'a text',
  holds: (value) => typeof value === 'string',
}

export const aBoolean: OptionKind<boolean> = {
  expected: 'true or false',
  holds: (value) => value === true || value === false,
}

export const aFunction = <Call>(): OptionKind<Call> => ({
  expected: 'a function',
  holds: (value): value is Call => typeof value === 'function',
})

/** Accepts an object whose fields are checked elsewhere. */
export const anObjectLike = <Fields>(): OptionKind<Fields> => ({
  expected: 'an object',
  holds: (value): value is Fields => isObject(value),
})

export const anObject = anObjectLike<object>()

export const textOrObject = <Fields>(): OptionKind<string | Fields> => ({
  expected: 'a text or an object',
  holds: (value): value is string | Fields => typeof value === 'string' || isObject(value),
})

export const listOrObject = <Value>(): OptionKind<Value> => ({
  expected: 'a list or an object',
  holds: (value): value is Value => Array.isArray(value) || isObject(value),
})

/**
 * Accepts a text or a number, for texts that people also write as numbers: seeds, values of readings and parameters.
 */
export const aTextOrNumber: OptionKind<string | number> = {
  expected: 'a text or a number',
  holds: (value): value is string | number => typeof value === 'string' || Number.isFinite(value),
}

/** Accepts a whole number between two bounds, both included. */
export function wholeNumber(least: number, most: number): OptionKind<number> {
  return {
    expected: `a whole number from ${least} to ${most}`,
    holds: (value): value is number => Number.isSafeInteger(value) && isWithin(value, least, most),
  }
}

/** Accepts a number between two bounds, both included. */
export function numberFrom(least: number, most: number): OptionKind<number> {
  return { expected: `a number from ${least} to ${most}`, holds: (value) => isWithin(value, least, most) }
}

/** Accepts a number above 0 and up to a bound, which is included. */
export function numberAboveZero(most: number): OptionKind<number> {
  return {
    expected: `a number above 0 and at most ${most}`,
    holds: (value): value is number => isWithin(value, 0, most) && value !== 0,
  }
}

export const aNumber: OptionKind<number> = {
  expected: 'a number',
  holds: (value): value is number => Number.isFinite(value),
  read: (text, name) => {
    // Number() would accept `0x10`, ` 1 ` and the empty text, too.
    if (parseDecimal(text) !== null) return Number(text)
    throw new RangeError(`${name}: expected a number, found "${text}"`)
  },
}

export const oneOfTexts = <const Text extends string>(...texts: readonly Text[]): OptionKind<Text> => ({
  expected: `one of ${texts.join(', ')}`,
  holds: (value): value is Text => texts.some((text) => text === value),
  choices: texts,
})

export function optionList<Item>({ expected, holds }: OptionKind<Item>): OptionKind<readonly Item[]> {
  return {
    expected: `a list in which each is ${expected}`,
    holds: (value): value is readonly Item[] => Array.isArray(value) && value.every(holds),
  }
}

export function orNull<Value>({ expected, holds }: OptionKind<Value>): OptionKind<Value | null> {
  return { expected: `null or ${expected}`, holds: (value) => value === null || holds(value) }
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most
}

/**
 * Checks the options of a call. Throws a TypeError when they are not an object or name an unknown option, and a
 * RangeError for a value of the wrong kind: callers in JavaScript get no help from types, a misspelt option would be
 * ignored in silence, and a comparison would take `[1]`, `true` and `'1'` for 1.
 */
export function checkOptions(callee: string, given: unknown, known: OptionKinds): void {
  if (!isObject(given))
    throw new TypeError(`${callee} takes its options as an object, found ${describeValue(given)}`)
  const names = Object.keys(known)
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined) {
    const nearest = nearestWord(unknown, names)
    const hint = nearest === null ? `there are ${names.join(', ')}` : `did you mean "${nearest}"?`
    throw new TypeError(`${callee} has no option "${unknown}"; ${hint}`)
  }
  for (const [name, kind] of Object.entries(known)) checkOption(callee, name, given[name], kind)
}

/** Checks the value of one option; undefined means that the option is not given. Throws a RangeError. */
export function checkOption(callee: string, name: string, value: unknown, kind: OptionKind): void {
  if (value === undefined || kind.holds(value)) return
  throw new RangeError(`${callee}: ${name} must be ${kind.expected}, found ${describeValue(value)}`)
}

/**
 * Reads the options that flags state; other flags are left out. Throws a RangeError, which names the flag, for a text
 * that its option cannot read.
 */
export function readFlags<Kinds extends OptionKinds>(
  flags: { readonly [name: string]: unknown },
  kinds: Kinds,
): OptionsOf<Kinds> {
  const options: Record<string, unknown> = {}
  for (const [name, { flag, read }] of Object.entries(kinds)) {
    const value = flag === undefined ? undefined : flags[name]
    if (value !== undefined)
      options[name] = typeof value === 'string' && read !== undefined ? read(value, name) : value
  }
  if (isOptions(options, kinds)) return options
  throw new RangeError(`${Object.keys(options).join(', ')}: not what the flags have been read as`)
}

const isOptions = <Kinds extends OptionKinds>(given: unknown, kinds: Kinds): given is OptionsOf<Kinds> =>
  isObject(given) && Object.entries(given).every(([name, value]) => kinds[name]?.holds(value) === true)

/** Returns the flag of an option: `--equity-grid` for `equityGrid`. */
export const flagName = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** Describes a value in an error text. Texts are quoted, lists and objects only named. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return `"${value}"`
  if (Array.isArray(value)) return 'a list'
  if (typeof value !== 'object' || value === null) return String(value)
  return 'then' in value ? 'a promise that nobody awaited' : 'another object'
}

type DefinedFields<Options> = { [name in keyof Options]?: Exclude<Options[name], undefined> }

/** Returns the options without those that are undefined. */
export function omitUndefined<Options extends object>(options: Options): DefinedFields<Options> {
  const kept: DefinedFields<Options> = {}
  for (const name of Object.keys(options)) {
    if (!isFieldName(options, name)) continue
    const value = options[name]
    if (isDefined(value)) kept[name] = value
  }
  return kept
}

const isFieldName = <Options extends object>(
  options: Options,
  name: string,
): name is keyof Options & string => Object.hasOwn(options, name)

const isDefined = <Value>(value: Value): value is Exclude<Value, undefined> => value !== undefined
