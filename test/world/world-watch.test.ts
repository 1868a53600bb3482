import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readFaultRule } from '../../src/api/faults/read-fault-rule.ts'
import { listValues, readingKeys, resolveReadings } from '../../src/api/readings/readings.ts'
import { createVenueClient } from '../../src/client/create-venue-client.ts'
import { createFetch } from '../../src/pipeline/fetch.ts'
import { createVenueServer } from '../../src/server/create-venue-server.ts'
import { installFault } from '../../src/world/change-world.ts'
import { createShippedLibrary } from '../../src/world/shipped/shipped-scenarios.ts'
import { createWorld } from '../../src/world/world.ts'
import { WorldWatch } from '../../src/world/world-watch.ts'
import { Worlds } from '../../src/world/worlds.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { ManualWallClock } from './manual-wall-clock.ts'
import { liquidScenario } from './scenarios.ts'

const scenario = compiledScenario(liquidScenario)
const order = { side: 'buy', asset: 'BTC', quantity: 0.01, price: 40_000 }
const quote = { asset: 'BTC', bidPrice: 40_000, askPrice: 60_000, bidSize: 0.01, askSize: 0.01 }
const sdk = '/api/sdk'

/** Requests of most operations, some of which fail. */
const requests: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['GET', '/market-data/prices'],
  ['GET', '/market-data/pairs'],
  ['GET', '/market-data/stats/24h'],
  ['GET', '/market-data/orderbook/BTC?depth=3'],
  ['GET', '/market-data/orderbook/BTC?depth=99'],
  ['POST', '/orders', order],
  ['POST', '/orders', { ...order, price: 90_000, timeInForce: 'IOC', clientOrderId: 'mine' }],
  ['POST', '/orders', { ...order, clientOrderId: 'mine' }],
  ['POST', '/orders', { ...order, quantity: 9000 }],
  ['POST', '/orders', { ...order, colour: 'red', quantity: '1' }],
  ['POST', '/orders/batch', { orders: [order, { ...order, quantity: -1 }] }],
  ['GET', '/orders?statuses=open,gone'],
  ['GET', '/orders?asset=XYZ&limit=900'],
  ['GET', '/orders/ord_1'],
  ['GET', '/orders/ord_2/fills'],
  ['DELETE', '/orders/ord_1'],
  ['DELETE', '/orders/ord_1'],
  ['PUT', '/orders/ord_1'],
  ['POST', '/quotes', { ...quote, validForSeconds: 60 }],
  ['PATCH', '/quotes/qte_1', { bidPrice: 39_000, validForSeconds: 9 }],
  ['GET', '/quotes'],
  ['DELETE', '/quotes/qte_1'],
  ['DELETE', '/quotes/qte_1'],
  ['GET', '/portfolio/balances'],
  ['GET', '/portfolio/positions'],
  ['GET', '/portfolio/positions/BTC'],
  ['GET', '/portfolio/summary'],
  ['GET', '/portfolio/exposure'],
  ['GET', '/portfolio/exposure/BTC'],
  ['GET', '/portfolio/transactions'],
  ['GET', '/risk/limits'],
  ['GET', '/risk/utilization'],
  ['POST', '/risk/simulate', order],
]

const lookUp = (...chosen: readonly (readonly [method: string, path: string, body?: object])[]) => {
  const world = createWorld(scenario, { seed: '7' })
  world.watch = new WorldWatch()
  for (const [method, path, body] of chosen) world.request('desk', method, sdk + path, body)
  return world.watch.take()
}

