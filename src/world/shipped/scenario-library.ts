import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import type { Result } from '../../scenario/read/problem.ts'

/** Finds scenarios by name. Names are those of files, without their ending: `calm`, `events/covid-2020-03`. */
export interface ScenarioLibrary {
  readonly names: readonly string[]
  /** Null for a name that does not exist. */
  load(name: string): Result<CompiledScenario> | null
}

/** A library that compiles each scenario once, so that a world is made in a millisecond. */
export function cachedLibrary(library: ScenarioLibrary): ScenarioLibrary {
  const compiled = new Map<string, Result<CompiledScenario>>()
  return {
    names: library.names,
    load: (name) => {
      const known = compiled.get(name) ?? library.load(name)
      if (known !== null) compiled.set(name, known)
      return known
    },
  }
}
