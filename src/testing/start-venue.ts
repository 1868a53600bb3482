import { readFileSync } from 'node:fs'
import manifest from '../../package.json' with { type: 'json' }
import { reasonAndHint } from '../api/input-problem.ts'
import { nearestWord } from '../api/nearest-word.ts'
import {
  aBoolean,
  aText,
  checkOptions,
  describeValue,
  type OptionKind,
  type OptionsOf,
  omitUndefined,
  textOrObject,
  wholeNumber,
} from '../api/options.ts'
import { type ReadingOverrides, type Readings, resolveReadings } from '../api/readings/readings.ts'
import type { ClockSettings, WorldSnapshot } from '../journal/world-snapshot.ts'
import { millis } from '../numeric/units.ts'
import { createFetch, forkOpenWorld, OpenWorld, type WorldFetch } from '../pipeline/fetch.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import { formatMistake, type Result } from '../scenario/file/mistake.ts'
import { loadScenario } from '../scenario/load.ts'
import { loadScenarioValue } from '../scenario/load-tree.ts'
import { parseOrigins } from '../server/cross-origin.ts'
import { testWallClock } from '../world/clock.ts'
import { createMemoryJournals } from '../world/journals/journal-store.ts'
import { createShippedLibrary, loadShipped } from '../world/shipped/shipped-scenarios.ts'
import { limitForTest, listTestReadings } from '../world/test-limits.ts'
import type { ForkOptions } from '../world/world.ts'
import {
  aSeed,
  aWorldId,
  checkClock,
  clockOptions,
  resolveScenarioReadings,
  worldOptions,
} from '../world/world-options.ts'
import { conflictText, defaultWorld, Worlds } from '../world/worlds.ts'
import { InProcessWorld } from './in-process-world.ts'
import { beginUse, noteUses, readTestSettings, type TestSettings } from './test-settings.ts'
import type { TestKeys, TestWorld } from './test-world.ts'

const { mode, speed, stepMillis: stepMs, maxMillis: maxMs } = clockOptions
const testClock = { mode, speed, stepMs, maxMs }

/** How the time of a test's world passes: a mode alone, or with its settings. */
export type TestClock = NonNullable<OptionsOf<typeof testClock>['mode']> | OptionsOf<typeof testClock>

const testWorldOptions = {
  /** The scenario; by default the venue's, which is `calm` unless it has another. */
  scenario: textOrObject<ScenarioChoice>(),
  /** The seed, in place of the scenario's. */
  seed: aSeed,
  /**
   * How time passes: a mode, or an object with a mode and its settings. By default it is manual, so that time stands still
   * until the test moves it, or `follow` where the scenario says so. With `follow` it goes where the clock of the tested
   * program goes.
   */
  clock: textOrObject<TestClock>(),
  /** Values by reading, as in `--readings`, or a preset such as `@published-client`. */
  readings: textOrObject<ReadingOverrides>(),
  /**
   * Whether the venue's rate limits are in force, in the time of the world. By default they are not, unless the scenario
   * is about them.
   */
  rateLimits: aBoolean,
}

/** The options of a test's world. */
export type TestWorldOptions = OptionsOf<typeof testWorldOptions>

const aListOfOrigins: OptionKind<string> = {
  expected: 'origins such as http://localhost:3000, without a path, by commas; or *',
  holds: (value): value is string => typeof value === 'string' && parseOrigins(value) !== null,
}

const venueOptions = {
  ...testWorldOptions,
  /** The port; 0, the default, picks a free one. */
  port: wholeNumber(0, 65_535),
  /** The address to listen on; loopback by default. */
  host: aText,
  /** Origins whose pages may call the venue from a browser, separated by commas, or `*` for all; none by default. */
  cors: aListOfOrigins,
}

/** The options of `startVenue`, whose worlds have them by default. */
export type StartVenueOptions = OptionsOf<typeof venueOptions>

/** What `createWorld` of a venue for tests takes. */
export const createdWorldOptions = {
  ...testWorldOptions,
  /** The world's id, by default one of its own. */
  id: aWorldId,
  /** The name of the test that it is for, which the console shows. */
  test: aText,
}

/** The options of a world that a venue for tests creates. */
export type NewTestWorld = OptionsOf<typeof createdWorldOptions>

