import { STATUS_CODES } from 'node:http'
import { errorBody } from '../../api/errors.ts'
import { faultErrorBody } from '../../api/faults/fault-error.ts'
import { parsedBody } from '../../api/faults/parsed-body.ts'
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
