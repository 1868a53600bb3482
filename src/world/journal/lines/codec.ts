import { isObject } from '../../../api/json.ts'

/*
 * Values to JSON and back, from one table for each type, so that what is written and what is accepted cannot drift
 * apart. Encoding follows the order of the table, so equal values have equal bytes. Decoding trusts nothing: anybody
 * may have written a journal's file.
 */
export interface Codec<Value> extends CodecOfSome<Value> {
  /** Never there. Because of its type, a codec of only some values of a type does not compile as a codec of all. */
  readonly all?: (value: Value) => void
}

/** A codec of some of a type's values. */
export interface CodecOfSome<Value> {
  /** To plain JSON. It is only given values of the codec's own type. */
  encode(value: unknown): unknown
  /** Throws an `Undecodable` that names the field. */
  decode(json: unknown, path: string): Value
}

/** A value that a codec does not accept. */
export class Undecodable extends Error {
  override readonly name = 'Undecodable'

  constructor(path: string, expected: string) {
    super(`${path === '' ? 'it' : path} must be ${expected}`)
  }
}

const asIs = (value: unknown): unknown => value

/** A whole number that a double holds exactly. */
export function integerFrom(least: number): Codec<number> {
  const expected =
    least === 0 ? 'a whole number from 0' : `a whole number${least > 0 ? ` from ${least}` : ''}`
  return {
    encode: asIs,
    decode: (json, path) => {
      if (!Number.isSafeInteger(json) || typeof json !== 'number' || json < least)
        throw new Undecodable(path, expected)
      return json + 0 // -0 is 0
    },
  }
}

export const natural: Codec<number> = integerFrom(0)
export const integer: Codec<number> = integerFrom(-Number.MAX_SAFE_INTEGER)

export const finite: Codec<number> = {
  encode: asIs,
  decode: (json, path) => {
    if (typeof json !== 'number' || !Number.isFinite(json)) throw new Undecodable(path, 'a number')
    return json + 0
  },
}

export const truth: Codec<boolean> = {
  encode: asIs,
  decode: (json, path) => {
    if (typeof json !== 'boolean') throw new Undecodable(path, 'true or false')
    return json
  },
}

export const text: Codec<string> = {
  encode: asIs,
  decode: (json, path) => {
    if (typeof json !== 'string') throw new Undecodable(path, 'a text')
    return json
  },
}

/** One of some words or numbers. */
export function oneOf<const Value extends string | number | boolean>(
  ...values: readonly Value[]
): Codec<Value> {
  return {
    encode: asIs,
    decode: (json, path) => {
      const found = values.find((value) => value === json)
      if (found === undefined) throw new Undecodable(path, `one of ${values.join(', ')}`)
      return found
    },
  }
}

export function nullable<Value>(codec: Codec<Value>): Codec<Value | null> {
  return {
    encode: (value) => (value === null ? null : codec.encode(value)),
    decode: (json, path) => (json === null ? null : codec.decode(json, path)),
  }
}

export function listOf<Value>(codec: Codec<Value>): Codec<readonly Value[]> {
  return {
    encode: (value) => (Array.isArray(value) ? value.map((item: unknown) => codec.encode(item)) : null),
    decode: (json, path) => {
      if (!Array.isArray(json)) throw new Undecodable(path, 'a list')
      return json.map((item: unknown, index) => codec.decode(item, `${path}[${index}]`))
    },
  }
}

/** A map as a list of pairs: an object would reorder keys that look like numbers. */
export function mapOf<Value>(codec: Codec<Value>): Codec<ReadonlyMap<string, Value>> {
  return {
    encode: (value) =>
      value instanceof Map
        ? [...value].map(([key, item]: readonly [unknown, unknown]) => [key, codec.encode(item)])
        : null,
    decode: (json, path) => {
      if (!Array.isArray(json)) throw new Undecodable(path, 'a list of pairs')
      const map = new Map<string, Value>()
      for (const pair of json) {
        if (!Array.isArray(pair) || pair.length !== 2 || typeof pair[0] !== 'string' || map.has(pair[0]))
          throw new Undecodable(path, 'a list of pairs, each of a new name and a value')
        map.set(pair[0], codec.decode(pair[1], `${path}.${pair[0]}`))
      }
      return map
    },
  }
}

export type Fields<Value> = { readonly [Key in keyof Value]-?: Codec<Value[Key]> }

/** An object with exactly these fields. */
export function recordOf<Value extends object>(fields: Fields<Value>): Codec<Value> {
  const entries: readonly (readonly [string, Codec<unknown>])[] = Object.entries(fields)
  return {
    encode: (value) => {
      const json: Record<string, unknown> = {}
      if (isObject(value)) for (const [key, codec] of entries) json[key] = codec.encode(value[key])
      return json
    },
    decode: (json, path) => {
      if (!isObject(json)) throw new Undecodable(path, 'an object')
      const unknown = Object.keys(json).find((key) => !Object.hasOwn(fields, key))
      if (unknown !== undefined) throw new Undecodable(join(path, unknown), 'absent: nothing has this name')
      const value: Record<string, unknown> = {}
      for (const [key, codec] of entries) {
        const field = codec.decode(json[key], join(path, key))
        if (field !== undefined) value[key] = field
      }
      if (!isWhole(value, fields)) throw new Undecodable(path, 'whole')
      return value
    },
  }
}

/** An object in one of several shapes; one of its fields says which. */
export function choice<Value extends object>(
  shapeOf: (value: { readonly [key: string]: unknown }, path: string) => CodecOfSome<Value>,
): Codec<Value> {
  return {
    encode: (value) => (isObject(value) ? shapeOf(value, '').encode(value) : null),
    decode: (json, path) => {
      if (!isObject(json)) throw new Undecodable(path, 'an object')
      return shapeOf(json, path).decode(json, path)
    },
  }
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)

/** True once every field has been decoded by its own codec, which alone knows whether it may be absent. */
function isWhole<Value extends object>(value: object, fields: Fields<Value>): value is Value {
  return Object.keys(value).every((key) => Object.hasOwn(fields, key))
}
