import { isObject } from './json.ts'

/**
 * What makes one JSON value of another: a member for each that differs, lists by index; what is new as a whole stands
 * under `=`. Undefined where nothing differs.
 */
export function changesTo(before: unknown, after: unknown): unknown {
  if (Object.is(before, after)) return undefined
  if (typeof after !== 'object' || after === null) return after
  const names = Object.keys(after)
  const isSameKind =
    typeof before === 'object' && before !== null && Array.isArray(before) === Array.isArray(after)
  if (!isSameKind || Object.keys(before).join() !== names.join()) return { '=': after }
  const found = names.flatMap((name) => {
    const change = changesTo(Reflect.get(before, name), Reflect.get(after, name))
    return change === undefined ? [] : [[name, change] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** The value that the changes make; the one before stays as it was. */
export function withChanges(before: unknown, changes: unknown): unknown {
  if (!isObject(changes)) return changes
  if ('=' in changes) return changes['=']
  const after: object = Array.isArray(before) ? [...before] : { ...Object(before) }
  for (const [name, change] of Object.entries(changes))
    Reflect.set(after, name, withChanges(Reflect.get(after, name), change))
  return after
}
