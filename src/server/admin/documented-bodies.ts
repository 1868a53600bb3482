import * as bodies from '../../api/admin-bodies.ts'
import { describe, listOf, mapShape, object, partial, textual } from '../../api/wire-shapes.ts'
import { missing } from '../../numeric/assert.ts'
import { accountSchema } from '../../scenario/compile/compile-accounts.ts'
import { timelineEntry } from '../../scenario/compile/compile-timeline.ts'
import { scenarioSchema } from '../../scenario/compile/schema.ts'
import { resolveRef } from '../../scenario/file/schema-words.ts'
import { isTupleOfShapes, type Shape, shapeTyped } from '../../shape/shape.ts'

/*
 * Bodies as the admin API's document has them, where that differs from the shape that the server checks: generators can't
 * make types of unions, and what a scenario's own reader checks is in its schema. All that these shapes allow by their types
 * is taken, and the server takes more: numbers as decimal text, a seed as a number, the name of a preset alone.
 */

const valueText = shapeTyped<string>({ type: 'string' })

export const documentedReadings: Shape = mapShape(valueText)

const documentedSeed: Shape = shapeTyped<string>({ type: 'string', minLength: 1, maxLength: 256 })

export const documentedWorld: Shape = {
  ...bodies.worldBody,
  properties: {
    ...bodies.worldBody.properties,
    seed: documentedSeed,
    readings: describe(mapShape(valueText), bodies.worldBody.properties.readings.description),
  },
}

export const documentedReset: Shape = partial({ seed: documentedSeed })

/** The body of an advance, of whose fields exactly one must be given. */
export const documentedAdvance: Shape = { ...bodies.advanceBody, minProperties: 1, maxProperties: 1 }

/**
 * The body of a price: `mid` or `percent`. JSON Schema can't say "exactly one" without a union, so the document allows
 * both.
 */
export const documentedPrice: Shape = { ...bodies.priceBody, minProperties: 1, maxProperties: 2 }

export const documentedAccount: Shape = toDocumented(accountSchema)

export const documentedAccountChange: Shape = {
  ...bodies.accountChangeBody,
  properties: {
    ...bodies.accountChangeBody.properties,
    limits: describe(documentedField('limits'), bodies.accountChangeBody.properties.limits.description),
    fees: describe(documentedField('fees'), bodies.accountChangeBody.properties.fees.description),
  },
}

/** The body of a timeline. Each entry is an action, and optionally says when it acts. */
export const documentedTimeline: Shape = object({
  actions: describe(
    listOf({ ...toDocumented(timelineEntry), minProperties: 1 }, { minItems: 1, maxItems: 10_000 }),
    bodies.timelineBody.properties.actions.description,
  ),
})

/** A snapshot as `GET` answers it. */
export const documentedSnapshot: Shape = object({
  format: describe(shapeTyped<string>({ const: 'otcsim snapshot' }), 'what kind of document it is'),
  version: describe(shapeTyped<number>({ type: 'integer' }), 'the version of its form'),
  world: textual('the world that it was taken from'),
  scenario: textual('the name of its scenario'),
  seed: textual('what its market is drawn from'),
  sequence: describe(shapeTyped<number>({ type: 'integer' }), 'the journal’s last line then'),
  now: textual('the present of the world then'),
  digest: textual('the hash of the whole state'),
  check: textual('the hash of this document'),
  source: describe(shapeTyped<unknown>({}), 'the scenario'),
  state: describe(shapeTyped<unknown>({}), 'the state'),
})

function documentedField(name: string): Shape {
  return documentedAccount.properties?.[name] ?? missing(`an account has ${name}`)
}

/**
 * Converts a schema of scenario files to one without references and without the keywords that only the reader of files
 * knows. An amount is documented as a number; a value of several kinds is left open.
 */
function toDocumented(schema: Shape): Shape {
  const { $ref, title, unit, word, readAs, byName, propertyNames, allOf, oneOf, examples, ...stated } =
    resolveRef(schema, scenarioSchema)
  const { type, description, properties, additionalProperties, items, ...rest } = stated
  const bounds = toDocumentedBounds(rest)
  const told = description === undefined ? {} : { description }
  if (Array.isArray(type))
    return isAmount(type, rest) ? { ...told, ...toNumberBounds(bounds), type: 'number' } : told
  if (type === undefined && bounds.enum === undefined) return told
  return {
    ...told,
    ...bounds,
    ...(type === undefined ? {} : { type }),
    ...(properties === undefined ? {} : { properties: toDocumentedFields(properties) }),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: toDocumentedRest(additionalProperties) }),
    ...(items === undefined ? {} : { items: isTupleOfShapes(items) ? {} : toDocumented(items) }),
  }
}

/** Returns whether a value is a number, or the same as decimal text, and not such as `-4%`. */
function isAmount(types: readonly string[], { pattern = '' }: Shape): boolean {
  return types.includes('number') && !types.includes('boolean') && !pattern.includes('%')
}

/** Removes the pattern of an amount: it describes the decimal text, and the documented value is a number. */
function toNumberBounds({ pattern: _, ...bounds }: Shape): Shape {
  return bounds
}

/** Leaves out a pattern that looks ahead, which several languages can't, and the second of two lower bounds. */
function toDocumentedBounds({ pattern, exclusiveMinimum, ...bounds }: Shape): Shape {
  return {
    ...bounds,
    ...(pattern === undefined || pattern.includes('(?') ? {} : { pattern }),
    ...(exclusiveMinimum === undefined || bounds.minimum !== undefined ? {} : { exclusiveMinimum }),
  }
}

function toDocumentedRest(rest: boolean | Shape): boolean | Shape {
  return typeof rest === 'object' ? toDocumented(rest) : rest
}

/** Converts the fields of a mapping, without those that are refused with a reason. */
function toDocumentedFields(fields: NonNullable<Shape['properties']>): NonNullable<Shape['properties']> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field['x-refused'] === undefined ? [[name, toDocumented(field)]] : [],
    ),
  )
}
