import { Hash128 } from '../../numeric/hash.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'

/**
 * The digest of a compiled scenario, recordings included. It is not that of its text, so comments, the order of keys
 * and the place of the file play no part. The seed of a run replaces the scenario's own.
 */
export function scenarioDigest(scenario: CompiledScenario): string {
  const hash = new Hash128()
  addValue(hash, scenario)
  return hash.digest()
}

/** Places in a file do not matter. */
const leftOut: ReadonlySet<string> = new Set(['file', 'place', 'momentPlace'])

function addValue(hash: Hash128, value: unknown): void {
  if (value instanceof Map) {
    hash.addText('map')
    for (const [key, item] of value) addEntry(hash, String(key), item)
    hash.addText('end')
  } else if (Array.isArray(value) || value instanceof Float64Array) {
    hash.addText('list')
    for (const item of value) addValue(hash, item)
    hash.addText('end')
  } else if (typeof value === 'object' && value !== null) {
    hash.addText('record')
    for (const key of Object.keys(value).sort()) {
      if (!leftOut.has(key)) addEntry(hash, key, Reflect.get(value, key))
    }
    hash.addText('end')
  } else if (typeof value === 'number') {
    hash.addInteger(value)
  } else {
    hash.addText(`${typeof value} ${String(value)}`)
  }
}

function addEntry(hash: Hash128, key: string, value: unknown): void {
  hash.addText(key)
  addValue(hash, value)
}
