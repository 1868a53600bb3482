// Room: engine

import { expect, it } from 'vitest'
import { createWorld } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'

/* Where many levels fell on one coarse tick, a taker of any size took them in one print, worth more than 2^53 atoms. */
it('takers of any size find a ladder of any depth', () => {
  const world = createWorld(
    compiledScenario({
      version: 1,
      name: 'large',
      market: {
        flow: { kind: 'poisson', ratePerMinute: 60, medianUsd: 1e12 },
        assets: {
          BTC: {
            price: 100,
            model: { kind: 'constant' },
            liquidity: { kind: 'flat', levelUsd: 9e8, levels: 50, spreadBps: 2, stepBps: 1 },
            pair: { priceStep: 1, quantityStep: 0.01, maxQuantity: 9e9 },
          },
        },
      },
    }),
  )
  world.advance('1m')
  const { body } = world.request('desk', 'GET', '/api/sdk/market-data/stats/24h')
  const [statistics] = 'stats' in body && Array.isArray(body.stats) ? body.stats : []
  expect(statistics).toMatchObject({ asset: 'BTC', volumeUsd: expect.any(Number) })
  expect(statistics.volumeUsd).toBeGreaterThan(1e10)
})
