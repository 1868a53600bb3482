import type { WorldSnapshot } from '../../journal/world-snapshot.ts'
import { millis } from '../../numeric/units.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import { createWorld, forkWorld, type World } from '../../world/world.ts'

/** Told, while time passes before a run begins, where the world is. */
export type ReportTime = (nowMillis: number) => void

export interface WorldSource {
  /** A world of its own in which nobody has done anything and time has passed up to an instant. */
  open(scenario: CompiledScenario, seed: string | undefined, atMillis: number, tell?: ReportTime): World
}

/** A new world for each run; `onWorld` is given it before anything happens in it. */
export function createWorldSource(onWorld?: (world: World) => void): WorldSource {
  return {
    open(scenario, seed, atMillis, tell) {
      const world = createManualWorld(scenario, seed)
      onWorld?.(world)
      advanceInPieces(world, atMillis, tell)
      return world
    },
  }
}

/**
 * Worlds for many runs, most of which begin where others have, as the cells and the windows of a sweep do: each is a
 * fork of the latest one that is kept of its scenario and seed. A fork is in the state that a new world would be in, so
 * no result depends on what is kept; it is kept when at least `leastSteps` steps of the market have passed.
 */
export function keptWorlds(leastSteps = minimumCachedSteps): WorldSource {
  const kept: CachedWorld[] = []
  return {
    open(scenario, seed, atMillis, tell) {
      const nearest = findLatest(kept, scenario, seed, atMillis)
      const world = nearest === null ? createManualWorld(scenario, seed) : forkWorld(nearest.snapshot)
      if (nearest !== null) kept.push(...kept.splice(kept.indexOf(nearest), 1))
      const passedMillis = atMillis - world.now
      advanceInPieces(world, atMillis, tell)
      if (passedMillis / scenario.venue.gridMillis < leastSteps) return world
      kept.push({ scenario, seed, atMillis, snapshot: world.snapshot() })
      if (kept.length > maximumCachedWorlds) kept.shift()
      return world
    },
  }
}

interface CachedWorld {
  readonly scenario: CompiledScenario
  readonly seed: string | undefined
  readonly atMillis: number
  readonly snapshot: WorldSnapshot
}

/** Steps of the market that take longer than a snapshot and a fork. */
const minimumCachedSteps = 50_000
/** Some megabytes each. */
const maximumCachedWorlds = 32

function findLatest(
  kept: readonly CachedWorld[],
  scenario: CompiledScenario,
  seed: string | undefined,
  atMillis: number,
): CachedWorld | null {
  let latest: CachedWorld | null = null
  for (const one of kept) {
    if (one.scenario !== scenario || one.seed !== seed || one.atMillis > atMillis) continue
    if (latest === null || one.atMillis > latest.atMillis) latest = one
  }
  return latest
}

function createManualWorld(scenario: CompiledScenario, seed: string | undefined): World {
  return createWorld(scenario, { clock: { mode: 'manual' }, ...(seed === undefined ? {} : { seed }) })
}

/** Moves on without a line in a journal, in pieces so that progress can be told. */
function advanceInPieces(world: World, atMillis: number, tell: ReportTime | undefined): void {
  const pieceMillis = Math.ceil((atMillis - world.now) / pieceCount)
  while (world.now < atMillis) {
    world.time.proceedTo(millis(Math.min(world.now + pieceMillis, atMillis)))
    tell?.(world.now)
  }
}

const pieceCount = 200
