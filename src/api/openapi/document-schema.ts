import type { Shape } from '../../shape/shape.ts'
import { itemShape } from '../../shape/wire-shapes.ts'
import type { Json } from '../json.ts'
import type { Readings } from '../readings/readings.ts'
import { describedValues, type SchemaStyle } from './described-values.ts'
import { shapeUnder } from './shapes-under-readings.ts'

/** A reference to a schema that has a name, else the schema itself. */
export function documented(schema: Shape, style: SchemaStyle): Json {
  const name = style.names.get(schema)
  return name === undefined ? expanded(schema, style) : { $ref: `#/components/schemas/${name}` }
}

/** The components, each under the readings that hold for it. */
export function namedSchemas(
  names: SchemaStyle['names'],
  readingsFor: (schema: Shape) => Readings,
): { readonly [name: string]: Json } {
  return Object.fromEntries(
    [...names].map(([schema, name]) => [name, expanded(schema, { names, readings: readingsFor(schema) })]),
  )
}

/** The components that these paths refer to, and those that they refer to in turn. */
export function referredTo(
  paths: Json,
  schemas: { readonly [name: string]: Json | undefined },
): { readonly [name: string]: Json | undefined } {
  const used = new Set<string>()
  const visit = (value: Json): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      visit(schemas[name] ?? null)
    }
  }
  visit(paths)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}

function expanded(schema: Shape, style: SchemaStyle): Json {
  const shape = shapeUnder(schema, style.readings)
  const items = itemShape(shape)
  const { items: _, properties, additionalProperties, anyOf, ...rest } = describedValues(shape, style)
  const inner = (part: Shape): Json => documented(part, style)
  return {
    ...rest,
    ...(items === undefined ? {} : { items: inner(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(inner) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([key, field]) => [key, inner(field)]),
          ),
        }),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'boolean' ? additionalProperties : inner(additionalProperties),
        }),
  }
}
