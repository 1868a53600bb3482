import { assert } from '../numeric/assert.ts'
import { isOptional, isTupleOfShapes, keyInFile, type Shape } from './shape.ts'
import { problem, type SpecProblem } from './spec-checks.ts'
import { type UnitName, units } from './units.ts'

/*
 * Between a record and its form in a file: the schema of what a file may say, and the record that a file stands for.
 */

/**
 * Makes the schema of a record's form in a file. A part that a record may lack is `none` there. A file may leave out keys
 * with a default, and those in `optional`.
 */
export function schemaInFile(shape: Shape, optional: readonly string[] = []): Shape {
  const {
    unit,
    description,
    const: fixed,
    items,
    properties,
    default: usual,
    word: _,
    readAs: __,
    ...rest
  } = shape
  const about = description === undefined ? {} : { description }
  const shown = usual === undefined ? {} : { default: toFileValue(usual, unit) }
  if (unit !== undefined) {
    const { definition, describeRange } = units[unit]
    const { minimum, maximum } = rest
    const range = minimum === undefined || maximum === undefined ? {} : describeRange(minimum, maximum)
    return { $ref: `#/definitions/${definition}`, ...range, ...about, ...shown }
  }
  if (fixed !== undefined) return { const: fixed, ...about }
  if (properties !== undefined) {
    const parts = Object.entries(properties)
    const required = parts.flatMap(([key, part]) =>
      part.default !== undefined || optional.includes(key) ? [] : [keyInFile(key, part)],
    )
    const schemas = parts.map(([key, part]) => [
      keyInFile(key, part),
      isOptional(shape, key) ? schemaOrNone(part) : schemaInFile(part),
    ])
    return {
      type: 'object',
      additionalProperties: false,
      ...about,
      ...(required.length === 0 ? {} : { required }),
      properties: Object.fromEntries(schemas),
    }
  }
  if (rest.prefixItems !== undefined) {
    const { prefixItems, ...pair } = rest
    return { ...pair, items: prefixItems.map((item) => schemaInFile(item)), ...about }
  }
  const inner = items === undefined || isTupleOfShapes(items) ? {} : { items: schemaInFile(items) }
  return { ...rest, ...inner, ...about, ...shown }
}

/** Makes the schema of a record that a file may state in part, or deny with the word `none`. */
export function schemaOrNone(shape: Shape): Shape {
  const { description, ...mapping } = schemaInFile(shape, Object.keys(shape.properties ?? {}))
  return {
    title: `"none", or ${shape.title ?? 'a mapping'}`,
    ...(description === undefined ? {} : { description }),
    oneOf: [{ const: 'none' }, mapping],
  }
}

/** Makes the schema of a record in a file in which only the key `kind` is required. */
export const kindInFile = (shape: Shape): Shape => ({
  ...schemaInFile(shape, Object.keys(shape.properties ?? {})),
  required: ['kind'],
})

/**
 * Makes the schema of a record of one of several kinds in a file. `usualKind` is the one that is meant if no kind is
 * stated.
 */
export const oneOfKinds = (kinds: readonly Shape[], usualKind: string): Shape => ({
  oneOf: kinds.map((schema) =>
    schema.properties?.['kind']?.const === usualKind
      ? { ...schema, description: `${schema.description} The default kind.`, required: [] }
      : schema,
  ),
})

const toFileValue = (
  value: string | number | boolean,
  unit: UnitName | undefined,
): string | number | boolean =>
  unit === undefined || typeof value !== 'number' ? value : units[unit].write(value)

/**
 * Reads a record from its form in a file, which the schema of `schemaInFile` has validated. What the file leaves out is
 * taken from the record `usual`, or else from the defaults. Values that cannot be read are added to `problems`, under
 * the file's own path.
 */
export function readStated(
  shape: Shape,
  stated: unknown,
  usual: unknown,
  path: string,
  problems: SpecProblem[],
): unknown {
  const { unit, items, properties } = shape
  if (properties !== undefined) {
    return Object.fromEntries(
      Object.entries(properties).flatMap(([key, part]) => {
        const name = keyInFile(key, part)
        const given = ownValue(stated, name)
        if (given === 'none' && isOptional(shape, key)) return []
        const at = path === '' ? name : `${path}.${name}`
        return [[key, readStated(part, given, ownValue(usual, key), at, problems)]]
      }),
    )
  }
  if (stated === undefined || stated === null) {
    const value = shape.const ?? usual ?? shape.default
    assert(value !== undefined, `${path} has a usual value or a default`)
    return value
  }
  if (unit !== undefined) {
    const read = units[unit].read(String(stated))
    if (typeof read === 'number') return read
    problems.push(problem(path, read))
    return 0
  }
  const { prefixItems } = shape
  if (isTupleOfShapes(items) || !Array.isArray(stated)) return stated
  return stated.map((item: unknown, place) => {
    const part = prefixItems?.[place] ?? items
    return part === undefined ? item : readStated(part, item, undefined, `${path}[${place}]`, problems)
  })
}

/** Returns the value of an own key, or undefined if there is no such key or `record` is not an object. */
export function ownValue(record: unknown, key: string): unknown {
  if (typeof record !== 'object' || record === null) return undefined
  return Object.getOwnPropertyDescriptor(record, key)?.value
}
