// Room: engine

import { expect, test } from 'vitest'
import { atoms, millis } from '../../src/numeric/units.ts'
import { createWorld, type World } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { quietScenario } from '../world/scenarios.ts'

/*
 * The next instant at which something is due was also that of things that could not happen any more. A world that was
 * restored from a snapshot had another one, so an advance to the next instant took it elsewhere.
 */

const form = { asset: 'BTC', bidPrice: 49_000, askPrice: 51_000, bidSize: 1, askSize: 1, validForSeconds: 7 }
const conditions = { spreadMultiplier: 2, depthMultiplier: 1, sides: 'both' } as const

const whatEnds: readonly [string, (world: World) => void, (world: World) => void][] = [
  [
    'a quote that is cancelled',
    (world) => world.request('desk', 'POST', '/api/sdk/quotes', form),
    (world) => world.request('desk', 'DELETE', '/api/sdk/quotes/qt_1'),
  ],
  [
    'a quote that lives longer',
    (world) => world.request('desk', 'POST', '/api/sdk/quotes', form),
    (world) => world.request('desk', 'PATCH', '/api/sdk/quotes/qt_1', { validForSeconds: 60 }),
  ],
  [
    'a transfer that is settled',
    (world) => {
      const amount = { account: 3, asset: 0, atoms: atoms(5), pendingMillis: millis(7000) }
      world.execute({ kind: 'deposit', at: world.now, ...amount })
    },
    (world) => world.execute({ kind: 'settle-transfer', at: world.now, transfer: 12 }),
  ],
  [
    'a halt that is over',
    (world) =>
      world.execute({ kind: 'halt', at: world.now, asset: 1, mode: 'rest', forMillis: millis(7000) }),
    (world) => world.execute({ kind: 'resume', at: world.now, asset: 1 }),
  ],
  [
    'conditions that others have replaced',
    (world) => setLiquidity(world, 7000),
    (world) => setLiquidity(world, 0),
  ],
]

test.each(whatEnds)('%s is due no longer', (_what, begin, end) => {
  const world = createWorld(compiledScenario(quietScenario))
  const undisturbed = world.running.nextDueMillis
  begin(world)
  const begun = world.running.nextDueMillis
  expect(begun).toBe(world.now + 7000)
  expect(world.fork().running.nextDueMillis).toBe(begun)
  end(world)
  const { nextDueMillis } = world.fork().running
  expect([undisturbed, world.now + 60_000]).toContain(nextDueMillis)
  expect(world.running.nextDueMillis).toBe(nextDueMillis)
})

function setLiquidity(world: World, forMillis: number): void {
  const change = { asset: 1, conditions, isStale: false, forMillis: millis(forMillis) }
  world.execute({ kind: 'set-liquidity', at: world.now, ...change })
}
