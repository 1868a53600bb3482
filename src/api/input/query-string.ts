import type { Shape } from '../../shape/shape.ts'
import {
  type InputProblem,
  type InputResult,
  inputProblem,
  refuseField,
  unknownWordProblem,
} from '../input-problem.ts'
import { nearestWord } from '../nearest-word.ts'
import {
  orderBookQuery,
  orderBooksQuery,
  shallowBookQuery,
  shallowBooksQuery,
} from '../operations/market-data.ts'
import { listQuotesQuery, offsetQuotesQuery } from '../operations/quotes.ts'
import type { ReadingKey, Readings } from '../readings/readings.ts'
import type { ObjectShape } from '../wire-shapes.ts'
import { maximumSignificantDigits, significantDigits } from './json-scan.ts'

/** How strictly a query is read, where the specification leaves that open (see `readings.ts`). */
export interface QueryStrictness {
  readonly ignoresUnknown: boolean
  readonly clampsNumbers: boolean
}

/** The values of a query by parameter. */
export interface ParsedQuery {
  readonly values: Record<string, unknown>
  /** The parameters that were ignored. */
  readonly ignored: readonly IgnoredField[]
}

/** A field or parameter that was ignored because it is unknown, and the known one that was perhaps meant. */
export interface IgnoredField {
  readonly path: string
  readonly meant: string | null
}

/**
 * Reads a raw query, with or without its question mark, by the schema of its parameters: lists are split at commas,
 * integers are plain digits, numbers are as in JSON, defaults are filled in. The values are still to be validated.
 *
 * Errors, in order: bad percent encoding; a name that is unknown; one that is given twice; an integer or number in
 * another form; an empty list element. Choice: spec silent, we read `+` as a space, as forms and URLSearchParams
 * write it, and refuse a lone `&`.
 */
export function readQuery(
  raw: string,
  schema: ObjectShape,
  strictness: QueryStrictness,
): InputResult<ParsedQuery> {
  const text = raw.startsWith('?') ? raw.slice(1) : raw
  if (text === '') return { ok: true, value: { values: addDefaults(schema, {}), ignored: [] } }
  const values = new Map<string, unknown>()
  const ignored: IgnoredField[] = []
  for (const part of text.split('&')) {
    const equals = part.indexOf('=')
    const name = decodePart(equals === -1 ? part : part.slice(0, equals))
    const given = decodePart(equals === -1 ? '' : part.slice(equals + 1))
    if (name === null || given === null) return refuseField(name ?? 'query', 'is not percent-encoded UTF-8')
    const parameter = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    if (parameter === undefined) {
      if (strictness.ignoresUnknown) {
        ignored.push({ path: name, meant: nearestWord(name, Object.keys(schema.properties)) })
        continue
      }
      return { ok: false, problem: unknownParameterProblem(name, schema) }
    }
    if (values.has(name)) return refuseField(name, 'is given twice')
    const value = readValue(name, given, parameter, strictness)
    if (!value.ok) return value
    values.set(name, value.value)
  }
  return { ok: true, value: { values: addDefaults(schema, Object.fromEntries(values)), ignored } }
}

function addDefaults(schema: ObjectShape, values: Record<string, unknown>): Record<string, unknown> {
  const { properties } = schema
  for (const name of Object.keys(properties)) {
    const fallback = properties[name]?.default
    if (fallback !== undefined && !Object.hasOwn(values, name)) values[name] = fallback
  }
  return values
}

function readValue(
  name: string,
  text: string,
  schema: Shape,
  strictness: QueryStrictness,
): InputResult<unknown> {
  if (schema.type === 'array') {
    const items = text.split(',')
    return items.includes('') ? refuseField(name, 'has an empty element') : { ok: true, value: items }
  }
  if (schema.type !== 'integer' && schema.type !== 'number') return { ok: true, value: text }
  return schema.type === 'integer'
    ? readInteger(name, text, schema, strictness)
    : readNumber(name, text, schema, strictness)
}

function readInteger(
  name: string,
  text: string,
  schema: Shape,
  strictness: QueryStrictness,
): InputResult<number> {
  if (!plainInteger.test(text)) return refuseField(name, 'must be a whole number in plain digits')
  if (strictness.clampsNumbers) return { ok: true, value: clamp(Number(text), schema) }
  return text.length <= maximumSignificantDigits
    ? { ok: true, value: Number(text) }
    : refuseField(name, 'is too large')
}

function readNumber(
  name: string,
  text: string,
  schema: Shape,
  strictness: QueryStrictness,
): InputResult<number> {
  const number = jsonNumber.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(number)) return refuseField(name, 'must be a number')
  if (significantDigits(text) > maximumSignificantDigits)
    return refuseField(name, `has more than ${maximumSignificantDigits} significant digits`)
  return { ok: true, value: strictness.clampsNumbers ? clamp(number, schema) : number }
}

const plainInteger = /^(0|[1-9][0-9]{0,31})$/
const jsonNumber = /^-?(0|[1-9][0-9]{0,31})(\.[0-9]{1,31})?([eE][+-]?[0-9]{1,31})?$/

function clamp(value: number, schema: Shape): number {
  return Math.max(schema.minimum ?? 0, Math.min(schema.maximum ?? Number.MAX_SAFE_INTEGER, value))
}

export function decodePart(text: string): string | null {
  if (!text.includes('%')) return text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

function unknownParameterProblem(name: string, schema: ObjectShape): InputProblem {
  if (name === '') return inputProblem('query', 'has a parameter without a name (a stray & or =)')
  return unknownWordProblem(name, 'is not a known query parameter', name, Object.keys(schema.properties))
}

/**
 * Returns the parameters that a query may have under the readings. The row of an operation has those that it may have
 * under any readings.
 */
export function queryUnder(query: ObjectShape, readings: Readings): ObjectShape {
  const narrower = narrowerQueries.find(({ wide }) => wide === query)
  return narrower === undefined || readings[narrower.reading] !== narrower.value ? query : narrower.query
}

interface NarrowerQuery {
  readonly wide: ObjectShape
  readonly reading: ReadingKey
  readonly value: string
  readonly query: ObjectShape
}

/** The queries that some reading narrows. */
export const narrowerQueries: readonly NarrowerQuery[] = [
  { wide: orderBookQuery, reading: 'depth.maximum', value: '50', query: shallowBookQuery },
  { wide: orderBooksQuery, reading: 'depth.maximum', value: '50', query: shallowBooksQuery },
  { wide: listQuotesQuery, reading: 'quotes.query', value: 'offset', query: offsetQuotesQuery },
]
