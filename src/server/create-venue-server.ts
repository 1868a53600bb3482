import Koa from 'koa'
import type { ReadingOverrides } from '../api/readings/readings.ts'
import type { ScenarioLibrary } from '../world/shipped/shipped-scenarios.ts'
import type { Worlds } from '../world/worlds.ts'
import { denialOf, isLoopbackAddress } from './admin/guard.ts'
import type { ServerFacts } from './admin/route.ts'
import { pageResponder } from './pages/page-responder.ts'
import { adminPrefix, isAdminPath } from './transport/admin-prefix.ts'
import type { Answer } from './transport/answer.ts'
import {
  type Answerer,
  type ConnectionLimits,
  connectionLimits,
  type Listening,
  listen,
} from './transport/http-server.ts'
import { type DocumentGuard, type Received, type Respond, receive } from './transport/receive.ts'
import { type Report, reportFailure } from './transport/report.ts'
import { SocketTurns } from './transport/socket-turns.ts'
import { answerVenueRequest } from './venue/answer-venue-request.ts'
import { forOrigins } from './venue/cross-origin.ts'

export interface VenueServerOptions {
  /** Including the default world. */
  readonly worlds: Worlds
  /** Finds scenarios by name for the admin API. */
  readonly scenarios: ScenarioLibrary
  /** Loopback by default; any other address needs an admin token. */
  readonly host?: string
  /** 0 picks a free one. */
  readonly port?: number
  /**
   * Moves the admin API to a port of its own; null: the same port. Choice: the venue answers at that port, too, so
   * that our pages there can call it without crossing origins.
   */
  readonly adminPort?: number | null
  /** What every admin caller must present; null: callers of this machine need nothing. */
  readonly adminToken?: string | null
  /** The readings of this process: worlds made over HTTP have them unless they ask for others. */
  readonly readings?: ReadingOverrides
  /** Origins whose pages may call the venue, `*` for all; none by default. */
  readonly origins?: readonly string[]
  readonly version?: string
  /** Replaces the usual limits. */
  readonly limits?: Partial<ConnectionLimits>
  readonly report?: Report
  /** Called once, when the admin API asks for a shutdown; the caller closes the server. */
  readonly onShutdown?: () => void
}

export interface VenueServer {
  readonly url: string
  readonly port: number
  readonly adminUrl: string
  readonly adminPort: number
  /** The server no longer keeps the process alive. */
  unref(): void
  close(): Promise<void>
}

/**
 * Starts serving these worlds. Rejects with the system's error when it cannot listen on an address, and with a
 * RangeError for an address beyond this machine without an admin token, because then anybody could do anything.
 */
export async function createVenueServer(options: VenueServerOptions): Promise<VenueServer> {
  const { worlds, host = '127.0.0.1', adminPort = null } = options
  if (!isLoopback(host) && (options.adminToken ?? '') === '') {
    throw new RangeError(`serving on ${host} needs an admin token`)
  }
  const isShared = adminPort === null
  const report = options.report ?? ((text) => process.stderr.write(`${text}\n`))
  const addresses = { url: '', adminUrl: '' }
  const server = factsOf(options, addresses)
  let admin: ((request: Received) => Answer | Promise<Answer>) | null = null
  // The admin API is loaded at its first request, so that starting is quick.
  const firstAdmin = async (request: Received): Promise<Answer> => {
    const [{ adminResponder }, { adminRoutes }] = await Promise.all([
      import('./admin/respond.ts'),
      import('./admin/routes.ts'),
    ])
    const token = options.adminToken ?? null
    admin ??= adminResponder({ routes: adminRoutes, call: { worlds, server }, token, report })
    return admin(request)
  }
  const venue = forOrigins(options.origins ?? [], (request) => answerVenueRequest(worlds, request, report))
  const pages = pageResponder(options.adminToken ?? null)
  const shared = (request: Received) =>
    isAdminPath(request.path) ? (pages(request) ?? (admin ?? firstAdmin)(request)) : venue(request)
  const limits = { ...connectionLimits, ...options.limits }
  const guard: DocumentGuard = ({ headers, socket }) =>
    denialOf({ headers, remoteAddress: socket.remoteAddress ?? '' }, options.adminToken ?? null)
  const answers = isShared ? answerer(shared, report, guard) : answerer(venue, report)
  const main = await listen(answers, host, options.port ?? 0, limits)
  const control = isShared ? main : await listenBeside(main, answerer(shared, report, guard), host, adminPort)
  addresses.url = main.url
  addresses.adminUrl = `${control.url}${adminPrefix}`
  // Real time continues for observers, and an idle world has little to catch up on.
  const ticking = setInterval(() => worlds.tick(), tickMillis).unref()
  const close = async () => {
    clearInterval(ticking)
    await Promise.all([main.close(), isShared ? null : control.close()])
    worlds.stopWork()
  }
  const unref = () => {
    main.unref()
    control.unref()
  }
  return { ...addresses, port: main.port, adminPort: control.port, unref, close }
}

const tickMillis = 1000

function isLoopback(host: string): boolean {
  return host === 'localhost' || isLoopbackAddress(host)
}

/** Contexts and their error handling are Koa's, the rest is ours (performance note, 1). */
function answerer(respond: Respond, report: Report, guard?: DocumentGuard): Answerer {
  const turns = new SocketTurns()
  const app = new LeanKoa((context) => {
    context.respond = false
    const fail = (failure: unknown) =>
      context.onerror(failure instanceof Error ? failure : new Error(String(failure)))
    receive(turns, context.req, context.res, respond, fail, guard)
  })
  app.on('error', (failure) => reportFailure(report, failure, null))
  return { listener: app.callback(), turns, dropped: dropReporter(report) }
}

/** Reports that connections are closed because there are too many, once a minute. */
function dropReporter(report: Report): (most: number) => void {
  let quietUntil = 0
  return (most) => {
    if (performance.now() < quietUntil) return
    quietUntil = performance.now() + 60_000
    report(`otcsim: ${most} connections are open: no more are accepted until some are closed`)
  }
}

/**
 * Koa with one middleware that answers everything, and without the machinery for several: a promise for each, and a
 * listener on every response in case none of them answers. Together those are most of what Koa costs. A client that
 * goes away is not a failure.
 */
class LeanKoa extends Koa {
  private readonly answer: (context: Koa.Context) => void

  constructor(answer: (context: Koa.Context) => void) {
    super()
    this.answer = answer
  }

  protected handleRequest(context: Koa.Context): Promise<void> {
    this.answer(context)
    return underWay
  }
}

const underWay = Promise.resolve()

async function listenBeside(
  main: Listening,
  admin: Answerer,
  host: string,
  port: number,
): Promise<Listening> {
  try {
    return await listen(admin, host, port)
  } catch (failure) {
    await main.close()
    throw failure
  }
}

function factsOf(options: VenueServerOptions, addresses: { readonly url: string }): ServerFacts {
  return {
    version: options.version ?? '0.0.0',
    startedAtMillis: options.worlds.wall.nowMillis(),
    scenarios: options.scenarios,
    readings: options.readings ?? {},
    url: () => addresses.url,
    shutdown: () => {
      setImmediate(() => options.onShutdown?.())
    },
  }
}
