import { checkOptions, type OptionsOf, shown, textOrObject } from '../api/options.ts'
import { type ReadingOverrides, resolveReadings } from '../api/readings/readings.ts'
import { OpenWorld } from '../pipeline/fetch.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import { checkClock, readingsOf, worldOptions } from '../world/world-options.ts'

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
    ...(readings === undefined ? {} : { readings: readingsBeside(scenario, readings) }),
  })
}

/** Throws a RangeError that names the reading. */
export function readingsBeside(scenario: CompiledScenario, given: ReadingOverrides) {
  const resolved = resolveReadings(given, readingsOf(scenario))
  if (resolved.ok) return resolved.value
  const { field, reason, hint } = resolved.flaw
  throw new RangeError(`readings.${field} ${reason}${hint === undefined ? '' : ` (${hint})`}`)
}
