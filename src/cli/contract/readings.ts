import { Command } from 'commander'
import { findPreset, presetEntries, readingEntries } from '../../api/readings/readings.ts'
import { CliFailure, exitCode } from '../failure.ts'
import type { Terminal } from '../terminal.ts'

/** `otcsim readings`: every point that the specification leaves open, and the ways to read it. */
export function readingsCommand(terminal: Terminal): Command {
  return new Command('readings')
    .option('--preset <name>', 'a named set of readings instead, with the evidence for each')
    .option('--json', 'as JSON, with the place in the specification and the reason')
    .action(async ({ preset, json }: { readonly preset?: string; readonly json?: boolean }) => {
      if (preset !== undefined) {
        terminal.out(await presetText(preset, json === true))
        return
      }
      if (json === true) {
        const document = { readings: readingEntries, presets: presetEntries }
        terminal.out(`${JSON.stringify(document, null, 2)}\n`)
        return
      }
      const width = Math.max(...readingEntries.map(({ key }) => key.length))
      for (const { key, default: byDefault, alternatives, why } of readingEntries) {
        terminal.out(
          `${key.padEnd(width)}  ${byDefault} | ${alternatives.join(' | ')}\n${' '.repeat(width + 2)}${why}\n`,
        )
      }
      const names = presetEntries.map(({ name }) => `@${name}`).join(', ')
      terminal.out(`\nsets of readings, listed by --preset: ${names}\n`)
    })
}

async function presetText(name: string, isJson: boolean): Promise<string> {
  const found = findPreset(name)
  if (!found.ok) {
    const { reason, hint } = found.flaw
    const meant = hint === undefined ? '' : ` (${hint})`
    throw new CliFailure(exitCode.usage, `--preset: ${reason}${meant}`)
  }
  const { about, source, readings } = found.value
  if (isJson) return `${JSON.stringify(found.value, null, 2)}\n`
  const width = Math.max(...readings.map(({ key, value }) => `${key}=${value}`.length))
  const lines = readings.map(
    ({ key, value, evidence }) => `${`${key}=${value}`.padEnd(width)}  ${evidence}\n`,
  )
  return `${about} Shown by ${source}:\n\n${lines.join('')}`
}
