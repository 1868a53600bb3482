import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command, Option } from 'commander'
import { nearestWord } from '../../api/nearest-word.ts'
import { folderOfScenarios, namesIn } from '../../world/shipped/scenario-folder.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { applySettings, usualFiles, variableOf } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'

interface Setting {
  readonly option: string
  /** Null: nothing gives it. Secrets are not shown. */
  readonly value: unknown
  readonly source: string
}

interface CommandSettings {
  readonly command: string
  readonly settings: readonly Setting[]
}

/** Says what every option of every command resolves to, and where that comes from. Fails when a setting is wrong. */
export async function examineSettings(doctor: Command, isJson: boolean, terminal: Terminal): Promise<void> {
  const commands = doctor.parent?.commands ?? []
  const problems: string[] = []
  const resolved: CommandSettings[] = []
  const config: unknown = doctor.getOptionValue('config') ?? terminal.env['OTCSIM_CONFIG']
  const file =
    typeof config === 'string' ? config : usualFiles.find((name) => existsSync(join(terminal.cwd, name)))
  for (const command of commands) {
    const options = command.options.filter(({ long }) => long !== undefined && long !== '--config')
    if (options.length === 0) continue
    if (typeof config === 'string') command.setOptionValueWithSource('config', config, 'cli')
    try {
      await applySettings(command, terminal)
    } catch (error) {
      if (!(error instanceof CliFailure)) throw error
      if (!problems.includes(error.message)) problems.push(error.message)
    }
    resolved.push({
      command: command.name(),
      settings: options.map((option) => settingOf(command, option, file ?? '')),
    })
  }
  problems.push(...strangeVariables(commands, terminal))
  const root = folderOfScenarios()
  const facts = {
    ok: problems.length === 0,
    version,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    config: file ?? null,
    scenarios: root === null ? [] : namesIn(root),
    commands: resolved,
    problems,
  }
  terminal.out(isJson ? `${JSON.stringify(facts, null, 2)}\n` : describe(facts))
  if (problems.length > 0) throw new CliFailure(exitCode.usage, problems.join('\n'))
}

function settingOf(command: Command, option: Option, file: string): Setting {
  const name = option.attributeName()
  const value: unknown = command.getOptionValue(name)
  const source = command.getOptionValueSource(name)
  const isSecret = /token|secret/i.test(name) && value !== undefined
  return {
    option: option.long ?? name,
    value: value === undefined ? null : isSecret ? '(set)' : plainOf(value),
    source:
      source === 'env'
        ? variableOf(option)
        : source === 'config'
          ? file
          : value === undefined
            ? 'not set'
            : 'default',
  }
}

function plainOf(value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value) : value
}

/** Variables that look like ours but belong to no option: mostly typing mistakes. */
function strangeVariables(commands: readonly Command[], terminal: Terminal): readonly string[] {
  const known = new Set(commands.flatMap(({ options }) => options.map(variableOf)))
  known.add('OTCSIM_CONFIG')
  return Object.keys(terminal.env)
    .filter((name) => name.startsWith('OTCSIM_') && !known.has(name))
    .sort()
    .map((name) => {
      const nearest = nearestWord(name, [...known])
      return `${name}: no option has this variable${nearest === null ? '' : `; did you mean ${nearest}?`}`
    })
}

interface Facts {
  readonly version: string
  readonly node: string
  readonly platform: string
  readonly config: string | null
  readonly scenarios: readonly string[]
  readonly commands: readonly CommandSettings[]
}

function describe({ version: own, node, platform, config, scenarios, commands }: Facts): string {
  const lines = [
    `otcsim ${own}, Node ${node}, ${platform}`,
    `configuration  ${config ?? `none (${usualFiles.join(', ')} are looked for here)`}`,
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
