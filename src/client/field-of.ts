import { isObject } from '../api/json.ts'

/** The value of a field of something that may be no object at all. */
export function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}
