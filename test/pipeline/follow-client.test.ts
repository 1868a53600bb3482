import { describe, expect, it } from 'vitest'
import { millis } from '../../src/numeric/units.ts'
import { OpenWorld } from '../../src/pipeline/fetch.ts'
import { readingsInForceOf } from '../../src/world/clock.ts'
import { signedHeaders } from '../server/signed-request.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { ManualWallClock } from '../world/manual-wall-clock.ts'
import { quietScenario } from '../world/scenarios.ts'

const start = Date.parse('2026-01-05T00:00:00Z')
const day = 86_400_000

function followingWorld(maxMillis = day) {
  const wall = new ManualWallClock()
  const clock = { mode: 'follow', maxMillis: millis(maxMillis) } as const
  const world = new OpenWorld(compiledScenario(quietScenario), { wall, clock })
  const ask = async (timestamp: number, more: { readonly signature?: string } = {}) => {
    const target = '/api/sdk/orders'
    const headers = signedHeaders({ target, timestamp, ...more }, timestamp)
    const { status, headers: given } = await world.fetch(target, { headers })
    return { status, hint: given.get('x-sim-hint') ?? '', now: world.now - start }
  }
  return { world, wall, ask }
}

describe('a clock that follows its clients', () => {
  it('goes to the timestamp of each signed request, and never back', async () => {
    const { ask, world } = followingWorld()
    expect(await ask(start + 5000)).toMatchObject({ status: 200, now: 5000 })
    expect(await ask(start + 2000)).toMatchObject({ status: 200, now: 5000 })
    expect(await ask(start + 5000 + day)).toMatchObject({ status: 200, now: 5000 + day })
    expect(world.sequence).toBe(2)
  })

  it('does not move for a signature that does not verify', async () => {
    const { ask, world } = followingWorld()
    const before = world.digest()
    expect(await ask(start + 5000, { signature: '0'.repeat(64) })).toMatchObject({ status: 401, now: 0 })
    expect([world.digest(), world.sequence]).toEqual([before, 0])
  })

  it('refuses a longer jump with a hint, and changes nothing', async () => {
    const { ask, world, wall } = followingWorld(60_000)
    const before = world.digest()
    expect(await ask(start + 60_001)).toMatchObject({
      status: 401,
      now: 0,
      hint: expect.stringContaining('ahead of this world'),
    })
    expect(await ask(wall.nowMillis())).toMatchObject({
      status: 401,
      hint: expect.stringContaining("this program seems to read the machine's clock"),
    })
    expect([world.digest(), world.sequence]).toEqual([before, 0])
    expect(await ask(start + 60_000)).toMatchObject({ status: 200, now: 60_000 })
  })

  it('refuses a timestamp that is too far behind the world', async () => {
    const { ask } = followingWorld()
    await ask(start + 60_000)
    expect(await ask(start + 29_999)).toMatchObject({
      status: 401,
      now: 60_000,
      hint: expect.stringContaining('does not go back'),
    })
    expect(await ask(start + 30_000)).toMatchObject({ status: 200 })
  })

  it('judges ages and limits by its own time, until another mode is set', () => {
    const { world } = followingWorld()
    expect(readingsInForceOf(world)).toMatchObject({ 'auth.clock': 'world', 'rate.clock': 'world' })
    expect(world.readings).toMatchObject({ 'auth.clock': 'wall', 'rate.clock': 'wall' })
  })
})
