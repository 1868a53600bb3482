import { STATUS_CODES } from 'node:http'
import { errorBody } from '../../api/errors.ts'
import { faultErrorBody } from '../../api/faults/fault-error.ts'
import type { FaultType } from '../../api/faults/fault-types.ts'
import { parsedBody } from '../../api/faults/matches-fault.ts'
import type { Readings } from '../../api/readings/readings.ts'
import type { FaultHit } from './fault-book.ts'

/** The answer that a fault gives instead of the venue. */
export interface FaultAnswer {
  readonly status: number
  readonly body: object
  /** The text that replaces the body when it is not that object as we write JSON. */
  readonly text: string | null
  /** The content type of that text; null for JSON. */
  readonly type: string | null
  /** Seconds; null when the answer does not say. */
  readonly retryAfter: number | null
}

/** Null for a fault that gives no answer at all. */
export function faultAnswer({ rule }: FaultHit, readings: Readings): FaultAnswer | null {
  const { status = 500, type = null, body = '{}', retryAfter = null } = rule.attributes
  const json = { text: null, type: null, retryAfter }
  switch (rule.type) {
    case 'http_error':
      return {
        status,
        body: faultErrorBody(status, type, phraseOf(status), readings),
        ...json,
      }
    case 'canned_answer':
      return { ...json, status: rule.attributes.status ?? 200, body: parsedBody(body) ?? {}, text: body }
    case 'rate_limit':
      return { status: 429, body: errorBody({ code: 'rate-limited' }, readings), ...json }
    case 'auth_expired':
      return { status: 401, body: errorBody({ code: 'timestamp-expired' }, readings), ...json }
    case 'html_502':
      return { ...json, status: 502, body: {}, text: badGateway, type: 'text/html' }
    default:
      return null
  }
}

function phraseOf(status: number): string {
  return STATUS_CODES[status] ?? 'Error'
}

/** The page that proxies write. */
const badGateway = `<html>
<head><title>502 Bad Gateway</title></head>
<body>
<center><h1>502 Bad Gateway</h1></center>
<hr><center>gateway</center>
</body>
</html>
`

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
