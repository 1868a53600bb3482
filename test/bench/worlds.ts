import { createHmac } from 'node:crypto'
import { snapshotDocument } from '../../src/journal/snapshot-document.ts'
import type { CompiledScenario } from '../../src/scenario/compile/compiled.ts'
import { loadScenarioValue } from '../../src/scenario/load-tree.ts'
import type { Received } from '../../src/server/transport/receive.ts'
import { answerVenueRequest } from '../../src/server/venue/answer-venue-request.ts'
import { answerCall, callOf } from '../../src/server/venue/venue-pipeline.ts'
import { systemWallClock } from '../../src/world/clock.ts'
import { loadShipped } from '../../src/world/shipped/shipped-scenarios.ts'
import { createWorld, forkWorld, type World } from '../../src/world/world.ts'
import { Worlds } from '../../src/world/worlds.ts'
import { table } from './report.ts'
import { median, timed } from './stopwatch.ts'

/*
 * What worlds cost: to make one, to read its prices for the first time (24 hours of history, which later worlds of the
 * scenario share), to take, restore and fork a snapshot of one that has traded, and what the fault layer adds to a
 * request of a world without rules. Times are the main thread's, medians of rounds that take turns. Exit code 1: the
 * fault layer adds 2 % or more. Run by `npm run bench:worlds`.
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
const { share, requestMicros } = faultLayer()
console.log(
  `\nA request without rules takes ${requestMicros.toFixed(1)} us; the question whether there are any is ` +
    `${(share * 100).toFixed(2)} % of it (bar: under 2 %).`,
)
process.exitCode = share < 0.02 ? 0 : 1

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
        millisEach(() => JSON.stringify(snapshotDocument(snapshot))),
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

/** The same signed request with and without the question; they take turns, and the order of each pair changes. */
function faultLayer(): { readonly share: number; readonly requestMicros: number } {
  const worlds = new Worlds(systemWallClock)
  const scenario = loadScenarioValue(quiet)
  if (!scenario.ok) throw new Error('the scenario is sound')
  worlds.create(scenario.value, { id: 'default' })
  const report = (text: string) => {
    throw new Error(text)
  }
  const times = 4000
  const asked = (request: Received) => answerVenueRequest(worlds, request, report)
  const unasked = (request: Received) => answerCall(callOf(worlds, request), report, null)
  const measure = (answer: (request: Received) => unknown): number => {
    const request = signedRequest()
    return timed(() => {
      for (let time = 0; time < times; time += 1) answer(request)
    }).cpuMillis
  }
  for (let warm = 0; warm < 4; warm += 1) for (const answer of [asked, unasked]) measure(answer)
  const shares: number[] = []
  const spans: number[] = []
  for (let round = 0; round < 41; round += 1) {
    const first = round % 2 === 0 ? asked : unasked
    const one = measure(first)
    const other = measure(first === asked ? unasked : asked)
    const [withQuestion, without] = first === asked ? [one, other] : [other, one]
    shares.push(withQuestion / without - 1)
    spans.push(withQuestion)
  }
  return { share: median(shares), requestMicros: (median(spans) * 1000) / times }
}

function signedRequest(): Received {
  const timestamp = String(Date.now())
  const target = '/api/sdk/orders?limit=1'
  const signature = createHmac('sha256', 'sims_default_trader')
    .update(`${timestamp}GET${target}`)
    .digest('hex')
  const headers = {
    'x-api-key': 'simk_default_trader',
    'x-api-timestamp': timestamp,
    'x-api-signature': signature,
  }
  return {
    method: 'GET',
    target,
    path: '/api/sdk/orders',
    query: '?limit=1',
    headers,
    rawHeaders: Object.entries(headers).flat(),
    remoteAddress: '127.0.0.1',
    body: Buffer.alloc(0),
  }
}
