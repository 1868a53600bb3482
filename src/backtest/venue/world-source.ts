import type { WorldSnapshot } from '../../journal/world-snapshot.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { millis } from '../../numeric/units.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import { createWorld, forkWorld, type World } from '../../world/world.ts'

/** Receives the world's time while time passes before a run begins. */
export type ReportTime = (nowMillis: number) => void

export interface WorldSource {
  /** Opens a world in which nobody has done anything, and advances it to an instant. */
  open(scenario: CompiledScenario, seed: string | undefined, atMillis: number, onTime?: ReportTime): World
}

/** Creates a source that makes a new world for each run. `onWorld` receives it before anything happens in it. */
export function createWorldSource(onWorld?: (world: World) => void): WorldSource {
  return {
    open(scenario, seed, atMillis, onTime) {
      const world = createManualWorld(scenario, seed)
      onWorld?.(world)
      advanceInPieces(world, atMillis, onTime)
      return world
    },
  }
}

/**
 * Creates a source for many runs that mostly begin where others have, as the cells and windows of a sweep do: each
 * world is forked from the latest cached one of its scenario and seed. A fork equals a new world, so no result depends
 * on the cache. A world is cached when the way from the one it was forked from has taken at least as long as
 * `leastSteps` steps of the market do.
 */
export function createCachedWorldSource(leastSteps = minimumCachedSteps): WorldSource {
  const kept: CachedWorld[] = []
  return {
    open(scenario, seed, atMillis, onTime) {
      const nearest = findLatest(kept, scenario, seed, atMillis)
      const world = nearest === null ? createManualWorld(scenario, seed) : forkWorld(nearest.snapshot)
      if (nearest !== null) kept.push(...kept.splice(kept.indexOf(nearest), 1))
      const passedMillis = atMillis - world.now
      advanceInPieces(world, atMillis, onTime)
      if (estimateSteps(scenario, passedMillis) < leastSteps) return world
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

/** The number of steps of the market that take longer than a snapshot and a fork. */
const minimumCachedSteps = 50_000
/** How many steps of the market take as long as the takers of one asset in a minute, measured. */
const stepsPerTakersMinute = 30

/**
 * Estimates how long a time takes to pass, in steps of the market. Takers come by the minute on every grid: on one of an
 * hour, they are nearly all that there is to do.
 */
function estimateSteps({ venue }: CompiledScenario, passedMillis: number): number {
  const withTakers = venue.market.assets.filter(({ flow }) => flow.kind !== 'none').length
  const ofTakers = (passedMillis / millisPerMinute) * withTakers * stepsPerTakersMinute
  return passedMillis / venue.gridMillis + ofTakers
}

/** The most worlds in the cache; each takes some megabytes. */
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

/** Advances a world without a line in a journal, in pieces, so that progress can be reported. */
function advanceInPieces(world: World, atMillis: number, onTime: ReportTime | undefined): void {
  const pieceMillis = Math.ceil((atMillis - world.now) / pieceCount)
  while (world.now < atMillis) {
    world.time.passTimeTo(millis(Math.min(world.now + pieceMillis, atMillis)))
    onTime?.(world.now)
  }
}

const pieceCount = 200
