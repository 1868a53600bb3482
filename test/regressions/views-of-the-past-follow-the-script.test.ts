// Room: world

import { expect, test } from 'vitest'
import { readFaultRule } from '../../src/api/faults/read-fault-rule.ts'
import { makeSnapshotDocument, readSnapshotDocument } from '../../src/journal/snapshot-document.ts'
import { installFault, scheduleActions } from '../../src/world/change-world.ts'
import { knownNames } from '../../src/world/faults/fire-faults.ts'
import { createWorld, forkWorld, type World } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { quietScenario } from '../world/scenarios.ts'

/*
 * A fault that shows the past shows what was there. A predicate that the timeline was given later had acted in the past
 * before it was given, and requests that the script waits for had never come there.
 */

const jump = { path: { asset: 'BTC', price: 60_000 } }

test('an added predicate acts in a view of the past when it acts in the world', () => {
  const world = lagging(createWorld(compiledScenario(quietScenario)))
  world.advance('20500ms')
  expect(scheduleActions(world, [{ when: 'clock >= 1', ...jump }])).toEqual([])
  expect(laterPrices(world)).toEqual([50_000, 50_000, 60_000, 60_000])
})

test('a request that the script waits for comes in a view of the past, too', () => {
  const world = lagging(createWorld(compiledScenario({ ...quietScenario, timeline: waiting })))
  world.advance('20500ms')
  world.request('trader', 'GET', '/api/sdk/orders')
  expect(laterPrices(world)).toEqual([50_000, 50_000, 60_000, 60_000])
})

test('a snapshot keeps the requests that are still to come in a view of the past', () => {
  const world = lagging(createWorld(compiledScenario({ ...quietScenario, timeline: waiting })))
  world.advance('20500ms')
  world.request('trader', 'GET', '/api/sdk/orders')
  const read = readSnapshotDocument(JSON.parse(JSON.stringify(makeSnapshotDocument(world.snapshot()))))
  if (!read.ok) throw new Error(read.reason)
  expect(laterPrices(forkWorld(read.snapshot))).toEqual([50_000, 50_000, 60_000, 60_000])
})

const waiting = [
  { at: '+0s', id: 'asked', await: { request: { path: '/api/sdk/orders' } } },
  { at: 'asked+0s', ...jump },
]

/** A world in which market data are ten seconds old. */
function lagging(world: World): World {
  const form = { type: 'stale_market_data', attributes: { delayMs: 10_000 } }
  const read = readFaultRule(form, knownNames(world))
  if (!read.ok) throw new Error(read.problem.reason)
  installFault(world, read.value)
  return world
}

/** What a client sees now, and 9.999, 10 and 15 seconds later. */
function laterPrices(world: World): readonly unknown[] {
  return [0, 9999, 1, 5000]
    .map((millis) => {
      world.advance(millis)
      return world.request('trader', 'GET', '/api/sdk/market-data/prices/BTC').body
    })
    .map((body) => (typeof body === 'object' && body !== null && 'mid' in body ? body.mid : body))
}
