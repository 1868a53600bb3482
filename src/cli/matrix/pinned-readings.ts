import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isObject, parseJson } from '../../api/json.ts'
import { presetKey } from '../../api/readings/presets.ts'
import { findPreset, readingsIn, resolveReadings } from '../../api/readings/readings.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { readFile } from '../read-file.ts'
import type { Terminal } from '../terminal.ts'

/** The file in which a team writes down what it knows of the real venue's readings. */
const usualPins = 'readings.json'

/** The readings of a file, by key; those of `readings.json` when no file is named and it is there. */
export function readPins(name: string | undefined, terminal: Terminal): { readonly [key: string]: string } {
  const shown = name ?? usualPins
  if (name === undefined && !existsSync(resolve(terminal.cwd, shown))) return {}
  const pins = pinsIn(readFile(terminal.cwd, shown, 1024 * 1024).toString('utf8'))
  if (pins === null)
    throw new CliFailure(exitCode.usage, `${shown} must be an object of readings and their values`)
  const resolved = resolveReadings(pins)
  if (!resolved.ok) {
    const { field, reason, hint } = resolved.flaw
    throw new CliFailure(
      exitCode.usage,
      `${shown}: ${field} ${reason}${hint === undefined ? '' : ` (${hint})`}`,
    )
  }
  const { [presetKey]: preset, ...singles } = pins
  const found = preset === undefined ? null : findPreset(preset)
  const known = { ...(found?.ok === true ? readingsIn(found.value) : {}), ...singles }
  return Object.fromEntries(Object.entries(known).map(([key, value]) => [key, String(value)]))
}

function pinsIn(text: string): { readonly [key: string]: string | number } | null {
  const json = parseJson(text)
  if (!isObject(json)) return null
  const pins: Record<string, string | number> = {}
  for (const [key, value] of Object.entries(json)) {
    if (typeof value !== 'string' && typeof value !== 'number') return null
    pins[key] = value
  }
  return pins
}
