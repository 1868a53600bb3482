import { expect, it } from 'vitest'
import { listTradedAssets, prepareStatistics } from '../../../src/engine/reports/statistics.ts'
import { loadScenarioValue } from '../../../src/scenario/load-tree.ts'
import { createWorld, type World } from '../../../src/world/world.ts'
import { liquidScenario } from '../../world/scenarios.ts'

const movingMarket = {
  flow: { kind: 'poisson', ratePerMinute: 6 },
  assets: { BTC: { price: 50_000, model: { kind: 'gbm', vol: 0.6 }, liquidity: { kind: 'power' } } },
}

const scenario = () => {
  const loaded = loadScenarioValue({ ...liquidScenario, market: movingMarket })
  if (!loaded.ok) throw new Error(loaded.problems[0]?.reason)
  return loaded.value
}

const readStatistics = (world: World) => world.request('desk', 'GET', '/api/sdk/market-data/stats/24h')

/** Returns whether nothing is left for the first reader to compute. */
const isPrepared = ({ venue }: World) => prepareStatistics(venue.state, listTradedAssets(venue.state))

it('the history is computed once for all worlds of a scenario, and not again after a reset', () => {
  const shared = scenario()
  const first = createWorld(shared)
  readStatistics(first)
  const second = createWorld(shared, { id: 'second' })
  expect(isPrepared(second)).toBe(true)
  const others = ['7', '7', '8'].map((seed) => createWorld(shared, { seed }))
  for (const world of others) readStatistics(world)
  expect(isPrepared(createWorld(shared, { seed: '8' }))).toBe(true)
  second.reset(null)
  expect(isPrepared(second)).toBe(true)
  expect(isPrepared(first.fork())).toBe(true)
})

it('each world has the same statistics as a world alone, whatever the others have done', () => {
  const shared = scenario()
  const busy = createWorld(shared)
  readStatistics(busy)
  busy.request('desk', 'POST', '/api/sdk/orders', { asset: 'BTC', side: 'buy', type: 'market', quantity: 1 })
  busy.advance('90m')
  const quiet = createWorld(shared)
  quiet.advance('90m')
  const alone = createWorld(scenario())
  alone.advance('90m')
  expect(readStatistics(quiet)).toEqual(readStatistics(alone))
  expect(quiet.digest()).toBe(alone.digest())
})

it('depends on the seed', () => {
  const shared = scenario()
  const seven = createWorld(shared, { seed: '7' })
  const eight = createWorld(shared, { seed: '8' })
  expect(readStatistics(seven)).not.toEqual(readStatistics(eight))
  expect(readStatistics(createWorld(scenario(), { seed: '8' }))).toEqual(readStatistics(eight))
  eight.reset('7')
  expect(readStatistics(eight)).toEqual(readStatistics(seven))
})
