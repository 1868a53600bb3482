import { isObject } from '../api/json.ts'

/** Whether an answer is in the envelope `{data, timestamp}`. */
export const isEnvelope = (body: unknown): body is { readonly data: unknown } =>
  isObject(body) && Object.keys(body).sort().join() === 'data,timestamp'

/** An answer without its envelope, if it has one. */
export const unwrapped = (body: unknown): unknown => (isEnvelope(body) ? body.data : body)
