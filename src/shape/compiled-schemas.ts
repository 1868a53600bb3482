import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js'

/** What ajv reports of the first part of a value that does not match its schema. */
export type SchemaError = Pick<ErrorObject, 'keyword' | 'instancePath' | 'schemaPath' | 'params'>

/** Returns whether a value matches a schema. `errors` are those of the last call. */
export interface Validator {
  (value: unknown): boolean
  errors?: readonly SchemaError[] | null
}

/**
 * The options with which schemas are compiled, at run time and at build time. Validation stops at the first error: input
 * can be made so that finding all of them takes long. Only own properties count, or every object would have the required
 * key `toString`. Formats are hints for readers and are not checked. The keyword `unit` says how files write a number.
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
 * Returns the validator of a schema, which is compiled when it is first needed: compiling all of them at start would take
 * 70 ms. The build replaces this module by the code that ajv generates for every schema, so the bundle has no compiler.
 */
export function findValidator(schema: object): Validator {
  const known = validators.get(schema)
  if (known !== undefined) return known
  library ??= new Ajv2020(ajvOptions)
  const compiled = library.compile(schema)
  validators.set(schema, compiled)
  return compiled
}
