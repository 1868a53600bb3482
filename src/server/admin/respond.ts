import Router from '@koa/router'
import { invalid, type Problem } from '../../api/errors.ts'
import { flawed, type Read, read } from '../../api/flaw.ts'
import { readJson } from '../../api/input/json-scan.ts'
import { parseJson } from '../../api/json.ts'
import { WorkAbandoned } from '../../world/work-queue.ts'
import { adminPrefix } from '../transport/admin-prefix.ts'
import type { Answer } from '../transport/answer.ts'
import { mediaTypeProblem } from '../transport/media-type.ts'
import type { Received } from '../transport/receive.ts'
import { problemOfFailure, type Report } from '../transport/report.ts'
import { denialOf } from './guard.ts'
import { unknownWord } from './problems.ts'
import { type AdminAnswer, type AdminCall, type AdminRoute, type Answered, refused } from './route.ts'

export interface AdminOptions {
  readonly routes: readonly AdminRoute[]
  readonly call: Omit<AdminCall, 'params' | 'query' | 'lastEventId' | 'routes'>
  readonly token: string | null
  readonly report: Report
}

/**
 * Answers requests to the admin API. Steps, in order: the caller, the operation, its query, the body's type, its
 * JSON, its fields; then the operation itself. Never rate limited, and never throws or rejects.
 */
export function adminResponder(options: AdminOptions): (request: Received) => Answer | Promise<Answer> {
  const router = new Router({ prefix: adminPrefix, strict: true, sensitive: true })
  const byName = new Map<string, AdminRoute>()
  for (const route of options.routes) {
    const name = `${route.method} ${route.path}`
    byName.set(name, route)
    router.register(route.path, [route.method], () => undefined, { name })
  }
  return (request) => {
    const answer = decide(options, router, byName, request)
    return answer instanceof Promise ? answer.then(inText) : inText(answer)
  }
}

function inText({ status, body, lines, deliver, headers: own = [] }: AdminAnswer): Answer {
  const headers = ['Cache-Control', 'no-store', ...own]
  if (lines !== undefined) return { status, headers, type: 'application/x-ndjson', body: lines }
  const answer = { status, headers, body: JSON.stringify(body) }
  return deliver === undefined ? answer : { ...answer, deliver }
}

function decide(
  options: AdminOptions,
  router: Router,
  byName: ReadonlyMap<string, AdminRoute>,
  request: Received,
): Answered {
  const denial = denialOf(request, options.token)
  if (denial !== null) return withChallenge(refused(denial))
  const matched = router.match(request.path, request.method)
  const layer = matched.pathAndMethod[0]
  const route = byName.get(layer?.name ?? '')
  if (layer === undefined || route === undefined) return unmatched(request, matched.path)
  const query = new URLSearchParams(request.query)
  const stray = strayParameter(query, Object.keys(route.query ?? {}))
  if (stray !== null) return refused(stray)
  const input = route.body !== null ? readInput(request, route) : { ok: true as const, value: undefined }
  if (!input.ok) return refused(input.problem)
  const params = layer.params(request.path, layer.captures(request.path))
  const [lastEventId = null] = [request.headers['last-event-id'] ?? []].flat()
  const failed = (failure: unknown): AdminAnswer => {
    const id = params['world'] ?? ''
    if (failure instanceof WorkAbandoned)
      return refused({ code: 'unknown-resource', reason: `The world ${id} was deleted meanwhile` })
    const world = options.call.worlds.get(id) ?? null
    return refused(problemOfFailure(options.report, failure, world))
  }
  try {
    const answer = route.answer(
      { ...options.call, routes: options.routes, params, query, lastEventId },
      input.value,
    )
    return answer instanceof Promise ? answer.catch(failed) : answer
  } catch (failure) {
    return failed(failure)
  }
}

function unmatched(
  { method, path }: Received,
  samePath: readonly { readonly methods: string[] }[],
): AdminAnswer {
  const reason = `Cannot ${method} ${path}`
  const allowed = new Set(samePath.flatMap((layer) => layer.methods))
  if (allowed.size === 0) return refused({ code: 'unknown-route', reason })
  const methods = [...allowed].join(', ')
  const answer = refused({ code: 'wrong-method', reason, hint: `this path takes ${methods}` })
  return { ...answer, headers: ['Allow', methods] }
}

/** HTTP wants a 401 to say what would be accepted. */
const withChallenge = (answer: AdminAnswer): AdminAnswer =>
  answer.status === 401 ? { ...answer, headers: ['WWW-Authenticate', 'Bearer'] } : answer

/** A query parameter that the operation does not know, or that is given twice. */
function strayParameter(query: URLSearchParams, known: readonly string[]): Problem | null {
  const names = [...query.keys()]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) return unknownWord(unknown, 'is not a known query parameter', unknown, known)
  const twice = names.find((name, place) => names.indexOf(name) !== place)
  return twice === undefined ? null : invalid({ field: twice, reason: 'is given twice' })
}

type Input =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: Problem }

/** An absent body counts as an empty object: most operations require no field. */
function readInput(request: Received, route: AdminRoute): Input {
  const problem = mediaTypeProblem(request)
  if (problem !== null) return { ok: false, problem }
  if (request.body.length === 0) return { ok: true, value: {} }
  const text = request.body.toString('utf8')
  const json = route.isDocument === true ? readDocument(text) : readJson(text, 'doubles')
  return json.ok ? json : { ok: false, problem: invalid(json.flaw) }
}

/** Read by `JSON.parse` only: the strict reader looks for callers' mistakes, and otcsim itself wrote this document. */
function readDocument(text: string): Read<unknown> {
  const value = parseJson(text)
  return value === undefined ? flawed('body', 'is not JSON') : read(value)
}
