/*
 * The part of JSON Schema (draft 7) that the scenario's schema uses and `validate.ts` understands. Two habits make
 * the messages good: `title` is the noun after "expected", and a choice between objects is made by their `kind`.
 */
export interface Schema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: TypeName | readonly TypeName[]
  readonly const?: string | number | boolean
  readonly enum?: readonly (string | number)[]
  /** A word that people expect and that is refused; the text follows the word in the message. */
  readonly 'x-refused'?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly properties?: { readonly [name: string]: Schema }
  readonly required?: readonly string[]
  readonly additionalProperties?: false | Schema
  /** Matched against the keys that `additionalProperties` describes. */
  readonly propertyNames?: Schema
  readonly minProperties?: number
  readonly maxProperties?: number
  /** One schema for all items, or one for each position. */
  readonly items?: Schema | readonly Schema[]
  readonly minItems?: number
  readonly maxItems?: number
  readonly oneOf?: readonly Schema[]
  /** Choices between keys: exactly one key of each must be there. */
  readonly allOf?: readonly Schema[]
  readonly not?: { readonly required: readonly string[] }
  readonly default?: string | number | boolean
  readonly examples?: readonly (string | number | boolean)[]
}

export type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null'

export interface RootSchema extends Schema {
  readonly $schema: string
  readonly definitions: { readonly [name: string]: Schema }
}

/** What a type is called in messages and in the reference. */
export const typeNouns: { readonly [name in TypeName]: string } = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'a mapping',
  array: 'a list',
  null: 'nothing',
}

/** Whether `items` gives each item of a list a schema of its own. */
export function isTuple(items: Schema['items']): items is readonly Schema[] {
  return Array.isArray(items)
}
