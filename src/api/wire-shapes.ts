import { assert } from '../numeric/assert.ts'
import { isTupleOfShapes, type RecordOf, type Shape, type Typed, typed } from '../shape/shape.ts'

/*
 * Shapes of JSON that others send or read: requests and answers. A shape keeps its identity where it is used, because
 * documents name it by that.
 */

export interface ObjectShape extends Shape {
  readonly properties: { readonly [name: string]: Shape }
}

/** An object with these fields and no others; `optional` ones may be left out. */
export function closed<
  const Fields extends FieldShapes,
  const Optional extends keyof Fields & string = never,
>(fields: Fields, optional: readonly Optional[] = [], rules: Rules = {}) {
  const isOptional = (name: string) => optional.some((other) => other === name)
  const required = Object.keys(fields).filter((name) => !isOptional(name))
  return object<Fields, Optional>(fields, required, rules)
}

/** The same where all fields may be left out but for the `required` ones. */
export const partial = <
  const Fields extends FieldShapes,
  const Required extends keyof Fields & string = never,
>(
  fields: Fields,
  required: readonly Required[] = [],
  rules: Rules = {},
) => object<Fields, Exclude<keyof Fields, Required>>(fields, required, rules)

function object<Fields extends FieldShapes, Optional extends keyof Fields>(
  fields: Fields,
  required: readonly string[],
  rules: Rules,
): ClosedShape<Fields, Optional> {
  const shape = {
    type: 'object',
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
    ...rules,
    properties: fields,
  } as const
  return Object.assign(typed<FieldsOf<Fields, Optional>>(shape), { properties: fields })
}

type Rules = Pick<Shape, 'minProperties' | 'description'>

export interface FieldShapes {
  readonly [name: string]: Shape
}

/** `properties` are only the fields' own: any name would do for those of a shape. */
export type ClosedShape<Fields extends FieldShapes, Optional extends keyof Fields> = Typed<
  FieldsOf<Fields, Optional>
> &
  Omit<Shape, 'properties'> & { readonly properties: Fields }

export type FieldsOf<Fields extends FieldShapes, Optional extends keyof Fields> = [Optional] extends [never]
  ? { readonly [Name in keyof Fields]: RecordOf<Fields[Name]> }
  : [keyof Fields] extends [Optional]
    ? { readonly [Name in keyof Fields]?: RecordOf<Fields[Name]> }
    : { readonly [Name in keyof Fields as Name extends Optional ? never : Name]: RecordOf<Fields[Name]> } & {
        readonly [Name in Optional]?: RecordOf<Fields[Name]>
      }

/** A piece with what is said of it in this place. */
export const described = <Piece extends Shape>(
  piece: Piece,
  description: string,
): Piece & { readonly description: string } => ({
  ...piece,
  description,
})

export const textual = (description: string, bounds: Pick<Shape, 'minLength' | 'maxLength'> = {}) =>
  described(typed<string>({ type: 'string', ...bounds }), description)

/** What is meant where the piece is left out; whoever reads it always has one. */
export const withDefault = <Piece extends Shape, const Value extends string | number | boolean>(
  piece: Piece,
  value: Value,
): Piece & { readonly default: Value } => ({ ...piece, default: value })

export const listOf = <Item extends Shape>(items: Item, bounds: Pick<Shape, 'minItems' | 'maxItems'> = {}) =>
  typed<readonly RecordOf<Item>[]>({ type: 'array', ...bounds, items })

/** By names that are not known beforehand. */
export const mapOf = <Value extends Shape>(additionalProperties: Value) =>
  typed<{ readonly [name: string]: RecordOf<Value> }>({ type: 'object', additionalProperties })

/** The same object with fields of other names, which are like this. */
export const openTo = <Value extends Shape, Known extends ObjectShape>(
  additionalProperties: Value,
  known: Known,
) =>
  Object.assign(
    typed<RecordOf<Known> & { readonly [name: string]: RecordOf<Value> }>({ ...known, additionalProperties }),
    { properties: known.properties },
  )

export const oneOf = <const Members extends readonly Shape[]>(...anyOf: Members) =>
  typed<RecordOf<Members[number]>>({ anyOf })

export const orNull = <Piece extends Shape>(piece: Piece) =>
  typed<RecordOf<Piece> | null>({ anyOf: [piece, { type: 'null' }] })

export const itemShape = ({ items }: Shape): Shape | undefined => (isTupleOfShapes(items) ? undefined : items)

/** A record of a shape, its fields in the shape's order. Each must have a value. */
export function recordFrom<Fields extends FieldShapes>(
  { properties }: { readonly properties: Fields },
  valueFor: (name: string) => unknown,
): FieldsOf<Fields, never> {
  const record: { [name: string]: unknown } = {}
  for (const name of Object.keys(properties)) {
    const value = valueFor(name)
    assert(value !== undefined, 'every field has a value')
    record[name] = value
  }
  assertWhole(record, properties)
  return record
}

/** The fields of another record that a shape has. */
export const reducedTo = <Fields extends FieldShapes>(
  shape: { readonly properties: Fields },
  whole: { readonly [name: string]: unknown },
) => recordFrom(shape, (name) => whole[name])

function assertWhole<Fields extends FieldShapes>(
  record: object,
  fields: Fields,
): asserts record is FieldsOf<Fields, never> {
  assert(Object.keys(record).length === Object.keys(fields).length, 'the record has the fields of its shape')
}
