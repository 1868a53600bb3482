import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import type { LoadOptions } from '../../scenario/read/load-options.ts'
import type { Result } from '../../scenario/read/problem.ts'
import { readShipped } from './read-shipped.ts'
import { folderOfScenarios, namesIn } from './scenario-folder.ts'
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
