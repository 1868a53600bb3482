// Room: world

import { expect, it } from 'vitest'
import { loadScenarioValue } from '../../src/scenario/load-tree.ts'
import { revokeApiKey, setRateLimits } from '../../src/world/change-world.ts'
import { createWorld } from '../../src/world/world.ts'

/*
 * A key that was revoked while the script had changed it with `for` became valid again at the end of that period, and a
 * limit that was set meanwhile went back to its earlier value.
 */

const timeline = [
  { at: '+1s', key: { account: 'trader', scopes: ['READ'], for: '5s' } },
  { at: '+1s', key: { account: 'desk', revoke: true, for: '5s' } },
  { at: '+1s', key: { account: 'viewer', revoke: true, for: '5s' } },
  { at: '+1s', rateLimit: { category: 'all', perS: 2, for: '5s' } },
]

function openWorld() {
  const loaded = loadScenarioValue({
    version: 1,
    name: 'timed',
    clock: { start: '2026-01-05T00:00:00Z', mode: 'manual' },
    market: { assets: { BTC: { price: 50_000 } } },
    timeline,
  })
  if (!loaded.ok) throw new Error('the scenario can be read')
  return createWorld(loaded.value)
}

const revoked = (world: ReturnType<typeof openWorld>) =>
  world.keys
    .list()
    .filter(({ isRevoked }) => isRevoked)
    .map(({ apiKey }) => apiKey)

it('a key revoked from outside stays revoked when the script’s change ends', () => {
  const world = openWorld()
  world.advance('2s')
  expect(revokeApiKey(world, 'simk_default_trader')).toBe(true)
  expect(revokeApiKey(world, 'simk_default_desk')).toBe(true)
  world.advance('10s')
  expect(revoked(world)).toEqual(['simk_default_desk', 'simk_default_trader'])
})

it('a limit set from outside stays, and the others are restored', () => {
  const world = openWorld()
  world.advance('2s')
  expect(world.limiter.limits).toMatchObject({ marketData: 2, other: 2 })
  setRateLimits(world, { ...world.limiter.limits, other: 7 })
  world.advance('10s')
  expect(world.limiter.limits).toMatchObject({ marketData: 30, other: 7 })
})
