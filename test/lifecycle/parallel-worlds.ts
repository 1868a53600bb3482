import { createVenueClient } from '../../src/client/create-venue-client.ts'
import { type ClientClock, systemClock } from '../../src/client/http-transport.ts'
import { loadScenarioValue } from '../../src/scenario/load-tree.ts'
import type { TestVenue } from '../../src/testing/start-venue.ts'
import { createWorld } from '../../src/world/world.ts'

/** Moving prices and a timeline, so that influence of one world on another would show. */
export const sharedScenario = {
  version: 1,
  name: 'shared',
  seed: '7',
  clock: { start: '2026-01-05T00:00:00Z', mode: 'manual' },
  // However long a request waits for the others on a busy machine, its timestamp is never too old.
  readings: { 'auth.clock': 'either' },
  market: {
    flow: { kind: 'none' },
    assets: { BTC: { price: 50_000, model: { kind: 'gbm', vol: 0.6 }, liquidity: { kind: 'power' } } },
  },
  timeline: [
    { at: '+2s', deposit: { account: 'trader', asset: 'USD', quantity: 5 } },
    { every: '3s', order: { account: 'desk', asset: 'BTC', side: 'sell', quantity: 0.01, price: '+1%' } },
  ],
}

/** The worlds advance by seconds only. */
const clock: ClientClock = { ...systemClock, nowMillis: () => Date.parse(sharedScenario.clock.start) }

/** What the n-th test does. Tests differ in amount and order, and half of them meet a fault. */
const planOf = (n: number) => ({
  seed: `seed-${n % 11}`,
  orders: 1 + (n % 3),
  side: n % 2 === 0 ? ('buy' as const) : ('sell' as const),
  advanceMillis: 1000 + (n % 7) * 777,
  hasFault: n % 2 === 1,
})

const orderOf = (n: number, placed: number) => ({
  side: planOf(n).side,
  asset: 'BTC',
  quantity: 0.01 * (1 + placed),
  price: planOf(n).side === 'buy' ? 49_000 : 51_000,
  clientOrderId: `order-${placed}`,
})

const faultOf = { type: 'http_error', attributes: { status: 500 }, match: { method: 'GET' }, toxicity: 0.5 }

export interface Seen {
  readonly digest: string
  /** The statuses of the test's own reads. */
  readonly reads: readonly number[]
}

/** The n-th test over HTTP: creates a world, uses it through the client and the admin API, and deletes it. */
export async function testOverHttp(venue: TestVenue, n: number): Promise<Seen> {
  const plan = planOf(n)
  const admin = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(venue.adminUrl + path, { method, headers, ...json })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const { id } = Object(await admin('POST', '/worlds', { seed: plan.seed }))
  const key = { apiKey: `simk_${id}_trader`, apiSecret: `sims_${id}_trader` }
  const client = createVenueClient({
    baseUrl: venue.url,
    ...key,
    retries: { afterFailure: 0 },
    timeoutMillis: null,
    clock,
  })
  if (plan.hasFault) await admin('POST', `/worlds/${id}/faults`, faultOf)
  for (let placed = 0; placed < plan.orders; placed += 1) await client.orders.create(orderOf(n, placed))
  await admin('POST', `/worlds/${id}/clock/advance`, { byMs: plan.advanceMillis })
  const reads: number[] = []
  for (let read = 0; read < 4; read += 1) {
    reads.push(
      await client.orders.list().then(
        ({ orders }) => (orders.length === plan.orders ? 200 : 0),
        (failure) => Number(failure.statusCode),
      ),
    )
  }
  const { digest } = Object(await admin('GET', `/worlds/${id}/digest`))
  await admin('DELETE', `/worlds/${id}`)
  return { digest: String(digest), reads }
}

/** Runs the n-th test alone, in process. */
export function testAlone(n: number): string {
  const plan = planOf(n)
  const loaded = loadScenarioValue(sharedScenario)
  if (!loaded.ok) throw new Error(loaded.problems[0]?.reason)
  const world = createWorld(loaded.value, { seed: plan.seed })
  for (let placed = 0; placed < plan.orders; placed += 1)
    world.request('trader', 'POST', '/api/sdk/orders', orderOf(n, placed))
  world.advance(plan.advanceMillis)
  return world.digest()
}

/** The digest of a test without a fault covers the venue only. */
export const meetsFault = (n: number): boolean => planOf(n).hasFault
