import type { Hash128 } from '../../numeric/hash.ts'

/**
 * Any plain data, in a canonical order: keys and map entries sorted, lengths and kinds told, so that nothing runs into its
 * neighbour. Depth is bounded: snapshots are flat, and metadata has at most 16 levels.
 */
export function addToHash(hash: Hash128, value: unknown): void {
  if (value === null || value === undefined) hash.addText('null')
  else if (typeof value === 'number') hash.addInteger(value)
  else if (value instanceof Float64Array) hash.addFloat64Array(value)
  else if (value instanceof Uint8Array) hash.addUint8Array(value)
  else if (Array.isArray(value)) addList(hash, value)
  else if (value instanceof Map) addEntries(hash, 'map', [...value.entries()].sort(byKey))
  else if (typeof value === 'object') addEntries(hash, 'object', Object.entries(value).sort(byKey))
  else hash.addText(String(value))
}

function addList(hash: Hash128, values: readonly unknown[]): void {
  hash.addText('list')
  hash.addInteger(values.length)
  for (const value of values) addToHash(hash, value)
}

function addEntries(hash: Hash128, kind: string, entries: readonly (readonly [unknown, unknown])[]): void {
  hash.addText(kind)
  hash.addInteger(entries.length)
  for (const [key, value] of entries) {
    addToHash(hash, key)
    addToHash(hash, value)
  }
}

/** By code units, never by locale; numeric keys by value. */
function byKey(left: readonly [unknown, unknown], right: readonly [unknown, unknown]): number {
  const [a] = left
  const [b] = right
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const first = String(a)
  const second = String(b)
  return first < second ? -1 : 1
}