describe('a world that is watched', () => {
  it('answers as any other one, under any readings, and has its digest', () => {
    const readings = fc
      .tuple(...readingKeys.map((key) => fc.constantFrom(...listValues(key))))
      .map((values) => Object.fromEntries(readingKeys.map((key, index) => [key, values[index] ?? ''])))
    const check = (asked: { readonly [key: string]: string }): void => {
      const resolved = resolveReadings(asked)
      if (!resolved.ok) throw new Error(resolved.problem.reason)
      const [plain, watched] = [0, 1].map(() =>
        createWorld(scenario, { seed: '7', readings: resolved.value }),
      )
      if (plain === undefined || watched === undefined) throw new Error('there are two worlds')
      watched.watch = new WorldWatch()
      for (const [method, path, body] of requests) {
        const [expected, got] = [plain, watched].map((world) =>
          world.request('desk', method, sdk + path, body),
        )
        expect(got, `${method} ${path}`).toEqual(expected)
      }
      expect(watched.digest()).toBe(plain.digest())
      const { requests: known, otherRequests } = watched.watch.take()
      expect(known + otherRequests).toBe(requests.length)
    }
    check({})
    fc.assert(fc.property(readings, check), { seed: 7, numRuns: 20 })
  })

  it.each([
    ['a list of orders', ['GET', '/orders'], [], ['lists.order=newest', 'createdStatus=200']],
    [
      'balances',
      ['GET', '/portfolio/balances'],
      ['shapes.balance=full', 'envelope=bare'],
      ['shapes.price=full', 'percent.unit=percent', 'error.typeField=details.type', 'clientId.duplicate=409'],
    ],
    [
      'prices',
      ['GET', '/market-data/prices'],
      ['shapes.price=full', 'percent.unit=percent'],
      ['shapes.balance=full', 'limits.form=object', 'query.unknown=400'],
    ],
    [
      'an order',
      ['POST', '/orders', order],
      ['createdStatus=201', 'orders.createResponse=accepted', 'nulls=explicit'],
      ['clientId.duplicate=409', 'orders.cancelTerminal=409', 'batchStatus=same', 'lists.order=newest'],
    ],
    [
      'an order with a client id',
      ['POST', '/orders', { ...order, clientOrderId: 'a' }],
      ['clientId.duplicate=409'],
      [],
    ],
    [
      'limits',
      ['GET', '/risk/limits'],
      ['limits.form=object', 'shapes.limits=full'],
      ['shapes.utilization=full'],
    ],
    [
      'an unknown order',
      ['GET', '/orders/ord_9'],
      ['error.typeField=details.type'],
      ['envelope=bare', 'nulls=explicit'],
    ],
    [
      'an unknown path',
      ['GET', '/nothing'],
      [],
      ['envelope=bare', 'http.wrongMethod=404', 'error.typeField=details.type'],
    ],
  ] as const)('notes which readings %s meets', (_what, request, met, unmet) => {
    const { settings } = lookUp(request)
    for (const setting of met) expect(settings).toContain(setting)
    for (const setting of unmet) expect(settings).not.toContain(setting)
  })

  it('says only once what it has met', () => {
    const world = createWorld(scenario)
    world.watch = new WorldWatch()
    world.client('desk')
    expect(world.watch.take()).toEqual({ requests: 0, otherRequests: 0, strikes: 0, settings: [] })
    world.request('desk', 'GET', `${sdk}/portfolio/balances`)
    world.request('desk', 'GET', `${sdk}/nothing`)
    expect(world.watch.take()).toMatchObject({ requests: 1, otherRequests: 1 })
    expect(world.watch.take()).toEqual({ requests: 0, otherRequests: 0, strikes: 0, settings: [] })
  })

  it('counts the given faults that strike, and no other ones', () => {
    const world = createWorld(scenario)
    world.watch = new WorldWatch()
    const rule = { type: 'http_error', attributes: { status: 503 }, match: { method: 'GET' } } as const
    const [given, other] = [rule, { ...rule, match: { method: 'POST' } }].map((form) => {
      const read = readFaultRule(form, { assets: [], accounts: [] })
      if (!read.ok) throw new Error(read.problem.reason)
      return installFault(world, read.value).rule
    })
    if (given === undefined || other === undefined) throw new Error('there are two faults')
    world.watch.addFault(given)
    world.request('desk', 'POST', `${sdk}/orders`, order)
    expect(world.watch.take()).toMatchObject({ requests: 1, strikes: 0 })
    world.request('desk', 'GET', `${sdk}/orders`)
    expect(world.watch.take()).toMatchObject({ requests: 1, strikes: 1 })
  })

  it('meets the same over HTTP, by fetch and in process, but for what a transport adds', async () => {
    const watch = new WorldWatch()
    const wall = new ManualWallClock()
    const worlds = new Worlds(wall, undefined, (world) => {
      world.watch = watch
    })
    const made = worlds.create(scenario, { id: 'default' })
    if (!made.ok) throw new Error('the world is new')
    const [key] = made.world.keys.list()
    if (key === undefined) throw new Error('the world has a key')
    const server = await createVenueServer({ worlds, scenarios: createShippedLibrary() })
    const asked = {
      baseUrl: server.url,
      apiKey: key.apiKey,
      apiSecret: key.apiSecret,
      clock: { nowMillis: () => wall.nowMillis(), sleep: async () => {} },
    }
    const seen = []
    for (const client of [
      made.world.client('desk'),
      createVenueClient(asked),
      createVenueClient({ ...asked, fetch: createFetch(worlds) }),
    ]) {
      await client.portfolio.balances()
      seen.push(watch.take())
    }
    await server.close()
    const [inProcess, ...others] = seen
    expect(inProcess?.settings).toContain('shapes.balance=full')
    for (const { requests: count, settings } of others) {
      expect(count).toBe(1)
      expect(settings).toEqual(expect.arrayContaining([...(inProcess?.settings ?? [])]))
      expect(settings).toEqual(expect.arrayContaining(['signature.key=secret', 'auth.clock=wall']))
    }
  })

  it('notes the value that a request has asked for itself', async () => {
    const worlds = new Worlds(new ManualWallClock())
    const made = worlds.create(scenario, { id: 'default' })
    if (!made.ok) throw new Error('the world is new')
    const watch = new WorldWatch()
    made.world.watch = watch
    const headers = { Prefer: 'reading.http.wrongMethod=405' }
    const answer = await createFetch(worlds)(`http://x${sdk}/orders`, { method: 'PUT', headers })
    expect(answer.status).toBe(405)
    const { settings } = watch.take()
    expect(settings).toContain('http.wrongMethod=405')
    expect(settings).not.toContain('http.wrongMethod=404')
  })
})
