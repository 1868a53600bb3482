import type { ReadingOverrides } from '../api/readings/readings.ts'
import type { Report } from '../pipeline/report.ts'
import { clearInterval, readElapsedMillis, setImmediate, setInterval } from '../world/real-timers.ts'
import type { ScenarioLibrary } from '../world/shipped/shipped-scenarios.ts'
import type { Worlds } from '../world/worlds.ts'
import { adminPrefix } from './admin/guard.ts'
import type { ServerDetails } from './admin/route.ts'
import { type ConnectionLimits, type ListeningServer, listen } from './listen.ts'
import { isLoopbackAddress } from './loopback.ts'
import { Connections } from './receive.ts'
import { type AppOptions, createVenueApp } from './venue-app.ts'

/** What `createVenueServer` serves, and how. */
export interface VenueServerOptions {
  /** The worlds to serve, the default one included. */
  readonly worlds: Worlds
  readonly scenarios: ScenarioLibrary
  /** The address to listen on; loopback by default. Any other needs an admin token. */
  readonly host?: string
  /** The port; 0, the default, picks a free one. */
  readonly port?: number
  /**
   * Moves the admin API to a port of its own; null, the default, leaves it on the venue's. Choice: the venue answers at
   * that port, too, so that our pages there can call it without crossing origins.
   */
  readonly adminPort?: number | null
  /** The token that every admin caller must present; with null, callers on this machine need none. */
  readonly adminToken?: string | null
  /** The readings of worlds that are made over HTTP, unless the request asks for others. */
  readonly readings?: ReadingOverrides
  /** The origins whose pages may call the venue, `*` for all; none by default. */
  readonly origins?: readonly string[]
  readonly version?: string
  /** Limits of connections that replace the usual ones. */
  readonly limits?: Partial<ConnectionLimits>
  /** Takes lines about failures; standard error by default. */
  readonly report?: Report
  /** Called once, when the admin API asks for a shutdown; the caller closes the server. */
  readonly onShutdown?: () => void
}

/** A server that is listening. */
export interface VenueServer {
  readonly url: string
  readonly port: number
  readonly adminUrl: string
  readonly adminPort: number
  /** Lets the process end while the server is listening. */
  unref(): void
  close(): Promise<void>
}

/**
 * Starts a server for the worlds in `options`. Rejects with the system's error when it can't listen on an address, and
 * with a RangeError for an address beyond this machine without an admin token, because anybody could then do anything.
 */
export async function createVenueServer(options: VenueServerOptions): Promise<VenueServer> {
  const { worlds, host = '127.0.0.1', adminPort = null, origins = [] } = options
  const token = options.adminToken ?? null
  const isHere = host === 'localhost' || isLoopbackAddress(host)
  if (!isHere && (token ?? '') === '') throw new RangeError(`serving on ${host} needs an admin token`)
  const isShared = adminPort === null
  const report = options.report ?? ((text) => process.stderr.write(`${text}\n`))
  const addresses = { url: '', adminUrl: '' }
  const server = describeServer(options, addresses)
  const dropped = createDropReporter(report)
  const serve = (admin: AppOptions['admin'], port: number) => {
    const connections = new Connections()
    const app = createVenueApp({ worlds, connections, report, origins, admin })
    return listen(
      { listener: app.callback(), connections, origins, onDrop: dropped },
      host,
      port,
      options.limits,
    )
  }
  const main = await serve(isShared ? { token, server } : null, options.port ?? 0)
  const control = isShared ? main : await closeOnFailure(main, serve({ token, server }, adminPort))
  addresses.url = main.url
  addresses.adminUrl = `${control.url}${adminPrefix}`
  // Time passes for observers between requests, and an idle world has little to catch up on.
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

/** Creates a function that reports, at most once a minute, that connections are closed because there are too many. */
function createDropReporter(report: Report): (most: number) => void {
  let quietUntil = 0
  return (most) => {
    if (readElapsedMillis() < quietUntil) return
    quietUntil = readElapsedMillis() + 60_000
    report(`otcsim: ${most} connections are open: no more are accepted until some are closed`)
  }
}

/** Waits for the admin server, and closes the main one where that can't start. */
async function closeOnFailure(
  main: ListeningServer,
  control: Promise<ListeningServer>,
): Promise<ListeningServer> {
  try {
    return await control
  } catch (failure) {
    await main.close()
    throw failure
  }
}

function describeServer(options: VenueServerOptions, addresses: { readonly url: string }): ServerDetails {
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
