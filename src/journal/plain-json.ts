/*
 * Encodes data that JSON cannot express: bytes, typed arrays, maps, bigints, infinite numbers and NaN. Such a value
 * becomes an object with one key that begins with a dollar sign; a key of the data itself that begins with one gets a
 * second one.
 */

/**
 * Converts data to plain JSON, from which `fromJson` restores it. Objects keep the order of their keys, so equal data
 * have equal text. Undefined values are left out.
 */
export function toJson(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return { $number: String(value) }
  if (typeof value === 'bigint') return { $bigint: String(value) }
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) return { $bytes: toBase64(value) }
  if (value instanceof Float64Array) return { $doubles: toBase64(toBytes(value)) }
  if (value instanceof Int32Array) return { $integers: toBase64(toBytes(value)) }
  if (value instanceof Map)
    return { $map: [...value].map(([key, item]: readonly [unknown, unknown]) => [toJson(key), toJson(item)]) }
  if (Array.isArray(value)) return value.map(toJson)
  const entries: (readonly [string, unknown])[] = []
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) entries.push([key.startsWith('$') ? `$${key}` : key, toJson(item)])
  }
  return Object.fromEntries(entries)
}

/** Restores the data that `toJson` was given. Throws a `NotPlain` for JSON that it cannot have written. */
export function fromJson(json: unknown): unknown {
  return read(json, 0)
}

/** The greatest depth of nesting, which is far more than any of our data has. */
const deepest = 100

function read(json: unknown, depth: number): unknown {
  if (typeof json !== 'object' || json === null) return json
  if (depth === deepest) throw new NotPlain(`it is nested deeper than ${deepest} levels`)
  const within = (item: unknown): unknown => read(item, depth + 1)
  if (Array.isArray(json)) return json.map(within)
  const entries = Object.entries(json)
  const [first] = entries
  if (entries.length === 1 && first !== undefined && /^\$[^$]/.test(first[0]))
    return readSpecial(...first, within)
  return Object.fromEntries(
    entries.map(([key, item]) => [key.startsWith('$$') ? key.slice(1) : key, within(item)]),
  )
}

/** The error for JSON that `toJson` cannot have written. */
export class NotPlain extends Error {
  override readonly name = 'NotPlain'
}

function readSpecial(name: string, value: unknown, within: (item: unknown) => unknown): unknown {
  switch (name) {
    case '$bytes':
      return readBytes(value, 1)
    case '$doubles':
      return new Float64Array(readBytes(value, 8).buffer)
    case '$integers':
      return new Int32Array(readBytes(value, 4).buffer)
    case '$map': {
      if (!Array.isArray(value)) throw new NotPlain('$map must be a list of pairs')
      return new Map(
        value.map((pair: unknown): readonly [unknown, unknown] => {
          if (!Array.isArray(pair) || pair.length !== 2) throw new NotPlain('$map must be a list of pairs')
          return [within(pair[0]), within(pair[1])]
        }),
      )
    }
    case '$bigint':
      if (typeof value !== 'string' || !/^-?[0-9]{1,1000}$/.test(value))
        throw new NotPlain('$bigint must be digits')
      return BigInt(value)
    case '$number':
      if (value === 'Infinity') return Number.POSITIVE_INFINITY
      if (value === '-Infinity') return Number.NEGATIVE_INFINITY
      if (value === 'NaN') return Number.NaN
      throw new NotPlain('$number must be Infinity, -Infinity or NaN')
    default:
      throw new NotPlain(`${name} is not a kind of value`)
  }
}

function toBytes(values: Float64Array | Int32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/**
 * Decodes base64 into a buffer of its own, so that any typed array over it is aligned. `width` is the bytes of an
 * element.
 */
function readBytes(value: unknown, width: number): Uint8Array<ArrayBuffer> {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(value))
    throw new NotPlain('bytes must be base64')
  const read = Buffer.from(value, 'base64')
  if (read.length % width !== 0) throw new NotPlain('bytes are cut off')
  return Uint8Array.from(read)
}
