import manifest from '../../package.json' with { type: 'json' }
import {
  aText,
  checkOptions,
  type OptionKind,
  type OptionsOf,
  objectOf,
  onlyGiven,
  textOrObject,
  wholeNumber,
} from '../api/options.ts'
import type { ReadingOverrides } from '../api/readings/readings.ts'
import type { ClockSettings } from '../journal/world-snapshot.ts'
import { millis } from '../numeric/units.ts'
import { fetchFrom, type WorldFetch } from '../pipeline/fetch.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import { parseOrigins } from '../server/cross-origin.ts'
import { systemWallClock } from '../world/clock.ts'
import { memoryJournals } from '../world/journals/journal-store.ts'
import { shippedScenarios } from '../world/shipped/shipped-scenarios.ts'
import { aSeed, aWorldId, clockOptions } from '../world/world-options.ts'
import { conflictText, defaultWorld, Worlds } from '../world/worlds.ts'
import { readingsBeside } from './library-world.ts'
import { type ScenarioChoice, scenarioOf } from './scenario-of.ts'
import { type TestKey, TestWorld } from './test-world.ts'

const { mode, speed, stepMillis: stepMs } = clockOptions
const testClock = { mode, speed, stepMs }

const testWorldOptions = {
  /** The venue's, or for a venue `calm` by default. */
  scenario: textOrObject<ScenarioChoice>(),
  /** Replaces the scenario's. */
  seed: aSeed,
  /** Manual by default: time stands still until the test moves it. */
  clock: objectOf<OptionsOf<typeof testClock>>(),
  /** Values by reading, as in `--readings`, or a preset such as `@published-client`. */
  readings: textOrObject<ReadingOverrides>(),
}

export type TestWorldOptions = OptionsOf<typeof testWorldOptions>

const aListOfOrigins: OptionKind<string> = {
  expected: 'origins such as http://localhost:3000, without a path, by commas; or *',
  holds: (value): value is string => typeof value === 'string' && parseOrigins(value) !== null,
}

const venueOptions = {
  ...testWorldOptions,
  /** The port; 0, any free one by default. */
  port: wholeNumber(0, 65_535),
  /** Loopback by default. */
  host: aText,
  /** Origins whose pages may call the venue from a browser, separated by commas, or `*` for all; none by default. */
  cors: aListOfOrigins,
}

export type StartVenueOptions = OptionsOf<typeof venueOptions>

/** A server in this process. */
export interface TestVenue extends AsyncDisposable {
  /** The address under which `/api/sdk` lies. */
  readonly url: string
  readonly adminUrl: string
  readonly port: number
  /** The world that exists from the start. */
  readonly world: TestWorld
  /** The first key of each of that world's accounts. */
  readonly keys: { readonly [account: string]: TestKey }
  /** The platform's `fetch` without a socket: the key of a request says which world answers. */
  readonly fetch: WorldFetch
  /** A world of its own for one test; with the venue's scenario, clock and readings by default. */
  createWorld(options?: TestWorldOptions & { readonly id?: string }): TestWorld
  /** The venue no longer keeps the process alive. */
  unref(): void
  close(): Promise<void>
}

/**
 * Starts a venue on a free port of this machine. Rejects with the system's error when it cannot listen on the port,
 * and with an Error for a scenario or a reading that does not exist.
 */
export async function startVenue(options: StartVenueOptions = {}): Promise<TestVenue> {
  checkOptions('startVenue', options, venueOptions)
  const worlds = new Worlds(systemWallClock, memoryJournals(manifest.version))
  const create = (given: TestWorldOptions & { readonly id?: string }, url: string): TestWorld => {
    const scenario = scenarioOf(given.scenario ?? 'calm')
    const made = worlds.create(scenario, {
      ...worldOptions(scenario, given),
      ...(given.id === undefined ? {} : { id: given.id }),
      renamesKeys: true,
    })
    if (!made.ok) throw new Error(conflictText(made.conflict))
    return new TestWorld(worlds, made.world, url)
  }
  const first = create({ ...options, id: defaultWorld }, '')
  const { host, port, cors = '' } = options
  // Loaded on demand: worlds in process need no server.
  const { createVenueServer } = await import('../server/create-venue-server.ts')
  const server = await createVenueServer({
    worlds,
    scenarios: shippedScenarios(),
    // On a busy machine a test may be silent for longer than a server usually waits, and would then find its
    // connection closed.
    limits: {
      keepAliveTimeout: patienceMillis,
      headersTimeout: patienceMillis,
      requestTimeout: patienceMillis,
    },
    origins: parseOrigins(cors) ?? [],
    ...onlyGiven({ host, port }),
  })
  const world = new TestWorld(worlds, first.world, server.url)
  let isClosed = false
  const close = (): Promise<void> => {
    isClosed = true
    return server.close()
  }
  return {
    url: server.url,
    adminUrl: server.adminUrl,
    port: server.port,
    fetch: fetchFrom(worlds),
    world,
    get keys() {
      return world.keys
    },
    createWorld: (given = {}) => {
      checkOptions('createWorld', given, { ...testWorldOptions, id: aWorldId })
      if (isClosed) throw new Error('the venue is closed: nobody could reach a world of it')
      return create({ ...options, ...given }, server.url)
    },
    unref: () => server.unref(),
    close,
    [Symbol.asyncDispose]: close,
  }
}

const patienceMillis = 120_000

function worldOptions(scenario: CompiledScenario, { seed, clock = {}, readings = {} }: TestWorldOptions) {
  checkOptions('the clock of startVenue', clock, testClock)
  const { mode = 'manual', speed, stepMs } = clock
  const settings: Partial<ClockSettings> = {
    mode,
    ...(speed === undefined ? {} : { speed }),
    ...(stepMs === undefined ? {} : { stepMillis: millis(stepMs) }),
  }
  return {
    clock: settings,
    readings: readingsBeside(scenario, readings),
    ...onlyGiven({ seed }),
  }
}
