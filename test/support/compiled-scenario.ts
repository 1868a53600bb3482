import type { CompiledScenario } from '../../src/scenario/compile/compiled.ts'
import { formatMistake } from '../../src/scenario/file/mistake.ts'
import { loadScenarioValue } from '../../src/scenario/load-tree.ts'

/** A scenario from a JSON value; throws with what is wrong with it. */
export function compiledScenario(value: unknown): CompiledScenario {
  const loaded = loadScenarioValue(value)
  if (!loaded.ok) throw new Error(loaded.problems.map(formatMistake).join('\n'))
  return loaded.value
}
