import { isObject } from './json.ts'

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
