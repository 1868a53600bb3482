import { assert } from '../../numeric/assert.ts'
import { type Read, read, unknownWordFlaw } from '../flaw.ts'
import { readingsTable } from './readings-table.ts'

export type ReadingKey = keyof typeof readingsTable

/** A value for every reading. */
export type Readings = {
  readonly [Key in ReadingKey]:
    | (typeof readingsTable)[Key]['default']
    | (typeof readingsTable)[Key]['alternatives'][number]
}

export interface ReadingEntry {
  readonly key: ReadingKey
  readonly default: string
  readonly alternatives: readonly string[]
  readonly silent: string
  readonly why: string
  /** Whether `Prefer` may set it for one request; the windows of rate limits outlive a request. */
  readonly perRequest: boolean
}

/** In the order of the table. */
export const readingKeys: readonly ReadingKey[] = Object.keys(readingsTable).filter(isReadingKey)

/** The whole table, in its order, for documentation and the admin API. */
export const readingEntries: readonly ReadingEntry[] = readingKeys.map((key) => ({
  key,
  ...readingsTable[key],
  perRequest: !key.startsWith('rate.'),
}))

export const defaultReadings: Readings = readDefaults()

/**
 * The readings of a process, a world or a request: `base`, with some overridden. A number counts as its text. Errors:
 * an unknown key, then an unknown value; each with the nearest name as a hint.
 */
export function resolveReadings(
  overrides: { readonly [key: string]: string | number },
  base: Readings = defaultReadings,
): Read<Readings> {
  const resolved: Writable<Readings> = { ...base }
  for (const [key, given] of Object.entries(overrides)) {
    // Anything else is no value, though a list of one would have its text.
    const value = typeof given === 'string' || typeof given === 'number' ? String(given) : ''
    if (!isReadingKey(key))
      return { ok: false, flaw: unknownWordFlaw(key, 'is not a known reading', key, readingKeys) }
    if (!isValueOf(key, value)) {
      const values = valuesOf(key)
      return { ok: false, flaw: unknownWordFlaw(key, `must be one of ${values.join(', ')}`, value, values) }
    }
    assign(resolved, key, value)
  }
  return read(resolved)
}

export function isReadingKey(key: string): key is ReadingKey {
  return Object.hasOwn(readingsTable, key)
}

/** Default first. */
export function valuesOf(key: ReadingKey): readonly string[] {
  const reading: { readonly default: string; readonly alternatives: readonly string[] } = readingsTable[key]
  return [reading.default, ...reading.alternatives]
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

function isValueOf<Key extends ReadingKey>(key: Key, value: string): value is Readings[Key] {
  return valuesOf(key).includes(value)
}

function assign<Key extends ReadingKey>(
  target: Partial<Writable<Readings>>,
  key: Key,
  value: Readings[Key],
): void {
  target[key] = value
}

function readDefaults(): Readings {
  const defaults: Partial<Writable<Readings>> = {}
  for (const key of readingKeys) {
    const value: string = readingsTable[key].default
    if (isValueOf(key, value)) assign(defaults, key, value)
  }
  assert(isWhole(defaults), 'every reading has a default')
  return defaults
}

function isWhole(readings: Partial<Readings>): readings is Readings {
  return readingKeys.every((key) => readings[key] !== undefined)
}
