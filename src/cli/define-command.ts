import { Command, Option } from 'commander'
import { flagName } from '../api/options.ts'
import type { CommandContext } from './command-context.ts'
import { usageFailure } from './failure.ts'
import type { FlagRows, FlagsOf } from './flags.ts'
import {
  chooseAlternative,
  type OptionAlternatives,
  type OptionConflict,
  refuseUnusedFlags,
  sourceRank,
} from './option-conflicts.ts'
import { applySettings, reportUnknownVariables } from './settings.ts'

/** The definition of a command. Its name and summary are in the table of commands. */
interface CommandParts<Rows extends FlagRows> {
  readonly flags: Rows
  /** The arguments besides the options, in order, such as `<files...>`, each with its description. */
  readonly takes?: { readonly [word: string]: string }
  /** A text below the options in the command's help. */
  readonly note?: string
  readonly conflicts?: readonly OptionConflict[]
  /** Groups of options of which one alone counts. */
  readonly alternatives?: readonly OptionAlternatives[]
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
  alternatives = [],
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
      const places = hasSettings ? await applySettings(command, context) : new Map<string, string>()
      if (hasSettings) await reportUnknownVariables(context)
      adoptFormerNames(command, flags, context)
      for (const one of alternatives) chooseAlternative(command, one, places)
      refuseUnusedFlags(command, flags, conflicts, places)
      await act(command.opts<FlagsOf<Rows>>(), context, ...given.toSpliced(-2, 1))
    })
  }
}

function addFlags(command: Command, rows: FlagRows): void {
  for (const [name, row] of Object.entries(rows)) {
    const { choices, defaultText, flag, isNegated = false, isRequired = false, parse, short } = row
    const long = isNegated ? `--no-${flagName(name).slice(2)}` : flagName(name)
    const names = short === undefined ? long : `-${short}, ${long}`
    const createOption = (written: string): Option => {
      const option = new Option(flag.value === null ? written : `${written} ${flag.value}`, flag.about)
      if (choices !== undefined) option.choices([...choices])
      if (parse !== undefined) option.argParser(parse)
      return option
    }
    const option = createOption(names)
    if (flag.default !== undefined) option.default(flag.default, defaultText)
    option.makeOptionMandatory(isRequired)
    command.addOption(option)
    for (const former of row.formerNames ?? []) command.addOption(createOption(flagName(former)).hideHelp())
  }
}

/**
 * Takes values that are given under former names for those of the present names, and says what the option is called now.
 * Errors (usage): flags of both names are given.
 */
function adoptFormerNames(command: Command, rows: FlagRows, { err }: CommandContext): void {
  for (const [name, { formerNames = [] }] of Object.entries(rows)) {
    for (const former of formerNames) {
      const value: unknown = command.getOptionValue(former)
      if (value === undefined) continue
      const [given, present] = [sourceRank(command, former), sourceRank(command, name)]
      const [old, now] = [flagName(former), flagName(name)]
      if (given === present && command.getOptionValueSource(name) === 'cli')
        throw usageFailure(`give ${now} or ${old}, its former name, but not both`)
      err(`${old} is called ${now} now; the former name still works\n`)
      if (given > present)
        command.setOptionValueWithSource(name, value, command.getOptionValueSource(former) ?? 'cli')
      command.setOptionValue(former, undefined)
    }
  }
}
