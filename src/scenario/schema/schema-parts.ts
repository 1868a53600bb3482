import type { Schema } from '../read/schema-type.ts'

/** One of several forms of a mapping, distinguished by its `kind`. */
export const kindSchema = (
  kind: string,
  properties: { readonly [name: string]: Schema },
  description: string,
  required: readonly string[] = [],
): Schema => ({
  type: 'object',
  additionalProperties: false,
  description,
  required: ['kind', ...required],
  properties: { kind: { const: kind }, ...properties },
})

/** The form that is meant when no `kind` is given. */
export const usualKind = (schema: Schema): Schema => ({
  ...schema,
  description: `${schema.description ?? ''} The default kind.`,
  required: (schema.required ?? []).filter((name) => name !== 'kind'),
})

export const numberSchema = (minimum: number, maximum: number, description: string): Schema => ({
  type: 'number',
  minimum,
  maximum,
  description,
})

export const positiveNumber: Schema = { type: 'number', exclusiveMinimum: 0, maximum: 1e15 }
