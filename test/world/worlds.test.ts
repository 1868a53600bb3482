import { describe, expect, it } from 'vitest'
import { Worlds } from '../../src/world/worlds.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { until } from '../support/until.ts'
import { ManualWallClock } from './manual-wall-clock.ts'
import { quietScenario } from './scenarios.ts'

const quiet = compiledScenario(quietScenario)
const order = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 50_000 }

describe('the worlds of a server', () => {
  it('are reached by their keys only', () => {
    const worlds = new Worlds(new ManualWallClock())
    worlds.create(quiet, { id: 'default' })
    worlds.create(quiet, { id: 'a' })
    expect(worlds.find('simk_a_trader')?.world.id).toBe('a')
    expect(worlds.find('simk_a_trader')?.key.accountId).toBe('trader')
    expect(worlds.find('simk_A_trader')).toBeNull()
    for (const name of ['__proto__', 'constructor', 'toString', '']) expect(worlds.find(name)).toBeNull()
  })

  it('get ids from a counter that skips those in use', () => {
    const worlds = new Worlds(new ManualWallClock())
    worlds.create(quiet, { id: 'w1' })
    const made = worlds.create(quiet, {})
    expect(made.ok && made.world.id).toBe('w2')
  })

  it('refuse an id and a key that are in use', () => {
    const worlds = new Worlds(new ManualWallClock())
    const named = compiledScenario({
      ...quietScenario,
      accounts: [{ id: 'a', keys: [{ key: 'k-a', secret: 's-a', scopes: ['READ'] }] }],
    })
    worlds.create(named, { id: 'one' })
    expect(worlds.create(named, { id: 'one' })).toEqual({
      ok: false,
      conflict: { kind: 'world-exists', id: 'one' },
    })
    expect(worlds.create(named, { id: 'two' })).toEqual({
      ok: false,
      conflict: { kind: 'key-taken', apiKey: 'k-a', world: 'one' },
    })
    expect(worlds.get('two')).toBeUndefined()
  })

  it('release their keys when they are deleted', () => {
    const worlds = new Worlds(new ManualWallClock())
    worlds.create(quiet, { id: 'a' })
    expect(worlds.delete('a')).toBe(true)
    expect(worlds.find('simk_a_trader')).toBeNull()
    expect(worlds.delete('a')).toBe(false)
    expect(worlds.create(quiet, { id: 'a' }).ok).toBe(true)
  })

  it('are independent of each other', () => {
    const worlds = new Worlds(new ManualWallClock())
    for (const id of ['a', 'b']) worlds.create(quiet, { id })
    const before = worlds.get('b')?.digest()
    worlds.get('a')?.request('trader', 'POST', '/api/sdk/orders', order)
    worlds.get('a')?.advance('1h')
    expect(worlds.get('b')?.digest()).toBe(before)
  })

  it('lose added keys on a reset, and get revoked ones back', () => {
    const worlds = new Worlds(new ManualWallClock())
    const made = worlds.create(quiet, { id: 'a' })
    if (!made.ok) throw new Error('the world can be made')
    worlds.routeKey(
      made.world,
      made.world.keys.addNewKey(3, 'desk', { scopes: ['READ'], apiKey: 'extra', apiSecret: null }),
    )
    expect(worlds.find('extra')?.world.id).toBe('a')
    worlds.reset('a', '9')
    expect(worlds.find('extra')).toBeNull()
    expect(made.world.seed).toBe('9')
  })

  it('end when they have not been used for their time to live', () => {
    const wall = new ManualWallClock()
    const worlds = new Worlds(wall)
    worlds.create(quiet, { id: 'short', ttlMillis: 1000 })
    worlds.create(quiet, { id: 'long' })
    wall.advance(999)
    worlds.find('simk_short_trader')
    wall.advance(999)
    worlds.tick()
    expect(worlds.get('short')?.id).toBe('short')
    wall.advance(1000)
    worlds.tick()
    expect(worlds.get('short')).toBeUndefined()
    expect(worlds.find('simk_short_trader')).toBeNull()
    expect(worlds.get('long')?.id).toBe('long')
  })

  it('end after their time to live although the wall clock was set back', () => {
    const wall = new ManualWallClock()
    const worlds = new Worlds(wall)
    worlds.create(quiet, { id: 'default' })
    worlds.create(quiet, { id: 'short', ttlMillis: 1000 })
    wall.advance(-86_400_000)
    worlds.tick()
    wall.advance(999)
    worlds.tick()
    expect(worlds.list()).toHaveLength(2)
    wall.advance(1)
    worlds.tick()
    expect(worlds.list()).toHaveLength(1)
  })

  it('take turns when one tick cannot move all of them', () => {
    let now = 1_800_000_000_000
    // Reading this clock takes 15 ms.
    const worlds = new Worlds({ nowMillis: () => (now += 15) })
    for (const id of ['a', 'b', 'c']) worlds.create(quiet, { id, clock: { mode: 'realtime' } })
    const moved = () => worlds.list().filter((world) => world.now > quiet.venue.startMillis).length
    worlds.tick()
    expect(moved()).toBeLessThan(3)
    for (let tick = 0; tick < 3; tick += 1) worlds.tick()
    expect(moved()).toBe(3)
  })

  it('that have all fallen far behind catch up a few at a time, so that whoever asks for one does not wait for all', async () => {
    const wall = new ManualWallClock()
    const worlds = new Worlds(wall)
    for (let count = 0; count < 40; count += 1)
      worlds.create(quiet, { id: `w-${count}`, clock: { mode: 'realtime' } })
    wall.advance(600_001)
    const present = quiet.venue.startMillis + 600_001
    const behind = () => worlds.list().filter((world) => world.now < present).length
    worlds.tick()
    expect(worlds.list().filter((world) => world.workQueue.isTaken)).toHaveLength(4)
    const asked = worlds.list()[39]
    asked?.time.catchUp()
    expect(asked?.now).toBe(present)
    for (let tick = 0; tick < 40 && behind() > 0; tick += 1) {
      await until('those catch up', () => worlds.list().every((world) => !world.workQueue.isTaken))
      worlds.tick()
    }
    await until('the last catch up', () => behind() === 0)
  })

  it('follow real time without requests', () => {
    const wall = new ManualWallClock()
    const worlds = new Worlds(wall)
    worlds.create(quiet, { id: 'a', clock: { mode: 'realtime' } })
    const start = quiet.venue.startMillis
    wall.advance(5000)
    worlds.tick()
    expect((worlds.list()[0]?.now ?? 0) - start).toBe(5000)
  })
})
