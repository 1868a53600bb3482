import type { Answer } from '../transport/answer.ts'
import type { Received, Respond } from '../transport/receive.ts'

/*
 * Pages of other origins that may call the venue. A browser asks first whether it may (a preflight), and then shows a
 * page only what the answer allows it to see. What the venue answers does not change, and the admin API stays closed.
 */

/**
 * Origins as one text, separated by commas: `http://localhost:3000`, or `*` for all. Null where one is not an origin.
 */
export function parseOrigins(text: string): readonly string[] | null {
  const origins = text.split(',').map((origin) => origin.trim())
  return origins.every((origin) => origin === '*' || isOrigin(origin)) ? origins : null
}

/** Choice: spec silent; a preflight is answered by the server without a world: not logged, counted or signed. */
export function forOrigins(origins: readonly string[], respond: Respond): Respond {
  if (origins.length === 0) return respond
  const isAllowed = (origin: string) => origins.includes('*') || origins.includes(origin)
  return (request) => {
    const { origin } = request.headers
    if (origin === undefined || !isAllowed(origin)) return respond(request)
    if (isPreflight(request)) return preflightAnswer(origin)
    const answer = respond(request)
    return answer instanceof Promise ? answer.then((late) => shownTo(origin, late)) : shownTo(origin, answer)
  }
}

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text
}

function isPreflight({ method, headers }: Received): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

function preflightAnswer(origin: string): Answer {
  const headers = [
    ...allowing(origin),
    'Access-Control-Allow-Methods',
    'GET, POST, PATCH, DELETE',
    'Access-Control-Allow-Headers',
    'Content-Type, X-API-Key, X-API-Timestamp, X-API-Signature, Prefer',
    'Access-Control-Max-Age',
    '600',
  ]
  return { status: 204, headers, body: '' }
}

function shownTo(origin: string, answer: Answer): Answer {
  return { ...answer, headers: [...answer.headers, ...allowing(origin), ...exposing] }
}

const allowing = (origin: string): string[] => ['Access-Control-Allow-Origin', origin, 'Vary', 'Origin']

const exposing: readonly string[] = [
  'Access-Control-Expose-Headers',
  [
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'Retry-After',
    'Preference-Applied',
    'X-Sim-Time',
    'X-Sim-World',
    'X-Sim-Request-Id',
    'X-Sim-Hint',
    'X-Sim-Fault',
  ].join(', '),
]
