import type { SchemaError } from '../../shape/compiled-schemas.ts'
import type { Shape } from '../../shape/shape.ts'
import { type InputProblem, inputProblem, unknownWordProblem } from '../input-problem.ts'
import { itemShape } from '../wire-shapes.ts'

/** Returns the problem of a value that breaks its schema: the field, as the caller wrote its place, and the reason. */
export function describeSchemaError(schema: Shape, error: SchemaError): InputProblem {
  const path = fieldAtPointer(error.instancePath)
  const { missingProperty, additionalProperty } = error.params
  if (missingProperty !== undefined) return inputProblem(joinPath(path, missingProperty), 'is required')
  if (additionalProperty !== undefined) {
    const names = Object.keys(schemaAt(schema, error.schemaPath).properties ?? {})
    const field = joinPath(path, additionalProperty)
    return unknownWordProblem(field, 'is not a known field', String(additionalProperty), names)
  }
  if (error.keyword === 'minProperties') return nothingGivenProblem(path, schemaAt(schema, error.schemaPath))
  return inputProblem(path === '' ? 'body' : path, describeReason(error))
}

/** Makes the problem of a body without any field, where each field may be left out but not all. */
function nothingGivenProblem(path: string, { properties = {} }: Shape): InputProblem {
  const [first = 'body', second = '', ...more] = Object.keys(properties)
  const others = more.length === 0 ? second : 'another field'
  return inputProblem(joinPath(path, first), `or ${others} must be given`)
}

function describeReason(error: SchemaError): string {
  const { limit, type, allowedValues, allowedValue } = error.params
  switch (error.keyword) {
    case 'type':
      return `must be ${listTypeNames(type)}`
    case 'enum':
      return `must be one of ${listWords(allowedValues)}`
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
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} ${countedNoun(error.keyword)}`
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return `must have at most ${limit} ${countedNoun(error.keyword)}`
    case 'pattern':
      return 'must not contain control characters'
    default:
      return 'is not valid'
  }
}

function countedNoun(keyword: string): string {
  return keyword.endsWith('Length') ? 'characters' : keyword.endsWith('Items') ? 'items' : 'keys'
}

/** Lists the names of types. Null is left out: it means that the field is left out. */
function listTypeNames(type: unknown): string {
  const names = String(type).split(',')
  const others = names.filter((name) => name !== 'null')
  return others.map((name) => (/^[aio]/.test(name) ? `an ${name}` : `a ${name}`)).join(' or ')
}

function listWords(values: unknown): string {
  return Array.isArray(values) ? values.filter((value) => value !== null).join(', ') : String(values)
}

/** Finds the schema whose keyword a path such as `#/properties/orders/items/required` names. */
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

/**
 * Converts a JSON pointer to a field: `/orders/3/price` is `orders[3].price`. No name in a schema has a `~` or `/`,
 * so nothing needs unescaping.
 */
function fieldAtPointer(pointer: string): string {
  let field = ''
  for (const part of pointer.split('/').slice(1))
    field = /^[0-9]+$/.test(part) ? `${field}[${part}]` : joinPath(field, part)
  return field
}

function joinPath(path: string, name: unknown): string {
  return path === '' ? String(name) : `${path}.${name}`
}
