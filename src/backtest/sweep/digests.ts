import type { RecordedBook } from '../../market/books/recorded-book.ts'
import { Hash128 } from '../../numeric/hash.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'

/**
 * Computes the digest of a compiled scenario, recordings included. Unlike a digest of its text, it does not depend on
 * comments, the order of keys or the place of the file. It includes the scenario's own seed, which a run replaces.
 */
export function scenarioDigest(scenario: CompiledScenario): string {
  const hash = new Hash128()
  addValue(hash, scenario)
  return hash.digest()
}

/**
 * Returns whether a value is a recorded book. Its hash is that of its content; the rest of it is derived, or
 * functions.
 */
const isRecordedBook = (value: object): value is RecordedBook =>
  'hash' in value && 'chunk' in value && typeof value.chunk === 'function'

/**
 * The fields that digests leave out: they say where something stands in a file, and how files were understood. What
 * follows from that is in other fields.
 */
const leftOut: ReadonlySet<string> = new Set(['file', 'filesRead', 'place', 'momentPlace'])

function addValue(hash: Hash128, value: unknown): void {
  if (value instanceof Map) {
    hash.addText('map')
    for (const [key, item] of value) addEntry(hash, String(key), item)
    hash.addText('end')
  } else if (Array.isArray(value) || value instanceof Float64Array) {
    hash.addText('list')
    for (const item of value) addValue(hash, item)
    hash.addText('end')
  } else if (typeof value === 'object' && value !== null && isRecordedBook(value)) {
    hash.addText(`book ${value.hash}`)
  } else if (typeof value === 'object' && value !== null) {
    hash.addText('record')
    for (const [key, item] of Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
      if (!leftOut.has(key)) addEntry(hash, key, item)
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
