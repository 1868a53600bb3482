import { resolveReadings } from '../api/readings/readings.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import { checkOptions } from '../world/check-options.ts'
import { type ClockSettings, clockModes, highestSpeed } from '../world/clock/clock-driver.ts'
import { createWorld as makeWorld, type World } from '../world/world.ts'
import { readingsOf, type WorldOptions, worldOptionNames } from '../world/world-options.ts'

export interface LibraryWorldOptions extends Omit<WorldOptions, 'readings' | 'seed'> {
  /** In place of the scenario's. */
  readonly seed?: string | number
  /** Values by reading; those that are not named are the scenario's. */
  readonly readings?: { readonly [key: string]: string | number }
}

/**
 * A venue in this process, of what `loadScenario` gives: no sockets, no timers. Throws a TypeError for a name, a
 * scenario that nobody has loaded and options that do not exist, and a RangeError for values that they cannot have.
 */
export function createWorld(scenario: CompiledScenario, options: LibraryWorldOptions = {}): World {
  // Callers in JavaScript have no types to tell them, and other functions do take a name.
  if (typeof scenario !== 'object' || scenario === null || !('venue' in scenario))
    throw new TypeError(`createWorld takes what loadScenario gives, found ${shown(scenario)}`)
  checkOptions('createWorld', options, worldOptionNames)
  const { seed, readings, ...rest } = options
  checkClock('createWorld', rest.clock ?? {})
  return makeWorld(scenario, {
    ...rest,
    ...(seed === undefined ? {} : { seed: String(seed) }),
    ...(readings === undefined ? {} : { readings: readingsBeside(scenario, readings) }),
  })
}

/** Throws a RangeError that names the reading. */
export function readingsBeside(
  scenario: CompiledScenario,
  given: { readonly [key: string]: string | number },
) {
  const resolved = resolveReadings(given, readingsOf(scenario))
  if (resolved.ok) return resolved.value
  const { field, reason, hint } = resolved.flaw
  throw new RangeError(`readings.${field} ${reason}${hint === undefined ? '' : ` (${hint})`}`)
}

/** Throws a TypeError for a setting that does not exist, a RangeError for a value that it cannot have. */
export function checkClock(
  callee: string,
  { mode, speed, stepMillis, ...others }: Partial<ClockSettings>,
): void {
  checkOptions(`the clock of ${callee}`, others, { mode: true, speed: true, stepMillis: true })
  if (mode !== undefined && !clockModes.includes(mode))
    throw new RangeError(
      `${callee}: clock.mode must be one of ${clockModes.join(', ')}, found ${String(mode)}`,
    )
  if (speed !== undefined && !(speed > 0 && speed <= highestSpeed))
    throw new RangeError(`${callee}: clock.speed must be above 0 and at most ${highestSpeed}, found ${speed}`)
  if (stepMillis !== undefined && !(Number.isSafeInteger(stepMillis) && stepMillis >= 0))
    throw new RangeError(`${callee}: a step of the clock is whole milliseconds, found ${stepMillis}`)
}

export const shown = (value: unknown): string =>
  typeof value === 'string' ? `"${value}"` : typeof value === 'object' ? 'another object' : String(value)
