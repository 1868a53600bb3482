import * as shapes from '../../api/admin-answers.ts'
import { errorTypeIn } from '../../api/error-types.ts'
import { matchesPath } from '../../api/faults/matches-fault.ts'
import type { RateCategory } from '../../api/operations/operation.ts'
import { closed, described, mapOf, partial } from '../../api/wire-shapes.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { millis } from '../../numeric/units.ts'
import { type RawRequest, rawRequest } from '../../pipeline/call.ts'
import { explain } from '../../pipeline/explain.ts'
import { rateLimits } from '../../scenario/compile/compiled.ts'
import { type RecordOf, type Shape, typed } from '../../shape/shape.ts'
import { setRateLimits } from '../../world/change-world.ts'
import type { LoggedRequest } from '../../world/logs/request-log.ts'
import {
  failureFiles,
  failureFolder,
  failureText,
  journalName,
  noteFailure,
} from '../../world/logs/test-failure.ts'
import type { World } from '../../world/world.ts'
import { type AdminCall, type AdminRoute, inWorld, wrongField } from './route.ts'

/** Design, section 16, Request log. */
const matchSchema = described(
  partial({
    method: described(typed<string>({ type: 'string' }), 'its method'),
    path: described(typed<string>({ type: 'string', maxLength: 1000 }), 'its path; "*" is any text'),
    account: described(typed<string>({ type: 'string' }), 'the account of its key'),
    key: described(typed<string>({ type: 'string' }), 'what X-API-Key was'),
    status: described(typed<number>({ type: 'integer' }), 'the status of the answer'),
    type: described(typed<string>({ type: 'string' }), 'the error type of the answer'),
  }),
  'which requests; any value of what is left out',
)
type RequestMatch = RecordOf<typeof matchSchema>

/** The fields of the match that the request does not have. */
function differences(request: LoggedRequest, match: RequestMatch): string[] {
  const { method, path, account, key, status, type } = match
  const checks: readonly (readonly [string, boolean])[] = [
    ['method', method === undefined || method.toUpperCase() === request.method],
    ['path', path === undefined || matchesPath(path, request.path)],
    ['account', account === undefined || account === request.account],
    ['key', key === undefined || key === request.apiKey],
    ['status', status === undefined || status === request.status],
    ['type', type === undefined || type === errorTypeOf(request)],
  ]
  return checks.filter(([, isEqual]) => !isEqual).map(([field]) => field)
}

const searchSchema = partial({
  match: matchSchema,
})

const count = typed<number>({ type: 'integer', minimum: 0 })
const verifySchema = partial({
  match: matchSchema,
  times: described(
    partial({
      exactly: described(count, 'neither more nor fewer'),
      atLeast: described(count, 'not fewer'),
      atMost: described(count, 'not more'),
    }),
    'how many must match; at least one when left out',
  ),
})

const failureSchema = closed(
  {
    test: described(typed<string>({ type: 'string', minLength: 1, maxLength: 1000 }), 'its name'),
    message: described(typed<string>({ type: 'string', maxLength: 100_000 }), 'what the assertion said'),
  },
  ['message'],
)

const explainSchema = closed(
  {
    method: described(typed<string>({ type: 'string', minLength: 1, maxLength: 32 }), 'its method'),
    path: described(
      typed<string>({ type: 'string', minLength: 1, maxLength: 16_384 }),
      'its path, with the query',
    ),
    headers: described(mapOf(typed<string>({ type: 'string' })), 'its headers, the signature among them'),
    body: described(
      typed<string | object>({ type: ['string', 'object', 'array'] }),
      'its body, as text or as JSON; none when left out',
    ),
  },
  ['headers', 'body'],
)

export const requestRoutes: readonly AdminRoute[] = [
  inWorld('GET', '/requests', {
    id: 'listRequests',
    summary: 'What came in, oldest first',
    response: shapes.requestList,
    query: { since: shapes.since },
    example: { query: { since: '0' } },
    answer: listRequests,
  }),
  inWorld('DELETE', '/requests', {
    id: 'clearRequests',
    summary: 'Forget the requests',
    response: shapes.cleared,
    answer: (world) => {
      world.requests.clear()
      return { cleared: true }
    },
  }),
  inWorld('POST', '/requests/find', {
    id: 'findRequests',
    summary: 'The requests that match',
    response: shapes.requestList,
    example: { body: { match: { method: 'POST', path: '/api/sdk/orders*' } } },
    body: searchSchema,
    answer: (world, _call, { match = {} }) => ({ requests: found(world, match).map(requestView) }),
  }),
  inWorld('POST', '/requests/count', {
    id: 'countRequests',
    summary: 'How many requests match',
    response: shapes.requestCount,
    example: { body: { match: { status: 201 } } },
    body: searchSchema,
    answer: (world, _call, { match = {} }) => ({ count: found(world, match).length }),
  }),
  inWorld('POST', '/requests/verify', {
    id: 'verifyRequests',
    summary: 'Whether so many requests match; if not, those that nearly do',
    response: shapes.verified,
    example: { body: { match: { method: 'POST' }, times: { atLeast: 0 } } },
    body: verifySchema,
    answer: verify,
  }),
  inWorld('POST', '/requests/explain', {
    id: 'explainRequest',
    summary: 'Which step would answer a request, and why; nothing is carried out',
    response: shapes.explanation,
    example: { body: { method: 'GET', path: '/api/sdk/orders' } },
    body: explainSchema,
    answer: (_world, { worlds }, body) => explain(worlds, requestIn(body)),
  }),
  inWorld('GET', '/failure', {
    id: 'getFailure',
    summary: 'The test that has failed in this world, if any',
    response: shapes.noted,
    answer: ({ failure }) => ({ failure }),
  }),
  inWorld('POST', '/failure', {
    id: 'noteFailure',
    summary: 'A test has failed here: what to print, and the files for otcsim show',
    response: shapes.failureNoted,
    example: {
      body: { test: 'fills > a marketable order', message: 'expected open to be filled' },
    },
    body: failureSchema,
    answer: failTest,
  }),
]

