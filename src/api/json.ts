/** Plain JSON, as data. What is undefined is left out of the text. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }

/** Whether a value is an object as JSON has them: neither null nor a list. */
export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
