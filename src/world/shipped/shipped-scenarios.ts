import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import type { Result } from '../../scenario/file/mistake.ts'
import type { LoadOptions } from '../../scenario/file/source.ts'
import { readShipped } from './read-shipped.ts'
import { findScenarioFolder, listScenarioNames } from './scenario-folder.ts'

/**
 * Creates the library of the scenarios that come with the package. A name is looked up in a list and never used as a
 * path, so no name that comes over HTTP can reach another file. Nothing is read before a scenario is asked for.
 */
export function createShippedLibrary(): ScenarioLibrary {
  return cacheLibrary({
    get names() {
      return listScenarioNames(findScenarioFolder())
    },
    load: (name) => loadShipped(name, {}),
  })
}

/** Loads a shipped scenario with options such as a seed. Returns null for an unknown name. */
export function loadShipped(name: string, options: LoadOptions): Result<CompiledScenario> | null {
  const folder = findScenarioFolder()
  if (folder === null || !listScenarioNames(folder).includes(name)) return null
  return readShipped(folder, name, options)
}

/** Finds scenarios by name. A name is a file's path without its extension: `calm`, `events/covid-2020-03`. */
export interface ScenarioLibrary {
  readonly names: readonly string[]
  /** Compiles a scenario, or returns the mistakes in its file. Returns null for an unknown name. */
  load(name: string): Result<CompiledScenario> | null
  /** Compiles a scenario that names recordings, or says why it cannot. Absent where no files are read. */
  readonly loadWithFiles?: (name: string) => Promise<CompiledScenario | string>
}

/** Wraps a library so that each scenario is compiled once, and later worlds of it are created in a millisecond. */
export function cacheLibrary(library: ScenarioLibrary): ScenarioLibrary {
  const compiled = new Map<string, Result<CompiledScenario>>()
  return {
    get names() {
      return library.names
    },
    load: (name) => {
      const known = compiled.get(name) ?? library.load(name)
      if (known !== null) compiled.set(name, known)
      return known
    },
  }
}
