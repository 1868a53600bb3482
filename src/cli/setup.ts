import { join, relative, resolve } from 'node:path'
import type { Command, Option } from 'commander'
import { type RecordingSummary, summarizeTable } from '../market/recordings/recording-summary.ts'
import { formatDuration, millisToIso } from '../numeric/time-text.ts'
import { withCommas } from '../numeric/units.ts'
import { editorSchema } from '../scenario/compile/schema.ts'
import { findScenarioFolder, listScenarioNames } from '../world/shipped/scenario-folder.ts'
import { type CommandContext, loadEveryCommand } from './command-context.ts'
import { defineCommand } from './define-command.ts'
import { CliFailure, dataFailure, usageFailure } from './failure.ts'
import { writeNewFile } from './files.ts'
import { aSwitch, configFlag } from './flags.ts'
import { readCandleFile, readTable } from './scenario/read-candles.ts'
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
  flags: { json: aSwitch('answer as one JSON document', { default: false }), config: configFlag },
  takes: { '[files...]': 'CSV files of candles or trades, plain, gzip or zip' },
  hasSettings: false,
  act: async ({ json, config }, terminal, files: readonly string[]) =>
    files.length > 0 ? examineFiles(files, json, terminal) : examineSettings(config, json, terminal),
})

function examineFiles(files: readonly string[], isJson: boolean, terminal: Terminal): void {
  const found = files.map((file) => diagnose(file, resolve(terminal.cwd, file)))
  if (isJson) terminal.out(jsonText({ ok: found.every(({ ok }) => ok), files: found }))
  else terminal.out(found.map(describe).join('\n'))
  const bad = found.filter(({ ok }) => !ok)
  if (bad.length > 0) {
    const noun = found.length === 1 ? 'the file' : `${bad.length} of ${found.length} files`
    throw dataFailure(`${noun} cannot be used as it is`)
  }
}

type Diagnosis = ReturnType<typeof diagnose>

/** Describes a file as `--json` prints it. `reason` says why a replay would not accept the file; null when it would. */
function diagnose(file: string, path: string) {
  const found = (reason: string | null, survey: RecordingSummary | null, advice: readonly string[]) => {
    return { file, ok: reason === null, reason, survey, advice }
  }
  const table = readTable(path)
  if (!table.ok) return found(table.reason, null, [])
  const survey = summarizeTable(table.rows)
  if ('message' in survey) return found(`${path}:${survey.row}: ${survey.message}`, null, [])
  const answer = readCandleFile(path)
  return answer.ok ? found(null, survey, listAdvice(file, survey)) : found(answer.reason, survey, [])
}

/** The daily volume that no asset reaches in units. A larger one must already be in USD. */
const maximumDailyUsd = 1e11

function listAdvice(file: string, survey: RecordingSummary): readonly string[] {
  const days = Math.max(1 / 24, (survey.toMillis - survey.fromMillis) / 86_400_000)
  const isInUsd = survey.kind === 'candles' && survey.volume.usd / days > maximumDailyUsd
  const keys = [`kind: replay`, `data: ${JSON.stringify(file)}`]
  if (survey.gaps > 0) keys.push('gaps: hold')
  if (isInUsd) keys.push('volumeIn: usd')
  const grid = survey.kind === 'trades' ? '1s' : formatDuration(chooseGridMillis(survey.stepMillis))
  const param = `--param data=${file}${isInUsd ? ' --param volumeIn=usd' : ''}`
  return [
    `model: { ${keys.join(', ')} }`,
    `clock: { start: data, end: data, grid: ${grid} }`,
    `npx otcsim backtest STRATEGY --data ${file}${isInUsd ? ' --volume-in usd' : ''}`,
    ...(survey.kind === 'candles' && days >= 300 ? [`npx otcsim run replay-candles ${param}`] : []),
  ]
}

/** Chooses a grid of at most a quarter of a candle, so that each candle shows its four prices. Returns milliseconds. */
function chooseGridMillis(spanMillis: number): number {
  const quarter = Math.floor(spanMillis / 4)
  return [3_600_000, 900_000, 60_000, 15_000, 1_000, 250].find((grid) => grid <= quarter) ?? 100
}

function describe({ file, ok, reason, survey, advice }: Diagnosis): string {
  const lines = [file]
  const add = (name: string, text: string): number => lines.push(`  ${name.padEnd(10)} ${text}`)
  if (survey !== null) describeSurvey(survey, add)
  for (const line of advice) add(line === advice[0] ? 'use' : '', line)
  if (!ok) add('unusable', reason ?? '')
  return `${lines.join('\n')}\n`
}

