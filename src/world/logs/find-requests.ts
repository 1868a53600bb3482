import { errorTypes, findErrorType } from '../../api/error-types.ts'
import { bodyFields, matchesBody } from '../../api/faults/matches-body.ts'
import { matchesPath, methods } from '../../api/faults/matches-fault.ts'
import { type InputProblem, unknownWordProblem } from '../../api/input-problem.ts'
import { describe, partial, textual } from '../../api/wire-shapes.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { type RecordOf, shapeTyped } from '../../shape/shape.ts'
import { type LoggedRequest, longestBody, type RequestLog } from './request-log.ts'

/* Finds the logged requests that a test expects. Source: design, section 16, Request log. */

export const requestMatch = describe(
  partial({
    method: textual('its method'),
    path: textual('its path; "*" is any text', { maxLength: 1000 }),
    account: textual('the account of its key'),
    key: textual('what X-API-Key was'),
    status: describe(shapeTyped<number>({ type: 'integer' }), 'the status of the answer'),
    type: textual('the error type of the answer'),
    body: bodyFields,
  }),
  'which requests; any value of what is left out',
)
export type RequestMatch = RecordOf<typeof requestMatch>

const count = shapeTyped<number>({ type: 'integer', minimum: 0 })
export const requestTimes = describe(
  partial({
    exactly: describe(count, 'neither more nor fewer'),
    atLeast: describe(count, 'not fewer'),
    atMost: describe(count, 'not more'),
  }),
  'how many must match; at least one when left out',
)
export type RequestTimes = RecordOf<typeof requestTimes>

/**
 * Finds a word of a match that no request can have: a method, an error type, or an account that does not exist. Null
 * when there is none.
 */
export function findUnknownWord(
  { method, type, account }: RequestMatch,
  accounts: readonly string[],
): InputProblem | null {
  const words = [
    ['match.method', 'is not a method', method?.toUpperCase(), methods],
    ['match.type', 'is not an error type of the venue', type, errorTypes],
    ['match.account', 'is not a known account', account, accounts],
  ] as const
  for (const [field, reason, word, known] of words) {
    if (word !== undefined && !known.some((other) => other === word))
      return unknownWordProblem(field, reason, word, known)
  }
  return null
}

/** Finds the logged requests that match, oldest first, as the admin API shows them. */
export function findRequests(log: RequestLog, match: RequestMatch) {
  const found = log.since(0).filter((request) => listDifferences(request, match).length === 0)
  return found.map(requestView)
}

/**
 * Checks how many logged requests match. When the number is not as asked, the result lists the requests that nearly
 * match. Choice: without `times`, at least one must match. Nothing is verified by a log without any request, by one
 * that has dropped requests which may decide it, by bodies that were cut off, or by `times` that every number meets.
 */
export function verifyRequests(log: RequestLog, match: RequestMatch, times: RequestTimes = { atLeast: 1 }) {
  const logged = log.since(0)
  const differences = logged.map((request) => listDifferences(request, match))
  const matched = differences.filter(({ length }) => length === 0).length
  const { exactly = matched, atLeast = 0, atMost = matched } = times
  const isEnough = matched >= atLeast && times.exactly === undefined && times.atMost === undefined
  const isAsked = times.exactly !== undefined || times.atMost !== undefined || atLeast > 0
  const lacks = !isAsked
    ? anyNumber
    : logged.length > 0 && isEnough
      ? null
      : findLack(log, logged, differences)
  const verified = lacks === null && matched === exactly && matched >= atLeast && matched <= atMost
  const nearest = verified ? [] : listNearest(logged, match)
  return { verified, matched, lookedAt: { requests: logged.length }, lacks, nearest }
}

const anyNumber = 'any number would do: times needs exactly, atMost, or an atLeast above 0'

/** Says why a log cannot show how many requests matched; null when it can. */
function findLack(
  log: RequestLog,
  logged: readonly LoggedRequest[],
  differences: readonly (readonly string[])[],
): string | null {
  const { requests } = log.counts
  if (requests === 0) return 'no request has been received'
  if (logged.length < requests) return `the log has only the last ${logged.length} of ${requests} requests`
  const cut = logged.filter((request, at) => differences[at]?.join() === 'body' && isBodyCut(request))
  if (cut.length === 0) return null
  return `the log has only the first ${longestBody} bytes of ${cut.map(({ requestId }) => requestId).join(', ')}`
}

const isBodyCut = ({ requestBody }: LoggedRequest): boolean => Buffer.byteLength(requestBody) >= longestBody

const maximumNearest = 3

/** Lists the requests that miss the match by the fewest fields, newest first among equals, with those fields. */
function listNearest(logged: readonly LoggedRequest[], match: RequestMatch) {
  return logged
    .map((request) => ({ request, differs: listDifferences(request, match) }))
    .filter(({ differs }) => differs.length > 0)
    .sort(
      (left, right) =>
        left.differs.length - right.differs.length || right.request.sequence - left.request.sequence,
    )
    .slice(0, maximumNearest)
    .map(({ request, differs }) => ({ ...requestView(request), differs }))
}

/** Lists the fields of a match that a request does not have. */
function listDifferences(request: LoggedRequest, match: RequestMatch): string[] {
  const { method, path, account, key, status, type, body } = match
  const checks: readonly (readonly [string, boolean])[] = [
    ['method', method === undefined || method.toUpperCase() === request.method],
    ['path', path === undefined || matchesPath(path, request.path)],
    ['account', account === undefined || account === request.account],
    ['key', key === undefined || key === request.apiKey],
    ['status', status === undefined || status === request.status],
    ['type', type === undefined || type === findErrorType(request.status, request.responseBody)],
    ['body', body === undefined || matchesBody(body, request.requestBody)],
  ]
  return checks.filter(([, isEqual]) => !isEqual).map(([field]) => field)
}

/** Returns a logged request as the admin API shows it. */
export function requestView({ atMillis, wallMillis, durationMillis, apiKey, ...request }: LoggedRequest) {
  const { sequence, requestId, worldSequence, method, path, query, account, requestBody, status } = request
  return {
    sequence,
    requestId,
    at: millisToIso(atMillis),
    wallAt: millisToIso(wallMillis),
    durationMs: durationMillis,
    worldSequence,
    method,
    path,
    query,
    account,
    key: apiKey === '' ? null : apiKey,
    requestBody,
    status,
    type: findErrorType(status, request.responseBody),
    responseBody: request.responseBody,
    hint: request.hint,
    fault: request.fault,
    lost: request.lost,
  }
}
