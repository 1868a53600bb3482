import type { CompiledScenario } from './compile/compiled.ts'
import { loadScenarioValue } from './load-tree.ts'
import type { Result } from './read/problem.ts'
import type { ScenarioSource } from './read/source.ts'

/** A scenario from the source of a compiled one. `seed` replaces the document's own. */
export function loadSource(source: ScenarioSource, seed: string): Result<CompiledScenario> {
  return loadScenarioValue(source.document, {
    seed,
    readCandles: (name) => {
      const candles = source.recordings.get(name)
      return candles === undefined
        ? { ok: false, reason: `the recording ${name} is not there` }
        : { ok: true, candles }
    },
  })
}
