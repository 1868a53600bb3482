import { readFileSync } from 'node:fs'
import manifest from '../../package.json' with { type: 'json' }
import { nearestWord, reasonAndHint } from '../api/flaw.ts'
import {
  aText,
  checkOptions,
  type OptionKind,
  type OptionsOf,
  objectOf,
  onlyGiven,
  shown,
  textOrObject,
  wholeNumber,
} from '../api/options.ts'
import { type ReadingOverrides, resolveReadings } from '../api/readings/readings.ts'
import type { ClockSettings } from '../journal/world-snapshot.ts'
import { millis } from '../numeric/units.ts'
import { createFetch, OpenWorld, type WorldFetch } from '../pipeline/fetch.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import { mistakeText, type Result } from '../scenario/file/mistake.ts'
import { loadScenario } from '../scenario/load.ts'
import { loadScenarioValue } from '../scenario/load-tree.ts'
import { parseOrigins } from '../server/cross-origin.ts'
import { systemWallClock } from '../world/clock.ts'
import { memoryJournals } from '../world/journals/journal-store.ts'
import { loadShipped, shippedScenarios } from '../world/shipped/shipped-scenarios.ts'
import {
  aSeed,
  aWorldId,
  checkClock,
  clockOptions,
  readingsOf,
  worldOptions,
} from '../world/world-options.ts'
import { conflictText, defaultWorld, Worlds } from '../world/worlds.ts'
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
      ...toHostedOptions(scenario, given),
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
    fetch: createFetch(worlds),
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

function toHostedOptions(scenario: CompiledScenario, { seed, clock = {}, readings = {} }: TestWorldOptions) {
  checkOptions('the clock of startVenue', clock, testClock)
  const { mode = 'manual', speed, stepMs } = clock
  const settings: Partial<ClockSettings> = {
    mode,
    ...(speed === undefined ? {} : { speed }),
    ...(stepMs === undefined ? {} : { stepMillis: millis(stepMs) }),
  }
  return {
    clock: settings,
    readings: combineReadings(scenario, readings),
    ...onlyGiven({ seed }),
  }
}

/**
 * What a test's world is made of: the name of a shipped scenario such as `calm`, a file, a scenario as an object, or
 * what `loadScenario` answers.
 */
export type ScenarioChoice = string | { readonly [key: string]: unknown } | CompiledScenario

/** Throws an Error with every problem, each on a line of its own. */
export function scenarioOf(choice: ScenarioChoice): CompiledScenario {
  if (isCompiled(choice)) return choice
  const loaded = typeof choice === 'string' ? loadByName(choice) : loadScenarioValue(choice)
  if (loaded.ok) return loaded.value
  throw new Error(`the scenario cannot be used:\n${loaded.problems.map(mistakeText).join('\n')}`)
}

function isCompiled(choice: ScenarioChoice): choice is CompiledScenario {
  return typeof choice === 'object' && 'venue' in choice && 'expectations' in choice
}

/** Choice: a file with recordings has to be loaded with `loadScenario`, which finds them. */
function loadByName(name: string): Result<CompiledScenario> {
  return loadShipped(name, {}) ?? loadScenario(readScenarioText(name), name)
}

function readScenarioText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (failure) {
    const nearest = nearestWord(file, shippedScenarios().names)
    const hint = nearest === null ? '' : `; did you mean ${nearest}?`
    const reason = failure instanceof Error ? failure.message : String(failure)
    throw new Error(
      `no scenario comes with otcsim as ${file}, and no file can be read there${hint} (${reason})`,
      {
        cause: failure,
      },
    )
  }
}

const libraryOptions = {
  ...worldOptions,
  /** Values by reading, or a preset such as `@published-client`; all others are the scenario's. */
  readings: textOrObject<ReadingOverrides>(),
}

export type LibraryWorldOptions = OptionsOf<typeof libraryOptions>

/**
 * A venue in this process, made of what `loadScenario` answers: no sockets, no timers. Throws a TypeError for a name,
 * for a scenario that was not loaded and for options that do not exist, and a RangeError for values that an option
 * cannot have.
 */
export function createWorld(scenario: CompiledScenario, options: LibraryWorldOptions = {}): OpenWorld {
  // JavaScript callers get no help from the types, and other functions do accept a name.
  if (typeof scenario !== 'object' || scenario === null || !('venue' in scenario))
    throw new TypeError(`createWorld takes what loadScenario gives, found ${shown(scenario)}`)
  checkOptions('createWorld', options, libraryOptions)
  const { readings, ...rest } = options
  checkClock('createWorld', rest.clock ?? {})
  return new OpenWorld(scenario, {
    ...rest,
    ...(readings === undefined ? {} : { readings: combineReadings(scenario, readings) }),
  })
}

/** Throws a RangeError that names the reading. */
function combineReadings(scenario: CompiledScenario, given: ReadingOverrides) {
  const resolved = resolveReadings(given, readingsOf(scenario))
  if (resolved.ok) return resolved.value
  const { flaw } = resolved
  throw new RangeError(`readings.${flaw.field} ${reasonAndHint(flaw)}`)
}
