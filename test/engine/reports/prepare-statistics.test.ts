import { expect, it } from 'vitest'
import { listTradedAssets, prepareStatistics } from '../../../src/engine/reports/statistics.ts'
import { loadScenarioValue } from '../../../src/scenario/load-tree.ts'
import { createWorld, type World } from '../../../src/world/world.ts'
import { liquidScenario } from '../../world/scenarios.ts'

function liquidWorld(): World {
  const loaded = loadScenarioValue(liquidScenario)
  if (!loaded.ok) throw new Error(loaded.problems[0]?.reason)
  return createWorld(loaded.value)
}

it('prepares in pieces, for all assets, what the first read would compute, and changes nothing', () => {
  const [prepared, other] = [liquidWorld(), liquidWorld()]
  const before = prepared.digest()
  let pieces = 1
  const assets = listTradedAssets(prepared.venue.state)
  while (!prepareStatistics(prepared.venue.state, assets)) pieces += 1
  expect(pieces).toBeGreaterThan(180 * assets.length)
  expect(prepared.digest()).toBe(before)
  const readPrices = (world: World) => world.request('desk', 'GET', '/api/sdk/market-data/prices')
  expect(readPrices(prepared)).toEqual(readPrices(other))
  expect(prepareStatistics(other.venue.state, assets)).toBe(true)
})
