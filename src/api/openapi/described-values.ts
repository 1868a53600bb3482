import type { Readings } from '../readings/readings.ts'
import type { Schema, TypeName } from '../schemas/infer.ts'
import { schemaNames } from './schema-names.ts'

type Described = Omit<Schema, 'format'> & { readonly format?: string }

/**
 * A schema of one value in the form that code generators need. Words and constants state their type, which some
 * generators would otherwise guess; where null is one of the words, the schema is the named words or null. Numbers are
 * doubles, because without a format some generators make floats with half the digits.
 */
export function describedValues(schema: Schema, readings: Readings): Described {
  const { format, ...rest } = describedWords(schema)
  if (format === 'date-time') return { ...rest, format }
  if (format === 'percent')
    return { ...rest, format: 'double', description: percentUnits[readings['percent.unit']] }
  return hasType(schema, 'number') ? { ...rest, format: 'double' } : rest
}

const percentUnits = { percent: '2.5 is 2.5 %', fraction: '0.025 is 2.5 %' } as const

function hasType({ type }: Schema, name: TypeName): boolean {
  return typeof type === 'string' ? type === name : type?.includes(name) === true
}

function describedWords(schema: Schema): Schema {
  const { enum: words, ...rest } = schema
  const values = words ?? (schema.const === undefined ? [] : [schema.const])
  if (values.length === 0 || schema.type !== undefined) return schema
  const named = namedWords.get(JSON.stringify(values.filter((value) => value !== null)))
  if (named !== undefined && values.includes(null)) return { ...rest, anyOf: [named, { type: 'null' }] }
  const types = [...new Set(values.map(typeName))]
  const [type] = types
  return { type: type !== undefined && types.length === 1 ? type : types, ...schema }
}

const namedWords: ReadonlyMap<string, Schema> = new Map(
  [...schemaNames.keys()].flatMap((schema) =>
    schema.enum === undefined ? [] : [[JSON.stringify(schema.enum), schema]],
  ),
)

function typeName(value: string | number | boolean | null): TypeName {
  if (value === null) return 'null'
  if (typeof value === 'string') return 'string'
  return typeof value === 'boolean' ? 'boolean' : 'number'
}
