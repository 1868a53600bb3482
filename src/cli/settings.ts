import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command, Option } from 'commander'
import { nearestWord } from '../api/nearest-word.ts'
import { formatMistake, type Mistake, mistakeAt } from '../scenario/file/mistake.ts'
import type { Tree } from '../scenario/file/tree.ts'
import { type CommandContext, loadEveryCommand } from './command-context.ts'
import { usageFailure } from './failure.ts'
import { readTextFile } from './files.ts'
import type { Terminal } from './terminal.ts'

/*
 * An option's value comes from its flag, else from its variable, else from the configuration file, else from its
 * default. Every long option has a variable (`--ready-file` is OTCSIM_READY_FILE) and a key in the file (`readyFile`).
 */

/** The names of configuration files. The first that exists is used. */
export const configFileNames: readonly string[] = [
  'otcsim.config.yaml',
  'otcsim.config.yml',
  'otcsim.config.json',
]
const maximumFileBytes = 1024 * 1024

/**
 * Sets the options that no flag has set. Returns, by the names of these options, the variable or the place in the
 * configuration file that has set each. Errors name that place, too.
 */
export async function applySettings(
  command: Command,
  context: CommandContext,
): Promise<ReadonlyMap<string, string>> {
  const places = new Map<string, string>()
  const options = command.options.filter((option) => option.long !== undefined)
  const fromFile = await readConfigFile(command, context)
  for (const option of options) {
    if (command.getOptionValueSource(option.attributeName()) === 'cli') continue
    const name = formatVariable(option)
    const text = context.env[name]
    const isSet = text !== undefined && text !== ''
    const given = isSet
      ? { texts: splitList(option, text), where: name, isOfFlag: true }
      : fromFile.get(option.attributeName())
    if (given === undefined) continue
    setOption(command, option, given, isSet ? 'env' : 'config')
    places.set(option.attributeName(), given.where)
  }
  return places
}

/**
 * Says which variables begin with OTCSIM_ but belong to no option of any command. Choice: a command goes on, because other
 * programs may have variables of such names, too.
 */
export async function reportUnknownVariables(context: CommandContext): Promise<void> {
  // Most environments have none, and loading every command takes time.
  if (!Object.keys(context.env).some((name) => name.startsWith(variablePrefix))) return
  const unknown = findUnknownVariables(await loadEveryCommand(context), context)
  for (const line of unknown) context.err(`${line}\n`)
}

/** Finds variables that begin with OTCSIM_ but belong to no option: mostly typing mistakes. */
export function findUnknownVariables(commands: readonly Command[], { env }: Terminal): readonly string[] {
  const known = new Set(commands.flatMap(({ options }) => options.map(formatVariable)))
  known.add('OTCSIM_CONFIG')
  return Object.keys(env)
    .filter((name) => name.startsWith(variablePrefix) && !known.has(name))
    .sort()
    .map((name) => {
      const nearest = nearestWord(name, [...known])
      return `${name}: no option has this variable${nearest === null ? '' : `; did you mean ${nearest}?`}`
    })
}

const variablePrefix = 'OTCSIM_'

/** Formats the name of an option's variable: `--ready-file` is OTCSIM_READY_FILE. */
export const formatVariable = (option: Option): string =>
  `${variablePrefix}${(option.long ?? '').slice(2).replaceAll('-', '_').toUpperCase()}`

/** The texts of an option in the configuration file, and where they stand, for messages. */
interface GivenValue {
  readonly texts: readonly string[]
  readonly where: string
  /** Whether the flag's own name is set, as by OTCSIM_NO_OPEN, and not that of what it turns off, as by `open`. */
  readonly isOfFlag: boolean
}

function setOption(
  command: Command,
  option: Option,
  { isOfFlag, texts, where }: GivenValue,
  source: string,
): void {
  const name = option.attributeName()
  if (option.isBoolean() || option.negate) {
    const value = booleanWords.get((texts[0] ?? '').toLowerCase())
    if (value === undefined) throw usageFailure(`${where}: expected true or false`)
    command.setOptionValueWithSource(name, option.negate && isOfFlag ? !value : value, source)
    return
  }
  let value: unknown
  for (const text of texts) value = parseText(option, text, value, where)
  command.setOptionValueWithSource(name, value, source)
}

