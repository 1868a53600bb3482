import { maximumDepth } from '../../../api/input/json-scan.ts'
import { isObject } from '../../../api/json.ts'
import { frozen } from '../../../engine/metadata.ts'
import { assert } from '../../../numeric/assert.ts'
import { isOptional, isTupleOfShapes, possibleKinds, type Shape } from '../../../shape/shape.ts'
import {
  type Codec,
  type CodecOfSome,
  choice,
  finite,
  integer,
  integerFrom,
  listOf,
  mapOf,
  nullable,
  oneOf,
  recordOf,
  text,
  truth,
  Undecodable,
} from './codec.ts'

/** What a shape leaves to others, by the name in its `$ref`. */
type NamedCodecs = { readonly [name: string]: CodecOfSome<unknown> }

/**
 * How a journal has a value of a shape. Upper bounds do not matter here: who carries a command out knows them. Keys have
 * the order of the shape, so that equal values have equal bytes.
 */
export function codecFor<Value>(shape: Shape, named: NamedCodecs = {}): Codec<Value> {
  const { encode, decode } = anyCodec(shape, named)
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

/** The same as a codec of any value: what is in a record, a list or a map is not known by its type here. */
function anyCodec(shape: Shape, named: NamedCodecs): Codec<unknown> {
  const { encode, decode } = codecOfPart(shape, named)
  return { encode, decode }
}

function codecOfPart(shape: Shape, named: NamedCodecs): CodecOfSome<unknown> {
  const { $ref, const: fixed, anyOf, byName, items, properties, type, minimum } = shape
  if ($ref !== undefined) {
    const codec = named[$ref]
    assert(codec !== undefined, `${$ref} is the name of a codec`)
    return codec
  }
  if (fixed !== undefined) return oneOf(fixed)
  if (shape.enum !== undefined) return oneOf(...shape.enum)
  if (shape.oneOf !== undefined) return byKind(shape.title ?? 'record', shape.oneOf, named)
  if (anyOf?.[0] !== undefined) return nullable(anyCodec(anyOf[0], named))
  if (byName !== undefined) return mapOf(anyCodec(byName, named))
  if (items !== undefined && !isTupleOfShapes(items)) return listOf(anyCodec(items, named))
  if (properties !== undefined) return recordCodec(shape, named)
  if (type === 'integer') return minimum === undefined ? integer : integerFrom(minimum)
  if (type === 'boolean') return truth
  if (type === 'string') return text
  return type === 'object' ? plainObject : finite
}

function recordCodec(shape: Shape, named: NamedCodecs): CodecOfSome<object> {
  const fields = Object.entries(shape.properties ?? {}).map(([key, part]) => {
    const codec = anyCodec(part, named)
    return [key, isOptional(shape, key) ? absentOr(codec) : codec] as const
  })
  return recordOf<{ readonly [key: string]: unknown }>(Object.fromEntries(fields))
}

function byKind(title: string, parts: readonly Shape[], named: NamedCodecs): CodecOfSome<object> {
  const codecs = new Map<unknown, CodecOfSome<object>>()
  for (const part of parts) {
    const codec = recordCodec(part, named)
    for (const kind of possibleKinds(part)) {
      assert(!codecs.has(kind), `one ${title} is called ${kind}`)
      codecs.set(kind, codec)
    }
  }
  return choice<object>(({ kind }, path) => {
    const codec = codecs.get(kind)
    if (codec === undefined) throw new Undecodable(`${path}.kind`, `the name of a ${title}`)
    return codec
  })
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
