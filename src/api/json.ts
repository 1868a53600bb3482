/** Plain JSON, as data. Undefined values are left out of the text. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }

/** Whether a value is a JSON object: neither null nor a list. */
export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value of a field of something that may not be an object. */
export function jsonField(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** JSON laid out over several lines for people; other text, and JSON that was cut, as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/**
 * What makes one JSON value of another: a member for each that differs, lists by index; what is new as a whole stands
 * under `=`. Undefined where nothing differs.
 */
export function changesTo(before: unknown, after: unknown): unknown {
  if (Object.is(before, after)) return undefined
  if (typeof after !== 'object' || after === null) return after
  const isSameKind =
    typeof before === 'object' && before !== null && Array.isArray(before) === Array.isArray(after)
  const isNew = !isSameKind || Object.hasOwn(after, '=')
  if (isNew || Object.keys(before).join() !== Object.keys(after).join()) return { '=': after }
  const known = new Map(Object.entries(before))
  const found = Object.entries(after).flatMap(([name, value]) => {
    const change = changesTo(known.get(name), value)
    return change === undefined ? [] : [[name, change] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** The value that the changes make; the one before stays as it was. */
export function withChanges(before: unknown, changes: unknown): unknown {
  if (!isObject(changes)) return changes
  if (Object.hasOwn(changes, '=')) return changes['=']
  const after = Object.entries(Object(before)).map(
    ([name, value]) =>
      [name, Object.hasOwn(changes, name) ? withChanges(value, changes[name]) : value] as const,
  )
  return Array.isArray(before) ? after.map(([, value]) => value) : Object.fromEntries(after)
}
