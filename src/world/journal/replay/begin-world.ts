import type { CompiledScenario } from '../../../scenario/compile/compiled.ts'
import type { ActionWitness } from '../../../scenario/run/script.ts'
import { createWorld, type World } from '../../world.ts'
import type { Beginning } from '../lines/header.ts'

/**
 * A world as its journal begins, ready to carry out its lines. Time comes from the lines; no clock moves the world
 * between them.
 */
export function beginWorld(
  id: string,
  { scenario, seed, clock, readings, start }: Beginning,
  watch: { readonly scenario: CompiledScenario; readonly acted: ActionWitness } | null = null,
): World {
  const world = createWorld(watch?.scenario ?? scenario, {
    id,
    seed,
    clock,
    readings,
    wall: stoppedWall,
    ...(watch === null ? {} : { witness: watch.acted }),
  })
  if (start !== null) world.restoreFrom(start.snapshot, {})
  if (start !== null) world.events.check.value = start.check
  return world
}

const stoppedWall = { nowMillis: () => 0 }
