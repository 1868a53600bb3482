import * as shapes from '../../api/admin-answers.ts'
import { errorTypeIn } from '../../api/error-types.ts'
import { invalid } from '../../api/errors.ts'
import { matchesPath } from '../../api/faults/matches-fault.ts'
import type { RateCategory } from '../../api/operations/operation.ts'
import { closed, mapOf, partial } from '../../api/wire-shapes.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { millis } from '../../numeric/units.ts'
import { explain } from '../../pipeline/explain.ts'
import { type RawRequest, rawRequest } from '../../pipeline/raw-request.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { typed } from '../../shape/shape.ts'
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
import { inWorld, inWorldWith } from './find.ts'
import {
  type AdminAnswer,
  type AdminCall,
  type AdminRoute,
  type Answered,
  bare,
  ok,
  refused,
  withBody,
} from './route.ts'

/** Design, section 16, Request log. A `*` in the path matches any text. */
const matchSchema = partial({
  method: typed<string>({ type: 'string' }),
  path: typed<string>({ type: 'string', maxLength: 1000 }),
  account: typed<string>({ type: 'string' }),
  key: typed<string>({ type: 'string' }),
  status: typed<number>({ type: 'integer' }),
  type: typed<string>({ type: 'string' }),
})
type RequestMatch = RecordOf<typeof matchSchema>

function matchesRequest(request: LoggedRequest, type: string | null, match: RequestMatch): boolean {
  return differences(request, type, match).length === 0
}

/** The fields of the match that the request does not have. */
function differences(request: LoggedRequest, type: string | null, match: RequestMatch): string[] {
  const { method, path, account, key, status } = match
  const checks: readonly (readonly [string, boolean])[] = [
    ['method', method === undefined || method.toUpperCase() === request.method],
    ['path', path === undefined || matchesPath(path, request.path)],
    ['account', account === undefined || account === request.account],
    ['key', key === undefined || key === request.apiKey],
    ['status', status === undefined || status === request.status],
    ['type', match.type === undefined || match.type === type],
  ]
  return checks.filter(([, isEqual]) => !isEqual).map(([field]) => field)
}

const searchSchema = partial({
  match: matchSchema,
})

const count = typed<number>({ type: 'integer', minimum: 0 })
const verifySchema = partial({
  match: matchSchema,
  times: partial({
    exactly: count,
    atLeast: count,
    atMost: count,
  }),
})

const failureSchema = closed(
  {
    test: typed<string>({ type: 'string', minLength: 1, maxLength: 1000 }),
    message: typed<string>({ type: 'string', maxLength: 100_000 }),
  },
  ['message'],
)

const explainSchema = closed(
  {
    method: typed<string>({ type: 'string', minLength: 1, maxLength: 32 }),
    path: typed<string>({ type: 'string', minLength: 1, maxLength: 16_384 }),
    headers: mapOf(typed<string>({ type: 'string' })),
    body: typed<string | object>({ type: ['string', 'object', 'array'] }),
  },
  ['headers', 'body'],
)
type ExplainBody = RecordOf<typeof explainSchema>

export const requestRoutes: readonly AdminRoute[] = [
  bare(
    'GET',
    '/worlds/:world/requests',
    {
      id: 'listRequests',
      summary: 'What came in, oldest first',
      response: shapes.requestList,
      query: { since: shapes.since },
    },
    inWorld(listRequests),
  ),
  bare(
    'DELETE',
    '/worlds/:world/requests',
    { id: 'clearRequests', summary: 'Forget the requests', response: shapes.cleared },
    inWorld((world) => {
      world.requests.clear()
      return ok({ cleared: true })
    }),
  ),
  withBody(
    'POST',
    '/worlds/:world/requests/find',
    {
      id: 'findRequests',
      summary: 'The requests that match',
      response: shapes.requestList,
      example: () => ({ body: { match: { method: 'POST', path: '/api/sdk/orders*' } } }),
    },
    searchSchema,
    inWorldWith((world, { match = {} }: RecordOf<typeof searchSchema>) =>
      ok({ requests: found(world, match).map(requestView) }),
    ),
  ),
  withBody(
    'POST',
    '/worlds/:world/requests/count',
    {
      id: 'countRequests',
      summary: 'How many requests match',
      response: shapes.requestCount,
      example: () => ({ body: { match: { status: 201 } } }),
    },
    searchSchema,
    inWorldWith((world, { match = {} }: RecordOf<typeof searchSchema>) =>
      ok({ count: found(world, match).length }),
    ),
  ),
  withBody(
    'POST',
    '/worlds/:world/requests/verify',
    {
      id: 'verifyRequests',
      summary: 'Whether so many requests match; if not, those that nearly do',
      response: shapes.verified,
      example: () => ({ body: { match: { method: 'POST' }, times: { atLeast: 0 } } }),
    },
    verifySchema,
    inWorldWith(verify),
  ),
  withBody(
    'POST',
    '/worlds/:world/requests/explain',
    {
      id: 'explainRequest',
      summary: 'Which step would answer a request, and why; nothing is carried out',
      response: shapes.explanation,
      example: () => ({ body: { method: 'GET', path: '/api/sdk/orders' } }),
    },
    explainSchema,
    inWorldWith(explainRequest),
  ),
  bare(
    'GET',
    '/worlds/:world/failure',
    { id: 'getFailure', summary: 'The test that has failed in this world, if any', response: shapes.noted },
    inWorld(({ failure }) => ok({ failure })),
  ),
  withBody(
    'POST',
    '/worlds/:world/failure',
    {
      id: 'noteFailure',
      summary: 'A test has failed here: what to print, and the files for otcsim show',
      response: shapes.failureNoted,
      example: () => ({
        body: { test: 'fills > a marketable order', message: 'expected open to be filled' },
      }),
    },
    failureSchema,
    inWorldWith(failTest),
  ),
]

