import { type SchemaError, validatorOf } from '../../shape/compiled-schemas.ts'
import type { RecordOf, Shape } from '../../shape/shape.ts'
import { itemShape } from '../../shape/wire-shapes.ts'
import { type Flaw, type Read, read } from '../flaw.ts'
import { nearestWord } from '../nearest-word.ts'

/** The value as the schema's type, or the first thing that is wrong with it. */
export function validate<const S extends Shape>(schema: S, value: unknown): Read<RecordOf<S>> {
  if (conforms(schema, value)) return read(value)
  const error = validatorOf(schema).errors?.[0]
  return {
    ok: false,
    flaw: error === undefined ? { field: 'body', reason: 'is not valid' } : flawOf(schema, error),
  }
}

function conforms<const S extends Shape>(schema: S, value: unknown): value is RecordOf<S> {
  return validatorOf(schema)(value)
}

function flawOf(schema: Shape, error: SchemaError): Flaw {
  const path = fieldAtPointer(error.instancePath)
  const { missingProperty, additionalProperty } = error.params
  if (missingProperty !== undefined) return { field: join(path, missingProperty), reason: 'is required' }
  if (additionalProperty !== undefined) {
    const flaw = { field: join(path, additionalProperty), reason: 'is not a known field' }
    const names = Object.keys(schemaAt(schema, error.schemaPath).properties ?? {})
    const meant = nearestWord(String(additionalProperty), names)
    const hint = meant === null ? `the fields are ${names.join(', ')}` : `did you mean ${meant}?`
    return names.length === 0 ? flaw : { ...flaw, hint }
  }
  if (error.keyword === 'minProperties') return nothingGiven(path, schemaAt(schema, error.schemaPath))
  return { field: path === '' ? 'body' : path, reason: reasonOf(error) }
}

/** A body in which every field may be left out, but not all of them. */
function nothingGiven(path: string, { properties = {} }: Shape): Flaw {
  const [first = 'body', second = '', ...more] = Object.keys(properties)
  const others = more.length === 0 ? second : 'another field'
  return { field: join(path, first), reason: `or ${others} must be given` }
}

function reasonOf(error: SchemaError): string {
  const { limit, type, allowedValues, allowedValue } = error.params
  switch (error.keyword) {
    case 'type':
      return `must be ${namesOf(type)}`
    case 'enum':
      return `must be one of ${listed(allowedValues)}`
    case 'const':
      return `must be ${allowedValue}`
    case 'minimum':
      return limit === 0 ? 'must not be negative' : `must be at least ${limit}`
    case 'exclusiveMinimum':
      return `must be greater than ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'minLength':
    case 'minItems':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} ${countedBy(error.keyword)}`
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return `must have at most ${limit} ${countedBy(error.keyword)}`
    case 'pattern':
      return 'must not contain control characters'
    default:
      return 'is not valid'
  }
}

function countedBy(keyword: string): string {
  return keyword.endsWith('Length') ? 'characters' : keyword.endsWith('Items') ? 'items' : 'keys'
}

const nouns: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['integer', 'an integer'],
  ['boolean', 'a boolean'],
  ['object', 'an object'],
  ['array', 'an array'],
])

/** Messages do not name null among the types: it means the same as leaving the field out. */
function namesOf(type: unknown): string {
  const names = String(type).split(',')
  return names.flatMap((name) => nouns.get(name) ?? []).join(' or ')
}

function listed(values: unknown): string {
  return Array.isArray(values) ? values.filter((value) => value !== null).join(', ') : String(values)
}

/** The schema whose keyword a path such as `#/properties/orders/items/required` names. */
function schemaAt(schema: Shape, path: string): Shape {
  let found: Shape | undefined = schema
  const parts = path.split('/').slice(1, -1)
  for (let at = 0; at < parts.length; at += 1) {
    const name = parts[at] ?? ''
    const next = parts[at + 1] ?? ''
    if (name === 'properties') found = found?.properties?.[next]
    else if (name === 'anyOf') found = found?.anyOf?.[Number(next)]
    else {
      found = name === 'items' && found !== undefined ? itemShape(found) : undefined
      continue
    }
    at += 1
  }
  return found ?? {}
}

/** `/orders/3/price` as `orders[3].price`. No name in a schema has a `~` or `/`, so nothing needs unescaping. */
function fieldAtPointer(pointer: string): string {
  let field = ''
  for (const part of pointer.split('/').slice(1))
    field = /^[0-9]+$/.test(part) ? `${field}[${part}]` : join(field, part)
  return field
}

function join(path: string, name: unknown): string {
  return path === '' ? String(name) : `${path}.${name}`
}
