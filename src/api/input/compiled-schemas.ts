import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Schema } from '../schemas/infer.ts'
import { ajvOptions } from './ajv-options.ts'

export type SchemaError = Pick<ErrorObject, 'keyword' | 'instancePath' | 'schemaPath' | 'params'>

/** Whether a value matches a schema; `errors` are those of the last call. */
export interface Validator {
  (value: unknown): boolean
  errors?: readonly SchemaError[] | null
}

const validators = new WeakMap<Schema, ValidateFunction>()
let library: Ajv2020 | null = null

/**
 * A schema is compiled when it is first needed: all of them at start would cost 70 ms. The build replaces this module
 * by one with the code that the library generates for every schema, so the bundle has no compiler.
 */
export function validatorOf(schema: Schema): Validator {
  const known = validators.get(schema)
  if (known !== undefined) return known
  library ??= new Ajv2020(ajvOptions)
  const made = library.compile(schema)
  validators.set(schema, made)
  return made
}
