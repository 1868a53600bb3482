// Room: world

import { expect, test } from 'vitest'
import { createWorld } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { quietScenario } from '../world/scenarios.ts'

/*
 * The world of the past that a fault shows has the same script, which brings the same fault: it made a world of the
 * past of its own, and so on. A scenario that began with such a fault could not be created at all.
 */

test.each([{ at: '+0s' }, { every: '4s' }])('market data are stale by a fault that comes %o', (when) => {
  const fault = { type: 'stale_market_data', attributes: { delayMs: 5000 } }
  const world = createWorld(
    compiledScenario({
      ...quietScenario,
      timeline: [
        { ...when, fault },
        { at: '+3s', path: { asset: 'BTC', price: 60_000 } },
      ],
    }),
  )
  const mids = [0, 3000, 4999, 1].map((millis) => {
    world.advance(millis)
    return world.request('trader', 'GET', '/api/sdk/market-data/prices/BTC').body
  })
  expect(mids).toMatchObject([{ mid: 50_000 }, { mid: 50_000 }, { mid: 50_000 }, { mid: 60_000 }])
  expect(world.snapshot().lags.flatMap(({ shadow }) => shadow.lags)).toEqual([])
})
