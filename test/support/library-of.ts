import { loadScenarioValue } from '../../src/scenario/load-tree.ts'
import { cacheLibrary, type ScenarioLibrary } from '../../src/world/shipped/shipped-scenarios.ts'

/** A scenario library of plain JSON values. */
export function libraryOf(values: { readonly [name: string]: unknown }): ScenarioLibrary {
  return cacheLibrary({
    names: Object.keys(values),
    load: (name) => (Object.hasOwn(values, name) ? loadScenarioValue(values[name]) : null),
  })
}
