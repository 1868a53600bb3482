import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadScenario } from '../scenario/load.ts'
import { cachedLibrary, type ScenarioLibrary } from './scenario-library.ts'

/**
 * The scenarios that come with the package. A name is looked up among those that are there, and never made into a
 * path: what comes over HTTP cannot reach another file.
 */
export function shippedScenarios(): ScenarioLibrary {
  const folder = folderOfScenarios()
  const names = folder === null ? [] : namesIn(folder)
  return cachedLibrary({
    names,
    load: (name) => {
      if (folder === null || !names.includes(name)) return null
      const file = `${name}.yaml`
      return loadScenario(readFileSync(join(folder, file), 'utf8'), file)
    },
  })
}

/** The package's folder of scenarios: beside the bundle's, or two levels above this source file. */
export function folderOfScenarios(): string | null {
  const here = dirname(fileURLToPath(import.meta.url))
  const candidates = [join(here, '..', 'scenarios'), join(here, '..', '..', 'scenarios')]
  return candidates.find((candidate) => existsSync(join(candidate, 'calm.yaml'))) ?? null
}

/** Names of the scenarios in a folder, sorted: paths without their ending. */
export function namesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -'.yaml'.length).replaceAll('\\', '/'))
    .sort()
}
