import { clockModes, highestSpeed } from '../api/clock.ts'
import {
  aTextOrNumber,
  checkOption,
  checkOptions,
  flagged,
  functionOf,
  numberAboveZero,
  type OptionKind,
  type OptionsOf,
  objectOf,
  oneOfTexts,
  shown,
  wholeNumber,
} from '../api/options.ts'
import { defaultReadings, type Readings, resolveReadings } from '../api/readings/readings.ts'
import type { ClockSettings, WorldSnapshot } from '../journal/world-snapshot.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import type { ActionWitness } from '../scenario/run/script.ts'
import { defaultClock, type WallClock } from './clock.ts'

/** An id is part of paths, of the names of keys, and of file names. */
const form = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** The form of a world's id, however it is given: over HTTP, in the library, in a test. */
export const aWorldId: OptionKind<string> = {
  expected: 'up to 64 letters, digits, dots, dashes and underscores, the first a letter or a digit',
  holds: (value): value is string => typeof value === 'string' && form.test(value),
}

/** The seed of a world, a run or a scenario, however it is given. */
export const aSeed = flagged(aTextOrNumber, '<text>', "instead of the scenario's seed")

export const clockOptions = {
  mode: flagged(
    oneOfTexts(...clockModes),
    '<mode>',
    "instead of the scenario's clock; realtime when it states none",
  ),
  speed: numberAboveZero(highestSpeed),
  stepMillis: wholeNumber(0, Number.MAX_SAFE_INTEGER),
}

export const worldOptions = {
  /** Names the world and its keys; `default` by default. */
  id: aWorldId,
  /** In place of the scenario's. */
  seed: aSeed,
  /** In place of what the scenario states; manual when it states nothing. */
  clock: objectOf<Partial<ClockSettings>>(),
  /** In place of the scenario's; see `readingsOf`. */
  readings: objectOf<Readings>(),
  wall: objectOf<WallClock>(),
  /** Told of each action of the scenario, from its start on. */
  witness: functionOf<ActionWitness>(),
}

export type WorldOptions = OptionsOf<typeof worldOptions>

/** What a scenario says its readings are. Throws when it names one that does not exist. */
export function readingsOf(scenario: CompiledScenario): Readings {
  const resolved = resolveReadings(Object.fromEntries(scenario.readings), defaultReadings)
  if (!resolved.ok) throw new RangeError(`readings: ${resolved.flaw.field} ${resolved.flaw.reason}`)
  return resolved.value
}

export function clockOf({ clock }: CompiledScenario): ClockSettings {
  return { mode: clock.mode ?? defaultClock.mode, speed: clock.speed, stepMillis: clock.stepMillis }
}

/** The seed as text, or null. Throws a RangeError for an invalid one, which would otherwise get into the journal. */
export function seedText(seed: string | number | null): string | null {
  // Callers in JavaScript leave it out.
  if (seed === null || seed === undefined) return null
  checkOption('reset', 'seed', seed, aSeed)
  return String(seed)
}

/** The snapshot, checked: callers in JavaScript have no types. Throws a TypeError for anything else. */
export function restorable(snapshot: WorldSnapshot, callee = 'restore'): WorldSnapshot {
  const given: unknown = snapshot
  if (typeof given === 'object' && given !== null && 'venue' in given && 'script' in given) return snapshot
  throw new TypeError(`${callee} takes what snapshot() gives, found ${shown(given)}`)
}

export function forkable(snapshot: WorldSnapshot, options: WorldOptions): WorldSnapshot {
  checkOptions('a fork', options, worldOptions)
  checkClock('a fork', options.clock ?? {})
  return restorable(snapshot, 'forkWorld')
}

/** Throws a TypeError for a setting that does not exist, a RangeError for a value that it cannot have. */
export function checkClock(callee: string, clock: Partial<ClockSettings>): void {
  checkOptions(`the clock of ${callee}`, clock, clockOptions)
}
