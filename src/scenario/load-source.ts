import type { CompiledScenario } from './compile/compiled.ts'
import { loadScenarioValue } from './load-tree.ts'
import { type Result, success } from './read/problem.ts'
import type { ScenarioSource } from './read/source.ts'

/** A scenario from the source of a compiled one. `seed` replaces the document's own. */
export function loadSource(
  { document, recordings, added }: ScenarioSource,
  seed: string,
): Result<CompiledScenario> {
  const loaded = loadScenarioValue(document, {
    seed,
    laterAccounts: added?.accounts ?? [],
    readCandles: (name) => {
      const candles = recordings.get(name)
      return candles === undefined
        ? { ok: false, reason: `the recording ${name} is not there` }
        : { ok: true, candles }
    },
  })
  if (!loaded.ok || added === undefined) return loaded
  return success({ ...loaded.value, source: { ...loaded.value.source, added } })
}
