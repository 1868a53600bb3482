import type { ClockMode, ClockSettings } from '../../journal/world-snapshot.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import { loadShipped } from '../../world/shipped/shipped-scenarios.ts'
import type { World } from '../../world/world.ts'
import { readingsOf } from '../../world/world-options.ts'
import { defaultWorld, type Worlds } from '../../world/worlds.ts'
import { chosenReadings } from '../chosen-readings.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { pairsOf } from '../option-parsers.ts'
import type { Terminal } from '../terminal.ts'

/** What the world that exists from the start is made of. */
export interface FirstWorldOptions {
  readonly scenario: string
  readonly seed?: string
  readonly clock?: ClockMode
  readonly readings?: unknown
  readonly param?: unknown
}

export async function makeFirstWorld(
  worlds: Worlds,
  options: FirstWorldOptions,
  terminal: Terminal,
): Promise<World> {
  const compiled = await scenarioOf(options, terminal)
  const readings = chosenReadings(options.readings, readingsOf(compiled))
  const clock: Partial<ClockSettings> = { mode: options.clock ?? compiled.clock.mode ?? 'realtime' }
  const made = worlds.create(compiled, { id: defaultWorld, readings, clock })
  if (!made.ok) throw new CliFailure(exitCode.usage, `${options.scenario}: two accounts have the same key`)
  return made.world
}

/** The shipped scenarios are there as JSON; what reads YAML and recordings is only loaded for others. */
export async function scenarioOf(
  { scenario, param, seed }: FirstWorldOptions,
  terminal: Terminal,
): Promise<CompiledScenario> {
  const params = pairsOf(param)
  const shipped = loadShipped(scenario, { params, ...(seed === undefined ? {} : { seed }) })
  // If it is refused, it has recordings, or a problem that is better reported with its line.
  if (shipped?.ok === true) return shipped.value
  const { openScenario } = await import('../scenario/scenario-files.ts')
  return openScenario({ scenario, cwd: terminal.cwd, params, seed: seed ?? null })
}
