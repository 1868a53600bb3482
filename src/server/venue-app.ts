import Router, { type RouterMiddleware } from '@koa/router'
import Koa, { type ParameterizedContext } from 'koa'
import { everyOperationId, routeOf } from '../api/operations/operations.ts'
import { answerRequest } from '../pipeline/answer-request.ts'
import { type MatchedRoute, maximumBodyBytes, refuseAtTransport } from '../pipeline/call.ts'
import { type Report, reportFailure } from '../pipeline/report.ts'
import { noAnswer } from '../world/logs/request-log.ts'
import type { Worlds } from '../world/worlds.ts'
import { adminPrefix, callerOf, findDenial } from './admin/guard.ts'
import type { ServerDetails } from './admin/route.ts'
import { crossOrigin } from './cross-origin.ts'
import { sendUnderFault } from './faults-on-the-wire.ts'
import { servePages } from './pages/serve-pages.ts'
import { type BodyLimit, type Connections, receive, respondWith, type ServerState } from './receive.ts'

export interface AppOptions {
  readonly worlds: Worlds
  readonly connections: Connections
  readonly report: Report
  readonly origins: readonly string[]
  /** The admin API and the pages beside the venue; null for the venue alone. */
  readonly admin: { readonly token: string | null; readonly server: ServerDetails } | null
}

/** The application: what a request passes, in this order. */
export function venueApp({ worlds, connections, report, origins, admin }: AppOptions): Koa<ServerState> {
  const app = new Koa<ServerState>()
  app.on('error', (failure) => {
    if (!isConnectionFailure(failure)) reportFailure(report, failure, null)
  })
  app.use(errorExit(report))
  app.use(receive(connections, createBodyLimit(admin?.token)))
  if (admin !== null) app.use(pagesAndAdmin(worlds, report, admin))
  if (origins.length > 0) app.use(crossOrigin(origins))
  app.use(venueRouter(worlds, report).routes())
  // The pipeline also refuses what no route matches, because the refusal is given in the name of the key's world.
  app.use((ctx) => answerAtVenue(ctx, worlds, null, report))
  return app
}

/** Where every failure ends that no step has turned into an answer: it is a bug of ours. */
function errorExit(report: Report): Koa.Middleware<ServerState> {
  return async (ctx, next) => {
    try {
      await next()
    } catch (failure) {
      reportFailure(report, failure, null)
      respondWith(ctx, refuseAtTransport({ code: 'internal' }))
    }
  }
}

/** A client that goes away is no failure. */
function isConnectionFailure(failure: unknown): boolean {
  const code = failure instanceof Error && 'code' in failure ? failure.code : null
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE'
}

/** Snapshots and journals may be large, from those who may send them. Without the admin API there are none. */
function createBodyLimit(token: string | null | undefined): BodyLimit {
  const usual = { bytes: maximumBodyBytes, problem: { code: 'payload-too-large' } } as const
  return (request) => {
    if (token === undefined || !isDocumentPath(request.url ?? '')) return usual
    const denial = findDenial(callerOf(request), token)
    return denial === null ? { ...usual, bytes: maximumDocumentBytes } : { ...usual, problem: denial }
  }
}

/** Enough for a snapshot of a world that has traded for a long time. */
const maximumDocumentBytes = 64 * 1_048_576

function isAdminPath(path: string): boolean {
  return path === adminPrefix || path.startsWith(`${adminPrefix}/`)
}

/** Whether a path accepts documents that otcsim wrote, which may be larger than what callers write. */
function isDocumentPath(path: string): boolean {
  return /\/(?:snapshots|worlds)\/import$/.test(path) && isAdminPath(path)
}

/** The pages and the admin API, which is loaded at its first request, so that starting is quick. */
function pagesAndAdmin(
  worlds: Worlds,
  report: Report,
  { token, server }: NonNullable<AppOptions['admin']>,
): RouterMiddleware<ServerState> {
  const pages = servePages(token)
  const load = async () => {
    const [{ adminApi }, { adminRoutes }] = await Promise.all([
      import('./admin/respond.ts'),
      import('./admin/routes.ts'),
    ])
    return adminApi({ routes: adminRoutes, call: { worlds, server }, token, report })
  }
  let admin: ReturnType<typeof load> | null = null
  const answer: RouterMiddleware<ServerState> = async (ctx, next) => {
    if (!isAdminPath(ctx.path)) return next()
    admin ??= load()
    return (await admin)(ctx, next)
  }
  return (ctx, next) => {
    const { path } = ctx
    return path === '/' || isAdminPath(path) ? pages(ctx, () => answer(ctx, next)) : next()
  }
}

/** A route for each operation of the venue, which tells the pipeline the operation and the parameter of its path. */
function venueRouter(worlds: Worlds, report: Report): Router<ServerState> {
  const router = new Router<ServerState>({ strict: true, sensitive: true })
  for (const operation of everyOperationId) {
    const { method, path } = routeOf(operation)
    router.register(
      path,
      [method],
      (ctx, next) => {
        // Koa's router offers HEAD wherever there is a GET, and reads the fixed path `/orders/batch` as an order's id. The
        // venue does neither.
        const isAnother = ctx.method !== method || (path !== ctx.path && fixedPaths.has(ctx.path))
        if (isAnother) return next()
        // The parameter as it was sent: no id and no symbol needs decoding.
        const [parameter = ''] = ctx.captures ?? []
        return answerAtVenue(ctx, worlds, { operation, parameter }, report)
      },
      { name: operation },
    )
  }
  return router
}

const fixedPaths: ReadonlySet<string> = new Set(
  everyOperationId.map((operation) => routeOf(operation).path).filter((path) => !path.includes(':')),
)

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
