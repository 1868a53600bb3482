import { parseDecimal } from '../../numeric/decimal.ts'
import { flawed, type Read, read } from '../flaw.ts'
import type { Readings } from '../readings/readings.ts'
import type { Infer, Schema } from '../schemas/infer.ts'
import { type ItemFlaws, readJson, readJsonItems } from './json-scan.ts'
import { validate } from './validator.ts'

/** A body's text as its schema's type. Errors, in order: empty, not strict JSON, not matching the schema. */
export function readBody<const S extends Schema>(
  schema: S,
  text: string,
  isOptional: boolean,
  readings: Readings,
): Read<Infer<S>> {
  if (text === '') return isOptional ? readValue(schema, {}, readings) : flawed('body', 'is required')
  const json = readJson(text)
  return json.ok ? readValue(schema, json.value, readings) : json
}

/** The same of a body whose items fail one by one: what is wrong inside of an item is its own. */
export function readBodyOfItems<const S extends Schema>(
  schema: S,
  text: string,
  readings: Readings,
): Read<{ readonly body: Infer<S>; readonly flaws: ItemFlaws }> {
  if (text === '') return flawed('body', 'is required')
  const items = readJsonItems(text, listIn(schema))
  if (!items.ok) return items
  const body = readValue(schema, items.value.json, readings)
  return body.ok ? read({ body: body.value, flaws: items.value.flaws }) : body
}

/** The field that holds a body's items; '' where the body itself is the list. */
function listIn({ properties = {} }: Schema): string {
  return Object.keys(properties).find((name) => properties[name]?.type === 'array') ?? ''
}

/** A JSON value as its schema's type, as leniently as the readings say. */
export function readValue<const S extends Schema>(
  schema: S,
  value: unknown,
  readings: Readings,
): Read<Infer<S>> {
  const leniency = {
    ignoresUnknown: readings['body.unknown'] === 'ignore',
    coerces: readings['body.coerce'] === 'coerce',
  }
  const isLenient = leniency.ignoresUnknown || leniency.coerces
  return validate(schema, isLenient ? softened(schema, value, leniency) : value)
}

interface Leniency {
  readonly ignoresUnknown: boolean
  readonly coerces: boolean
}

/** The value without unknown fields, and with numbers for strings of digits where numbers belong. */
function softened(schema: Schema, value: unknown, leniency: Leniency): unknown {
  if (typeof value === 'string') return leniency.coerces && takesNumber(schema) ? numberOf(value) : value
  const { items, properties } = schema
  if (Array.isArray(value))
    return items === undefined ? value : value.map((item) => softened(items, item, leniency))
  if (typeof value !== 'object' || value === null || properties === undefined) return value
  const entries = Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known !== undefined) return [[name, softened(known, field, leniency)]]
    return leniency.ignoresUnknown ? [] : [[name, field]]
  })
  return Object.fromEntries(entries)
}

function takesNumber(schema: Schema): boolean {
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  return !types.includes('string') && (types.includes('number') || types.includes('integer'))
}

function numberOf(text: string): unknown {
  return parseDecimal(text) === null ? text : Number(text)
}
