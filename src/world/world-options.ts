import { clockModes, highestSpeed, longestAdvanceMillis } from '../api/clock.ts'
import {
  aFunction,
  anObjectLike,
  aTextOrNumber,
  checkOption,
  checkOptions,
  describeValue,
  numberAboveZero,
  type OptionKind,
  type OptionsOf,
  oneOfTexts,
  wholeNumber,
  withFlag,
} from '../api/options.ts'
import { defaultReadings, type Readings, resolveReadings } from '../api/readings/readings.ts'
import type { ClockSettings, WorldSnapshot } from '../journal/world-snapshot.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import type { ActionObserver } from '../scenario/run/script.ts'
import { defaultClock, type WallClock } from './clock.ts'

/** The allowed form of a world's id, which becomes part of URLs, of the names of keys and of file names. */
const form = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** A word in the place of a world's id in the paths of the admin API: nobody could reach a world with that id. */
const pathWord = 'import'

/** The check of a world's id, wherever one is given: over HTTP, in the library, in a test. */
export const aWorldId: OptionKind<string> = {
  expected: `up to 64 letters, digits, dots, dashes and underscores, the first a letter or a digit, and not "${pathWord}", at which journals are imported`,
  holds: (value): value is string => typeof value === 'string' && form.test(value) && value !== pathWord,
}

/** The check of a seed, wherever one is given: for a world, a run or a scenario. */
export const aSeed = withFlag(aTextOrNumber, '<text>', "instead of the scenario's seed")

export const clockOptions = {
  mode: withFlag(
    oneOfTexts(...clockModes),
    '<mode>',
    "instead of the scenario's clock; realtime when it states none",
  ),
  speed: numberAboveZero(highestSpeed),
  stepMillis: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  maxMillis: wholeNumber(1, longestAdvanceMillis),
}

export const worldOptions = {
  /** The world's id, from which its keys get their names; `default` when it is absent. */
  id: aWorldId,
  /** The seed, in place of the scenario's. */
  seed: aSeed,
  /** Clock settings, in place of the scenario's. The mode is `manual` when neither states one. */
  clock: anObjectLike<Partial<ClockSettings>>(),
  /** The readings, in place of the scenario's. */
  readings: anObjectLike<Readings>(),
  /** The real clock, which authentication and rate limits read. */
  wall: anObjectLike<WallClock>(),
  /** Called for each action of the scenario, from its start on. */
  onAction: aFunction<ActionObserver>(),
}

export type WorldOptions = OptionsOf<typeof worldOptions>

/**
 * Returns a scenario's readings, with defaults for those that it does not state. Throws a RangeError for unknown ones.
 */
export function resolveScenarioReadings(scenario: CompiledScenario): Readings {
  const resolved = resolveReadings(Object.fromEntries(scenario.readings), defaultReadings)
  if (!resolved.ok) throw new RangeError(`readings: ${resolved.problem.field} ${resolved.problem.reason}`)
  return resolved.value
}

/** Returns a scenario's clock settings, with the default mode if it states none. */
export function scenarioClock({ clock }: CompiledScenario): ClockSettings {
  const { endMillis: _, mode, ...settings } = clock
  return { mode: mode ?? defaultClock.mode, ...settings }
}

/** Converts a seed to text; null stays null. Throws for an invalid seed, which must not get into a journal. */
export function toSeedText(seed: string | number | null): string | null {
  // Callers in plain JavaScript may leave the seed out.
  if (seed === null || seed === undefined) return null
  checkOption('reset', 'seed', seed, aSeed)
  return String(seed)
}

/**
 * Returns its argument if it is a snapshot; throws a TypeError otherwise, because callers in JavaScript have no types.
 */
export function checkSnapshot(snapshot: WorldSnapshot, callee = 'restore'): WorldSnapshot {
  const given: unknown = snapshot
  if (typeof given === 'object' && given !== null && 'venue' in given && 'script' in given) return snapshot
  throw new TypeError(`${callee} takes what snapshot() gives, found ${describeValue(given)}`)
}

/** Checks the arguments of a fork and returns the snapshot. Throws a TypeError or a RangeError for invalid ones. */
export function checkForkArguments(snapshot: WorldSnapshot, options: WorldOptions): WorldSnapshot {
  checkOptions('a fork', options, worldOptions)
  checkClock('a fork', options.clock ?? {})
  return checkSnapshot(snapshot, 'forkWorld')
}

/**
 * Checks clock settings. Throws a TypeError for a setting that does not exist and a RangeError for an invalid value.
 */
export function checkClock(callee: string, clock: Partial<ClockSettings>): void {
  checkOptions(`the clock of ${callee}`, clock, clockOptions)
}
