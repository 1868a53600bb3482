import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Command, Option } from 'commander'
import { editorSchema } from '../scenario/compile/schema.ts'
import { findScenarioFolder, listScenarioNames } from '../world/shipped/scenario-folder.ts'
import { type CommandContext, loadEveryCommand } from './command-context.ts'
import { defineCommand } from './define-command.ts'
import { formatEvidence } from './evidence.ts'
import { CliFailure, dataFailure, usageFailure } from './failure.ts'
import { writeNewFile } from './files.ts'
import { aSwitch, configFlag } from './flags.ts'
import { bookFlags, findBookFiles, readBookOptions } from './recordings/books/book-flags.ts'
import { examineFiles } from './recordings/examine-files.ts'
import { createFileFlags, readFileOptions } from './recordings/file-flags.ts'
import {
  applySettings,
  configFileNames,
  findConfigFile,
  findUnknownVariables,
  formatVariable,
} from './settings.ts'
import { jsonText, type Terminal } from './terminal.ts'
import { version } from './version.ts'

export const doctorCommand = defineCommand({
  flags: {
    json: aSwitch('answer as one JSON document', { default: false }),
    ...createFileFlags({}, {}),
    ...bookFlags,
    config: configFlag,
  },
  takes: {
    '[files...]': 'files of candles, trades or an order book: CSV, JSON or Parquet, plain, gzip, zip or zstd',
  },
  hasSettings: false,
  act: async ({ json, config, ...flags }, terminal, files: readonly string[]) => {
    const book = findBookFiles(flags, terminal.cwd)
    if (files.length === 0 && book === null) return examineSettings(config, json, terminal)
    const [options, bookOptions] = [readFileOptions(flags), readBookOptions(flags)]
    examineFiles({ files, options, book, bookOptions, isJson: json }, terminal)
  },
})

/** Prints the value of every option of every command, and where it comes from. Fails when a setting is wrong. */
async function examineSettings(
  stated: string | undefined,
  isJson: boolean,
  context: CommandContext,
): Promise<void> {
  const commands = await loadEveryCommand(context)
  const problems: string[] = []
  const resolved: CommandSettings[] = []
  const file = findConfigFile(stated, context)
  for (const command of commands) {
    const options = command.options.filter(
      ({ hidden, long }) => !hidden && long !== undefined && long !== '--config',
    )
    if (options.length === 0) continue
    command.setOptionValueWithSource('config', file, 'cli')
    try {
      await applySettings(command, context)
    } catch (error) {
      if (!(error instanceof CliFailure)) throw error
      if (!problems.includes(error.message)) problems.push(error.message)
    }
    resolved.push(listSettings(command, options, file ?? ''))
  }
  problems.push(...findUnknownVariables(commands, context))
  const scenarios = listScenarioNames(findScenarioFolder())
  const lookedAt = { settings: resolved.reduce((sum, { settings }) => sum + settings.length, 0) }
  const details = {
    ok: problems.length === 0,
    lookedAt,
    version,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    config: file ?? null,
    scenarios,
    commands: resolved,
    problems,
  }
  context.out(
    isJson
      ? jsonText(details)
      : `${describeSettings(file, scenarios, resolved)}\n${formatEvidence(lookedAt)}\n`,
  )
  if (problems.length > 0) throw usageFailure(problems.join('\n'))
}

type CommandSettings = ReturnType<typeof listSettings>

/** Lists each option with its value, null when nothing sets it, and the source of the value. Secrets are hidden. */
function listSettings(command: Command, options: readonly Option[], file: string) {
  const settings = options.map((option) => {
    const name = option.attributeName()
    const given: unknown = command.getOptionValue(name) ?? null
    const value = option.negate && typeof given === 'boolean' ? !given : given
    const isSecret = /token|secret/i.test(name) && value !== null
    const sources: Readonly<Record<string, string>> = { env: formatVariable(option), config: file }
    const usual = value === null ? 'not set' : 'default'
    return {
      option: option.long ?? name,
      value: isSecret ? '(set)' : value instanceof Map ? Object.fromEntries(value) : value,
      source: sources[command.getOptionValueSource(name) ?? ''] ?? usual,
    }
  })
  return { command: command.name(), settings }
}

function describeSettings(
  config: string | undefined,
  scenarios: readonly string[],
  commands: readonly CommandSettings[],
): string {
  const lines = [
    `otcsim ${version}, Node ${process.version}, ${process.platform} ${process.arch}`,
    `configuration  ${config ?? `none (${configFileNames.join(', ')} are looked for here)`}`,
    `scenarios      ${scenarios.length === 0 ? 'none found' : scenarios.join(', ')}`,
  ]
  for (const { command, settings } of commands) {
    lines.push('', command)
    for (const { option, value, source } of settings) {
      const shown = value === null ? '-' : typeof value === 'string' ? value : JSON.stringify(value)
      lines.push(`  ${option.padEnd(20)} ${shown.padEnd(24)} ${source}`)
    }
  }
  return `${lines.join('\n')}\n`
}

