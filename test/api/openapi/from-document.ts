import fc from 'fast-check'
import { isObject } from '../../../src/api/json.ts'

/**
 * Values that a schema of the document allows, whatever the venue thinks of them. Some are those that a client would
 * send, so that more than refusals is seen.
 */
export function fromDocument(document: unknown, schema: unknown, name = ''): fc.Arbitrary<unknown> {
  const { $ref, anyOf, type, enum: words, ...rest } = isObject(schema) ? schema : {}
  if (typeof $ref === 'string') return fromDocument(document, resolveReference(document, $ref), name)
  if (Array.isArray(words)) return fc.constantFrom<unknown>(...words)
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((member) => fromDocument(document, member, name)))
  if (Array.isArray(type))
    return fc.oneof(...type.map((each: unknown) => fromDocument(document, { ...rest, type: each }, name)))
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return numbers(rest, type, name)
    case 'string':
      return texts(rest, name)
    case 'array':
      return fc.array(fromDocument(document, rest['items'], name), {
        minLength: numberIn(rest, 'minItems', 0),
        maxLength: Math.min(numberIn(rest, 'maxItems', 5), 5),
      })
    case 'object':
      return objects(document, rest)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

interface Keywords {
  readonly [keyword: string]: unknown
}

function numbers(keywords: Keywords, type: string, name: string): fc.Arbitrary<number> {
  const minimum = numberIn(keywords, 'minimum', -1e15)
  const exclusive = numberIn(keywords, 'exclusiveMinimum', Number.NaN)
  const maximum = numberIn(keywords, 'maximum', 1e15)
  const isAllowed = (value: number) =>
    value >= minimum &&
    value <= maximum &&
    !(value <= exclusive) &&
    (type === 'number' || Number.isInteger(value))
  const usual = likelyNumbers(name).filter(isAllowed)
  const any =
    type === 'integer'
      ? fc.integer({ min: Math.max(minimum, -(2 ** 52)), max: Math.min(maximum, 2 ** 52) })
      : fc.double({ min: minimum, max: maximum, noNaN: true }).filter(isAllowed)
  return usual.length === 0 ? any : fc.oneof(any, fc.constantFrom(...usual))
}

/** Prices and quantities of the pair BTC-USD. */
function likelyNumbers(name: string): readonly number[] {
  if (/price/i.test(name)) return /ask/i.test(name) ? [60_000, 61_000] : [40_000, 41_000]
  return /size|quantity/i.test(name) ? [0.001, 0.002] : []
}

function texts(keywords: Keywords, name: string): fc.Arbitrary<string> {
  const minLength = numberIn(keywords, 'minLength', 0)
  const maxLength = numberIn(keywords, 'maxLength', 100)
  const { pattern } = keywords
  const any =
    typeof pattern === 'string'
      ? fc.stringMatching(new RegExp(pattern)).filter((text) => {
          const length = [...text].length
          return length >= minLength && length <= maxLength
        })
      : fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 20) })
  const usual = likelyTexts.get(name)
  return usual === undefined ? any : fc.oneof(any, fc.constantFrom(...usual))
}

const likelyTexts: ReadonlyMap<string, readonly string[]> = new Map([
  ['asset', ['BTC', 'ETH']],
  ['assets', ['BTC', 'ETH,BTC']],
  ['orderId', ['ord_1', 'ord_2', 'ord_3']],
  ['clientOrderId', ['my-order-1']],
  ['quoteId', ['qt_1', 'qt_2']],
])

function objects(document: unknown, keywords: Keywords): fc.Arbitrary<unknown> {
  const { properties, required, additionalProperties } = keywords
  const most = numberIn(keywords, 'maxProperties', 5)
  if (!isObject(properties)) {
    const values =
      additionalProperties === true
        ? fc.jsonValue({ maxDepth: 2 })
        : fromDocument(document, additionalProperties)
    return fc.dictionary(fc.string(), values, { maxKeys: Math.min(most, 5), noNullPrototype: true })
  }
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, fromDocument(document, field, name)] as const,
  )
  const requiredKeys = Array.isArray(required) ? required.map(String) : []
  const least = numberIn(keywords, 'minProperties', 0)
  return fc
    .record<{ [name: string]: unknown }>(Object.fromEntries(fields), { requiredKeys, noNullPrototype: true })
    .filter((value) => Object.keys(value).length >= least)
}

function numberIn(keywords: Keywords, keyword: string, otherwise: number): number {
  const value = keywords[keyword]
  return typeof value === 'number' ? value : otherwise
}

function resolveReference(document: unknown, reference: string): unknown {
  let found = document
  for (const name of reference.split('/').slice(1)) found = isObject(found) ? found[name] : undefined
  return found
}