/** A venue for tests: served by this process, or a running server that tests have joined. */
export interface TestVenue extends AsyncDisposable {
  /** The address below which `/api/sdk` is. */
  readonly url: string
  /** The address of the admin API. */
  readonly adminUrl: string
  readonly port: number
  /** The world that exists from the start. */
  readonly world: TestWorld
  /** The first key of each account of `world`. */
  readonly keys: TestKeys
  /**
   * Answers requests as `fetch` would, without a socket where the venue is in this process: the key of a request says
   * which world answers.
   */
  readonly fetch: WorldFetch
  /** Creates a world for one test, by default with the venue's scenario, clock and readings. */
  createWorld(options?: NewTestWorld): TestWorld
  /** Lets the process end while the venue is open. */
  unref(): void
  /** Ends the venue; a running server that tests have joined goes on. */
  close(): Promise<void>
}

/**
 * Starts a venue on a free port of this machine. Rejects with the system's error when it can't listen on the port,
 * and with an Error for a scenario or a reading that does not exist.
 */
export async function startVenue(options: StartVenueOptions = {}): Promise<TestVenue> {
  checkOptions('startVenue', options, venueOptions)
  const worlds = new Worlds(testWallClock, createMemoryJournals(manifest.version), beginUse)
  const create = (given: NewTestWorld, url: string): InProcessWorld => {
    const asked = readTestSettings()
    const chosen = chooseScenario(given.scenario, asked) ?? resolveScenario('calm')
    const scenario = limitForTest(chosen, given.rateLimits)
    const made = worlds.create(scenario, {
      ...toHostedOptions(scenario, given, asked),
      ...(given.id === undefined ? {} : { id: given.id }),
      renamesKeys: true,
    })
    if (!made.ok) throw new Error(conflictText(made.conflict))
    made.world.test = given.test ?? null
    return new InProcessWorld(worlds, made.world, url)
  }
  const first = create({ ...options, id: defaultWorld }, '')
  const { host, port, cors = '' } = options
  // The server is loaded on demand, because worlds in process need none.
  const { createVenueServer } = await import('../server/create-venue-server.ts')
  const server = await createVenueServer({
    worlds,
    scenarios: createShippedLibrary(),
    readings: readTestSettings().readings,
    // On a busy machine a test may be silent for longer than a server usually waits, and would then find its
    // connection closed.
    limits: {
      keepAliveTimeout: patienceMillis,
      headersTimeout: patienceMillis,
      requestTimeout: patienceMillis,
    },
    origins: parseOrigins(cors) ?? [],
    ...omitUndefined({ host, port }),
  })
  const world = new InProcessWorld(worlds, first.world, server.url)
  let isClosed = false
  const close = (): Promise<void> => {
    isClosed = true
    noteUses()
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
      checkOptions('createWorld', given, createdWorldOptions)
      if (isClosed) throw new Error('the venue is closed: nobody could reach a world of it')
      return create({ ...options, ...given }, server.url)
    },
    unref: () => server.unref(),
    close,
    [Symbol.asyncDispose]: close,
  }
}

const patienceMillis = 120_000

function toHostedOptions(
  scenario: CompiledScenario,
  { seed, clock = {}, readings = {} }: TestWorldOptions,
  asked: TestSettings,
) {
  const usual = scenario.clock.mode === 'follow' ? 'follow' : 'manual'
  const { mode = usual, speed, stepMs, maxMs } = toClockForm(clock)
  const settings: Partial<ClockSettings> = {
    mode,
    ...(speed === undefined ? {} : { speed }),
    ...(stepMs === undefined ? {} : { stepMillis: millis(stepMs) }),
    ...(maxMs === undefined ? {} : { maxMillis: millis(maxMs) }),
  }
  return {
    clock: settings,
    readings: combineReadings(scenario, readings, asked),
    ...omitUndefined({ seed: seed ?? asked.seed ?? undefined }),
  }
}

/** Returns a test's clock as settings. Throws for settings that there are not. */
export function toClockForm(clock: TestClock): OptionsOf<typeof testClock> {
  const form = typeof clock === 'string' ? { mode: clock } : clock
  checkOptions('the clock of startVenue', form, testClock)
  return form
}

/**
 * A scenario for a test's world: the name of a shipped one such as `calm`, the path of a file, the scenario as an
 * object, or the result of `loadScenario`.
 */
export type ScenarioChoice = string | { readonly [key: string]: unknown } | CompiledScenario

