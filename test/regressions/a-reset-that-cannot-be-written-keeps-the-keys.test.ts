// Room: world

import { expect, it } from 'vitest'
import type { World } from '../../src/world/world.ts'
import { Worlds } from '../../src/world/worlds.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { ManualWallClock } from '../world/manual-wall-clock.ts'
import { quietScenario } from '../world/scenarios.ts'

/*
 * On a full disk a reset or restore is refused and changes nothing; but the world's keys had been removed from the list
 * by which requests are routed, so the world could not be used any more.
 */

it.each([
  ['reset', (worlds: Worlds, world: World) => worlds.reset(world.id, null)],
  ['restore', (worlds: Worlds, world: World) => worlds.restore(world, world.snapshot())],
])('%s', (_, change) => {
  const worlds = new Worlds(new ManualWallClock())
  const made = worlds.create(compiledScenario(quietScenario), { id: 'w' })
  if (!made.ok) throw new Error('a world can be made')
  const { world } = made
  const keys = () => world.keys.list().map(({ apiKey }) => worlds.find(apiKey)?.world.id)
  const before = keys()
  expect(before).toContain('w')
  world.observe({
    afterCommand: () => {},
    beforeChange: () => {
      throw new Error('the disk is full')
    },
  })
  expect(() => change(worlds, world)).toThrow('the disk is full')
  expect(keys()).toEqual(before)
  world.observe(null)
  change(worlds, world)
  expect(keys()).toEqual(before)
})
