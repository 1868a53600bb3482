import { maximumDepth } from '../api/input/json-scan.ts'
import { isObject } from '../api/json.ts'
import { freezeMetadata } from '../engine/metadata.ts'
import { assert } from '../numeric/assert.ts'
import { isOptional, isTupleOfShapes, possibleKinds, type Shape } from '../shape/shape.ts'

/*
 * Encodes values as JSON and decodes them, from one shape for each type, so that what is written and what is accepted cannot
 * drift apart. Fields are written in the order of the shape, so equal values have equal bytes. Decoding trusts nothing:
 * anybody may have written a journal file.
 */

/** Converts values of one type to plain JSON and back. */
export interface Codec<Value> {
  readonly encode: (value: Value) => unknown
  readonly decode: Decode<Value>
}

/** Decodes a value from JSON. Throws an `Undecodable` that names the field; `path` is where the value is in the document. */
export type Decode<Value> = (json: unknown, path: string) => Value

/** The error for JSON that cannot be decoded. Its message names the field and what it must be. */
export class Undecodable extends Error {
  override readonly name = 'Undecodable'

  constructor(path: string, expected: string) {
    super(`${path === '' ? 'it' : path} must be ${expected}`)
  }
}

/** Decodes a value, or returns null if the codec does not accept it. */
export function tryDecode<Value>({ decode }: Codec<Value>, json: unknown): Value | null {
  try {
    return decode(json, '')
  } catch (error) {
    if (error instanceof Undecodable) return null
    throw error
  }
}

/** Makes the decoder of whole numbers from `least` on that a double holds exactly. */
function integerDecoder(least: number): Decode<number> {
  const expected =
    least === 0 ? 'a whole number from 0' : `a whole number${least > 0 ? ` from ${least}` : ''}`
  return (json, path) => {
    if (!Number.isSafeInteger(json) || typeof json !== 'number' || json < least)
      throw new Undecodable(path, expected)
    return json + 0 // -0 is 0
  }
}

/** Decodes a whole number from 0 on. */
export const natural = integerDecoder(0)
const integer = integerDecoder(-Number.MAX_SAFE_INTEGER)

/** Decodes a finite number; -0 becomes 0. */
export const finite: Decode<number> = (json, path) => {
  if (typeof json !== 'number' || !Number.isFinite(json)) throw new Undecodable(path, 'a number')
  return json + 0
}

const boolean: Decode<boolean> = (json, path) => {
  if (typeof json !== 'boolean') throw new Undecodable(path, 'true or false')
  return json
}

/** Decodes a string; anything else is undecodable. */
export const text: Decode<string> = (json, path) => {
  if (typeof json !== 'string') throw new Undecodable(path, 'a string')
  return json
}

function oneOfDecoder(values: readonly unknown[]): Decode<unknown> {
  return (json, path) => {
    if (!values.includes(json)) throw new Undecodable(path, `one of ${values.join(', ')}`)
    return json
  }
}

/** Makes the decoder of a list from that of its items. */
export function listDecoder<Value>(decode: Decode<Value>): Decode<readonly Value[]> {
  return (json, path) => {
    if (!Array.isArray(json)) throw new Undecodable(path, 'a list')
    return json.map((item: unknown, index) => decode(item, `${path}[${index}]`))
  }
}

/** Makes the decoder of an object whose fields all have values of one type. */
export function byNameDecoder<Value>(decode: Decode<Value>): Decode<{ readonly [name: string]: Value }> {
  return (json, path) => {
    if (!isObject(json)) throw new Undecodable(path, 'an object')
    const fields = Object.entries(json)
    return Object.fromEntries(fields.map(([name, value]) => [name, decode(value, join(path, name))]))
  }
}

/** Makes the decoder of a map, which is a list of pairs in JSON: an object would reorder keys that look like numbers. */
function mapDecoder<Value>(decode: Decode<Value>): Decode<ReadonlyMap<string, Value>> {
  return (json, path) => {
    if (!Array.isArray(json)) throw new Undecodable(path, 'a list of pairs')
    const map = new Map<string, Value>()
    for (const pair of json) {
      if (!Array.isArray(pair) || pair.length !== 2 || typeof pair[0] !== 'string' || map.has(pair[0]))
        throw new Undecodable(path, 'a list of pairs, each with a different name and a value')
      map.set(pair[0], decode(pair[1], `${path}.${pair[0]}`))
    }
    return map
  }
}

/** Makes the decoder of an object with exactly the fields of a shape. */
function recordDecoder(shape: Shape, named: NamedDecodes): Decode<object> {
  const { properties = {} } = shape
  const fields = Object.entries(properties).map(([key, part]) => {
    return { key, mayLack: isOptional(shape, key), decode: makeDecoder(part, named) }
  })
  return (json, path) => {
    if (!isObject(json)) throw new Undecodable(path, 'an object')
    const unknown = Object.keys(json).find((key) => !Object.hasOwn(properties, key))
    if (unknown !== undefined) throw new Undecodable(join(path, unknown), 'absent: nothing has this name')
    const value: Record<string, unknown> = {}
    for (const { key, mayLack, decode } of fields) {
      if (mayLack && json[key] === undefined) continue
      value[key] = decode(json[key], join(path, key))
    }
    return value
  }
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)

