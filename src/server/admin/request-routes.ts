import * as shapes from '../../api/admin-answers.ts'
import * as bodies from '../../api/admin-bodies.ts'
import { invalidParameter } from '../../api/errors.ts'
import { partial } from '../../api/wire-shapes.ts'
import { millis } from '../../numeric/units.ts'
import { type RawRequest, toRawRequest } from '../../pipeline/call.ts'
import { explain } from '../../pipeline/explain.ts'
import { rateLimits } from '../../scenario/compile/compiled.ts'
import { type RecordOf, type Shape, shapeTyped } from '../../shape/shape.ts'
import { setRateLimits } from '../../world/change-world.ts'
import { knownNames } from '../../world/faults/fire-faults.ts'
import {
  findRequests,
  findUnknownWord,
  type RequestMatch,
  requestMatch,
  requestTimes,
  requestView,
  verifyRequests,
} from '../../world/logs/find-requests.ts'
import { failureFolder, failureText, makeFailureFiles, noteFailure } from '../../world/logs/test-failure.ts'
import { explainWorld, listIdleFaults } from '../../world/views/failure-facts.ts'
import { limitsView } from '../../world/views/world-views.ts'
import type { World } from '../../world/world.ts'
import { type AdminCall, AdminRefusal, type AdminRoute, inWorld, wrongField } from './route.ts'

const searchSchema = partial({ match: requestMatch })
const verifySchema = partial({ match: requestMatch, times: requestTimes })

export const requestRoutes: readonly AdminRoute[] = [
  inWorld('GET', '/requests', {
    id: 'listRequests',
    summary: 'The requests that were received, oldest first',
    response: shapes.requestList,
    query: { since: shapes.since },
    example: { query: { since: '0' } },
    answer: listRequests,
  }),
  inWorld('DELETE', '/requests', {
    id: 'clearRequests',
    summary: 'Clear the request log',
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
    answer: (world, _call, { match = {} }) => ({
      requests: findRequests(world.requests, checkMatch(world, match)),
    }),
  }),
  inWorld('POST', '/requests/count', {
    id: 'countRequests',
    summary: 'How many requests match',
    response: shapes.requestCount,
    example: { body: { match: { status: 201 } } },
    body: searchSchema,
    answer: (world, _call, { match = {} }) => ({
      count: findRequests(world.requests, checkMatch(world, match)).length,
    }),
  }),
  inWorld('POST', '/requests/verify', {
    id: 'verifyRequests',
    summary: 'Check how many requests match; if the check fails, the nearest ones',
    response: shapes.verified,
    example: { body: { match: { method: 'POST' }, times: { atMost: 100 } } },
    body: verifySchema,
    answer: (world, _call, { match = {}, times }) =>
      verifyRequests(world.requests, checkMatch(world, match), times),
  }),
  inWorld('POST', '/requests/explain', {
    id: 'explainRequest',
    summary: 'Which step would answer a request, and why; nothing is carried out',
    response: shapes.explanation,
    example: { body: { method: 'GET', path: '/api/sdk/orders' } },
    body: bodies.explainBody,
    answer: (_world, { worlds }, body) => explain(worlds, readExplainedRequest(body)),
  }),
  inWorld('GET', '/failure', {
    id: 'getFailure',
    summary: 'The test that has failed in this world, if any',
    response: shapes.noted,
    answer: ({ failure }) => ({ failure }),
  }),
  inWorld('POST', '/failure', {
    id: 'noteFailure',
    summary: 'Note that a test has failed here; answers the text to print and the files for otcsim show',
    response: shapes.failureNoted,
    example: {
      body: { test: 'fills > a marketable order', message: 'expected open to be filled' },
    },
    body: bodies.failureBody,
    answer: recordFailure,
  }),
]

/** Returns a match that requests can fit. Throws a refusal for a word that none can have. */
function checkMatch(world: World, match: RequestMatch): RequestMatch {
  const problem = findUnknownWord(match, knownNames(world).accounts)
  if (problem !== null) throw new AdminRefusal(invalidParameter(problem))
  return match
}

/**
 * Notes that a test has failed. Choice: the server writes no file; the caller keeps the files, in the folder that the
 * text names.
 */
function recordFailure(world: World, { worlds }: AdminCall, body: RecordOf<typeof bodies.failureBody>) {
  const message = body.message ?? 'the test failed'
  const idle = listIdleFaults(world.faults.list(world.now))
  const failure = noteFailure(world, body.test, message, explainWorld(world, message, idle))
  const journal = [...(worlds.journalOf(world)?.text() ?? [])].join('')
  const files = makeFailureFiles(world, failure, journal)
  const text = failureText(failure, `${failureFolder}/${files[0].name}`)
  return { text, answer: failure.answer, folder: failureFolder, files }
}

function listRequests(world: World, { query }: AdminCall) {
  const since = query.get('since') ?? '0'
  if (!/^\d{1,15}$/.test(since)) throw wrongField('since', 'must be the number of a request')
  return { requests: world.requests.since(Number(since)).map(requestView) }
}

/** Reads the request to be explained as if it had come over the wire. */
function readExplainedRequest({
  method,
  path,
  headers = {},
  body,
}: RecordOf<typeof bodies.explainBody>): RawRequest {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  return toRawRequest(method, path, Object.entries(headers), Buffer.from(text))
}

/* The limits have the bounds of a scenario's, so that a journal can hold them. */
const { marketData, other, windowMillis } = rateLimits.properties

export const limitsSchema = partial({
  enabled: shapeTyped<boolean>({ type: 'boolean' }),
  marketData: integerWithin(marketData),
  other: integerWithin(other),
  windowMs: integerWithin(windowMillis),
})

function integerWithin({ minimum = 0, maximum = 0 }: Shape) {
  return shapeTyped<number>({ type: 'integer', minimum, maximum })
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
    summary: 'Reset the counts of the rate limits',
    response: shapes.rateLimits,
    answer: (world) => {
      world.limiter.reset()
      return limitsView(world)
    },
  }),
]
