import { Argument, type Command, type Option } from 'commander'
import { findScenarioFolder, listScenarioNames } from '../world/shipped/scenario-folder.ts'
import { type CommandContext, loadEveryCommand } from './command-context.ts'
import { defineCommand } from './define-command.ts'

/*
 * Completion scripts, made from the table of commands: shells complete the names of commands, their options, and the
 * values of options that allow only a few. Everything else is completed as a file.
 */

const shells = { bash, zsh, fish, powershell }

export const completionCommand = defineCommand({
  flags: {},
  extend: (command) => {
    command.addArgument(new Argument('<shell>', 'the shell to complete in').choices(Object.keys(shells)))
  },
  act: async (_, context, shell: keyof typeof shells) =>
    context.out(shells[shell](await describeCommands(context))),
})

type CompletableCommand = ReturnType<typeof describeCommand>

async function describeCommands(context: CommandContext): Promise<readonly CompletableCommand[]> {
  const all = await loadEveryCommand(context)
  return all.flatMap((command, index) => [
    describeCommand(command, command.name(), context.commands[index]?.summary ?? ''),
    ...command.commands.map((part) =>
      describeCommand(part, `${command.name()} ${part.name()}`, part.description()),
    ),
  ])
}

function describeCommand(command: Command, name: string, about: string) {
  return {
    /** The command with its subcommand, such as `serve` or `sweep plan`. */
    name,
    about,
    words: [
      ...command.commands.map((part) => part.name()),
      ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    ],
    options: [...command.options.filter(({ hidden }) => !hidden).map(describeOption), help],
  }
}

const describeOption = ({ long, short, description, required, optional, argChoices }: Option) => ({
  /** The long and the short name, with their dashes. */
  names: [long, short].flatMap((name) => name ?? []),
  about: description,
  takesValue: required || optional,
  values: argChoices ?? (long === '--scenario' ? listScenarioNames(findScenarioFolder()) : []),
})

const help: ReturnType<typeof describeOption> = {
  names: ['--help', '-h'],
  about: 'display help',
  takesValue: false,
  values: [],
}

const isPart = ({ name }: CompletableCommand): boolean => name.includes(' ')

const listTopNames = (all: readonly CompletableCommand[]): readonly string[] => [
  ...all.filter((one) => !isPart(one)).map(({ name }) => name),
  'help',
]

const listPartNames = (all: readonly CompletableCommand[]): readonly string[] =>
  all.filter(isPart).map(({ name }) => `'${name}'`)

/** Yields each option that allows only a few values, with its command. */
function* listLimitedOptions(all: readonly CompletableCommand[]) {
  for (const { name: command, options } of all)
    for (const { names, values } of options)
      if (values.length > 0) for (const name of names) yield { command, name, values }
}

const listOptionNames = ({ options }: CompletableCommand): readonly string[] =>
  options.flatMap(({ names }) => names)

function bash(all: readonly CompletableCommand[]): string {
  const values = [...listLimitedOptions(all)].map(
    (one) => `    '${one.command} ${one.name}') words='${one.values.join(' ')}' ;;\n`,
  )
  const named = all.map(
    (one) => `    '${one.name}') words='${[...one.words, ...listOptionNames(one)].join(' ')}' ;;\n`,
  )
  return `# bash completion of otcsim
_otcsim() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" command="\${COMP_WORDS[1]}" words=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${listTopNames(all).join(' ')} --help --version' -- "$current"))
    return
  fi
  if [ "$COMP_CWORD" -gt 2 ]; then
    case "$command \${COMP_WORDS[2]}" in
      ${listPartNames(all).join(' | ')}) command="$command \${COMP_WORDS[2]}" ;;
    esac
  fi
  case "$command $previous" in
${values.join('')}  esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current"))
    return
  fi
  case "$command" in
    'help') words='${listTopNames(all).join(' ')}' ;;
${named.join('')}  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ "\${#COMPREPLY[@]}" -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _otcsim otcsim
`
}

