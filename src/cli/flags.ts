import { InvalidArgumentError } from 'commander'
import { reasonAndHint } from '../api/input-problem.ts'
import { aBoolean, aText, type Flag, type FlagOptions, type OptionKind, withFlag } from '../api/options.ts'
import { presetKey, type Readings, resolveReadings } from '../api/readings/readings.ts'
import { parseDuration } from '../numeric/time-text.ts'
import { parseOrigins } from '../server/cross-origin.ts'
import { usageFailure } from './failure.ts'

/*
 * Options that the library and the command line share are defined once, beside what uses them. Options of one command
 * are defined in the command's file.
 */

export interface FlagRow extends OptionKind {
  readonly flag: Flag
  /** Parses the text, given the value of earlier uses. Without a parser the value is the text itself. */
  readonly parse?: (text: string, previous: unknown) => unknown
  /** A second name, of one letter. */
  readonly short?: string
  /** Names that the option had in earlier versions. They still work, and say what the option is called now. */
  readonly formerNames?: readonly string[]
  /** Whether the flag turns off something that is on by default, as `--no-open` does. */
  readonly isNegated?: boolean
  readonly isRequired?: boolean
  /** What help shows as the default when the default is not a text. */
  readonly defaultText?: string
}

export interface FlagRows {
  readonly [name: string]: FlagRow
}

/** The values that a command receives from flags with these rows. */
export type FlagsOf<Rows extends FlagRows> = {
  readonly [Name in keyof Rows as Rows[Name] extends AlwaysPresent ? never : Name]?: ValueOf<Rows[Name]>
} & {
  readonly [Name in keyof Rows as Rows[Name] extends AlwaysPresent ? Name : never]: ValueOf<Rows[Name]>
}

type AlwaysPresent =
  | { readonly flag: { readonly default: NonNullable<unknown> } }
  | { readonly isRequired: boolean }

type ValueOf<Row extends FlagRow> = Row extends { readonly parse: (...given: never) => infer Value }
  ? Value
  : Row extends OptionKind<infer Value>
    ? TextOf<Value>
    : never

/** The type of a flag without a parser: a text, or a boolean for a switch. Numbers are parsed later. */
type TextOf<Value> = [Extract<Value, string | boolean>] extends [never]
  ? string
  : Extract<Value, string | boolean>

export const aFlag = <const More extends FlagOptions>(value: string, about: string, more?: More) =>
  withFlag(aText, value, about, more)

export const aSwitch = <const More extends FlagOptions>(about: string, more?: More) =>
  withFlag(aBoolean, null, about, more)

/** Defines a flag whose text is parsed at once, given the value of earlier uses. */
export const parsedFlag = <Value, const More extends FlagOptions>(
  parse: (text: string, previous: unknown) => Value,
  value: string,
  about: string,
  more?: More,
) => ({ ...withFlag(aText, value, about, more), parse })

export const paramFlag = parsedFlag(
  gatherPairs,
  '<name=value>',
  'a parameter of the scenario; may be repeated',
)
export const configFlag = aFlag('<file>', 'the configuration file, for options that no flag or variable sets')
/** Defines `--account`, which chooses the account whose key is used. `what` is the start of its help text. */
export const accountFlag = <const More extends FlagOptions>(what: string, more?: More) =>
  aFlag('<id>', `${what} this account instead of the one with the most scopes`, more)
/** Whether recordings are taken from the store of prepared ones, and kept there. */
export const cacheFlag = {
  ...aSwitch('read recordings anew, without .otcsim/recordings', { default: true }),
  isNegated: true,
}
export const jsonFlag = aSwitch('the result as one line of JSON')

/** Parses a port; 0 stands for any free port. */
export const parsePort = wholeNumber(0, 65_535)

/** Parses the address of a server, and removes slashes at its end. */
export function parseAddress(text: string): string {
  const address = text.replace(/\/+$/, '')
  if (/^https?:\/\//.test(address) && URL.canParse(address)) return address
  throw new InvalidArgumentError('expected an address with http:// or https://')
}

/** Returns a parser for whole numbers within these bounds. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d{1,15}$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`expected a whole number from ${least} to ${most}`)
  }
}

export interface Shard {
  /** The number of this shard, counted from 1. */
  readonly number: number
  readonly of: number
}

/** Parses a shard such as `2/5`. */
export function parseShard(text: string): Shard {
  const match = /^(\d{1,6})\/(\d{1,6})$/.exec(text)
  const shard = { number: Number(match?.[1]), of: Number(match?.[2]) }
  if (shard.number >= 1 && shard.number <= shard.of) return shard
  throw new InvalidArgumentError('expected a part such as 1/4, counted from 1')
}

export function parseSeed(text: string): string {
  if (text !== '') return text
  throw new InvalidArgumentError('a seed must not be empty')
}

export function parseToken(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw new InvalidArgumentError('a token is a word of printable ASCII characters without spaces')
}

/** Parses the origins of pages, written as a browser sends them, or `*`. */
export function parseCors(text: string): readonly string[] {
  const origins = parseOrigins(text)
  if (origins !== null) return origins
  throw new InvalidArgumentError(
    'expected origins such as http://localhost:3000, without a path, comma-separated; or *',
  )
}

/** Parses a duration above 0 and up to a day. Returns milliseconds. */
export function parseSpan(text: string): number {
  const span = parseDuration(text)
  if (span !== null && span >= 1 && span <= 86_400_000) return span
  throw new InvalidArgumentError('expected a duration such as 30s or 10m, up to a day')
}

/** Collects `key=value` pairs over all uses of an option. The last value of a key counts. */
export function gatherPairs(text: string, previous: unknown): ReadonlyMap<string, string> {
  const split = text.indexOf('=')
  if (split < 1) throw new InvalidArgumentError(`expected KEY=VALUE, found "${text}"`)
  return new Map(pairsOf(previous)).set(text.slice(0, split), text.slice(split + 1))
}

/** Collects comma-separated readings over all uses of an option. `@name` stands for a preset. */
export function gatherReadings(text: string, previous: unknown): ReadonlyMap<string, string> {
  const pairs = text.split(',').map((pair) => (pair.startsWith('@') ? `${presetKey}=${pair}` : pair))
  return pairs.reduce((gathered, pair) => gatherPairs(pair, gathered), pairsOf(previous))
}

/** Returns the pairs that an option has collected; none when it was not given. */
export const pairsOf = (value: unknown): ReadonlyMap<string, string> => (isPairs(value) ? value : new Map())

export const isPairs = (value: unknown): value is ReadonlyMap<string, string> => value instanceof Map

export function gatherTexts(text: string, previous: unknown): readonly string[] {
  return [...(Array.isArray(previous) ? previous.map(String) : []), text]
}

/** Applies `--readings` to the readings `before`. Ends the command for an unknown reading or value. */
export function resolveChosenReadings(given: unknown, before?: Readings): Readings {
  const readings = resolveReadings(Object.fromEntries(pairsOf(given)), before)
  if (readings.ok) return readings.value
  const { problem: flaw } = readings
  throw usageFailure(`--readings ${flaw.field}: ${reasonAndHint(flaw)}`)
}

export const defaultPort = 4010

export const defaultAddress = `http://127.0.0.1:${defaultPort}`
