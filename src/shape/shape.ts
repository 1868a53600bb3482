import { Type } from 'typebox'
import { leastPriceUsd, mostPriceUsd } from './spec-checks.ts'
import { type UnitName, units } from './units.ts'

/**
 * A schema as the functions of `shape` read it: the part of JSON Schema that we use, with a few keywords of our own.
 * `record`, `number` and the like make shapes as TypeBox schemas, in which numbers have ranges and units and keys have
 * descriptions.
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
  /** The shapes of the items of a tuple, in order. */
  readonly prefixItems?: readonly Shape[]
  readonly properties?: { readonly [key: string]: Shape }
  readonly required?: readonly string[] | undefined
  readonly additionalProperties?: boolean | Shape
  /** The shape of the keys that `additionalProperties` describes. */
  readonly propertyNames?: Shape
  readonly minProperties?: number
  readonly maxProperties?: number
  /** The shapes of several kinds of record, told apart by their field `kind`. The title says what they are. */
  readonly oneOf?: readonly Shape[]
  readonly anyOf?: readonly Shape[]
  /** Choices between keys: of each, exactly one key must be present. */
  readonly allOf?: readonly Shape[]
  readonly not?: { readonly required: readonly string[] }
  /** The shape of a map's values. It is a Map because an object would reorder names that look like numbers. */
  readonly byName?: Shape
  /** How a file writes the number. Without it, the number is written as it is. */
  readonly unit?: UnitName
  /** The key in a file, if it differs from that of the record. */
  readonly word?: string
  /** The value if a file does not state one. */
  readonly default?: string | number | boolean
  readonly examples?: readonly (string | number | boolean)[]
  /** Why a file must not use this word, which people expect. The text follows the word in the error message. */
  readonly 'x-refused'?: string
  /**
   * The name of the reader in `scenario/actions/parts.ts` that converts the value. Without it, the value is used as it
   * is.
   */
  readonly readAs?: string
}

/** A schema whose static type is stated, not derived. */
export type Typed<Value> = Type.TUnsafe<Value>

export type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null'

/** The read-only type of the values that a schema describes. A type that was stated by `shapeTyped` stays as it is. */
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

/** Makes the shape of a record with these fields. */
export const record = <Fields extends Type.TProperties>(
  fields: Fields,
  description?: string,
  title?: string,
) =>
  Type.Object(fields, {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  })

/** Makes the field `kind`, which distinguishes a record from those of other kinds. */
export const kind = <const Name extends string>(name: Name) =>
  Type.Literal(name, { description: 'Which of the kinds; the other keys depend on it.' })

/** Makes the shape of a value that is one of several words, with a description for files. */
export const words = <const Word extends string>(words: readonly [...Word[]], description: string) =>
  Type.Enum([...words], { description })

/** Makes the shape of a list of `least` to `most` items, or of any length if `most` is null. */
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

/** Makes the shape of a part that a record may lack. A file says so with the word `none`. */
export const orNone = <Part extends Type.TSchema>(part: Part) => Type.Optional(part)

/** Makes the shape of a recording's rows. They are too many to be checked by a schema. */
export const rows = <Rows>() => shapeTyped<Rows>({ title: 'the rows of a recording' })

interface FileOptions<Value> {
  readonly default?: Value
  readonly word?: string
}

/** Makes the shape of a number in a range. */
export const number = (least: number, most: number, description: string, options: FileOptions<number> = {}) =>
  Type.Number({ minimum: least, maximum: most, description, ...options })

/** Makes the shape of an integer in a range. */
export const integer = (
  least: number,
  most: number,
  description: string,
  options: FileOptions<number> = {},
) => Type.Integer({ minimum: least, maximum: most, description, ...options })

/** Makes the shape of a boolean, with a description for files. */
export const flag = (description: string, options: FileOptions<boolean> = {}) =>
  Type.Boolean({ description, ...options })

/** Makes the shape of a duration in milliseconds. Its key in the record ends in `Millis`; a file writes it as `10m`. */
export const span = (least: number, most: number, description: string, options: FileOptions<number> = {}) =>
  Type.Number({ minimum: least, maximum: most, description, ...options, unit: 'duration' })

/** Makes the shape of a duration in whole minutes. Its key in the record ends in `Minutes`; a file writes it as `10m`. */
export const wholeMinutes = (
  least: number,
  most: number,
  description: string,
  options: FileOptions<number> = {},
) => Type.Integer({ minimum: least, maximum: most, description, ...options, unit: 'minutes' })

/** Makes the shape of an amount above 0, which a file may write as text. */
export const amount = (least: number, most: number, description: string) =>
  Type.Number({ minimum: least, maximum: most, description, unit: 'amount' })

/** Makes a shape whose type is stated because a schema cannot express it: a branded number, a map, one of several records. */
export const shapeTyped = <Value>(shape: Shape) => Object.assign(Type.Unsafe<Value>({}), shape)

/** Makes the shape of any string. */
export const text = () => Type.String()

/** Makes the shape of a boolean without a description, for records that only the journal reads. */
export const anyBoolean = () => Type.Boolean()

/** Makes the shape of any number. */
export const anyNumber = () => Type.Number()

/** Makes the shape of a list of any length. */
export const anyList = <Item extends Type.TSchema>(item: Item) => Type.Array(item)

/** Makes the shape of a whole number from 0, of a unit as in `natural<Millis>()`. */
export const natural = <Unit extends number = number>() => wholeNumber<Unit>(0)

/** Makes the shape of a whole number, from `least` on if that is given, of a unit as in `wholeNumber<Atoms>()`. */
export const wholeNumber = <Unit extends number = number>(least?: number) =>
  shapeTyped<Unit>({ type: 'integer', ...(least === undefined ? {} : { minimum: least }) })

/** Makes the shape of a value that is one of several words or numbers, without a description. */
export const oneOfWords = <const Word extends string | number>(...words: readonly Word[]) =>
  shapeTyped<Word>({ enum: words })

/** Makes the shape of a value that may be null. */
export const nullable = <Part extends Type.TSchema & Shape>(part: Part) =>
  shapeTyped<Type.Static<Part> | null>({ anyOf: [part, { type: 'null' }] })

/** Makes the shape of a map from names to values of one shape. */
export const mapByName = <Part extends Type.TSchema & Shape>(part: Part) =>
  shapeTyped<ReadonlyMap<string, Type.Static<Part>>>({ byName: part })

/** Makes the shape of the price of one unit of an asset, in USD. */
export const price = (description: string) =>
  Type.Number({ minimum: leastPriceUsd, maximum: mostPriceUsd, description, unit: 'price' })

/** Lists the values that the field `kind` of a record can have: one word, or several if kinds share their fields. */
export function possibleKinds({ properties }: Shape): readonly unknown[] {
  const { const: only, enum: words = [only] } = properties?.['kind'] ?? {}
  return words
}

/** Returns the key of a record's field in a file: `halfLife` for `halfLifeMillis`. */
export function keyInFile(key: string, { unit, word }: Shape): string {
  if (word !== undefined) return word
  const ending = unit === undefined ? '' : units[unit].ending
  return ending !== '' && key.endsWith(ending) ? key.slice(0, -ending.length) : key
}

export const isOptional = ({ required = [] }: Shape, key: string): boolean => !required.includes(key)

export const isTupleOfShapes = (items: Shape['items']): items is readonly Shape[] => Array.isArray(items)
