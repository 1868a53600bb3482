import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import { createShippedLibrary, type ScenarioLibrary } from '../../world/shipped/shipped-scenarios.ts'
import { CliFailure } from '../failure.ts'

/**
 * Creates the library of the shipped scenarios for a server that also reads the recordings that some of them name. These
 * lie beside the scenarios, wherever the server was started. The code that reads them is loaded when one is asked for.
 */
export function createServedLibrary(cwd: string, cache?: boolean): ScenarioLibrary {
  const shipped = createShippedLibrary()
  const opened = new Map<string, CompiledScenario>()
  return {
    get names() {
      return shipped.names
    },
    load: shipped.load,
    loadWithFiles: async (name) => {
      const known = opened.get(name)
      if (known !== undefined) return known
      const { openScenario } = await import('../scenario/scenario-files.ts')
      try {
        const request = { scenario: name, cwd, params: new Map<string, string>(), seed: null }
        const scenario = openScenario(cache === undefined ? request : { ...request, cache })
        opened.set(name, scenario)
        return scenario
      } catch (error) {
        if (error instanceof CliFailure)
          return `${error.message}; a server that begins with it takes parameters: otcsim serve --scenario ${name}`
        throw error
      }
    },
  }
}
