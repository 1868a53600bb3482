import { maximumDepth } from '../api/input/json-scan.ts'
import { isObject } from '../api/json.ts'
import { frozen } from '../engine/metadata.ts'
import { assert } from '../numeric/assert.ts'
import type { Shape } from '../shape/shape.ts'
import { isOptional, isTupleOfShapes, possibleKinds } from '../shape/shape.ts'

/*
 * Values to JSON and back, from one shape for each type, so that what is written and what is accepted cannot drift
 * apart. Encoding follows the order of the shape, so equal values have equal bytes. Decoding trusts nothing: anybody
 * may have written a journal's file.
 */
export interface Codec<Value> {
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
function integerFrom(least: number): Codec<number> {
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
const integer: Codec<number> = integerFrom(-Number.MAX_SAFE_INTEGER)

export const finite: Codec<number> = {
  encode: asIs,
  decode: (json, path) => {
    if (typeof json !== 'number' || !Number.isFinite(json)) throw new Undecodable(path, 'a number')
    return json + 0
  },
}

const truth: Codec<boolean> = {
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
function oneOf<const Value extends string | number | boolean>(...values: readonly Value[]): Codec<Value> {
  return {
    encode: asIs,
    decode: (json, path) => {
      const found = values.find((value) => value === json)
      if (found === undefined) throw new Undecodable(path, `one of ${values.join(', ')}`)
      return found
    },
  }
}

function nullable<Value>(codec: Codec<Value>): Codec<Value | null> {
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
function mapOf<Value>(codec: Codec<Value>): Codec<ReadonlyMap<string, Value>> {
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

/** An object with exactly these fields. */
function recordOf(fields: { readonly [key: string]: Codec<unknown> }): Codec<object> {
  const entries = Object.entries(fields)
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
      return value
    },
  }
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)

/** What a shape leaves to others, by the name in its `$ref`. */
type NamedCodecs = { readonly [name: string]: Codec<unknown> }

/**
 * How a journal has a value of a shape. Upper bounds do not matter here: who carries a command out knows them. Keys have
 * the order of the shape, so that equal values have equal bytes.
 */
export function codecFor<Value>(shape: Shape, named: NamedCodecs = {}): Codec<Value> {
  const { encode, decode } = codecOfPart(shape, named)
  const isDecoded = (value: unknown): value is Value => value !== undefined
  return {
    encode,
    decode: (json, path) => {
      const value = decode(json, path)
      assert(isDecoded(value), 'each field has been decoded as its shape says')
      return value
    },
  }
}

function codecOfPart(shape: Shape, named: NamedCodecs): Codec<unknown> {
  const { $ref, const: fixed, anyOf, byName, items, properties, type, minimum } = shape
  if ($ref !== undefined) {
    const codec = named[$ref]
    assert(codec !== undefined, `${$ref} is the name of a codec`)
    return codec
  }
  if (fixed !== undefined) return oneOf(fixed)
  if (shape.enum !== undefined) return oneOf(...shape.enum.filter((word) => word !== null))
  if (shape.oneOf !== undefined) return byKind(shape.title ?? 'record', shape.oneOf, named)
  if (anyOf?.[0] !== undefined) return nullable(codecOfPart(anyOf[0], named))
  if (byName !== undefined) return mapOf(codecOfPart(byName, named))
  if (items !== undefined && !isTupleOfShapes(items)) return listOf(codecOfPart(items, named))
  if (properties !== undefined) return recordCodec(shape, named)
  if (type === 'integer') return minimum === undefined ? integer : integerFrom(minimum)
  if (type === 'boolean') return truth
  if (type === 'string') return text
  return type === 'object' ? plainObject : finite
}

function recordCodec(shape: Shape, named: NamedCodecs): Codec<object> {
  const fields = Object.entries(shape.properties ?? {}).map(([key, part]) => {
    const codec = codecOfPart(part, named)
    return [key, isOptional(shape, key) ? absentOr(codec) : codec] as const
  })
  return recordOf(Object.fromEntries(fields))
}

/** An object in one of several shapes; its field `kind` says which. */
function byKind(title: string, parts: readonly Shape[], named: NamedCodecs): Codec<object> {
  const codecs = new Map<unknown, Codec<object>>()
  for (const part of parts) {
    const codec = recordCodec(part, named)
    for (const kind of possibleKinds(part)) {
      assert(!codecs.has(kind), `one ${title} is called ${kind}`)
      codecs.set(kind, codec)
    }
  }
  return {
    encode: (value) => (isObject(value) ? codecs.get(value['kind'])?.encode(value) : null),
    decode: (json, path) => {
      if (!isObject(json)) throw new Undecodable(path, 'an object')
      const codec = codecs.get(json['kind'])
      if (codec === undefined) throw new Undecodable(`${path}.kind`, `the name of a ${title}`)
      return codec.decode(json, path)
    },
  }
}

function absentOr<Value>(codec: Codec<Value>): Codec<Value | undefined> {
  return {
    encode: (value) => (value === undefined ? undefined : codec.encode(value)),
    decode: (json, path) => (json === undefined ? undefined : codec.decode(json, path)),
  }
}

/** As deep as the interface lets a body nest, so that nothing deeper can reach the engine, which keeps this very object. */
const plainObject: Codec<{ readonly [key: string]: unknown }> = {
  encode: (value) => value,
  decode: (json, path) => {
    if (!isObject(json) || !isPlain(json, maximumDepth)) throw new Undecodable(path, 'plain JSON')
    return frozen(json)
  },
}

function isPlain(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return true
  if (levels === 0 || Object.hasOwn(value, '__proto__')) return false
  return Object.values(value).every((item: unknown) => isPlain(item, levels - 1))
}
