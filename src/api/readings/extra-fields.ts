import type { Schema } from '../schemas/infer.ts'

/** A field that no version of the specification has. */
const extraField = 'addedLater'

/**
 * A body with a further field in every object that the documented shape closes. What callers gave themselves (metadata)
 * and maps by symbol are left as they are: clients go through their keys.
 */
export function withExtraFields(schema: Schema | undefined, value: unknown): unknown {
  if (schema === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withExtraFields(schema.items, item))
  const shape = shapeOf(schema, value)
  const further = typeof shape.additionalProperties === 'object' ? shape.additionalProperties : undefined
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => [
    name,
    withExtraFields(shape.properties?.[name] ?? further, field),
  ])
  return Object.fromEntries(shape.additionalProperties === false ? [...fields, extra] : fields)
}

const extra: [string, unknown] = [extraField, 'a field that the specification does not have']

/** Of several shapes, the one that has most fields of the value. */
function shapeOf(schema: Schema, value: object): Schema {
  const names = Object.keys(value)
  const fitting = ({ properties = {} }: Schema) =>
    names.filter((name) => Object.hasOwn(properties, name)).length
  return (schema.anyOf ?? []).reduce(
    (best, shape) => (fitting(shape) > fitting(best) ? shape : best),
    schema.anyOf?.[0] ?? schema,
  )
}
