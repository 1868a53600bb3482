import { millisToIso } from '../../numeric/time-text.ts'
import type { Shape } from '../../shape/shape.ts'
import { clientFields, limitEntries } from '../operations/client-fields.ts'
import { percent } from '../operations/common.ts'
import { type OperationId, routeOf } from '../operations/operations.ts'
import { riskLimits } from '../operations/risk.ts'
import { itemShape } from '../wire-shapes.ts'
import type { Readings } from './readings.ts'
import { shortened } from './shorter-shapes.ts'

/**
 * The documented body in the form that the readings ask for: shapes, the fields of the published client, the unit of
 * percents, nulls, the envelope. Handlers only know the full form, which the default readings leave untouched.
 * `complete` adds those fields, for which it needs to know the venue.
 */
export function present(
  operation: OperationId,
  body: object,
  nowMillis: number,
  readings: Readings,
  complete: (schema: Shape, body: object) => unknown = (_, same) => same,
): object {
  const schema: Shape = routeOf(operation).response
  let shown: object = shortened(schema, body, readings)
  if (isForClient(readings)) shown = objectOf(complete(schema, shown))
  if (readings['percent.unit'] === 'fraction') shown = objectOf(withFractions(schema, shown, readings))
  if (readings.nulls === 'omitted') shown = objectOf(withoutNulls(shown))
  if (readings['answers.extraFields'] === 'some') shown = objectOf(withExtraFields(schema, shown, readings))
  if (operation === 'getPosition' && readings['positions.one'] === 'wrapped') shown = { position: shown }
  return readings.envelope === 'wrapped' ? { data: shown, timestamp: millisToIso(nowMillis) } : shown
}

function isForClient(readings: Readings): boolean {
  return readings['answers.clientFields'] === 'added' || readings['limits.form'] === 'list'
}

/** Percents are where the schema says so, also in a reduced body, which has some of its fields. */
function withFractions(documented: Shape, value: unknown, readings: Readings): unknown {
  const schema = clientShape(documented, readings)
  if (typeof value === 'number') return schema.format === 'percent' ? fractionOf(value) : value
  if (Array.isArray(value)) {
    const items = itemShape(schema)
    return items === undefined ? value : value.map((item) => withFractions(items, item, readings))
  }
  if (typeof value !== 'object' || value === null) return value
  const properties = propertiesFor(schema, value, readings)
  return mapped(value, (name, field) => {
    const known = properties[name] ?? fieldWithoutName(schema, name)
    return known === undefined ? field : withFractions(known, field, readings)
  })
}

/** Of several shapes, the one that has all fields of the value. */
function propertiesFor(schema: Shape, value: object, readings: Readings): { readonly [name: string]: Shape } {
  const shapes = schema.anyOf?.map((shape) => clientShape(shape, readings)) ?? [schema]
  const names = Object.keys(value)
  const fitting = shapes.find((shape) => names.every((name) => Object.hasOwn(shape.properties ?? {}, name)))
  return fitting?.properties ?? schema.properties ?? {}
}

/** Fields without a fixed name: by symbol, or of a simulated asset, where the names of percents end in `Percent`. */
function fieldWithoutName(schema: Shape, name: string): Shape | undefined {
  if (name.endsWith('Percent')) return percent
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
}

/** A hundredth, by moving the decimal point: dividing could round a second time. */
function fractionOf(percent: number): number {
  const text = String(percent)
  return text.includes('e') ? percent / 100 : Number(`${text}e-2`)
}

/** Metadata is the caller's, so its nulls stay. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  return mapped(value, (name, field) =>
    name === 'metadata' ? field : field === null ? undefined : withoutNulls(field),
  )
}

/** A copy with every field mapped; fields that become undefined are left out. */
function mapped(value: object, change: (name: string, field: unknown) => unknown): object {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
      const changed = change(name, field)
      return changed === undefined ? [] : [[name, changed]]
    }),
  )
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}

/**
 * The schema of a documented shape with what the published client reads: readings `answers.clientFields` and
 * `limits.form`. `shown` is the shape under the other readings, which may have fewer fields.
 */
export function clientShape(schema: Shape, readings: Readings, shown: Shape = schema): Shape {
  if (schema === riskLimits && readings['limits.form'] === 'list') return limitEntries
  const added = readings['answers.clientFields'] === 'added' ? clientFields.get(schema) : undefined
  if (added === undefined) return shown
  return {
    ...shown,
    required: [...new Set([...(shown.required ?? []), ...(added.required ?? [])])],
    properties: { ...shown.properties, ...added.properties },
  }
}

/** A field that no version of the specification has. */
const extraField = 'addedLater'

/**
 * A body with a further field in every object that the documented shape closes. What callers gave themselves (metadata)
 * and maps by symbol are left as they are: clients go through their keys.
 */
function withExtraFields(documented: Shape | undefined, value: unknown, readings: Readings): unknown {
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
