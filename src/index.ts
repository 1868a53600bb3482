import { openScenario } from './cli/scenario-files.ts'
import type { CompiledScenario } from './scenario/compiled.ts'

export { type BacktestOptions, backtest } from './backtest/backtest.ts'
export { runLive } from './backtest/live/run-live.ts'
export type { BacktestResult } from './backtest/result.ts'
export { defineStrategy, type Strategy } from './backtest/strategy.ts'
export { createVenueClient, type VenueClient } from './client/create-venue-client.ts'
export { VenueError } from './client/venue-error.ts'
export type { Command, Outcome } from './engine/commands.ts'
export type { CompiledScenario } from './scenario/compiled.ts'
export { type StartVenueOptions, startVenue, type TestVenue } from './testing/start-venue.ts'
export type { TestWorld } from './testing/test-world.ts'
export type { InProcessAnswer } from './world/in-process.ts'
export type { WorldSnapshot } from './world/snapshots/world-snapshot.ts'
export { createWorld, forkWorld, type World } from './world/world.ts'
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
  const { compiled } = openScenario({
    scenario: nameOrFile,
    cwd: options.cwd ?? process.cwd(),
    params: new Map(Object.entries(options.params ?? {})),
    seed: options.seed ?? null,
  })
  return compiled
}