function describeSurvey(survey: RecordingSummary, add: (name: string, text: string) => number): void {
  const { kind } = survey
  const step = kind === 'candles' && survey.stepMillis > 0 ? ` of ${formatDuration(survey.stepMillis)}` : ''
  const things = survey.goodRows === 1 ? kind.slice(0, -1) : kind
  // Without rows, all times would be in 1970.
  const isEmpty = survey.goodRows === 0
  add('holds', isEmpty ? `no ${kind}` : `${withCommas(survey.goodRows)} ${things}${step}, ${survey.order}`)
  if (!isEmpty) add('from', `${millisToIso(survey.fromMillis)} to ${millisToIso(survey.toMillis)}`)
  add(
    'layout',
    survey.columns.length === 0 ? `${survey.layout}, without a header` : survey.columns.join(', '),
  )
  if (!isEmpty) describeFigures(survey, add)
  if (survey.repeated > 0) add('repeated', `${formatRows(survey.repeated)} repeated, to be dropped`)
  if (survey.contradicting > 0)
    add(
      'contradict',
      `${formatRows(survey.contradicting, 'has', 'have')} the time of another, and other figures`,
    )
  if (survey.outOfOrder > 0)
    add('order', `${formatRows(survey.outOfOrder, 'stands', 'stand')} before an earlier one`)
  if (survey.firstLeapMillis !== null) {
    add(
      'leaps',
      `${formatRows(survey.leaps)} by more than a factor of 3, the first at ${millisToIso(survey.firstLeapMillis)}`,
    )
  }
  if (survey.badRows > 0) {
    add('bad rows', withCommas(survey.badRows))
    for (const { row, column, message } of survey.problems)
      add('', `row ${row}${column === '' ? '' : `, ${column}`}: ${message}`)
  }
}

function describeFigures(
  { gaps, gapsMillis, longestGap, price, volume }: RecordingSummary,
  add: (name: string, text: string) => number,
): void {
  add('prices', `first ${price.first}, last ${price.last}, least ${price.least}, greatest ${price.greatest}`)
  const without = volume.rowsWithout === 0 ? '' : `, ${formatRows(volume.rowsWithout)} without`
  add(
    'volume',
    volume.total === 0
      ? 'none'
      : `${formatFigure(volume.total)} units, about ${formatFigure(volume.usd)} USD${without}`,
  )
  if (longestGap !== null) {
    const longest = `the longest ${formatDuration(longestGap.toMillis - longestGap.fromMillis)} from ${millisToIso(longestGap.fromMillis)}`
    add('gaps', `${withCommas(gaps)}, together ${formatDuration(gapsMillis)}; ${longest}`)
  } else add('gaps', 'none')
}

/** Formats a count such as `1 row` or `1,200 rows`, with a verb in the right form. */
function formatRows(count: number, one = '', many = ''): string {
  const verb = count === 1 ? one : many
  return `${withCommas(count)} ${count === 1 ? 'row' : 'rows'}${verb === '' ? '' : ` ${verb}`}`
}

/** Formats a figure with three digits and a unit, such as `12.3 million`. */
function formatFigure(value: number): string {
  const units = [
    [1e12, 'trillion'],
    [1e9, 'billion'],
    [1e6, 'million'],
  ] as const
  for (const [unit, name] of units)
    if (value >= unit) return `${Number((value / unit).toPrecision(3))} ${name}`
  return value >= 1000 ? withCommas(Math.round(value)) : String(Number(value.toPrecision(3)))
}

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
    const options = command.options.filter(({ long }) => long !== undefined && long !== '--config')
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
  const details = {
    ok: problems.length === 0,
    version,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    config: file ?? null,
    scenarios,
    commands: resolved,
    problems,
  }
  context.out(isJson ? jsonText(details) : describeSettings(file, scenarios, resolved))
  if (problems.length > 0) throw usageFailure(problems.join('\n'))
}

type CommandSettings = ReturnType<typeof listSettings>

/** Lists each option with its value, null when nothing sets it, and the source of the value. Secrets are hidden. */
function listSettings(command: Command, options: readonly Option[], file: string) {
  const settings = options.map((option) => {
    const name = option.attributeName()
    const value: unknown = command.getOptionValue(name) ?? null
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

/** `otcsim init [FOLDER]` writes a configuration, a first scenario and its schema. It never overwrites a file. */
export const initCommand = defineCommand({
  flags: {},
  extend: (command) => {
    command.argument('[folder]', 'the folder; the current one by default', '.')
  },
  act: (_, terminal, folder: string) => init(folder, terminal),
})

const config = `# What otcsim takes where no flag and no OTCSIM_* variable says otherwise. Every long option has a key here, in
# camelCase: --admin-port is adminPort. "otcsim doctor" shows where each value comes from.
scenario: scenarios/first.yaml
port: 4010
`

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
function init(folder: string, terminal: Terminal): void {
  const files: readonly (readonly [string, () => string])[] = [
    ['otcsim.config.yaml', () => config],
    ['scenarios/first.yaml', () => scenario],
    ['scenarios/scenario.schema.json', () => jsonText(editorSchema())],
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
  npx otcsim serve                         serves its world on http://127.0.0.1:4010
  npx otcsim curl GET /market-data/prices  asks the served world, signed
`)
}
