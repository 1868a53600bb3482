import type { Shape } from '../../shape/shape.ts'
import { type Flaw, flawed, nearestWord, type Read, unknownWordFlaw } from '../flaw.ts'
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

/** How leniently an operation's query is read, where the specification leaves that open (see `readings.ts`). */
export interface QueryLeniency {
  readonly ignoresUnknown: boolean
  readonly clampsNumbers: boolean
}

export interface QueryRead {
  readonly values: Record<string, unknown>
  /** What was left out, and what was perhaps meant. */
  readonly ignored: readonly Ignored[]
}

/** A field or parameter that was ignored because it is not known, and the one that was perhaps meant. */
export interface Ignored {
  readonly path: string
  readonly meant: string | null
}

/**
 * Reads a raw query, with or without its question mark, by the schema of its parameters: lists are split at commas,
 * integers are plain digits, numbers are as in JSON, defaults are filled in. What comes out is still to be validated.
 *
 * Errors, in order: bad percent encoding; a name that is unknown; one that is given twice; an integer or number in
 * another form; an empty list element.
 * Choice: spec silent, we read `+` as a space, as forms and URLSearchParams write it, and refuse a lone `&`.
 */
export function readQuery(raw: string, schema: ObjectShape, leniency: QueryLeniency): Read<QueryRead> {
  const text = raw.startsWith('?') ? raw.slice(1) : raw
  if (text === '') return { ok: true, value: { values: withDefaults(schema, {}), ignored: [] } }
  const values = new Map<string, unknown>()
  const ignored: Ignored[] = []
  for (const part of text.split('&')) {
    const equals = part.indexOf('=')
    const name = decoded(equals === -1 ? part : part.slice(0, equals))
    const given = decoded(equals === -1 ? '' : part.slice(equals + 1))
    if (name === null || given === null) return flawed(name ?? 'query', 'is not percent-encoded UTF-8')
    const parameter = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    if (parameter === undefined) {
      if (leniency.ignoresUnknown) {
        ignored.push({ path: name, meant: nearestWord(name, Object.keys(schema.properties)) })
        continue
      }
      return { ok: false, flaw: unknownParameter(name, schema) }
    }
    if (values.has(name)) return flawed(name, 'is given twice')
    const value = readValue(name, given, parameter, leniency)
    if (!value.ok) return value
    values.set(name, value.value)
  }
  return { ok: true, value: { values: withDefaults(schema, Object.fromEntries(values)), ignored } }
}

function withDefaults(schema: ObjectShape, values: Record<string, unknown>): Record<string, unknown> {
  const { properties } = schema
  for (const name of Object.keys(properties)) {
    const fallback = properties[name]?.default
    if (fallback !== undefined && !Object.hasOwn(values, name)) values[name] = fallback
  }
  return values
}

function readValue(name: string, text: string, schema: Shape, leniency: QueryLeniency): Read<unknown> {
  if (schema.type === 'array') {
    const items = text.split(',')
    return items.includes('') ? flawed(name, 'has an empty element') : { ok: true, value: items }
  }
  if (schema.type !== 'integer' && schema.type !== 'number') return { ok: true, value: text }
  return schema.type === 'integer'
    ? readInteger(name, text, schema, leniency)
    : readNumber(name, text, schema, leniency)
}

function readInteger(name: string, text: string, schema: Shape, leniency: QueryLeniency): Read<number> {
  if (!plainInteger.test(text)) return flawed(name, 'must be a whole number in plain digits')
  if (leniency.clampsNumbers) return { ok: true, value: clamped(Number(text), schema) }
  return text.length <= maximumSignificantDigits
    ? { ok: true, value: Number(text) }
    : flawed(name, 'is too large')
}

function readNumber(name: string, text: string, schema: Shape, leniency: QueryLeniency): Read<number> {
  const number = jsonNumber.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(number)) return flawed(name, 'must be a number')
  if (significantDigits(text) > maximumSignificantDigits)
    return flawed(name, `has more than ${maximumSignificantDigits} significant digits`)
  return { ok: true, value: leniency.clampsNumbers ? clamped(number, schema) : number }
}

const plainInteger = /^(0|[1-9][0-9]{0,31})$/
const jsonNumber = /^-?(0|[1-9][0-9]{0,31})(\.[0-9]{1,31})?([eE][+-]?[0-9]{1,31})?$/

function clamped(value: number, schema: Shape): number {
  return Math.max(schema.minimum ?? 0, Math.min(schema.maximum ?? Number.MAX_SAFE_INTEGER, value))
}

function decoded(text: string): string | null {
  if (!text.includes('%')) return text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

function unknownParameter(name: string, schema: ObjectShape): Flaw {
  if (name === '') return { field: 'query', reason: 'has a parameter without a name (a stray & or =)' }
  return unknownWordFlaw(name, 'is not a known query parameter', name, Object.keys(schema.properties))
}

/** What an operation's query may have under these readings; a route has what it may have under any. */
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

export const narrowerQueries: readonly NarrowerQuery[] = [
  { wide: orderBookQuery, reading: 'depth.maximum', value: '50', query: shallowBookQuery },
  { wide: orderBooksQuery, reading: 'depth.maximum', value: '50', query: shallowBooksQuery },
  { wide: listQuotesQuery, reading: 'quotes.query', value: 'offset', query: offsetQuotesQuery },
]
