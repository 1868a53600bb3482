import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { type Flaw, type Read, read } from './flaw.ts'
import type { Infer, Schema } from './infer.ts'
import { nearestWord } from './nearest-word.ts'

/**
 * The value as the schema's type, or the first thing that is wrong with it.
 *
 * A schema is compiled when it is first needed: all of them at start would cost 70 ms. To generate validators at
 * build time instead, replace `validatorOf`: nothing else knows the library.
 */
export function validate<const S extends Schema>(schema: S, value: unknown): Read<Infer<S>> {
  if (conforms(schema, value)) return read(value)
  const error = validatorOf(schema).errors?.[0]
  return { ok: false, flaw: error === undefined ? { field: 'body', reason: 'is not valid' } : flawOf(error) }
}

function conforms<const S extends Schema>(schema: S, value: unknown): value is Infer<S> {
  return validatorOf(schema)(value)
}

const validators = new WeakMap<Schema, ValidateFunction>()
let library: Ajv2020 | null = null

function validatorOf(schema: Schema): ValidateFunction {
  const known = validators.get(schema)
  if (known !== undefined) return known
  // One error is enough, and finding all can be made to take long. Own properties alone, or a required `toString`
  // would be there on every object. Formats are notes for readers here, so none is checked.
  library ??= new Ajv2020({
    strict: true,
    strictTypes: false,
    allErrors: false,
    ownProperties: true,
    validateFormats: false,
    verbose: true,
  })
  const made = library.compile(schema)
  validators.set(schema, made)
  return made
}

function flawOf(error: ErrorObject): Flaw {
  const path = fieldOf(error.instancePath)
  const { missingProperty, additionalProperty } = error.params
  if (missingProperty !== undefined) return { field: join(path, missingProperty), reason: 'is required' }
  if (additionalProperty !== undefined) {
    const flaw = { field: join(path, additionalProperty), reason: 'is not a known field' }
    const { properties = {} } = error.parentSchema ?? {}
    const meant = nearestWord(String(additionalProperty), Object.keys(properties))
    return meant === null ? flaw : { ...flaw, hint: `did you mean ${meant}?` }
  }
  return { field: path === '' ? 'body' : path, reason: reasonOf(error) }
}

function reasonOf(error: ErrorObject): string {
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

/** Null is said to be allowed nowhere: it is the same as leaving the field out. */
function namesOf(type: unknown): string {
  const names = String(type).split(',')
  return names.flatMap((name) => nouns.get(name) ?? []).join(' or ')
}

function listed(values: unknown): string {
  return Array.isArray(values) ? values.filter((value) => value !== null).join(', ') : String(values)
}

/** `/orders/3/price` as `orders[3].price`; no name in a schema has a `~` or `/`, so nothing is to be unescaped. */
function fieldOf(pointer: string): string {
  let field = ''
  for (const part of pointer.split('/').slice(1))
    field = /^[0-9]+$/.test(part) ? `${field}[${part}]` : join(field, part)
  return field
}

function join(path: string, name: unknown): string {
  return path === '' ? String(name) : `${path}.${name}`
}
