import { openScenario } from './cli/scenario/scenario-files.ts'
import type { CompiledScenario } from './scenario/compile/compiled.ts'
import { createWorld as makeWorld, type World } from './world/world.ts'
import type { WorldOptions } from './world/world-options.ts'

export { type BacktestOptions, backtest } from './backtest/backtest.ts'
export { runLive } from './backtest/live/run-live.ts'
export type { BacktestResult } from './backtest/result.ts'
export { defineStrategy, type Strategy } from './backtest/strategy.ts'
export { createVenueClient, type VenueClient } from './client/create-venue-client.ts'
export { VenueError } from './client/venue-error.ts'
export type { Command, Outcome } from './engine/commands.ts'
export type { CompiledScenario } from './scenario/compile/compiled.ts'
export { type StartVenueOptions, startVenue, type TestVenue } from './testing/start-venue.ts'
export type { TestWorld } from './testing/test-world.ts'
export type { InProcessAnswer } from './world/in-process.ts'
export type { WorldSnapshot } from './world/snapshots/world-snapshot.ts'
export { forkWorld, type World } from './world/world.ts'
export type { WorldOptions } from './world/world-options.ts'

export interface ScenarioOptions {
  /** In place of the scenario's. */
  readonly seed?: string
  /** Values for the scenario's own `params`. */
  readonly params?: Readonly<Record<string, string>>
  /** Where relative paths start; the current directory unless given. */
  readonly cwd?: string
}

/**
 * A scenario from a file, or by the name of a shipped one such as `calm`. Rejects with every problem of the file, each
 * as `file:line:column path: reason`.
 */
export async function loadScenario(
  nameOrFile: string,
  options: ScenarioOptions = {},
): Promise<CompiledScenario> {
  if (typeof nameOrFile !== 'string')
    throw new TypeError(`loadScenario takes the name of a scenario or a file, found ${shown(nameOrFile)}`)
  const { compiled } = openScenario({
    scenario: nameOrFile,
    cwd: options.cwd ?? process.cwd(),
    params: new Map(Object.entries(options.params ?? {})),
    seed: options.seed ?? null,
  })
  return compiled
}

/**
 * A venue in this process, of what `loadScenario` gives: no sockets, no timers. Throws a TypeError for a name or a
 * scenario that nobody has loaded.
 */
export function createWorld(scenario: CompiledScenario, options: WorldOptions = {}): World {
  // Whoever writes JavaScript gets no help from the types, and a name is what other functions take.
  if (typeof scenario !== 'object' || scenario === null || !('venue' in scenario))
    throw new TypeError(`createWorld takes what loadScenario gives, found ${shown(scenario)}`)
  return makeWorld(scenario, options)
}

const shown = (value: unknown): string =>
  typeof value === 'string' ? `"${value}"` : typeof value === 'object' ? 'another object' : String(value)
