import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import type { Result } from '../../scenario/file/mistake.ts'
import type { LoadOptions } from '../../scenario/file/source.ts'
import { readShipped } from './read-shipped.ts'
import { folderOfScenarios, namesIn } from './scenario-folder.ts'

/**
 * The scenarios that come with the package. A name is looked up in a list and never made into a path, so nothing that
 * comes over HTTP can reach another file. It is made when it is asked for: a start does not wait for it.
 */
export function shippedScenarios(): ScenarioLibrary {
  return cachedLibrary({
    get names() {
      return namesIn(folderOfScenarios())
    },
    load: (name) => loadShipped(name, {}),
  })
}

/** Null for a name that does not exist. */
export function loadShipped(name: string, options: LoadOptions): Result<CompiledScenario> | null {
  const folder = folderOfScenarios()
  if (folder === null || !namesIn(folder).includes(name)) return null
  return readShipped(folder, name, options)
}

/** Finds scenarios by name. Names are those of files, without their ending: `calm`, `events/covid-2020-03`. */
export interface ScenarioLibrary {
  readonly names: readonly string[]
  load(name: string): Result<CompiledScenario> | null
}

/** A library that compiles each scenario once, so that a world is made in a millisecond. */
export function cachedLibrary(library: ScenarioLibrary): ScenarioLibrary {
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
