import Router, { type RouterMiddleware } from '@koa/router'
import Koa, { type ParameterizedContext } from 'koa'
import { everyOperationId, routeOf } from '../api/operations/operations.ts'
import { answerRequest, refuseByHead } from '../pipeline/answer-request.ts'
import { type MatchedRoute, maximumBodyBytes, refuseAtTransport } from '../pipeline/call.ts'
import { type Report, reportFailure } from '../pipeline/report.ts'
import { noAnswer } from '../world/logs/request-log.ts'
import type { Worlds } from '../world/worlds.ts'
import { adminPrefix, callerOf, findDenial } from './admin/guard.ts'
import type { ServerDetails } from './admin/route.ts'
import { allowOrigins, answerPreflights } from './cross-origin.ts'
import { sendUnderFault } from './faults-on-the-wire.ts'
import { servePages } from './pages/serve-pages.ts'
import {
  type BodyLimit,
  type Connections,
  type HeadRefusal,
  receive,
  respondWith,
  type ServerState,
} from './receive.ts'

/** What the Koa application serves. */
export interface AppOptions {
  readonly worlds: Worlds
  readonly connections: Connections
  readonly report: Report
  readonly origins: readonly string[]
  /** The admin API and the pages beside the venue; null for the venue alone. */
  readonly admin: { readonly token: string | null; readonly server: ServerDetails } | null
}

/** Creates the Koa application, with its middleware in the order in which a request passes it. */
export function createVenueApp({
  worlds,
  connections,
  report,
  origins,
  admin,
}: AppOptions): Koa<ServerState> {
  const app = new Koa<ServerState>()
  app.on('error', (failure) => {
    if (!isConnectionFailure(failure)) reportFailure(report, failure, null)
  })
  app.use(createErrorExit(report))
  if (origins.length > 0) app.use(allowOrigins(origins, isPageOrAdminPath))
  app.use(receive(connections, createBodyLimit(admin?.token), createHeadRefusal(worlds, admin?.token)))
  if (admin !== null) app.use(createPagesAndAdmin(worlds, report, admin))
  if (origins.length > 0) app.use(answerPreflights(origins))
  app.use(createVenueRouter(worlds, report).routes())
  // The pipeline also refuses what no route matches, because the refusal is given in the name of the key's world.
  app.use((ctx) => answerAtVenue(ctx, worlds, null, report))
  return app
}

/**
 * Creates the outermost middleware, which answers 500 for any failure that nothing else has handled: a bug of otcsim.
 */
function createErrorExit(report: Report): Koa.Middleware<ServerState> {
  return async (ctx, next) => {
    try {
      await next()
    } catch (failure) {
      reportFailure(report, failure, null)
      respondWith(ctx, refuseAtTransport({ code: 'internal' }))
    }
  }
}

/** Returns whether an error only means that a client has gone away. */
function isConnectionFailure(failure: unknown): boolean {
  const code = failure instanceof Error && 'code' in failure ? failure.code : null
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE'
}

/**
 * Creates the limit of bodies: snapshots and journals may be larger than others, if their sender is allowed to send
 * them. `token` is undefined on a server without the admin API, where there are none.
 */
function createBodyLimit(token: string | null | undefined): BodyLimit {
  const usual = { bytes: maximumBodyBytes, problem: { code: 'payload-too-large' } } as const
  return (request) => {
    if (token === undefined || !isDocumentPath(request.url ?? '')) return usual
    const denial = findDenial(callerOf(request), token)
    return denial === null ? { ...usual, bytes: maximumDocumentBytes } : { ...usual, problem: denial }
  }
}

/**
 * Creates the function that decides from a head alone whether its request is refused: by the venue's rules, or on the
 * admin API by those for its callers.
 */
function createHeadRefusal(worlds: Worlds, token: string | null | undefined): HeadRefusal {
  return (request, head) => {
    if (token === undefined || !isAdminPath(head.path)) return refuseByHead(worlds, head)
    const denial = findDenial(callerOf(request), token)
    return denial === null ? null : refuseAtTransport(denial)
  }
}

/** Enough for a snapshot of a world that has traded for a long time. */
const maximumDocumentBytes = 64 * 1_048_576

function isAdminPath(path: string): boolean {
  return path === adminPrefix || path.startsWith(`${adminPrefix}/`)
}

function isPageOrAdminPath(path: string): boolean {
  return path === '/' || isAdminPath(path)
}

/** Returns whether a path accepts documents that otcsim wrote, which may be larger than what callers write. */
function isDocumentPath(path: string): boolean {
  return /\/(?:snapshots|worlds)\/import$/.test(path) && isAdminPath(path)
}

/**
 * Creates the middleware of the pages and the admin API. The API is loaded at its first request, so that starting is
 * quick.
 */
function createPagesAndAdmin(
  worlds: Worlds,
  report: Report,
  { token, server }: NonNullable<AppOptions['admin']>,
): RouterMiddleware<ServerState> {
  const pages = servePages(token)
  const load = async () => {
    const [{ createAdminApi }, { adminRoutes }] = await Promise.all([
      import('./admin/respond.ts'),
      import('./admin/routes.ts'),
    ])
    return createAdminApi({ routes: adminRoutes, call: { worlds, server }, token, report })
  }
  let admin: ReturnType<typeof load> | null = null
  const answer: RouterMiddleware<ServerState> = async (ctx, next) => {
    if (!isAdminPath(ctx.path)) return next()
    admin ??= load()
    return (await admin)(ctx, next)
  }
  return (ctx, next) => {
    const { path } = ctx
    return isPageOrAdminPath(path) ? pages(ctx, () => answer(ctx, next)) : next()
  }
}

/**
 * Creates a router with every operation of the venue. Each route tells the pipeline the operation and its path's
 * parameter.
 */
function createVenueRouter(worlds: Worlds, report: Report): Router<ServerState> {
  const router = new Router<ServerState>({ strict: true, sensitive: true })
  for (const operation of everyOperationId) {
    const { method, path } = routeOf(operation)
    router.register(
      path,
      [method],
      (ctx, next) => {
        // Koa's router takes `batch` in the fixed path `/orders/batch` for an order's id. The venue does not.
        if (path !== ctx.path && fixedPaths.has(ctx.path)) return next()
        // The parameter as it was sent: no id and no symbol needs decoding.
        const [parameter = ''] = ctx.captures ?? []
        return answerAtVenue(ctx, worlds, { operation, parameter }, report)
      },
      { name: operation },
    )
  }
  return router
}

/** The venue's paths without a parameter. */
const fixedPaths: ReadonlySet<string> = new Set(
  everyOperationId.map((operation) => routeOf(operation).path).filter((path) => !path.includes(':')),
)

/** Lets the pipeline answer a request. `route` is null when the router has found no operation. */
async function answerAtVenue(
  ctx: ParameterizedContext<ServerState>,
  worlds: Worlds,
  route: MatchedRoute | null,
  report: Report,
): Promise<void> {
  const answer = await answerRequest(worlds, ctx.state.request, route, report)
  if (answer.status !== noAnswer) respondWith(ctx, answer)
  if (answer.deliveryFault !== null) await sendUnderFault(ctx, answer.deliveryFault)
}
