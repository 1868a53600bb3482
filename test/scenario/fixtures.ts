import type { CompiledScenario } from '../../src/scenario/compile/compiled.ts'
import { formatMistake } from '../../src/scenario/file/mistake.ts'
import type { LoadOptions } from '../../src/scenario/file/source.ts'
import { loadScenario } from '../../src/scenario/load.ts'

/** The problems of a text, as users see them. */
export function listMistakes(text: string, options: LoadOptions = {}): readonly string[] {
  const loaded = loadScenario(text, 's.yaml', options)
  return loaded.ok ? [] : loaded.problems.map(formatMistake)
}

/** A scenario that must load. */
export function load(text: string, options: LoadOptions = {}): CompiledScenario {
  const loaded = loadScenario(text, 's.yaml', options)
  if (!loaded.ok) throw new Error(loaded.problems.map(formatMistake).join('\n'))
  return loaded.value
}

/** A scenario of one asset at 50,000 with the given lines after its market. */
export const scenarioWith = (lines: string): string => `version: 1
name: probe
clock: {start: 2026-01-05T00:00:00Z, end: 1h}
market: {flow: {kind: none}, assets: {BTC: {price: 50000, model: {kind: constant}, liquidity: {kind: none}}}}
accounts: [{id: alice, balances: {USD: 1000000, BTC: 10}}]
${lines}`
