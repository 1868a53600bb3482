import { onTestFinished } from 'vitest'
import { type Readings, resolveReadings } from '../../src/api/readings/readings.ts'
import { createVenueClient, type VenueClient } from '../../src/client/create-venue-client.ts'
import type { ClientClock, HttpTransportOptions } from '../../src/client/http-transport.ts'
import { inProcessTransport } from '../../src/client/transport.ts'
import type { CompiledScenario } from '../../src/scenario/compile/compiled.ts'
import { createVenueServer } from '../../src/server/create-venue-server.ts'
import { systemWallClock, type WallClock } from '../../src/world/clock.ts'
import { createWorld, type World } from '../../src/world/world.ts'
import { Worlds } from '../../src/world/worlds.ts'
import { libraryOf } from '../support/library-of.ts'
import { ManualWallClock } from '../world/manual-wall-clock.ts'
import { liquidScenario } from '../world/scenarios.ts'

/** A real server with one world that has liquidity in BTC; it stops when the test ends. */
export interface ServedVenue {
  readonly url: string
  readonly world: World
  /** The venue's wall clock, as a client's clock: sleeping advances it. */
  readonly clock: ManualClientClock
  options(account?: string): HttpTransportOptions
  client(account?: string): VenueClient
  /** The requests that reached the venue, as `POST /api/sdk/orders 201`, oldest first. */
  requests(): readonly string[]
}

export async function serveVenue(readings: Readonly<Record<string, string>> = {}): Promise<ServedVenue> {
  const clock = new ManualClientClock()
  const { url, world } = await serve(readings, clock)
  const options = (account = 'desk') => ({ ...credentialsOf(account), baseUrl: url, clock })
  return {
    url,
    world,
    clock,
    options,
    client: (account) => createVenueClient(options(account)),
    requests: () => world.requests.since(0).map(({ method, path, status }) => `${method} ${path} ${status}`),
  }
}

/** A similar world in this process, and a client of one of its accounts. */
export function inProcess(readings: Readonly<Record<string, string>> = {}, account = 'desk') {
  const world = createWorld(compiled(), { readings: readingsOf(readings) })
  const transport = inProcessTransport((method, target, body) => world.request(account, method, target, body))
  return { world, client: createVenueClient({ transport }) }
}

/** The same on the machine's clock, for clients without a clock of their own. */
export async function serveNow(): Promise<{ readonly url: string; readonly world: World }> {
  return serve({}, systemWallClock)
}

const credentialsOf = (account: string) => ({
  apiKey: `simk_default_${account}`,
  apiSecret: `sims_default_${account}`,
})

class ManualClientClock extends ManualWallClock implements ClientClock {
  readonly sleeps: number[] = []

  async sleep(millis: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    this.sleeps.push(millis)
    this.advance(millis)
  }
}

async function serve(readings: Readonly<Record<string, string>>, wall: WallClock) {
  const worlds = new Worlds(wall)
  const made = worlds.create(compiled(), { id: 'default', readings: readingsOf(readings) })
  if (!made.ok) throw new Error('the first world is made')
  const server = await createVenueServer({ worlds, scenarios })
  onTestFinished(() => server.close())
  return { url: server.url, world: made.world }
}

const scenarios = libraryOf({ liquid: liquidScenario })

function compiled(): CompiledScenario {
  const loaded = scenarios.load('liquid')
  if (loaded === null || !loaded.ok) throw new Error('the scenario compiles')
  return loaded.value
}

function readingsOf(overrides: Readonly<Record<string, string>>): Readings {
  const resolved = resolveReadings(overrides)
  if (!resolved.ok) throw new Error(`${resolved.problem.field} ${resolved.problem.reason}`)
  return resolved.value
}
