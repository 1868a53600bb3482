import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/* This module is apart from the one that reads scenarios, which needs a YAML parser: a server starts without one. */

/**
 * Finds the package's folder of scenarios: beside the bundle's folder, or above this source file or another build of it.
 * Returns null when there is none.
 */
export function findScenarioFolder(): string | null {
  const here = dirname(fileURLToPath(import.meta.url))
  const candidates = ['..', '../..', '../../..'].map((above) => join(here, above, 'scenarios'))
  return candidates.find((candidate) => existsSync(join(candidate, 'calm.yaml'))) ?? null
}

/** Lists the names of the scenarios in a folder, sorted. A name is the file's path without its extension. */
export function listScenarioNames(folder: string | null): string[] {
  if (folder === null) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml') && !name.startsWith('clients'))
    .map((name) => name.slice(0, -'.yaml'.length).replaceAll('\\', '/'))
    .sort()
}
