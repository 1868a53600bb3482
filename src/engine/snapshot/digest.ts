import { Hash128 } from '../../numeric/hash.ts'
import type { VenueSnapshot } from './snapshot.ts'

/**
 * 32 hexadecimal digits over every leaf of a snapshot, in a canonical order: keys and map entries sorted, lengths
 * and kinds told, so that nothing runs into its neighbour.
 */
export function digestSnapshot(snapshot: VenueSnapshot): string {
  const hash = new Hash128()
  addToHash(hash, snapshot)
  return hash.digest()
}

/**
 * The same by and by: each step hashes a few kilobytes, so that whoever serves others meanwhile keeps nobody waiting. The
 * snapshot must not change before the last one.
 */
export function* digestInSteps(snapshot: VenueSnapshot): Generator<undefined, string> {
  const hash = new Hash128()
  yield* addInSteps(hash, snapshot)
  return hash.digest()
}

/** Any plain data, in the canonical order. Depth is bounded: snapshots are flat, and metadata has at most 16 levels. */
export function addToHash(hash: Hash128, value: unknown): void {
  if (value === null || value === undefined) hash.addText('null')
  else if (typeof value === 'number') hash.addInteger(value)
  else if (typeof value === 'string') hash.addText(value)
  else if (typeof value === 'boolean') hash.addText(value ? 'true' : 'false')
  else if (value instanceof Float64Array) hash.addFloat64Array(value)
  else if (value instanceof Int32Array) hash.addInt32Array(value)
  else if (value instanceof Uint8Array) hash.addUint8Array(value)
  else if (Array.isArray(value)) addList(hash, value)
  else if (value instanceof Map) addEntries(hash, 'map', sortedEntries(value))
  else if (typeof value === 'object') addEntries(hash, 'object', Object.entries(value).sort(byKey))
  else hash.addText(String(value))
}

/** Bytes, and entries of a map, that are taken in one step. */
const stepBytes = 4096
const stepEntries = 64

/** Large are the tables, their records and their texts by row, and the columns of statistics. */
function* addInSteps(hash: Hash128, value: unknown): Generator<undefined, void> {
  if (value instanceof Uint8Array) yield* hash.uint8ArrayInSteps(value, stepBytes)
  else if (ArrayBuffer.isView(value)) {
    addToHash(hash, value)
    yield
  } else if (value instanceof Map) yield* addMapInSteps(hash, sortedEntries(value))
  else if (Array.isArray(value)) {
    beginList(hash, value)
    for (const item of value) yield* addInSteps(hash, item)
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(byKey)
    beginEntries(hash, 'object', entries)
    for (const [key, item] of entries) {
      hash.addText(key)
      yield* addInSteps(hash, item)
    }
  } else addToHash(hash, value)
}

function* addMapInSteps(
  hash: Hash128,
  entries: readonly (readonly [unknown, unknown])[],
): Generator<undefined, void> {
  beginEntries(hash, 'map', entries)
  let added = 0
  for (const [key, value] of entries) {
    addToHash(hash, key)
    addToHash(hash, value)
    added += 1
    if (added % stepEntries === 0) yield
  }
}

const sortedEntries = (map: ReadonlyMap<unknown, unknown>) => [...map.entries()].sort(byKey)

function addList(hash: Hash128, values: readonly unknown[]): void {
  beginList(hash, values)
  for (const value of values) addToHash(hash, value)
}

function addEntries(hash: Hash128, kind: string, entries: readonly (readonly [unknown, unknown])[]): void {
  beginEntries(hash, kind, entries)
  for (const [key, value] of entries) {
    addToHash(hash, key)
    addToHash(hash, value)
  }
}

function beginList(hash: Hash128, { length }: readonly unknown[]): void {
  hash.addText('list')
  hash.addInteger(length)
}

function beginEntries(hash: Hash128, kind: string, { length }: readonly unknown[]): void {
  hash.addText(kind)
  hash.addInteger(length)
}

/** By code units, never by locale; numeric keys by value. */
function byKey(left: readonly [unknown, unknown], right: readonly [unknown, unknown]): number {
  const [a] = left
  const [b] = right
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const first = String(a)
  const second = String(b)
  if (first === second) return 0
  return first < second ? -1 : 1
}
