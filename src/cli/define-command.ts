import { Command, Option } from 'commander'
import { flagName } from '../api/options.ts'
import type { CommandContext } from './command-context.ts'
import { usageFailure } from './failure.ts'
import type { FlagRows, FlagsOf } from './flags.ts'
import { applySettings, reportUnknownVariables } from './settings.ts'

/** The definition of a command. Its name and summary are in the table of commands. */
interface CommandParts<Rows extends FlagRows> {
  readonly flags: Rows
  /** The arguments besides the options, in order, such as `<files...>`, each with its description. */
  readonly takes?: { readonly [word: string]: string }
  /** A text below the options in the command's help. */
  readonly note?: string
  readonly conflicts?: readonly OptionConflict[]
  readonly extend?: (command: Command, context: CommandContext) => void
  /**
   * Whether variables and the configuration file set options; false lets the command report mistakes in them itself.
   */
  readonly hasSettings?: boolean
  /** Does the command's work. `words` are its arguments, followed by the command itself. */
  readonly act: (options: FlagsOf<Rows>, context: CommandContext, ...words: Given) => unknown
}

/** The arguments of a command, which commander leaves untyped. */
type Given = Parameters<Parameters<Command['action']>[0]>

/** Defines a command that reads its options from flags, variables and files, and refuses flags without effect. */
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
      if (hasSettings) {
        await applySettings(command, context)
        await reportUnknownVariables(context)
      }
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
 * Some options have an effect only together with another one. A flag without effect is refused: a run that was asked
 * for with ten thousand dollars must not quietly have a million. Variables and configuration files serve many commands,
 * so they may state options that this command does not use.
 */

/** Options, by attribute name, that have no effect when the option `with` is given. */
export interface OptionConflict {
  readonly with: string
  readonly options: readonly string[]
}

/** Ends the command when a flag would have no effect. */
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
