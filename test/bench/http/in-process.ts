import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { MockAgent, fetch as undiciFetch } from 'undici'
import { OpenWorld } from '../../../src/pipeline/fetch.ts'
import { createWorld } from '../../../src/world/world.ts'
import { median, usedBytes } from '../stopwatch.ts'
import { credentialsOf, signedHeaders, type Trader, traders } from './keys.ts'
import { benchScenario, cannedOrder, orderBody, startOurs } from './our-venue.ts'

/*
 * Orders in one process. Whoever goes through a `fetch` signs each order and reads its answer as JSON. Only ours checks
 * the signature, trades, and answers what has happened; MSW and MockAgent answer with the same text each time.
 */

const path = '/api/sdk/orders'
const origin = 'http://venue.test'

/** One order. Rejects when it is not answered as an order that was taken. */
type PlaceOrder = (at: number) => unknown

interface Contender extends AsyncDisposable {
  readonly place: PlaceOrder
  /** So that each round takes about as long. */
  readonly orders: number
}

export const inProcessNames = [
  'world.request',
  'world.fetch',
  'undici MockAgent',
  'MSW',
  'fetch to our server',
] as const
export type InProcessName = (typeof inProcessNames)[number]

const contenders: { readonly [Name in InProcessName]: () => Contender | Promise<Contender> } = {
  'world.request': () => {
    const world = createWorld(benchScenario())
    const bodies = [0, 1].map((at) => JSON.parse(orderBody(at)))
    const place = (at: number) => taken(world.request(traderOf(at), 'POST', path, bodies[at % 2]).status)
    return { place, orders: 5000, async [Symbol.asyncDispose]() {} }
  },
  'world.fetch': () => {
    const world = new OpenWorld(benchScenario(), {})
    return { place: placingBy(world.fetch), orders: 1500, async [Symbol.asyncDispose]() {} }
  },
  'undici MockAgent': () => {
    const agent = new MockAgent()
    agent.disableNetConnect()
    const headers = { 'content-type': 'application/json' }
    agent.get(origin).intercept({ path, method: 'POST' }).reply(201, cannedOrder(), { headers }).persist()
    const place = placingBy((url, init) => undiciFetch(url, { ...init, dispatcher: agent }))
    return { place, orders: 1000, [Symbol.asyncDispose]: () => agent.close() }
  },
  MSW: () => {
    const order = cannedOrder()
    const server = setupServer(http.post(origin + path, () => HttpResponse.json(order, { status: 201 })))
    server.listen({ onUnhandledRequest: 'error' })
    return { place: placingBy(fetch), orders: 500, [Symbol.asyncDispose]: async () => server.close() }
  },
  'fetch to our server': async () => {
    const server = await startOurs()
    const place = placingBy((url, init) => fetch(url.replace(origin, server.url), init))
    return { place, orders: 200, [Symbol.asyncDispose]: () => server.close() }
  },
}

/** The platform's `fetch` is compiled late: the first thousands of calls take five times as long. */
const warmRounds = 4

/** Processor time of one order by each, in microseconds: medians of rounds in which they take turns. */
export async function orderCosts(rounds: number): Promise<Readonly<Record<InProcessName, number>>> {
  const micros = new Map<InProcessName, number[]>()
  for (let round = -warmRounds; round < rounds; round += 1)
    for (const name of inProcessNames) {
      // MSW replaces the global fetch while it listens, so each stands only for its own turns.
      await using contender = await contenders[name]()
      const before = process.cpuUsage()
      for (let at = 0; at < contender.orders; at += 1) await contender.place(at)
      const { user, system } = process.cpuUsage(before)
      if (round < 0) continue
      micros.set(name, [...(micros.get(name) ?? []), (user + system) / contender.orders])
    }
  const of = (name: InProcessName) => median(micros.get(name) ?? [])
  return {
    'world.request': of('world.request'),
    'world.fetch': of('world.fetch'),
    'undici MockAgent': of('undici MockAgent'),
    MSW: of('MSW'),
    'fetch to our server': of('fetch to our server'),
  }
}

const traderOf = (at: number): Trader => traders[at % 2 === 0 ? 0 : 1]

interface Fetched {
  readonly status: number
  json(): Promise<unknown>
}

function placingBy(
  send: (
    url: string,
    init: { readonly method: string; readonly headers: Record<string, string>; readonly body: string },
  ) => Promise<Fetched>,
): PlaceOrder {
  return async (at) => {
    const body = orderBody(at)
    const signature = signedHeaders({ method: 'POST', path, body }, credentialsOf(traderOf(at)))
    const headers = { 'Content-Type': 'application/json', ...signature }
    const response = await send(origin + path, { method: 'POST', headers, body })
    await response.json()
    taken(response.status)
  }
}

function taken(status: number): void {
  if (status !== 201) throw new Error(`an order was answered ${status}`)
}

export interface WorldCosts {
  readonly millis: number
  readonly bytes: number
}

/** A world of the shipped default scenario: how long it takes to make, and what it holds. Needs `--expose-gc`. */
export function worldCosts(scenario: Parameters<typeof createWorld>[0]): WorldCosts {
  for (let warm = 0; warm < 50; warm += 1) createWorld(scenario, { id: `w${warm}` })
  const times: number[] = []
  const before = usedBytes()
  const worlds = Array.from({ length: 50 }, (_, at) => {
    const start = performance.now()
    const world = createWorld(scenario, { id: `w${at}` })
    times.push(performance.now() - start)
    return world
  })
  const bytes = (usedBytes() - before) / worlds.length
  return { millis: median(times), bytes }
}
