// Room: engine

import { expect, it } from 'vitest'
import { millis } from '../../src/numeric/units.ts'
import { createWorld, type World } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { liquidScenario } from '../world/scenarios.ts'

/*
 * Found by random restores with a grid of an hour. A ladder that a command refreshes between two steps of the market
 * depends on what was missing at the last hit. A snapshot left that out as soon as it had recovered, so after a restore
 * the same ladder had other levels.
 */
it.each([
  ['what is missing', { impact: 'none', liquidity: { kind: 'power' } }],
  [
    'what takers did to the price',
    { impact: { halfLife: '10s' }, liquidity: { kind: 'power', dynamics: 'none' } },
  ],
])('a restored ladder still stands on %s at its last refresh', (_name, words) => {
  const [straight, restored] = [hourlyWorld(words), hourlyWorld(words)]
  for (const world of [straight, restored]) {
    world.advance('90m')
    buy(world, 8)
    world.advance('20m')
    refresh(world)
  }
  restored.restore(restored.snapshot())
  for (const world of [straight, restored]) buy(world, 8)
  expect(restored.digest()).toBe(straight.digest())
})

/* When levels recovered at once there was no last hit, so a sweep after the market's step counted as a later one. */
it('a sweep between two steps of the market withdraws only its share of the far levels', () => {
  const dynamics = { refillHalfLife: '0ms', pull: 0.5, pullHalfLife: '1s', flicker: 0 }
  const world = hourlyWorld({ impact: 'none', liquidity: { kind: 'power', depth10bpUsd: 500_000, dynamics } })
  world.advance('90m')
  const before = askedQuantity(world)
  buy(world, 8)
  refresh(world)
  expect(askedQuantity(world)).toBeGreaterThan(before * 0.45)
})

function hourlyWorld(words: object): World {
  const { market } = liquidScenario
  return createWorld(
    compiledScenario({
      ...liquidScenario,
      clock: { ...liquidScenario.clock, grid: '1h' },
      market: { ...market, assets: { BTC: { ...market.assets.BTC, ...words } } },
    }),
  )
}

function buy(world: World, quantity: number): void {
  const order = { side: 'buy', asset: 'BTC', quantity, orderType: 'market' }
  expect(world.request('desk', 'POST', '/api/sdk/orders', order).status).toBe(201)
}

function refresh(world: World): void {
  world.execute({
    kind: 'set-liquidity',
    at: world.now,
    asset: 1,
    conditions: { spreadMultiplier: 1, depthMultiplier: 1, sides: 'both' },
    isStale: false,
    forMillis: millis(0),
  })
}

function askedQuantity(world: World): number {
  const { body } = world.request('desk', 'GET', '/api/sdk/market-data/orderbook/BTC?depth=50')
  const asks: unknown = 'asks' in body ? body.asks : null
  if (!Array.isArray(asks)) throw new Error('a book has asks')
  return asks.reduce((sum: number, level: { quantity: number }) => sum + level.quantity, 0)
}
