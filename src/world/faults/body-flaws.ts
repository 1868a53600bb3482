import type { FaultType } from '../../api/faults/fault-types.ts'

/** The body with a flaw that still leaves it JSON; a fault of any other type leaves it as it is. */
export function flawedBody(type: FaultType, body: object): object {
  switch (type) {
    case 'duplicate_fill_in_list':
      return withLists(body, (items) => [...items.slice(0, 1), ...items])
    case 'reordered_list':
      return withLists(body, (items) => items.toReversed())
    case 'missing_optional_field':
      return withoutOptional(body)
    default:
      return body
  }
}

/** Every list of objects, at any depth. */
function withLists(value: object, change: (items: readonly unknown[]) => readonly unknown[]): object {
  const walk = (part: unknown): unknown => {
    if (Array.isArray(part)) {
      const items = part.map(walk)
      return items.every((item) => typeof item === 'object' && item !== null) ? change(items) : items
    }
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, field]) => [name, walk(field)]))
  }
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, walk(field)]))
}

/** What the specification calls optional: fields that are null, and metadata without content. */
function withoutOptional(value: object): object {
  const walk = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      Object.entries(part).flatMap(([name, field]): [string, unknown][] =>
        field === null || (name === 'metadata' && isEmpty(field)) ? [] : [[name, walk(field)]],
      ),
    )
  }
  const walked = walk(value)
  return typeof walked === 'object' && walked !== null ? walked : value
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
