import { STATUS_CODES } from 'node:http'
import { errorBody } from '../../api/errors.ts'
import { faultErrorBody } from '../../api/faults/fault-error.ts'
import type { Readings } from '../../api/readings/readings.ts'
import type { Strike } from './fault-book.ts'

/** The answer that a fault gives instead of the venue. */
export interface FaultAnswer {
  readonly status: number
  readonly body: object
  /** The text that replaces the body when it is not JSON. */
  readonly html: string | null
  /** Seconds; null when the answer does not say. */
  readonly retryAfter: number | null
}

/** Null for a fault that gives no answer at all. */
export function faultAnswer({ rule }: Strike, readings: Readings): FaultAnswer | null {
  const { status = 500, type = null, retryAfter = null } = rule.attributes
  switch (rule.type) {
    case 'http_error':
      return {
        status,
        body: faultErrorBody(status, type, phraseOf(status), readings),
        html: null,
        retryAfter,
      }
    case 'rate_limit':
      return { status: 429, body: errorBody({ code: 'rate-limited' }, readings), html: null, retryAfter }
    case 'auth_expired':
      return { status: 401, body: errorBody({ code: 'timestamp-expired' }, readings), html: null, retryAfter }
    case 'html_502':
      return { status: 502, body: {}, html: badGateway, retryAfter }
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
