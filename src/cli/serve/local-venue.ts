import type { ReadingOverrides, Readings } from '../../api/readings/readings.ts'
import type { ClockSettings } from '../../journal/world-snapshot.ts'
import { assert } from '../../numeric/assert.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import { createVenueServer, type VenueServer } from '../../server/create-venue-server.ts'
import { systemWallClock } from '../../world/clock.ts'
import { createMemoryJournals } from '../../world/journals/journal-store.ts'
import { loadShipped } from '../../world/shipped/shipped-scenarios.ts'
import type { World } from '../../world/world.ts'
import { aSeed, clockOptions, resolveScenarioReadings } from '../../world/world-options.ts'
import { WorldWatch } from '../../world/world-watch.ts'
import { defaultWorld, Worlds } from '../../world/worlds.ts'
import { CliFailure, exitCode, systemReason, usageFailure } from '../failure.ts'
import {
  aFlag,
  cacheFlag,
  type FlagsOf,
  gatherReadings,
  pairsOf,
  paramFlag,
  parsedFlag,
  parseSeed,
  resolveChosenReadings,
} from '../flags.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'
import { createServedLibrary } from './scenario-library.ts'

export type LocalVenue = Awaited<ReturnType<typeof startLocalVenue>>

/**
 * Starts a venue with one world on a free port of this machine, for as long as a command runs. `watch` sees the requests
 * to all of its worlds.
 */
export async function startLocalVenue(options: FirstWorldOptions, terminal: Terminal) {
  const watch = new WorldWatch()
  const worlds = new Worlds(systemWallClock, createMemoryJournals(version), (made) => {
    made.watch = watch
  })
  const world = await makeFirstWorld(worlds, options, terminal)
  const server = await serveOnFreePort(worlds, terminal)
  const close = async (): Promise<void> => {
    await server.close()
    worlds.close()
  }
  return { world, server, watch, close }
}

/** Makes a world by the options without serving it, as the pattern of others. Ends the command for a mistake in them. */
export function makeUnservedWorld(options: FirstWorldOptions, terminal: Terminal): Promise<World> {
  return makeFirstWorld(new Worlds(systemWallClock, createMemoryJournals(version)), options, terminal)
}

/** The changes with which `startVenueLike` copies a venue. */
export interface VenueChanges {
  /** The readings of all its worlds, unless a request for a world asks for others. */
  readonly readings: Readings
  /** Called with each world before any request reaches it. */
  readonly prepare: (world: World, isFork: boolean) => void
}

/** Lists the readings of a world that are not its scenario's. */
export function listChangedReadings({ scenario, readings }: World): { readonly [key: string]: string } {
  const usual = new Map<string, string>(Object.entries(resolveScenarioReadings(scenario)))
  return Object.fromEntries(Object.entries(readings).filter(([key, value]) => usual.get(key) !== value))
}

/** Starts a venue of its own whose first world is like a given one, under other readings. */
export async function startVenueLike(
  { scenario, seed, clock }: World,
  { readings, prepare }: VenueChanges,
  terminal: Terminal,
) {
  const worlds = new Worlds(systemWallClock, createMemoryJournals(version), prepare)
  const made = worlds.create(scenario, { id: defaultWorld, seed, clock, readings })
  assert(made.ok, 'the first world of a server has keys of its own')
  const server = await serveOnFreePort(worlds, terminal, listChangedReadings(made.world))
  const close = async (): Promise<void> => {
    await server.close()
    worlds.close()
  }
  return { world: made.world, server, close }
}

/** Serves the worlds on a free port. Internal errors are reported on the terminal. */
export async function serveOnFreePort(
  worlds: Worlds,
  terminal: Terminal,
  readings: ReadingOverrides = {},
): Promise<VenueServer> {
  try {
    return await createVenueServer({
      worlds,
      scenarios: createServedLibrary(terminal.cwd),
      readings,
      port: 0,
      version,
      report: (text) => terminal.err(`${text}\n`),
    })
  } catch (error) {
    throw new CliFailure(exitCode.unreachable, `cannot listen on this machine: ${systemReason(error)}`)
  }
}

/** The options of a venue's first world. */
export const worldFlags = {
  scenario: aFlag('<name>', 'a shipped scenario or a file', { default: 'calm' }),
  seed: { ...aSeed, parse: parseSeed },
  clock: clockOptions.mode,
  readings: parsedFlag(
    gatherReadings,
    '<key=value>',
    'how to read an open point of the specification, or a set of such readings as @published-client; several comma-separated, or repeated',
  ),
  param: paramFlag,
  cache: cacheFlag,
}

export type FirstWorldOptions = FlagsOf<typeof worldFlags>

/** Makes the default world by the options. Ends the command for a mistake in them or in the scenario. */
export async function makeFirstWorld(
  worlds: Worlds,
  options: FirstWorldOptions,
  terminal: Terminal,
): Promise<World> {
  const compiled = await loadScenario(options, terminal)
  const readings = resolveChosenReadings(options.readings, resolveScenarioReadings(compiled))
  const clock: Partial<ClockSettings> = { mode: options.clock ?? compiled.clock.mode ?? 'realtime' }
  const made = worlds.create(compiled, { id: defaultWorld, readings, clock })
  if (!made.ok) throw usageFailure(`${options.scenario}: two accounts have the same key`)
  return made.world
}

/**
 * Loads a scenario, and says on stderr how its recordings were understood. Shipped ones exist as JSON, so that code for
 * YAML and recordings is loaded only for files.
 */
export async function loadScenario(
  { cache, scenario, param, seed }: FirstWorldOptions,
  terminal: Terminal,
): Promise<CompiledScenario> {
  const params = pairsOf(param)
  const shipped = loadShipped(scenario, { params, ...(seed === undefined ? {} : { seed }) })
  // A shipped scenario that does not load needs recordings, or has a mistake that is better reported with its line.
  if (shipped?.ok === true) return shipped.value
  const { openScenario, reportFilesRead } = await import('../scenario/scenario-files.ts')
  const opened = openScenario({ scenario, cwd: terminal.cwd, params, seed: seed ?? null, cache })
  reportFilesRead(opened, terminal)
  return opened
}
