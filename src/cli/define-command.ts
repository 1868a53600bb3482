import { Command, Option } from 'commander'
import { flagName } from '../api/options.ts'
import type { CommandContext } from './command-context.ts'
import { usageFailure } from './failure.ts'
import type { FlagRows, FlagsOf } from './flags.ts'
import { applySettings } from './settings.ts'

/** What a command is made of; its name and its summary are in the table of commands. */
interface CommandParts<Rows extends FlagRows> {
  readonly flags: Rows
  /** What it takes besides its options, in order: `<files...>`, and what they are. */
  readonly takes?: { readonly [word: string]: string }
  /** Below the options in its help. */
  readonly note?: string
  readonly conflicts?: readonly OptionConflict[]
  readonly extend?: (command: Command, context: CommandContext) => void
  /** False: it takes flags only, and may say what is wrong with the rest. */
  readonly hasSettings?: boolean
  /** Its work, given what it takes, and after that the command itself. */
  readonly act: (options: FlagsOf<Rows>, context: CommandContext, ...words: Given) => unknown
}

/** Of whatever types they are: commander's own types do not know. */
type Given = Parameters<Parameters<Command['action']>[0]>

/** A command that reads its options from flags, variables and files, and refuses flags that would do nothing. */
export function defineCommand<Rows extends FlagRows>({
  flags,
  takes = {},
  note,
  conflicts = [],
  extend,
  hasSettings = Object.keys(flags).length > 0,
  act,
}: CommandParts<Rows>) {
  return (name: string, context: CommandContext): Command => {
    const command = new Command(name)
    for (const [word, about] of Object.entries(takes)) command.argument(word, about)
    addFlags(command, flags)
    if (note !== undefined) command.addHelpText('after', `\n${note}`)
    extend?.(command, context)
    return command.action(async (...given) => {
      if (hasSettings) await applySettings(command, context)
      refuseUnusedFlags(command, flags, conflicts)
      await act(command.opts<FlagsOf<Rows>>(), context, ...given.toSpliced(-2, 1))
    })
  }
}

function addFlags(command: Command, rows: FlagRows): void {
  for (const [name, row] of Object.entries(rows)) {
    const { choices, defaultText, flag, isNegated = false, isRequired = false, parse, short } = row
    const long = isNegated ? `--no-${flagName(name).slice(2)}` : flagName(name)
    const names = short === undefined ? long : `-${short}, ${long}`
    const option = new Option(flag.value === null ? names : `${names} ${flag.value}`, flag.about)
    if (choices !== undefined) option.choices([...choices])
    if (parse !== undefined) option.argParser(parse)
    if (flag.default !== undefined) option.default(flag.default, defaultText)
    option.makeOptionMandatory(isRequired)
    command.addOption(option)
  }
}

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
function refuseUnusedFlags(command: Command, rows: FlagRows, conflicts: readonly OptionConflict[]): void {
  const isThere = (name: string): boolean => command.getOptionValue(name) !== undefined
  const isFlag = (name: string): boolean => command.getOptionValueSource(name) === 'cli'
  const refuse = (name: string, reason: string): never => {
    throw usageFailure(`${flagName(name)} ${reason}`)
  }
  for (const [name, { flag }] of Object.entries(rows)) {
    const { needs = [] } = flag
    if (needs.length > 0 && isFlag(name) && !needs.some(isThere))
      refuse(name, `needs ${needs.map(flagName).join(' or ')}`)
  }
  for (const conflict of conflicts) {
    if (!isThere(conflict.with)) continue
    for (const name of conflict.options)
      if (isFlag(name)) refuse(name, `does not go with ${flagName(conflict.with)}`)
  }
}