/** Choice: nothing is written on this machine; the caller keeps the files, in the folder that the text names. */
function failTest(world: World, { worlds }: AdminCall, body: RecordOf<typeof failureSchema>) {
  const failure = noteFailure(world, body.test, body.message ?? 'the test failed')
  const journal = [...(worlds.journalOf(world)?.text() ?? [])].join('')
  const text = failureText(world, failure, `${failureFolder}/${journalName(failure.test)}`)
  return { text, folder: failureFolder, files: failureFiles(world, failure, journal) }
}

function listRequests(world: World, { query }: AdminCall) {
  const since = query.get('since') ?? '0'
  if (!/^\d{1,15}$/.test(since)) throw wrongField('since', 'must be the number of a request')
  return { requests: world.requests.since(Number(since)).map(requestView) }
}

function found(world: World, match: RequestMatch): LoggedRequest[] {
  return world.requests.since(0).filter((request) => differences(request, match).length === 0)
}

/** Choice: without `times`, at least one. */
function verify(
  world: World,
  _call: AdminCall,
  { match = {}, times = { atLeast: 1 } }: RecordOf<typeof verifySchema>,
) {
  const matched = found(world, match).length
  const { exactly = matched, atLeast = 0, atMost = matched } = times
  const verified = matched === exactly && matched >= atLeast && matched <= atMost
  return { verified, matched, nearest: verified ? [] : nearest(world, match) }
}

const nearestShown = 3

/** The requests that miss the match by the fewest fields, and those fields. */
function nearest(world: World, match: RequestMatch) {
  return world.requests
    .since(0)
    .map((request) => ({ request, differs: differences(request, match) }))
    .filter(({ differs }) => differs.length > 0)
    .sort(
      (left, right) =>
        left.differs.length - right.differs.length || right.request.sequence - left.request.sequence,
    )
    .slice(0, nearestShown)
    .map(({ request, differs }) => ({ ...requestView(request), differs }))
}

/** As if it had come over the wire. */
function requestIn({ method, path, headers = {}, body }: RecordOf<typeof explainSchema>): RawRequest {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  return rawRequest(method, path, Object.entries(headers), Buffer.from(text))
}

function requestView(request: LoggedRequest) {
  const { sequence, requestId, method, path, query, account, apiKey, status, hint, fault } = request
  return {
    sequence,
    requestId,
    at: millisToIso(request.atMillis),
    wallAt: millisToIso(request.wallMillis),
    durationMs: request.durationMillis,
    worldSequence: request.worldSequence,
    method,
    path,
    query,
    account,
    key: apiKey === '' ? null : apiKey,
    requestBody: request.requestBody,
    status,
    type: errorTypeOf(request),
    responseBody: request.responseBody,
    hint,
    fault,
  }
}

function errorTypeOf({ status, responseBody }: LoggedRequest): string | null {
  return errorTypeIn(status, responseBody)
}

/** What a scenario may state, and a journal may hold. */
const { marketData, other, windowMillis } = rateLimits.properties

const limitsSchema = partial({
  enabled: typed<boolean>({ type: 'boolean' }),
  marketData: within(marketData),
  other: within(other),
  windowMs: within(windowMillis),
})

function within({ minimum = 0, maximum = 0 }: Shape) {
  return typed<number>({ type: 'integer', minimum, maximum })
}

export const limitRoutes: readonly AdminRoute[] = [
  inWorld('GET', '/rate-limits', {
    id: 'getRateLimits',
    summary: 'The rate limits',
    response: shapes.rateLimits,
    answer: limitsView,
  }),
  inWorld('PUT', '/rate-limits', {
    id: 'setRateLimits',
    summary: 'Set other rate limits, or none',
    response: shapes.rateLimits,
    example: { body: { enabled: true, marketData: 30, other: 10, windowMs: 1000 } },
    body: limitsSchema,
    answer: (world, _call, { enabled, marketData, other, windowMs }) => {
      const present = world.limiter.limits
      setRateLimits(world, {
        isEnabled: enabled ?? present.isEnabled,
        marketData: marketData ?? present.marketData,
        other: other ?? present.other,
        windowMillis: windowMs === undefined ? present.windowMillis : millis(windowMs),
      })
      return limitsView(world)
    },
  }),
  inWorld('POST', '/rate-limits/reset', {
    id: 'resetRateLimits',
    summary: 'Forget what has been counted',
    response: shapes.rateLimits,
    answer: (world) => {
      world.limiter.reset()
      return limitsView(world)
    },
  }),
]

export function limitsView(world: World) {
  const { isEnabled, marketData, other, windowMillis } = world.limiter.limits
  return { enabled: isEnabled, marketData, other, windowMs: windowMillis }
}

/** What each key may still send in its window. */
export function standings(world: World) {
  const { limiter, readings, wall } = world
  const algorithm = readings['rate.algorithm']
  const nowMillis = readings['rate.clock'] === 'world' ? world.now : wall.nowMillis()
  const standing = (apiKey: string, category: RateCategory) => {
    const { limit, remaining } = limiter.standing(apiKey, category, algorithm, nowMillis)
    return { limit, remaining }
  }
  return world.keys
    .list()
    .filter((key) => !key.isRevoked)
    .map(({ apiKey, accountId }) => ({
      apiKey,
      account: accountId,
      marketData: standing(apiKey, 'marketData'),
      other: standing(apiKey, 'other'),
    }))
}
