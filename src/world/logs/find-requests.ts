import { findErrorType } from '../../api/error-types.ts'
import { matchesPath } from '../../api/faults/matches-fault.ts'
import { describe, partial, textual } from '../../api/wire-shapes.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { type RecordOf, shapeTyped } from '../../shape/shape.ts'
import type { LoggedRequest, RequestLog } from './request-log.ts'

/* Finds the logged requests that a test expects. Source: design, section 16, Request log. */

export const requestMatch = describe(
  partial({
    method: textual('its method'),
    path: textual('its path; "*" is any text', { maxLength: 1000 }),
    account: textual('the account of its key'),
    key: textual('what X-API-Key was'),
    status: describe(shapeTyped<number>({ type: 'integer' }), 'the status of the answer'),
    type: textual('the error type of the answer'),
  }),
  'which requests; any value of what is left out',
)
type RequestMatch = RecordOf<typeof requestMatch>

const count = shapeTyped<number>({ type: 'integer', minimum: 0 })
export const requestTimes = describe(
  partial({
    exactly: describe(count, 'neither more nor fewer'),
    atLeast: describe(count, 'not fewer'),
    atMost: describe(count, 'not more'),
  }),
  'how many must match; at least one when left out',
)

/** Finds the logged requests that match, oldest first, as the admin API shows them. */
export function findRequests(log: RequestLog, match: RequestMatch) {
  const found = log.since(0).filter((request) => listDifferences(request, match).length === 0)
  return found.map(requestView)
}

/**
 * Checks how many logged requests match. When the number is not as asked, the result lists the requests that nearly
 * match. Choice: without `times`, at least one must match.
 */
export function verifyRequests(
  log: RequestLog,
  match: RequestMatch,
  times: RecordOf<typeof requestTimes> = { atLeast: 1 },
) {
  const matched = findRequests(log, match).length
  const { exactly = matched, atLeast = 0, atMost = matched } = times
  const verified = matched === exactly && matched >= atLeast && matched <= atMost
  return { verified, matched, nearest: verified ? [] : listNearest(log, match) }
}

const maximumNearest = 3

/** Lists the requests that miss the match by the fewest fields, newest first among equals, with those fields. */
function listNearest(log: RequestLog, match: RequestMatch) {
  return log
    .since(0)
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
  const { method, path, account, key, status, type } = match
  const checks: readonly (readonly [string, boolean])[] = [
    ['method', method === undefined || method.toUpperCase() === request.method],
    ['path', path === undefined || matchesPath(path, request.path)],
    ['account', account === undefined || account === request.account],
    ['key', key === undefined || key === request.apiKey],
    ['status', status === undefined || status === request.status],
    ['type', type === undefined || type === findErrorType(request.status, request.responseBody)],
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
  }
}