/**
 * Loads the scenario that a test names, else the one that is asked of every test; null where neither does. Throws a
 * RangeError for parameters that are asked for without a scenario, because they would change nothing.
 */
export function chooseScenario(
  named: ScenarioChoice | undefined,
  { scenario, params }: TestSettings,
): CompiledScenario | null {
  if (named !== undefined) return resolveScenario(named)
  if (scenario !== null) return resolveByName(scenario, params)
  const [unused] = Object.keys(params)
  if (unused === undefined) return null
  throw new RangeError(
    `OTC_PARAMS has ${unused}, a parameter of a scenario, but neither OTC_SCENARIO nor the test names one`,
  )
}

/** Loads the scenario that was chosen. Throws an Error with all mistakes in it, each on a line of its own. */
export function resolveScenario(choice: ScenarioChoice): CompiledScenario {
  if (isCompiled(choice)) return choice
  if (typeof choice === 'string') return resolveByName(choice, {})
  return requireScenario(loadScenarioValue(choice))
}

type Params = TestSettings['params']

function resolveByName(name: string, params: Params): CompiledScenario {
  return requireScenario(loadByName(name, params))
}

function requireScenario(loaded: Result<CompiledScenario>): CompiledScenario {
  if (loaded.ok) return loaded.value
  throw new Error(`the scenario cannot be used:\n${loaded.problems.map(formatMistake).join('\n')}`)
}

function isCompiled(choice: ScenarioChoice): choice is CompiledScenario {
  return typeof choice === 'object' && 'venue' in choice && 'expectations' in choice
}

/** Loads a shipped scenario or a file. Choice: a file with recordings needs `loadScenario`, which finds them. */
function loadByName(name: string, given: Params): Result<CompiledScenario> {
  const params = new Map(Object.entries(given))
  return loadShipped(name, { params }) ?? loadScenario(readScenarioText(name), name, { params })
}

function readScenarioText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (failure) {
    const nearest = nearestWord(file, createShippedLibrary().names)
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
  /** Values by reading, or a preset such as `@published-client`; the scenario decides all others. */
  readings: textOrObject<ReadingOverrides>(),
  /**
   * Whether the venue's rate limits are in force for `world.fetch`, in the time of the world. By default they are not,
   * unless the scenario is about them.
   */
  rateLimits: aBoolean,
}

/** The options of `createWorld`. */
export type LibraryWorldOptions = OptionsOf<typeof libraryOptions>

/**
 * Creates a world in this process, without sockets or timers, from the result of `loadScenario`. Throws a TypeError for
 * a name, for a scenario that was not loaded and for options that do not exist, and a RangeError for values that an
 * option can't have.
 */
export function createWorld(scenario: CompiledScenario, options: LibraryWorldOptions = {}): OpenWorld {
  // JavaScript callers get no help from the types, and other functions do accept a name.
  if (typeof scenario !== 'object' || scenario === null || !('venue' in scenario))
    throw new TypeError(`createWorld takes what loadScenario gives, found ${describeValue(scenario)}`)
  checkOptions('createWorld', options, libraryOptions)
  const { readings, rateLimits, ...rest } = options
  checkClock('createWorld', rest.clock ?? {})
  const asked = readTestSettings()
  const limited = limitForTest(scenario, rateLimits)
  const world = new OpenWorld(limited, {
    wall: testWallClock,
    ...(asked.seed === null ? {} : { seed: asked.seed }),
    ...rest,
    readings: combineReadings(limited, readings ?? {}, asked),
  })
  beginUse(world)
  return world
}

/** Makes a new world in the state of a snapshot. Its keys get new names, except those that the scenario names. */
export function forkWorld(snapshot: WorldSnapshot, options: ForkOptions = {}): OpenWorld {
  const world = forkOpenWorld(snapshot, options)
  beginUse(world, true)
  return world
}

/**
 * Combines the readings of a scenario, those given, and those that are asked of every test. Throws a RangeError that
 * names the reading that is wrong.
 */
function combineReadings(scenario: CompiledScenario, given: ReadingOverrides, asked: TestSettings): Readings {
  let readings = resolveScenarioReadings(scenario)
  for (const overrides of [listTestReadings(scenario), given, asked.readings]) {
    const resolved = resolveReadings(overrides, readings)
    if (!resolved.ok) {
      const { problem } = resolved
      throw new RangeError(`readings.${problem.field} ${reasonAndHint(problem)}`)
    }
    readings = resolved.value
  }
  return readings
}
