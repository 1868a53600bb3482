import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import type { LoadOptions } from '../../scenario/read/load-options.ts'
import type { Result } from '../../scenario/read/problem.ts'
import { readShipped } from './read-shipped.ts'
import { cachedLibrary, type ScenarioLibrary } from './scenario-library.ts'

/**
 * The scenarios that come with the package. A name is looked up in a list and never made into a path, so nothing that
 * comes over HTTP can reach another file.
 */
export function shippedScenarios(): ScenarioLibrary {
  const folder = folderOfScenarios()
  const names = folder === null ? [] : namesIn(folder)
  return cachedLibrary({ names, load: (name) => loadShipped(name, {}) })
}

/** Null for a name that does not exist. */
export function loadShipped(name: string, options: LoadOptions): Result<CompiledScenario> | null {
  const folder = folderOfScenarios()
  if (folder === null || !namesIn(folder).includes(name)) return null
  return readShipped(folder, name, options)
}

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
export function namesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -'.yaml'.length).replaceAll('\\', '/'))
    .sort()
}
