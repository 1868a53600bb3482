import type { Shape } from '../../shape/shape.ts'
import { itemShape } from '../../shape/wire-shapes.ts'
import { clientShape } from './client-shape.ts'
import type { Readings } from './readings.ts'

/** A field that no version of the specification has. */
const extraField = 'addedLater'

/**
 * A body with a further field in every object that the documented shape closes. What callers gave themselves (metadata)
 * and maps by symbol are left as they are: clients go through their keys.
 */
export function withExtraFields(documented: Shape | undefined, value: unknown, readings: Readings): unknown {
  if (documented === undefined || typeof value !== 'object' || value === null) return value
  const schema = clientShape(documented, readings)
  if (Array.isArray(value)) return value.map((item) => withExtraFields(itemShape(schema), item, readings))
  const shape = shapeOf(schema, value, readings)
  const further = typeof shape.additionalProperties === 'object' ? shape.additionalProperties : undefined
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => [
    name,
    withExtraFields(shape.properties?.[name] ?? further, field, readings),
  ])
  return Object.fromEntries(shape.additionalProperties === false ? [...fields, extra] : fields)
}

const extra: [string, unknown] = [extraField, 'a field that the specification does not have']

/** Of several shapes, the one that has most fields of the value. */
function shapeOf(schema: Shape, value: object, readings: Readings): Shape {
  const shapes = schema.anyOf?.map((shape) => clientShape(shape, readings)) ?? []
  const names = Object.keys(value)
  const fitting = ({ properties = {} }: Shape) =>
    names.filter((name) => Object.hasOwn(properties, name)).length
  return shapes.reduce((best, shape) => (fitting(shape) > fitting(best) ? shape : best), shapes[0] ?? schema)
}
