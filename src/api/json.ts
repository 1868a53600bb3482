/** A JSON value. Fields that are undefined are left out of the text. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }

/** Returns whether a value is a JSON object: neither null nor a list. */
export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses JSON; undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns a field of a value that may not be an object; undefined without the field. */
export function jsonField(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Lays JSON out over several lines for people. Other text, and JSON that was cut off, is returned unchanged. */
export function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/**
 * Returns what turns one JSON value into another: a member for each field or index that differs. A value that is new
 * as a whole stands under `=`. Undefined when nothing differs.
 */
export function findChanges(before: unknown, after: unknown): unknown {
  if (Object.is(before, after)) return undefined
  if (typeof after !== 'object' || after === null) return after
  const isSameKind =
    typeof before === 'object' && before !== null && Array.isArray(before) === Array.isArray(after)
  const isNew = !isSameKind || Object.hasOwn(after, '=')
  if (isNew || Object.keys(before).join() !== Object.keys(after).join()) return { '=': after }
  const known = new Map(Object.entries(before))
  const found = Object.entries(after).flatMap(([name, value]) => {
    const change = findChanges(known.get(name), value)
    return change === undefined ? [] : [[name, change] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** Returns a value with the changes of `findChanges` applied. The value itself is not modified. */
export function applyChanges(before: unknown, changes: unknown): unknown {
  if (!isObject(changes)) return changes
  if (Object.hasOwn(changes, '=')) return changes['=']
  const after = Object.entries(Object(before)).map(
    ([name, value]) =>
      [name, Object.hasOwn(changes, name) ? applyChanges(value, changes[name]) : value] as const,
  )
  return Array.isArray(before) ? after.map(([, value]) => value) : Object.fromEntries(after)
}
