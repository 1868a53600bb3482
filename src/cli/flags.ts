import { type Command, Option } from 'commander'
import { aText, aTruth, type Flag, type FlagMore, flagged, flagOf, type OptionKind } from '../api/options.ts'
import { CliFailure, exitCode } from './failure.ts'
import { gatherPairs } from './option-parsers.ts'

/*
 * Flags of commands that share options with programs: both are told by one row, beside what the option is for. A command's
 * own options are told where the command is.
 */

/** An option of a command. */
export interface FlagRow extends OptionKind {
  readonly flag: Flag
  /** From the text, and what was gathered before it; without it the value is the text. */
  readonly parse?: (text: string, previous: unknown) => unknown
  /** A second name of one letter. */
  readonly short?: string
  /** For an option that is on without it: `--no-open`. */
  readonly isNegated?: boolean
  readonly isRequired?: boolean
  /** What help shows as the default, where that is no text. */
  readonly defaultText?: string
}

export interface FlagRows {
  readonly [name: string]: FlagRow
}

/** What flags with these rows give a command. */
export type FlagsOf<Rows extends FlagRows> = {
  readonly [Name in keyof Rows as Rows[Name] extends AlwaysThere ? never : Name]?: GivenBy<Rows[Name]>
} & {
  readonly [Name in keyof Rows as Rows[Name] extends AlwaysThere ? Name : never]: GivenBy<Rows[Name]>
}

type AlwaysThere =
  | { readonly flag: { readonly default: NonNullable<unknown> } }
  | { readonly isRequired: boolean }

type GivenBy<Row extends FlagRow> = Row extends { readonly parse: (...given: never) => infer Value }
  ? Value
  : Row extends OptionKind<infer Value>
    ? TextOf<Value>
    : never

/** A flag gives a text or, as a switch, a truth; numbers are read from their text later. */
type TextOf<Value> = [Extract<Value, string | boolean>] extends [never]
  ? string
  : Extract<Value, string | boolean>

/** A flag with a text. */
export const aFlag = <const More extends FlagMore>(value: string, about: string, more?: More) =>
  flagged(aText, value, about, more)

/** A flag that is there or not. */
export const aSwitch = <const More extends FlagMore>(about: string, more?: More) =>
  flagged(aTruth, null, about, more)

/** A flag whose text is read at once, perhaps with what was gathered before it. */
export const parsedFlag = <Value, const More extends FlagMore>(
  parse: (text: string, previous: unknown) => Value,
  value: string,
  about: string,
  more?: More,
) => ({ ...flagged(aText, value, about, more), parse })

/** Adds a flag for each row, in their order. */
export function addFlags(command: Command, rows: FlagRows): Command {
  for (const [name, row] of Object.entries(rows)) {
    const { choices, defaultText, flag, isNegated = false, isRequired = false, parse, short } = row
    const long = isNegated ? `--no-${flagOf(name).slice(2)}` : flagOf(name)
    const names = short === undefined ? long : `-${short}, ${long}`
    const option = new Option(flag.value === null ? names : `${names} ${flag.value}`, flag.about)
    if (choices !== undefined) option.choices([...choices])
    if (parse !== undefined) option.argParser(parse)
    if (flag.default !== undefined) option.default(flag.default, defaultText)
    option.makeOptionMandatory(isRequired)
    command.addOption(option)
  }
  return command
}

/* What several commands have. */

export const paramFlag = parsedFlag(
  gatherPairs,
  '<name=value>',
  'a parameter of the scenario; may be repeated',
)
export const configFlag = aFlag('<file>', 'the configuration file, for options that no flag or variable sets')
export const jsonFlag = aSwitch('the result as one line of JSON')

/*
 * Options that only count together with another one. Without that one they would do nothing: a run that was asked for with
 * ten thousand dollars would quietly have a million. Variables and configuration files serve many commands, so they may
 * state options that this one does not use.
 */

/** Options that another one has no use for, by attribute name. */
export interface OptionConflict {
  readonly with: string
  readonly options: readonly string[]
}

/** Ends the command when a flag would do nothing. */
export function refuseUnusedFlags(
  command: Command,
  rows: FlagRows,
  conflicts: readonly OptionConflict[],
): void {
  for (const [name, { flag }] of Object.entries(rows)) {
    const { needs = [] } = flag
    if (needs.length > 0 && isFlag(command, name) && !needs.some((other) => isThere(command, other)))
      throw unused(name, `needs ${needs.map(flagOf).join(' or ')}`)
  }
  for (const conflict of conflicts) {
    if (!isThere(command, conflict.with)) continue
    for (const name of conflict.options)
      if (isFlag(command, name)) throw unused(name, `does not go with ${flagOf(conflict.with)}`)
  }
}

const isThere = (command: Command, name: string): boolean => command.getOptionValue(name) !== undefined

const isFlag = (command: Command, name: string): boolean => command.getOptionValueSource(name) === 'cli'

const unused = (name: string, reason: string): CliFailure =>
  new CliFailure(exitCode.usage, `${flagOf(name)} ${reason}`)