/** Removes the characters that would end a description or a string in zsh. */
const removeZshSyntax = (text: string): string =>
  text
    .replace(/['"\\`$]/g, '')
    .replace(/[[\]]/g, ' ')
    .replaceAll(':', ',')

function zsh(all: readonly CompletableCommand[]): string {
  const described = [
    ...all.filter((one) => !isPart(one)).map(({ name, about }) => `'${name}:${removeZshSyntax(about)}'`),
    "'help:what a command takes'",
  ]
  const cases = all.map(({ name, words, options }) => {
    const rows = options.map(({ names, about, takesValue, values }) => {
      const value = takesValue ? `:value:${values.length > 0 ? `(${values.join(' ')})` : '_files'}` : ''
      return names.map((one) => `'*${one}[${removeZshSyntax(about)}]${value}'`).join(' ')
    })
    const first = words.length === 0 ? '' : ` '1:word:(${words.join(' ')})'`
    return `    '${name}')\n      _arguments ${rows.join(' \\\n        ')}${first} '*:file:_files' ;;\n`
  })
  return `#compdef otcsim
# zsh completion of otcsim
_otcsim() {
  local command="\${words[2]}"
  if (( CURRENT == 2 )); then
    local -a names
    names=(${described.join(' \\\n      ')})
    _describe 'command' names
    return
  fi
  shift words; (( CURRENT -= 1 ))
  if (( CURRENT > 2 )); then
    case "$command \${words[2]}" in
      ${listPartNames(all).join('|')}) command="$command \${words[2]}"; shift words; (( CURRENT -= 1 )) ;;
    esac
  fi
  case "$command" in
    'help')
      _arguments '1:command:(${listTopNames(all).join(' ')})' ;;
${cases.join('')}  esac
}
if [ "\${funcstack[1]}" = '_otcsim' ]; then _otcsim "$@"; else compdef _otcsim otcsim; fi
`
}

const quoteForFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function fish(all: readonly CompletableCommand[]): string {
  const lines = ['# fish completion of otcsim']
  for (const one of all)
    if (!isPart(one))
      lines.push(
        `complete -c otcsim -f -n __fish_use_subcommand -a ${one.name} -d ${quoteForFish(one.about)}`,
      )
  lines.push("complete -c otcsim -f -n __fish_use_subcommand -a help -d 'what a command takes'")
  for (const { name, words, options } of all) {
    const seen = name
      .split(' ')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and ')
    for (const word of words) lines.push(`complete -c otcsim -n ${quoteForFish(seen)} -a ${word}`)
    for (const { names, about, takesValue, values } of options) {
      const flags = names.map((one) => (one.startsWith('--') ? `-l ${one.slice(2)}` : `-s ${one.slice(1)}`))
      const value = values.length > 0 ? ` -r -a ${quoteForFish(values.join(' '))}` : takesValue ? ' -r' : ''
      lines.push(
        `complete -c otcsim -n ${quoteForFish(seen)} ${flags.join(' ')}${value} -d ${quoteForFish(about)}`,
      )
    }
  }
  return `${lines.join('\n')}\n`
}

function powershell(all: readonly CompletableCommand[]): string {
  const list = (words: readonly string[]): string => `@(${words.map((word) => `'${word}'`).join(', ')})`
  const named = all.map((one) => `    '${one.name}' = ${list([...one.words, ...listOptionNames(one)])}\n`)
  const values = [...listLimitedOptions(all)].map(
    (one) => `    '${one.command} ${one.name}' = ${list(one.values)}\n`,
  )
  return `# PowerShell completion of otcsim
Register-ArgumentCompleter -Native -CommandName otcsim -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @{
    '' = ${list([...listTopNames(all), '--help', '--version'])}
    'help' = ${list(listTopNames(all))}
${named.join('')}  }
  $values = @{
${values.join('')}  }
  $given = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -ne '') { $given = @($given | Select-Object -SkipLast 1) }
  $command = if ($given.Count -gt 0) { $given[0] } else { '' }
  if ($given.Count -gt 1 -and $words.ContainsKey("$command $($given[1])")) { $command = "$command $($given[1])" }
  $last = if ($given.Count -gt 0) { $given[-1] } else { '' }
  $known = if ($values.ContainsKey("$command $last")) { $values["$command $last"] } else { $words[$command] }
  $known | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`
}
