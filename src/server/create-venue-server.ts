import type { ReadingOverrides } from '../api/readings/readings.ts'
import type { Report } from '../pipeline/report.ts'
import type { ScenarioLibrary } from '../world/shipped/shipped-scenarios.ts'
import type { Worlds } from '../world/worlds.ts'
import { adminPrefix, isLoopbackAddress } from './admin/guard.ts'
import type { ServerDetails } from './admin/route.ts'
import { type ConnectionLimits, type ListeningServer, listen } from './listen.ts'
import { Connections } from './receive.ts'
import { type AppOptions, venueApp } from './venue-app.ts'

export interface VenueServerOptions {
  /** Including the default world. */
  readonly worlds: Worlds
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
    const app = venueApp({ worlds, connections, report, origins, admin })
    return listen({ listener: app.callback(), connections, onDrop: dropped }, host, port, options.limits)
  }
  const main = await serve(isShared ? { token, server } : null, options.port ?? 0)
  const control = isShared ? main : await closeOnFailure(main, serve({ token, server }, adminPort))
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

/** Reports that connections are closed because there are too many, once a minute. */
function createDropReporter(report: Report): (most: number) => void {
  let quietUntil = 0
  return (most) => {
    if (performance.now() < quietUntil) return
    quietUntil = performance.now() + 60_000
    report(`otcsim: ${most} connections are open: no more are accepted until some are closed`)
  }
}

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
