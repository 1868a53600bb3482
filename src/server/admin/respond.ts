import { Readable } from 'node:stream'
import Router, { type RouterContext, type RouterMiddleware } from '@koa/router'
import type Koa from 'koa'
import { invalidParameter } from '../../api/errors.ts'
import { readJson } from '../../api/input/read-body.ts'
import { parseJson } from '../../api/json.ts'
import { needsBody } from '../../api/openapi/admin-openapi.ts'
import { findMediaTypeProblem, jsonType, type RawRequest } from '../../pipeline/call.ts'
import { type Report, reportAsProblem } from '../../pipeline/report.ts'
import { WorkAbandoned } from '../../world/work-queue.ts'
import { respondWith, type ServerState } from '../receive.ts'
import { adminPrefix, callerOf, findDenial } from './guard.ts'
import {
  type AdminAnswer,
  type AdminCall,
  AdminRefusal,
  type AdminRoute,
  answerOperation,
  EventStream,
  refuseWith,
  unknownWord,
  wrongField,
} from './route.ts'

/** What the admin API serves. */
export interface AdminOptions {
  readonly routes: readonly AdminRoute[]
  readonly call: Omit<AdminCall, 'params' | 'query' | 'lastEventId' | 'routes'>
  readonly token: string | null
  readonly report: Report
}

/**
 * Creates the middleware of the admin API, mounted at its prefix. It checks, in order: the caller, the operation, its
 * query, the body's type, its JSON, its fields; then it carries the operation out. It has no rate limit, and never
 * rejects.
 */
export function createAdminApi(options: AdminOptions): RouterMiddleware<ServerState> {
  const router = new Router<ServerState>({ prefix: adminPrefix, strict: true, sensitive: true })
  for (const route of options.routes)
    router.register(route.path, [route.method], async (ctx) =>
      send(ctx, await answerCall(options, route, ctx)),
    )
  const routed = router.routes()
  return async (ctx, next) => {
    const denial = findDenial(callerOf(ctx.req), options.token)
    if (denial !== null) return send(ctx, addChallenge(refuseWith(denial)))
    const allowed = listMethods(router.match(ctx.path, ctx.method).path)
    return allowed.includes(ctx.method)
      ? routed(ctx, next)
      : send(ctx, refuseUnmatched(ctx.method, ctx.path, allowed))
  }
}

/**
 * Lists the methods of a path among the routes that match it. Where one has fewer parameters it alone counts: the path
 * `/worlds/import` is no world's. Source: OpenAPI 3.1, section 4.8.8.2: concrete paths come before templated ones.
 */
function listMethods(matching: readonly MatchingRoute[]): readonly string[] {
  const fewest = Math.min(...matching.map(({ paramNames }) => paramNames.length))
  const nearest = matching.filter(({ paramNames }) => paramNames.length === fewest)
  return [...new Set(nearest.flatMap(({ methods }) => methods))]
}

interface MatchingRoute {
  readonly methods: readonly string[]
  readonly paramNames: readonly unknown[]
}

type AdminContext = Koa.ParameterizedContext<ServerState>

function send(ctx: AdminContext, { status, body, mediaType = jsonType, headers = {} }: AdminAnswer): void {
  const all = { 'Content-Type': mediaType, 'Cache-Control': 'no-store', ...headers }
  const isWritten = body instanceof EventStream || Buffer.isBuffer(body)
  respondWith(ctx, {
    status,
    headers: all,
    body: isWritten ? openBody(ctx, body) : JSON.stringify(body),
  })
}

function openBody(ctx: AdminContext, body: EventStream | Buffer): Readable | Buffer {
  if (Buffer.isBuffer(body)) return body
  if (ctx.method === 'HEAD') return Readable.from([])
  const stream = body.open()
  // A reader that has stopped reading can't be sent an end, so its connection is closed.
  stream.once('close', () => {
    if (!stream.readableEnded) ctx.req.socket.destroy()
  })
  return stream
}

async function answerCall(
  options: AdminOptions,
  route: AdminRoute,
  { state, params, req }: RouterContext<ServerState>,
): Promise<AdminAnswer> {
  const [lastEventId = null] = [req.headers['last-event-id'] ?? []].flat()
  const query = new URLSearchParams(state.request.query)
  const call = { ...options.call, routes: options.routes, params, query, lastEventId }
  try {
    return await answerOperation(route, call, () => {
      checkQuery(query, Object.keys(route.query ?? {}))
      return route.body === null ? undefined : readBody(state.request, route)
    })
  } catch (failure) {
    const id = params['world'] ?? ''
    if (failure instanceof WorkAbandoned)
      return refuseWith({ code: 'unknown-resource', reason: `The world ${id} was deleted meanwhile` })
    const world = options.call.worlds.get(id) ?? null
    return refuseWith(reportAsProblem(options.report, failure, world))
  }
}

function refuseUnmatched(method: string, path: string, allowed: readonly string[]): AdminAnswer {
  const reason = `Cannot ${method} ${path}`
  if (allowed.length === 0) return refuseWith({ code: 'unknown-route', reason })
  const methods = allowed.join(', ')
  const answer = refuseWith({ code: 'wrong-method', reason, hint: `this path takes ${methods}` })
  return { ...answer, headers: { Allow: methods } }
}

/** Adds the header in which HTTP wants a 401 to say what would be accepted. */
const addChallenge = (answer: AdminAnswer): AdminAnswer =>
  answer.status === 401 ? { ...answer, headers: { 'WWW-Authenticate': 'Bearer' } } : answer

/** Checks the names in a query. Errors: 400 for one that the operation does not know, or that is given twice. */
function checkQuery(query: URLSearchParams, known: readonly string[]): void {
  const names = [...query.keys()]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw unknownWord(unknown, 'is not a known query parameter', unknown, known)
  const twice = names.find((name, place) => names.indexOf(name) !== place)
  if (twice !== undefined) throw wrongField(twice, 'is given twice')
}

/** Reads a body's JSON. An absent body counts as an empty object, because most operations require no field. */
function readBody(request: RawRequest, route: AdminRoute): unknown {
  const problem = findMediaTypeProblem(request)
  if (problem !== null) throw new AdminRefusal(problem)
  if (request.body.length === 0) return {}
  const text = request.body.toString('utf8')
  // Documents skip the strict reader, which looks for people's mistakes, because otcsim itself wrote them.
  if (route.isDocument === true) return parseDocument(text)
  const json = readJson(text, 'doubles')
  if (!json.ok) throw new AdminRefusal(invalidParameter(json.problem))
  // Null is no body, as at the venue.
  return json.value === null && !needsBody(route) ? {} : json.value
}

function parseDocument(text: string): unknown {
  const document = parseJson(text)
  if (document === undefined) throw wrongField('body', 'is not JSON')
  return document
}
