import { makeSnapshotDocument } from '../../src/journal/snapshot-document.ts'
import type { CompiledScenario } from '../../src/scenario/compile/compiled.ts'
import { loadScenarioValue } from '../../src/scenario/load-tree.ts'
import { loadShipped } from '../../src/world/shipped/shipped-scenarios.ts'
import { createWorld, forkWorld, type World } from '../../src/world/world.ts'
import { table } from './report.ts'
import { median, timed } from './stopwatch.ts'

/*
 * What worlds cost: to make one, to read its prices for the first time (24 hours of history, which later worlds of the
 * scenario share), and to take, restore and fork a snapshot of one that has traded. Times are the main thread's, medians of
 * rounds that take turns. Run by `npm run bench worlds`.
 */

const quiet = {
  version: 1,
  name: 'quiet',
  rateLimits: { enabled: false },
  market: {
    flow: { kind: 'none' },
    assets: { BTC: { price: 50_000, model: { kind: 'constant' }, liquidity: { kind: 'none' } } },
  },
}
const rounds = 15
const head = [
  'scenario',
  'orders',
  'create',
  'first prices',
  'later worlds',
  'snapshot',
  'restore',
  'fork',
  'document',
  'digest',
]

for (const line of table([head, ...costs()])) console.log(line)
function costs(): string[][] {
  const loaded = [loadScenarioValue(quiet), loadShipped('calm', {})]
  const scenarios = loaded.flatMap((result) => (result?.ok === true ? [result.value] : []))
  return scenarios.flatMap((scenario) =>
    [0, 1000, 10_000].map((orders) => {
      const world = createWorld(scenario, { seed: '7' })
      trade(world, orders)
      const snapshot = world.snapshot()
      return [
        scenario.name,
        String(orders),
        orders > 0 ? '' : millisEach(() => createWorld(scenario, { seed: '7' })),
        ...(orders > 0 ? ['', ''] : firstPrices(scenario)),
        millisEach(() => world.snapshot()),
        millisEach(() => world.restore(snapshot)),
        millisEach(() => forkWorld(snapshot, { id: 'fork' })),
        millisEach(() => JSON.stringify(makeSnapshotDocument(snapshot))),
        millisEach(() => world.digest()),
      ]
    }),
  )
}

function millisEach(work: () => unknown): string {
  const times = 3
  const spans = Array.from({ length: rounds }, () => {
    const { cpuMillis } = timed(() => {
      for (let time = 0; time < times; time += 1) work()
    })
    return cpuMillis / times
  })
  return `${median(spans).toFixed(2)} ms`
}

/** Of a world with a seed that no world has had before, and of another world with that seed. */
function firstPrices(scenario: CompiledScenario): string[] {
  const read = (world: World) =>
    timed(() => world.request('desk', 'GET', '/api/sdk/market-data/prices')).cpuMillis
  const seeds = Array.from({ length: 5 }, (_, place) => `prices-${place}`)
  const spans = seeds.map((seed) => ({
    first: read(createWorld(scenario, { seed })),
    later: read(createWorld(scenario, { seed })),
  }))
  return [median(spans.map(({ first }) => first)), median(spans.map(({ later }) => later))].map(
    (millis) => `${millis.toFixed(2)} ms`,
  )
}

/** Orders far from the market: some rest, most are cancelled again. */
function trade(world: World, orders: number): void {
  for (let placed = 0; placed < orders; placed += 1) {
    const order = { side: 'buy', asset: 'BTC', quantity: 0.001, price: 40_000 + placed / 100 }
    const { status, body } = world.request('desk', 'POST', '/api/sdk/orders', order)
    if (status !== 201) throw new Error(`an order was answered ${JSON.stringify(body)}`)
    if (placed % 10 === 9) world.request('desk', 'DELETE', '/api/sdk/orders/batch')
  }
}
