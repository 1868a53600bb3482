import type { Hash128 } from '../../numeric/hash.ts'

/**
 * Adds any plain data in a canonical form: keys and map entries are sorted, and kinds and lengths are included, so that
 * different data never read alike. It recurses, because depth is bounded: snapshots are flat, and metadata has at most
 * 16 levels.
 */
export function addToHash(hash: Hash128, value: unknown): void {
  if (typeof value === 'string') addString(hash, value)
  else if (value === null || value === undefined) hash.addText('null')
  else if (typeof value === 'number') hash.addInteger(value)
  else if (value instanceof Float64Array) hash.addFloat64Array(value)
  else if (value instanceof Uint8Array) hash.addUint8Array(value)
  else if (Array.isArray(value)) addList(hash, value)
  else if (value instanceof Map) addEntries(hash, 'map', [...value.entries()].sort(byKey))
  else if (typeof value === 'object') addEntries(hash, 'object', Object.entries(value).sort(byKey))
  else hash.addText(String(value))
}

/** A text that reads like a word which stands for something else is marked as a text. */
function addString(hash: Hash128, text: string): void {
  if (reservedWords.has(text)) hash.addText('text')
  hash.addText(text)
}

const reservedWords: ReadonlySet<string> = new Set(['null', 'true', 'false', 'list', 'map', 'object', 'text'])

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
