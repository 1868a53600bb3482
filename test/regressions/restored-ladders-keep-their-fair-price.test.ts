// Room: engine

import { expect, it } from 'vitest'
import { loadShipped } from '../../src/world/shipped/shipped-scenarios.ts'
import { createWorld } from '../../src/world/world.ts'

/*
 * Found by random kills: a ladder that had been hit between two refreshes was restored with a fair price from the impact
 * after the hit, so the next hit counted as paid at another distance from it.
 */
it('continues unchanged after a restore between two hits of one refresh', () => {
  const calm = loadShipped('calm', {})
  if (calm?.ok !== true) throw new Error('calm is shipped')
  const [straight, restored] = [createWorld(calm.value), createWorld(calm.value)]
  const order = { side: 'buy', asset: 'BTC', quantity: 2, orderType: 'market' }
  for (const world of [straight, restored]) {
    world.advance(60_300)
    expect(world.request('desk', 'POST', '/api/sdk/orders', order).status).toBe(201)
  }
  restored.restore(restored.snapshot())
  for (const world of [straight, restored]) {
    world.advance(100)
    expect(world.request('desk', 'POST', '/api/sdk/orders', order).status).toBe(201)
  }
  expect(restored.digest()).toBe(straight.digest())
})
