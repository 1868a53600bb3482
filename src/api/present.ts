import { millisToIso } from '../numeric/time-text.ts'
import type { Schema } from './infer.ts'
import type { Readings } from './readings.ts'
import { reduceShapes } from './reduced-shapes.ts'
import { type OperationId, routeOf } from './routes/routes.ts'

/**
 * The documented body in the form that the readings ask for: shapes, the unit of percents, nulls, the envelope.
 * Handlers know only the full form; with the default readings it leaves here untouched.
 */
export function present(operation: OperationId, body: object, nowMillis: number, readings: Readings): object {
  let shown: object = reduceShapes(operation, body, readings)
  if (readings['percent.unit'] === 'fraction')
    shown = objectOf(withFractions(routeOf(operation).response, shown))
  if (readings.nulls === 'omitted') shown = objectOf(withoutNulls(shown))
  return readings.envelope === 'wrapped' ? { data: shown, timestamp: millisToIso(nowMillis) } : shown
}

/** Percents are where the schema says so, also in a reduced body, which has some of its fields. */
function withFractions(schema: Schema, value: unknown): unknown {
  if (typeof value === 'number') return schema.format === 'percent' ? fractionOf(value) : value
  if (Array.isArray(value)) {
    const { items } = schema
    return items === undefined ? value : value.map((item) => withFractions(items, item))
  }
  if (typeof value !== 'object' || value === null) return value
  return mapped(value, (name, field) => {
    const known = schema.properties?.[name] ?? schema.additionalProperties
    return typeof known === 'object' ? withFractions(known, field) : field
  })
}

/** A hundredth by moving the decimal point: dividing could round a second time. */
function fractionOf(percent: number): number {
  const text = String(percent)
  return text.includes('e') ? percent / 100 : Number(`${text}e-2`)
}

/** Whatever the caller put into metadata stays, its nulls too. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  return mapped(value, (name, field) =>
    name === 'metadata' ? field : field === null ? undefined : withoutNulls(field),
  )
}

/** A copy with every field mapped; those that become undefined are left out. */
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