/** Parses a text with the option's own parser, so that a variable follows the rules of its flag. */
function parseText(option: Option, text: string, previous: unknown, where: string): unknown {
  const { argChoices, parseArg } = option
  if (argChoices?.includes(text) === false)
    throw usageFailure(`${where}: expected one of ${argChoices.join(', ')}, found "${text}"`)
  if (parseArg === undefined || argChoices !== undefined) return text
  try {
    return parseArg(text, previous)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw usageFailure(`${where}: ${reason}`)
  }
}

const booleanWords: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes'].map((word) => [word, true] as const),
  ...['false', '0', 'no'].map((word) => [word, false] as const),
])

/** Splits the variable of a repeatable option at its commas. */
function splitList(option: Option, text: string): readonly string[] {
  return option.long === '--readings' || option.long === '--param' ? text.split(',') : [text]
}

/** Finds the configuration file: the stated one, else that of OTCSIM_CONFIG, else the first with a usual name. */
export const findConfigFile = (stated: string | undefined, { cwd, env }: Terminal): string | undefined =>
  stated ?? env['OTCSIM_CONFIG'] ?? configFileNames.find((file) => existsSync(join(cwd, file)))

async function readConfigFile(
  command: Command,
  context: CommandContext,
): Promise<ReadonlyMap<string, GivenValue>> {
  const name = findConfigFile(command.getOptionValue('config'), context)
  if (name === undefined) return new Map()
  const text = readTextFile(context.cwd, name, maximumFileBytes)
  const { parseDocument } = await import('../scenario/file/parse-document.ts')
  const parsed = parseDocument(text, name)
  if (!parsed.ok) throw usageFailure(parsed.problems.map(formatMistake).join('\n'))
  const problems: Mistake[] = []
  const values = readEntries(parsed.value, await listAllOptions(context), problems)
  if (problems.length > 0) throw usageFailure(problems.map(formatMistake).join('\n'))
  return values
}

function readEntries(
  tree: Tree,
  options: readonly Option[],
  problems: Mistake[],
): ReadonlyMap<string, GivenValue> {
  const values = new Map<string, GivenValue>()
  if (tree.kind !== 'mapping') {
    if (tree.kind !== 'scalar' || tree.value !== null)
      problems.push(mistakeAt(tree.place, '', 'expected a mapping'))
    return values
  }
  const known = [...new Set(options.map((option) => option.attributeName()))]
  for (const [key, { keyPlace, value }] of tree.entries) {
    if (key === '$schema') continue
    const texts = readTexts(value)
    const { file, line, column } = value.place
    if (!known.includes(key))
      problems.push(mistakeAt(keyPlace, key, `unknown key "${key}"`, nearestWord(key, known)))
    else if (texts === null) problems.push(mistakeAt(value.place, key, 'expected a value'))
    else if (
      value.kind !== 'scalar' &&
      !options.some((one) => one.attributeName() === key && isRepeatable(one))
    )
      problems.push(mistakeAt(value.place, key, 'expected one value, written as the flag takes it'))
    else values.set(key, { texts, where: `${file}:${line}:${column} ${key}`, isOfFlag: false })
  }
  return values
}

/** Lists the options of all commands: one file serves them all, and each command uses its own options. */
async function listAllOptions(context: CommandContext): Promise<readonly Option[]> {
  const commands = (await loadEveryCommand(context)).flatMap((one) => [one, ...one.commands])
  return commands.flatMap(({ options }) => options).filter((option) => option.attributeName() !== 'config')
}

/** Returns whether an option may be given several times. Its parser then also takes the previous value. */
function isRepeatable({ argChoices, parseArg }: Option): boolean {
  return argChoices === undefined && parseArg !== undefined && parseArg.length > 1
}

/** Reads the texts of a single value, a list, or a mapping as `key=value` texts. Returns null for deeper structures. */
function readTexts(tree: Tree): readonly string[] | null {
  if (tree.kind === 'scalar') return tree.value === null ? null : [tree.text]
  if (tree.kind === 'broken') return null
  const parts =
    tree.kind === 'list'
      ? tree.items.map((item) => ['', item] as const)
      : [...tree.entries].map(([key, entry]) => [`${key}=`, entry.value] as const)
  const texts = parts.flatMap(([lead, part]) => (part.kind === 'scalar' ? [lead + part.text] : []))
  return texts.length < parts.length ? null : texts
}
