import { describe, expect, it } from 'vitest'
import { giveKey } from '../../src/world/change-world.ts'
import { Worlds } from '../../src/world/worlds.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { ManualWallClock } from './manual-wall-clock.ts'
import { quietScenario } from './scenarios.ts'

const quiet = compiledScenario(quietScenario)

describe('the snapshots of a server', () => {
  it('route the keys that a restore brings back, and no others', () => {
    const worlds = new Worlds(new ManualWallClock())
    worlds.create(quiet, { id: 'default' })
    const made = worlds.create(quiet, { id: 'a' })
    if (!made.ok) throw new Error('the world is made')
    const { world } = made
    const snapshot = world.snapshot()
    worlds.routeKey(world, giveKey(world, 3, ['READ'], 'late', null))
    expect(worlds.find('late')?.world).toBe(world)
    expect(worlds.restore(world, snapshot)).toBeNull()
    expect(worlds.find('late')).toBeNull()
    expect(worlds.find('simk_a_trader')?.world).toBe(world)
  })

  it('refuse to restore a key that another world has by now', () => {
    const worlds = new Worlds(new ManualWallClock())
    const made = worlds.create(quiet, { id: 'default' })
    const other = worlds.create(quiet, { id: 'b' })
    if (!made.ok || !other.ok) throw new Error('the worlds are made')
    const before = made.world.snapshot()
    worlds.routeKey(made.world, giveKey(made.world, 3, ['READ'], 'mine', null))
    const after = made.world.snapshot()
    worlds.restore(made.world, before)
    worlds.routeKey(other.world, giveKey(other.world, 3, ['READ'], 'mine', null))
    expect(worlds.restore(made.world, after)).toEqual({ kind: 'key-taken', apiKey: 'mine', world: 'b' })
    expect(made.world.digest()).toBe(before.digest)
  })

  it('are deleted with their world', () => {
    const worlds = new Worlds(new ManualWallClock())
    worlds.create(quiet, { id: 'default' })
    const made = worlds.create(quiet, { id: 'a' })
    if (!made.ok) throw new Error('the world is made')
    const { id } = worlds.snapshots.add(made.world, made.world.snapshot())
    expect(worlds.findSnapshot(id)?.world).toBe('a')
    worlds.delete('a')
    expect(worlds.findSnapshot(id)).toBeUndefined()
  })
})
