import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js'

export type SchemaError = Pick<ErrorObject, 'keyword' | 'instancePath' | 'schemaPath' | 'params'>

/** Whether a value matches a schema; `errors` are those of the last call. */
export interface Validator {
  (value: unknown): boolean
  errors?: readonly SchemaError[] | null
}

/**
 * How schemas are compiled, at build time too. The first error is enough, and finding all of them can be made to take
 * long. Only own properties count, or a required `toString` would be there on every object. Formats are notes for
 * readers here, so none is checked; a unit says how a number is written in files (`units.ts`).
 */
export const ajvOptions: Options = {
  strict: true,
  strictTypes: false,
  allErrors: false,
  ownProperties: true,
  validateFormats: false,
  messages: false,
  keywords: ['unit', 'word'],
}

const validators = new WeakMap<object, ValidateFunction>()
let library: Ajv2020 | null = null

/**
 * A schema is compiled when it is first needed: all of them at start would cost 70 ms. The build replaces this module
 * by one with the code that the library generates for every schema, so the bundle has no compiler.
 */
export function validatorOf(schema: object): Validator {
  const known = validators.get(schema)
  if (known !== undefined) return known
  library ??= new Ajv2020(ajvOptions)
  const made = library.compile(schema)
  validators.set(schema, made)
  return made
}
