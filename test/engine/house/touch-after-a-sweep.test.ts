import { expect, test } from 'vitest'
import { createWorld } from '../../../src/world/world.ts'
import { compiledScenario } from '../../support/compiled-scenario.ts'
import { liquidScenario } from '../../world/scenarios.ts'

/** A ladder that refills slowly, and takers who leave no impact. */
const scenario = compiledScenario({
  ...liquidScenario,
  market: {
    flow: { kind: 'none' },
    assets: {
      BTC: {
        price: 50_000,
        model: { kind: 'constant' },
        liquidity: {
          kind: 'power',
          depth10bpUsd: 100_000,
          dynamics: { flicker: 0, pull: 0, skew: 0, seasons: false, refillHalfLife: '1d' },
        },
        impact: { y: 0, permanent: 0 },
        // What comes back within a second is less than a step.
        pair: { quantityStep: 0.01, minQuantity: 0.01 },
      },
    },
  },
})

test.each([
  ['buy', 'ask', 'asks'],
  ['sell', 'bid', 'bids'],
])('after a %s the best price is that of the first level that is left', (side, best, levels) => {
  const world = createWorld(scenario)
  const seen = (path: string): object =>
    Object(world.request('desk', 'GET', `/api/sdk/market-data/${path}`).body)
  const before = Reflect.get(seen('prices/BTC'), best)
  world.request('desk', 'POST', '/api/sdk/orders', { side, asset: 'BTC', quantity: 0.9, orderType: 'market' })
  world.advance('1s')
  const after = Reflect.get(seen('prices/BTC'), best)
  expect(after).not.toBe(before)
  expect(Reflect.get(seen('orderbook/BTC'), levels)[0].price).toBe(after)
})
