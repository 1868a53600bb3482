import { isObject } from '../api/json.ts'

/** The value of a field of something that may not be an object. */
export function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}