/** Makes the decoder of an object in one of several shapes, told apart by its field `kind`. */
function byKindDecoder(title: string, parts: readonly Shape[], named: NamedDecodes): Decode<object> {
  const decodes = new Map<unknown, Decode<object>>()
  for (const [kind, part] of indexByKind(title, parts)) decodes.set(kind, recordDecoder(part, named))
  return (json, path) => {
    if (!isObject(json)) throw new Undecodable(path, 'an object')
    const decode = decodes.get(json['kind'])
    if (decode === undefined) throw new Undecodable(`${path}.kind`, `the name of a ${title}`)
    return decode(json, path)
  }
}

function indexByKind(title: string, parts: readonly Shape[]): ReadonlyMap<unknown, Shape> {
  const found = new Map<unknown, Shape>()
  for (const part of parts)
    for (const kind of possibleKinds(part)) {
      assert(!found.has(kind), `only one ${title} is called ${kind}`)
      found.set(kind, part)
    }
  return found
}

/**
 * Decodes an object of plain JSON and freezes it, because the engine keeps it. It may nest as deeply as a request's body, so
 * that nothing deeper can reach the engine.
 */
const plainObject: Decode<{ readonly [key: string]: unknown }> = (json, path) => {
  if (!isObject(json) || !isPlain(json, maximumDepth)) throw new Undecodable(path, 'plain JSON')
  return freezeMetadata(json)
}

function isPlain(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return true
  if (levels === 0 || Object.hasOwn(value, '__proto__')) return false
  return Object.values(value).every((item: unknown) => isPlain(item, levels - 1))
}

/** The decoders of the parts of a shape that are references, by the name in their `$ref`. */
type NamedDecodes = { readonly [name: string]: Decode<unknown> }
type NamedEncodes = { readonly [name: string]: (value: unknown) => unknown }

/**
 * Makes the codec with which a journal encodes and decodes values of a shape. Upper bounds are not checked here, but when a
 * command is carried out. A reference is encoded by the function of its name, or left as it is if there is none.
 */
export function codecFor<Value>(
  shape: Shape,
  named: NamedDecodes = {},
  encodes: NamedEncodes = {},
): Codec<Value> {
  // The decoder is made when it is first needed: most programs only write journals.
  let decode: Decode<unknown> | null = null
  const isDecoded = (value: unknown): value is Value => value !== undefined
  return {
    encode: (value) => encodeShape(shape, value, encodes),
    decode: (json, path) => {
      decode ??= makeDecoder(shape, named)
      const value = decode(json, path)
      assert(isDecoded(value), 'each field has been decoded as its shape says')
      return value
    },
  }
}

function makeDecoder(shape: Shape, named: NamedDecodes): Decode<unknown> {
  const { $ref, const: fixed, anyOf, byName, items, properties, type, minimum } = shape
  if ($ref !== undefined) {
    const decode = named[$ref]
    assert(decode !== undefined, `${$ref} is the name of a decoder`)
    return decode
  }
  if (fixed !== undefined) return oneOfDecoder([fixed])
  if (shape.enum !== undefined) return oneOfDecoder(shape.enum.filter((word) => word !== null))
  if (shape.oneOf !== undefined) return byKindDecoder(shape.title ?? 'record', shape.oneOf, named)
  if (anyOf?.[0] !== undefined) {
    const decode = makeDecoder(anyOf[0], named)
    return (json, path) => (json === null ? null : decode(json, path))
  }
  if (byName !== undefined) return mapDecoder(makeDecoder(byName, named))
  if (items !== undefined && !isTupleOfShapes(items)) return listDecoder(makeDecoder(items, named))
  if (properties !== undefined) return recordDecoder(shape, named)
  if (type === 'integer') return minimum === undefined ? integer : integerDecoder(minimum)
  if (type === 'boolean') return boolean
  if (type === 'string') return text
  return type === 'object' ? plainObject : finite
}

function encodeShape(shape: Shape, value: unknown, encodes: NamedEncodes): unknown {
  const { $ref, anyOf, byName, items } = shape
  if ($ref !== undefined) return encodes[$ref] === undefined ? value : encodes[$ref](value)
  if (anyOf?.[0] !== undefined) return value === null ? null : encodeShape(anyOf[0], value, encodes)
  if (value instanceof Map && byName !== undefined)
    return [...value].map(([key, item]: readonly [unknown, unknown]) => [
      key,
      encodeShape(byName, item, encodes),
    ])
  if (Array.isArray(value) && items !== undefined && !isTupleOfShapes(items))
    return value.map((item: unknown) => encodeShape(items, item, encodes))
  const properties = isObject(value) ? findProperties(shape, value['kind']) : undefined
  if (properties === undefined || !isObject(value)) return value
  const json: Record<string, unknown> = {}
  for (const key of Object.keys(properties)) {
    const part = properties[key]
    if (part !== undefined) json[key] = encodeShape(part, value[key], encodes)
  }
  return json
}

function findProperties({ oneOf: parts, title = 'record', properties }: Shape, kind: unknown) {
  if (parts === undefined) return properties
  const known = knownParts.get(parts) ?? indexByKind(title, parts)
  knownParts.set(parts, known)
  return known.get(kind)?.properties
}

const knownParts = new WeakMap<readonly Shape[], ReadonlyMap<unknown, Shape>>()