/**
 * `otcsim init [FOLDER]` writes a configuration, a first scenario and its schema, and with `--examples` all shipped
 * files that the guides name. It never overwrites a file.
 */
export const initCommand = defineCommand({
  flags: {
    examples: aSwitch('also write the scenarios, strategies, clients and recordings that the guides name'),
  },
  // A new configuration is not to be ruled by an old one.
  hasSettings: false,
  extend: (command) => {
    command.argument('[folder]', 'the folder; the current one by default', '.')
  },
  act: ({ examples = false }, terminal, folder: string) => init(folder, examples, terminal),
})

const config = `# What otcsim takes where no flag and no OTCSIM_* variable says otherwise. Every long option has a key here, in
# camelCase: --admin-port is adminPort. "otcsim doctor" shows where each value comes from.
scenario: scenarios/first.yaml
port: 4010
`

/** Beside the examples nothing is chosen, because the commands of the guides are about the default world. */
const configOfExamples = config.replace(
  'scenario:',
  '# "serve", "exec" and the rest take this instead of calm:\n# scenario:',
)

const scenario = `# yaml-language-server: $schema=scenario.schema.json
# A first scenario: a market, an account, what happens and what must then be so. "otcsim run" plays it in virtual time.
version: 1
name: first
description: A bid rests 2 % below the market; bad news brings the price down to it.
seed: "7"
clock: { start: 2026-01-05T00:00:00Z, end: 10m }
market:
  assets:
    BTC: { price: 60000, model: { kind: gbm, vol: 0.5 } }
accounts:
  - { id: trader, balances: { USD: 100000 } }
timeline:
  - { at: +1m, order: { as: bid, account: trader, side: buy, asset: BTC, quantity: 1, price: -2% } }
  - { at: +2m, id: news, path: { asset: BTC, waypoints: [[+30s, -3%], [+60s, -1%]] } }
expect:
  - { at: news, that: "order[bid].status == 'open'" }
  - { by: news+30s, that: "order[bid].status == 'filled'", message: the fall reaches the bid }
  - { always: "account[trader].balance.USD.available >= 0" }
  - { at: end, that: { "account[trader].position.BTC.quantity": { eq: 1 } } }
`

/** Writes the files that do not exist yet, and prints what to do next. Errors: a file cannot be written. */
function init(folder: string, hasExamples: boolean, terminal: Terminal): void {
  const files: readonly (readonly [name: string, text: () => string | Uint8Array])[] = [
    ['otcsim.config.yaml', () => (hasExamples ? configOfExamples : config)],
    ['scenarios/first.yaml', () => scenario],
    ['scenarios/scenario.schema.json', () => jsonText(editorSchema())],
    ...(hasExamples ? listExamples() : []),
  ]
  for (const [name, text] of files) {
    const isNew = writeNewFile(terminal.cwd, join(folder, name), text())
    terminal.out(
      `${isNew ? 'wrote' : 'kept '}  ${relative(terminal.cwd, resolve(terminal.cwd, folder, name))}\n`,
    )
  }
  const inFolder = relative(terminal.cwd, resolve(terminal.cwd, folder))
  const enter = inFolder === '' ? '' : `  cd ${inFolder}\n`
  terminal.out(`
Next:
${enter}  npx otcsim run scenarios/first.yaml      plays the scenario, and checks what it expects
  npx otcsim serve                         serves ${hasExamples ? 'calm, the default world,' : 'its world'} on http://127.0.0.1:4010
  npx otcsim curl GET /market-data/prices  asks the served world, signed
${hasExamples ? noteOnStrategies : ''}`)
}

const noteOnStrategies = `
scenarios/strategies holds TypeScript, which Node runs from 22.18 on; Node 20 needs tsx: npm install --save-dev tsx
`

/** Lists the files of the package's folder of scenarios, which the commands of the guides name by the same paths. */
function listExamples(): readonly (readonly [name: string, text: () => Uint8Array])[] {
  const folder = findScenarioFolder()
  if (folder === null) throw dataFailure('the scenarios of the package are missing')
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'README.md')
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((path) => {
      const name = join('scenarios', relative(folder, path)).replaceAll('\\', '/')
      return [name, () => readFileSync(path)] as const
    })
}