/** Choice: nothing is written on this machine; the caller keeps the files, in the folder that the text names. */
function failTest(world: World, body: RecordOf<typeof failureSchema>, { worlds }: AdminCall): AdminAnswer {
  const failure = noteFailure(world, body.test, body.message ?? 'the test failed')
  const journal = [...(worlds.journalOf(world)?.text() ?? [])].join('')
  const text = failureText(world, failure, `${failureFolder}/${journalName(failure.test)}`)
  return ok({ text, folder: failureFolder, files: failureFiles(world, failure, journal) })
}

function listRequests(world: World, { query }: AdminCall): AdminAnswer {
  const since = query.get('since') ?? '0'
  if (!/^\d{1,15}$/.test(since))
    return refused(invalid({ field: 'since', reason: 'must be the number of a request' }))
  return ok({ requests: world.requests.since(Number(since)).map(requestView) })
}

function found(world: World, match: RequestMatch): LoggedRequest[] {
  return world.requests.since(0).filter((request) => matchesRequest(request, errorTypeOf(request), match))
}

/** Choice: without `times`, at least one. */
function verify(world: World, body: RecordOf<typeof verifySchema>): AdminAnswer {
  const { match = {}, times = { atLeast: 1 } } = body
  const matched = found(world, match).length
  const { exactly = matched, atLeast = 0, atMost = matched } = times
  const verified = matched === exactly && matched >= atLeast && matched <= atMost
  return ok({ verified, matched, nearest: verified ? [] : nearest(world, match) })
}

const nearestShown = 3

/** The requests that miss the match by the fewest fields, and those fields. */
function nearest(world: World, match: RequestMatch) {
  return world.requests
    .since(0)
    .map((request) => ({ request, differs: differences(request, errorTypeOf(request), match) }))
    .filter(({ differs }) => differs.length > 0)
    .sort(
      (left, right) =>
        left.differs.length - right.differs.length || right.request.sequence - left.request.sequence,
    )
    .slice(0, nearestShown)
    .map(({ request, differs }) => ({ ...requestView(request), differs }))
}

function explainRequest(_world: World, body: ExplainBody, { worlds }: AdminCall): Answered {
  const explained = explain(worlds, requestIn(body))
  return explained instanceof Promise ? explained.then(ok) : ok(explained)
}

/** As if it had come over the wire. */
function requestIn({ method, path, headers = {}, body }: ExplainBody): RawRequest {
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

const limitCount = typed<number>({ type: 'integer', minimum: 0, maximum: 1_000_000 })

const limitsSchema = partial({
  enabled: typed<boolean>({ type: 'boolean' }),
  marketData: limitCount,
  other: limitCount,
  windowMs: typed<number>({ type: 'integer', minimum: 1, maximum: 86_400_000 }),
})

export const limitRoutes: readonly AdminRoute[] = [
  bare(
    'GET',
    '/worlds/:world/rate-limits',
    { id: 'getRateLimits', summary: 'The rate limits', response: shapes.rateLimits },
    inWorld((world) => ok(limitsView(world))),
  ),
  withBody(
    'PUT',
    '/worlds/:world/rate-limits',
    {
      id: 'setRateLimits',
      summary: 'Set other rate limits, or none',
      response: shapes.rateLimits,
      example: () => ({ body: { enabled: true, marketData: 30, other: 10, windowMs: 1000 } }),
    },
    limitsSchema,
    inWorldWith((world, { enabled, marketData, other, windowMs }: RecordOf<typeof limitsSchema>) => {
      const present = world.limiter.limits
      setRateLimits(world, {
        isEnabled: enabled ?? present.isEnabled,
        marketData: marketData ?? present.marketData,
        other: other ?? present.other,
        windowMillis: windowMs === undefined ? present.windowMillis : millis(windowMs),
      })
      return ok(limitsView(world))
    }),
  ),
  bare(
    'POST',
    '/worlds/:world/rate-limits/reset',
    { id: 'resetRateLimits', summary: 'Forget what has been counted', response: shapes.rateLimits },
    inWorld((world) => {
      world.limiter.reset()
      return ok(limitsView(world))
    }),
  ),
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
