import { Type } from 'typebox'
import { leastPriceUsd, mostPriceUsd } from './field-problem.ts'
import { type UnitName, units } from './units.ts'

/**
 * The part of JSON Schema that shapes use, as the functions of this room read it. A record's shape is a TypeBox schema,
 * in which numbers have ranges and units, and every key a description for people.
 */
export interface Shape {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: TypeName | readonly TypeName[]
  readonly const?: string | number | boolean
  readonly enum?: readonly (string | number | boolean | null)[]
  readonly format?: 'date-time' | 'date-or-time' | 'percent'
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Shape | readonly Shape[]
  /** The items of a pair, one by one. */
  readonly prefixItems?: readonly Shape[]
  readonly properties?: { readonly [key: string]: Shape }
  readonly required?: readonly string[] | undefined
  readonly additionalProperties?: boolean | Shape
  /** Matched against the keys that `additionalProperties` describes. */
  readonly propertyNames?: Shape
  readonly minProperties?: number
  readonly maxProperties?: number
  /** Records that their field `kind` tells apart; the title says what they are. */
  readonly oneOf?: readonly Shape[]
  readonly anyOf?: readonly Shape[]
  /** Choices between keys: exactly one key of each must be there. */
  readonly allOf?: readonly Shape[]
  readonly not?: { readonly required: readonly string[] }
  /** What a map has for each name. No object: one would reorder names that look like numbers. */
  readonly byName?: Shape
  /** How a file writes the number; without it as it is. */
  readonly unit?: UnitName
  /** The key in a file, where it is another than that of the record. */
  readonly word?: string
  /** What the value is where a file says nothing. */
  readonly default?: string | number | boolean
  readonly examples?: readonly (string | number | boolean)[]
  /** A word that people expect and that a file must not have; the text follows the word in the message. */
  readonly 'x-refused'?: string
  /** What a scenario's reader makes of the words (`scenario/actions/parts.ts`); without it they are what they say. */
  readonly readAs?: string
}

export type Typed<Value> = Type.TUnsafe<Value>

export type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null'

/** The record that a schema describes. A type that was stated as such stays as it is. */
export type RecordOf<S extends Type.TSchema> =
  S extends Type.TUnsafe<infer Value>
    ? Value
    : S extends Type.TArray<infer Item>
      ? readonly RecordOf<Item>[]
      : S extends Type.TObject<infer Fields>
        ? FieldsOf<Fields>
        : AsReadonly<Type.Static<S>>

type OptionalKeys<Fields> = {
  [Key in keyof Fields]: Fields[Key] extends { '~optional': true } ? Key : never
}[keyof Fields]

type FieldsOf<Fields extends Type.TProperties> =
  OptionalKeys<Fields> extends never
    ? { readonly [Key in keyof Fields]: RecordOf<Fields[Key]> }
    : {
        readonly [Key in keyof Fields as Exclude<Key, OptionalKeys<Fields>>]: RecordOf<Fields[Key]>
      } & {
        readonly [Key in keyof Fields as Extract<Key, OptionalKeys<Fields>>]?: RecordOf<Fields[Key]>
      }

type AsReadonly<Value> = Value extends readonly unknown[] ? Readonly<Value> : Value

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
export const kind = <const Name extends string>(name: Name) =>
  Type.Literal(name, { description: 'Which of the kinds; the other keys depend on it.' })

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

/** What a record may lack, which a file says by the word `none`. */
export const orNone = <Part extends Type.TSchema>(part: Part) => Type.Optional(part)

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

/** An amount above 0 that a file may write as text. */
export const amount = (least: number, most: number, description: string) =>
  Type.Number({ minimum: least, maximum: most, description, unit: 'amount' })

/** A value whose type says more than its schema: a branded number, a map, one of several records. */
export const typed = <Value>(shape: Shape) => Object.assign(Type.Unsafe<Value>({}), shape)

export const text = () => Type.String()

export const truth = () => Type.Boolean()

export const anyNumber = () => Type.Number()

export const anyList = <Item extends Type.TSchema>(item: Item) => Type.Array(item)

/** Of a unit, such as `natural<Millis>()`; without one any whole number from 0. */
export const natural = <Unit extends number = number>() => wholeNumber<Unit>(0)

export const wholeNumber = <Unit extends number = number>(least?: number) =>
  typed<Unit>({ type: 'integer', ...(least === undefined ? {} : { minimum: least }) })

export const oneOfWords = <const Word extends string | number>(...words: readonly Word[]) =>
  typed<Word>({ enum: words })

export const nullable = <Part extends Type.TSchema & Shape>(part: Part) =>
  typed<Type.Static<Part> | null>({ anyOf: [part, { type: 'null' }] })

export const mapByName = <Part extends Type.TSchema & Shape>(part: Part) =>
  typed<ReadonlyMap<string, Type.Static<Part>>>({ byName: part })

/** A price of one unit of an asset. */
export const price = (description: string) =>
  Type.Number({ minimum: leastPriceUsd, maximum: mostPriceUsd, description, unit: 'price' })

/** What the field `kind` of a record can be: one word, or each of several that have the same fields. */
export function possibleKinds({ properties }: Shape): readonly unknown[] {
  const { const: only, enum: words = [only] } = properties?.['kind'] ?? {}
  return words
}

export function keyInFile(key: string, { unit, word }: Shape): string {
  if (word !== undefined) return word
  const ending = unit === undefined ? '' : units[unit].ending
  return ending !== '' && key.endsWith(ending) ? key.slice(0, -ending.length) : key
}

export const isOptional = ({ required = [] }: Shape, key: string): boolean => !required.includes(key)

export const isTupleOfShapes = (items: Shape['items']): items is readonly Shape[] => Array.isArray(items)
