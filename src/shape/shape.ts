import { Type } from 'typebox'
import { type UnitName, units } from './units.ts'

/**
 * The part of JSON Schema that shapes use, as the functions of this room read it. A record's shape is a TypeBox schema,
 * in which numbers have ranges and units, and every key a description for people.
 */
export interface Shape {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array'
  readonly const?: string | number | boolean
  readonly enum?: readonly (string | number)[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Shape | readonly Shape[]
  /** The items of a pair, one by one. */
  readonly prefixItems?: readonly Shape[]
  readonly properties?: { readonly [key: string]: Shape }
  readonly required?: readonly string[]
  readonly additionalProperties?: false | Shape
  readonly propertyNames?: Shape
  readonly oneOf?: readonly Shape[]
  /** How a file writes the number; without it as it is. */
  readonly unit?: UnitName
  /** The key in a file, where it is another than that of the record. */
  readonly word?: string
  /** What the value is where a file says nothing. */
  readonly default?: string | number | boolean
}

/** The record that a schema describes. */
export type RecordOf<S extends Type.TSchema> = Frozen<Type.Static<S>>

type Frozen<Value> = Value extends readonly [infer First, infer Second]
  ? readonly [First, Second]
  : Value extends readonly (infer Item)[]
    ? readonly Frozen<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
      : Value

export const record = <Fields extends Type.TProperties>(
  fields: Fields,
  description?: string,
  title?: string,
) =>
  Type.Object(fields, {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  })

/** The field that says which of several records this is. */
export const kind = <const Name extends string>(name: Name) => Type.Literal(name)

export const words = <const Word extends string>(words: readonly [...Word[]], description: string) =>
  Type.Enum([...words], { description })

/** A list of items; `most` null: as many as a file can hold. */
export const list = <Item extends Type.TSchema>(
  item: Item,
  most: number | null,
  description?: string,
  least: 0 | 1 = 1,
) =>
  Type.Array(item, {
    ...(least === 0 ? {} : { minItems: least }),
    ...(most === null ? {} : { maxItems: most }),
    ...(description === undefined ? {} : { description }),
  })

/** Two values that belong together. */
export const pair = <First extends Type.TSchema, Second extends Type.TSchema>(
  first: First,
  second: Second,
  title: string,
) =>
  Object.assign(
    Type.Unsafe<readonly [Type.Static<First>, Type.Static<Second>]>({
      title,
      minItems: 2,
      maxItems: 2,
      prefixItems: [first, second],
    }),
    { type: 'array' } as const,
  )

/** A record that a greater one may lack, which a file says by the word `none`. */
export const orNone = <Part extends Type.TObject>(part: Part) => Type.Optional(part)

/** Rows of a recording, which are too many to be checked by a schema. */
export const rows = <Row>() => Object.assign(Type.Unsafe<readonly Row[]>({}), { type: 'array' } as const)

interface Usual<Value> {
  readonly default?: Value
  readonly word?: string
}

export const number = (least: number, most: number, description: string, usual: Usual<number> = {}) =>
  Type.Number({ minimum: least, maximum: most, description, ...usual })

export const integer = (least: number, most: number, description: string, usual: Usual<number> = {}) =>
  Type.Integer({ minimum: least, maximum: most, description, ...usual })

export const flag = (description: string, usual: Usual<boolean> = {}) =>
  Type.Boolean({ description, ...usual })

/** A time in milliseconds; the name of its key ends in `Millis`. */
export const span = (least: number, most: number, description: string, usual: Usual<number> = {}) =>
  Type.Number({ minimum: least, maximum: most, description, ...usual, unit: 'duration' })

export const wholeMinutes = (least: number, most: number, description: string, usual: Usual<number> = {}) =>
  Type.Integer({ minimum: least, maximum: most, description, ...usual, unit: 'minutes' })

/** The same, where other fields bound it: a rule does. */
export const boundlessSpan = (description: string, usual: Usual<number> = {}) =>
  Object.assign(Type.Unsafe<number>({ description, ...usual }), { unit: 'duration' } as const)

/** An amount above 0 that a file may write as text. */
export const amount = (least: number, most: number, description: string) =>
  Type.Number({ minimum: least, maximum: most, description, unit: 'amount' })

/** A price of one unit of an asset. */
export const price = (description: string) =>
  Type.Number({ minimum: 1e-10, maximum: 1e10, description, unit: 'price' })

/** The key of a file for the key of a record. */
export function keyInFile(key: string, { unit, word }: Shape): string {
  if (word !== undefined) return word
  const ending = unit === undefined ? '' : units[unit].ending
  return ending !== '' && key.endsWith(ending) ? key.slice(0, -ending.length) : key
}

/** Whether the record may lack the part. */
export const isOptional = ({ required = [] }: Shape, key: string): boolean => !required.includes(key)

export const isTupleOfShapes = (items: Shape['items']): items is readonly Shape[] => Array.isArray(items)
