import { createWorld } from '../../../src/world/world.ts'
import { median, usedBytes } from '../stopwatch.ts'
import { credentialsOf, signedHeaders, type Trader, traders } from './keys.ts'
import { benchScenario, orderBody, startOurs } from './our-venue.ts'

const path = '/api/sdk/orders'

export interface CallCosts {
  readonly inProcessMicros: number
  readonly fetchMicros: number
}

/** The same orders through `world.request`, and one after the other through `fetch` to our server in this process. */
export async function callCosts(rounds: number): Promise<CallCosts> {
  const world = createWorld(benchScenario())
  const server = await startOurs()
  const inProcess: number[] = []
  const overHttp: number[] = []
  const bodies = [0, 1].map((at) => JSON.parse(orderBody(at)))
  for (let round = 0; round < rounds; round += 1) {
    const direct = 5000
    const start = performance.now()
    for (let at = 0; at < direct; at += 1) {
      const { status } = world.request(traderOf(at), 'POST', path, bodies[at % 2])
      if (status !== 201) throw new Error(`an order in process was answered ${status}`)
    }
    inProcess.push(((performance.now() - start) * 1000) / direct)
    const fetched = 300
    const between = performance.now()
    for (let at = 0; at < fetched; at += 1) await post(server.url, at)
    overHttp.push(((performance.now() - between) * 1000) / fetched)
  }
  await server.close()
  return { inProcessMicros: median(inProcess), fetchMicros: median(overHttp) }
}

const traderOf = (at: number): Trader => traders[at % 2 === 0 ? 0 : 1]

async function post(url: string, at: number): Promise<void> {
  const body = orderBody(at)
  const headers = {
    'Content-Type': 'application/json',
    ...signedHeaders({ method: 'POST', path, body }, credentialsOf(traderOf(at))),
  }
  const response = await fetch(url + path, { method: 'POST', headers, body })
  await response.json()
  if (response.status !== 201) throw new Error(`an order by fetch was answered ${response.status}`)
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
