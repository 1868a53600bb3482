// Room: world

import { expect, it } from 'vitest'
import { Worlds } from '../../src/world/worlds.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { ManualWallClock } from '../world/manual-wall-clock.ts'
import { liquidScenario } from '../world/scenarios.ts'

// Worlds that are always late, because their speed is more than the machine can do, took all the places of those that
// catch up, and `tick` then moved no other world.
it('a world that is hardly behind is moved while others catch up', () => {
  const scenario = compiledScenario(liquidScenario)
  const wall = new ManualWallClock()
  const worlds = new Worlds(wall)
  for (const id of ['a', 'b', 'c', 'd', 'e'])
    worlds.create(scenario, { id, clock: { mode: 'realtime', speed: 1_000_000 } })
  worlds.create(scenario, { id: 'slow', clock: { mode: 'realtime', speed: 1 } })
  const moved = () => worlds.list().map(({ now }) => now - scenario.venue.startMillis)
  wall.advance(30_000)
  worlds.tick()
  expect(worlds.list().filter(({ workQueue: turns }) => turns.isTaken)).toHaveLength(4)
  expect(moved().at(-1)).toBe(30_000)
  wall.advance(1000)
  worlds.tick()
  expect(worlds.list().filter(({ workQueue: turns }) => turns.isTaken)).toHaveLength(4)
  expect(moved().at(-1)).toBe(31_000)
  worlds.stopWork()
})
