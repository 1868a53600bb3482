import type { Schema, TypeName } from '../schemas/infer.ts'
import { schemaNames } from './schema-names.ts'

/**
 * A schema of words or constants as generators of code want it: with its type beside its values, without which some
 * make of it whatever there is; and where null is one of them, as the named words or null.
 */
export function describedWords(schema: Schema): Schema {
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
