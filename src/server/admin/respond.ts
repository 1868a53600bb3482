import { Readable } from 'node:stream'
import Router, { type RouterContext, type RouterMiddleware } from '@koa/router'
import type Koa from 'koa'
import { invalid, type Problem } from '../../api/errors.ts'
import { flawed, type Read, read } from '../../api/flaw.ts'
import { readJson } from '../../api/input/json-scan.ts'
import { parseJson } from '../../api/json.ts'
import { jsonType, type RawRequest } from '../../pipeline/raw-request.ts'
import { problemOfFailure, type Report } from '../../pipeline/report.ts'
import { mediaTypeProblem } from '../../pipeline/request-flaws.ts'
import { WorkAbandoned } from '../../world/work-queue.ts'
import type { ServerState } from '../receive.ts'
import { respondWith } from '../respond-with.ts'
import { adminPrefix, callerOf, denialOf } from './guard.ts'
import { type AdminAnswer, type AdminCall, type AdminRoute, refused, unknownWord } from './route.ts'

export interface AdminOptions {
  readonly routes: readonly AdminRoute[]
  readonly call: Omit<AdminCall, 'params' | 'query' | 'lastEventId' | 'routes'>
  readonly token: string | null
  readonly report: Report
}

/**
 * The admin API, mounted at its prefix. Steps, in order: the caller, the operation, its query, the body's type, its JSON,
 * its fields; then the operation itself. Never rate limited, and never throws or rejects.
 */
export function adminApi(options: AdminOptions): RouterMiddleware<ServerState> {
  const router = new Router<ServerState>({ prefix: adminPrefix, strict: true, sensitive: true })
  for (const route of options.routes)
    router.register(route.path, [route.method], async (ctx) => send(ctx, await decide(options, route, ctx)))
  const routed = router.routes()
  return async (ctx, next) => {
    const denial = denialOf(callerOf(ctx.req), options.token)
    if (denial !== null) return send(ctx, withChallenge(refused(denial)))
    const { route, path } = router.match(ctx.path, ctx.method)
    return route ? routed(ctx, next) : send(ctx, unmatched(ctx.method, ctx.path, path))
  }
}

type AdminContext = Koa.ParameterizedContext<ServerState>

function send(ctx: AdminContext, answer: AdminAnswer): void {
  const { status, body, lines, events, headers = {} } = answer
  const type =
    events !== undefined ? 'text/event-stream' : lines !== undefined ? 'application/x-ndjson' : jsonType
  const all = { 'Content-Type': type, 'Cache-Control': 'no-store', ...headers }
  respondWith(ctx, { status, headers: all, body: lines ?? JSON.stringify(body) })
  if (events === undefined) return
  const stream = ctx.method === 'HEAD' ? Readable.from([]) : events()
  // Who does not read on is hung up on, rather than left without an end.
  if (ctx.method !== 'HEAD')
    stream.once('close', () => {
      if (!stream.readableEnded) ctx.req.socket.destroy()
    })
  ctx.body = stream
}

async function decide(
  options: AdminOptions,
  route: AdminRoute,
  { state, params, req }: RouterContext<ServerState>,
): Promise<AdminAnswer> {
  const { request } = state
  const query = new URLSearchParams(request.query)
  const stray = strayParameter(query, Object.keys(route.query ?? {}))
  if (stray !== null) return refused(stray)
  const input = route.body !== null ? readInput(request, route) : { ok: true as const, value: undefined }
  if (!input.ok) return refused(input.problem)
  const [lastEventId = null] = [req.headers['last-event-id'] ?? []].flat()
  try {
    const call = { ...options.call, routes: options.routes, params, query, lastEventId }
    return await route.answer(call, input.value)
  } catch (failure) {
    const id = params['world'] ?? ''
    if (failure instanceof WorkAbandoned)
      return refused({ code: 'unknown-resource', reason: `The world ${id} was deleted meanwhile` })
    const world = options.call.worlds.get(id) ?? null
    return refused(problemOfFailure(options.report, failure, world))
  }
}

function unmatched(
  method: string,
  path: string,
  samePath: readonly { readonly methods: readonly string[] }[],
): AdminAnswer {
  const reason = `Cannot ${method} ${path}`
  const allowed = new Set(samePath.flatMap((layer) => layer.methods))
  if (allowed.size === 0) return refused({ code: 'unknown-route', reason })
  const methods = [...allowed].join(', ')
  const answer = refused({ code: 'wrong-method', reason, hint: `this path takes ${methods}` })
  return { ...answer, headers: { Allow: methods } }
}

/** HTTP wants a 401 to say what would be accepted. */
const withChallenge = (answer: AdminAnswer): AdminAnswer =>
  answer.status === 401 ? { ...answer, headers: { 'WWW-Authenticate': 'Bearer' } } : answer

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
function readInput(request: RawRequest, route: AdminRoute): Input {
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
