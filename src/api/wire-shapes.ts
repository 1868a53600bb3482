import { assert } from '../numeric/assert.ts'
import { isTupleOfShapes, type RecordOf, type Shape, shapeTyped, type Typed } from '../shape/shape.ts'

/*
 * The shapes of JSON that clients send and read. A shape is known by its identity, by which documents name it, so it
 * is used as it is and not copied.
 */

/** The shape of an object with known fields. */
export interface ObjectShape extends Shape {
  readonly properties: { readonly [name: string]: Shape }
}

/** Returns the shape of an object with these fields and no others. All are required but the `optional` ones. */
export function object<
  const Fields extends FieldShapes,
  const Optional extends keyof Fields & string = never,
>(fields: Fields, optional: readonly Optional[] = [], rules: Rules = {}) {
  const isOptional = (name: string) => optional.some((other) => other === name)
  const required = Object.keys(fields).filter((name) => !isOptional(name))
  return makeObject<Fields, Optional>(fields, required, rules)
}

/** Returns the shape of an object with these fields and no others. Only the `required` ones are required. */
export const partial = <
  const Fields extends FieldShapes,
  const Required extends keyof Fields & string = never,
>(
  fields: Fields,
  required: readonly Required[] = [],
  rules: Rules = {},
) => makeObject<Fields, Exclude<keyof Fields, Required>>(fields, required, rules)

function makeObject<Fields extends FieldShapes, Optional extends keyof Fields>(
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
  return Object.assign(shapeTyped<FieldsOf<Fields, Optional>>(shape), { properties: fields })
}

type Rules = Pick<Shape, 'minProperties' | 'description'>

/** The fields of an object by name. */
export interface FieldShapes {
  readonly [name: string]: Shape
}

/**
 * The shape of an object with known fields. Its `properties` have exactly these names, where those of any shape could
 * have every name.
 */
export type ClosedShape<Fields extends FieldShapes, Optional extends keyof Fields> = Typed<
  FieldsOf<Fields, Optional>
> &
  Omit<Shape, 'properties'> & { readonly properties: Fields }

/** The type of an object with these fields, of which the `Optional` ones may be left out. */
export type FieldsOf<Fields extends FieldShapes, Optional extends keyof Fields> = [Optional] extends [never]
  ? { readonly [Name in keyof Fields]: RecordOf<Fields[Name]> }
  : [keyof Fields] extends [Optional]
    ? { readonly [Name in keyof Fields]?: RecordOf<Fields[Name]> }
    : { readonly [Name in keyof Fields as Name extends Optional ? never : Name]: RecordOf<Fields[Name]> } & {
        readonly [Name in Optional]?: RecordOf<Fields[Name]>
      }

/** Returns a shape with a description for the place where it is used. */
export const describe = <Piece extends Shape>(
  piece: Piece,
  description: string,
): Piece & { readonly description: string } => ({
  ...piece,
  description,
})

/** Returns the shape of a described text. */
export const textual = (description: string, bounds: Pick<Shape, 'minLength' | 'maxLength'> = {}) =>
  describe(shapeTyped<string>({ type: 'string', ...bounds }), description)

/**
 * Returns a shape with the value that is meant when the field is left out. Whoever reads the field always gets a
 * value.
 */
export const withDefault = <Piece extends Shape, const Value extends string | number | boolean>(
  piece: Piece,
  value: Value,
): Piece & { readonly default: Value } => ({ ...piece, default: value })

/** Returns the shape of a list. */
export const listOf = <Item extends Shape>(items: Item, bounds: Pick<Shape, 'minItems' | 'maxItems'> = {}) =>
  shapeTyped<readonly RecordOf<Item>[]>({ type: 'array', ...bounds, items })

/** Returns the shape of an object that maps names, which are not known beforehand, to values of one shape. */
export const mapShape = <Value extends Shape>(additionalProperties: Value) =>
  shapeTyped<{ readonly [name: string]: RecordOf<Value> }>({ type: 'object', additionalProperties })

/** Returns the shape of an object that may have further fields of one shape. */
export const openTo = <Value extends Shape, Known extends ObjectShape>(
  additionalProperties: Value,
  known: Known,
) =>
  Object.assign(
    shapeTyped<RecordOf<Known> & { readonly [name: string]: RecordOf<Value> }>({
      ...known,
      additionalProperties,
    }),
    { properties: known.properties },
  )

/** Returns the shape of a value that has one of several shapes. */
export const oneOf = <const Members extends readonly Shape[]>(...anyOf: Members) =>
  shapeTyped<RecordOf<Members[number]>>({ anyOf })

/** Returns the shape of a value that may be null. */
export const orNull = <Piece extends Shape>(piece: Piece) =>
  shapeTyped<RecordOf<Piece> | null>({ anyOf: [piece, { type: 'null' }] })

/** Returns the shape of a list's items; undefined for other shapes and for tuples. */
export const itemShape = ({ items }: Shape): Shape | undefined => (isTupleOfShapes(items) ? undefined : items)

/** Builds a record with the fields of a shape, in their order. Throws unless every field has a value. */
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

/** Returns the part of a record that a shape has fields for. */
export const reduceTo = <Fields extends FieldShapes>(
  shape: { readonly properties: Fields },
  whole: { readonly [name: string]: unknown },
) => recordFrom(shape, (name) => whole[name])

function assertWhole<Fields extends FieldShapes>(
  record: object,
  fields: Fields,
): asserts record is FieldsOf<Fields, never> {
  assert(Object.keys(record).length === Object.keys(fields).length, 'the record has the fields of its shape')
}
