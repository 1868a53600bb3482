import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/* Apart from what reads scenarios, which takes a YAML parser along: a server starts without one. */

/**
 * The package's folder of scenarios: beside the folder of the bundle, or above this source file or another build of
 * it.
 */
export function folderOfScenarios(): string | null {
  const here = dirname(fileURLToPath(import.meta.url))
  const candidates = ['..', '../..', '../../..'].map((above) => join(here, above, 'scenarios'))
  return candidates.find((candidate) => existsSync(join(candidate, 'calm.yaml'))) ?? null
}

/** Names of the scenarios in a folder, sorted: paths without their ending. */
export function namesIn(folder: string | null): string[] {
  if (folder === null) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml') && !name.startsWith('clients'))
    .map((name) => name.slice(0, -'.yaml'.length).replaceAll('\\', '/'))
    .sort()
}
