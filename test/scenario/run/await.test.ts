import { describe, expect, it } from 'vitest'
import { buy, goodTillCancelled, limit } from '../../../src/engine/codes.ts'
import { Venue } from '../../../src/engine/venue.ts'
import { millis, priceTicks, quantitySteps } from '../../../src/numeric/units.ts'
import type { SeenRequest } from '../../../src/scenario/actions/requests.ts'
import { matchesPattern, matchesSelector } from '../../../src/scenario/actions/requests.ts'
import { readout } from '../../../src/scenario/predicates/readouts.ts'
import { runScenario } from '../../../src/scenario/run/run-scenario.ts'
import { Script } from '../../../src/scenario/run/script.ts'
import { createWorld } from '../../../src/world/world.ts'
import { load } from '../fixtures.ts'

const start = 1_767_571_200_000

const text = (lines: string) => `version: 1
name: awaiting
clock: {start: 2026-01-05T00:00:00Z, end: 10m}
market: {flow: {kind: none}, assets: {BTC: {price: 50000, model: {kind: constant}, liquidity: {kind: none}}}}
accounts: [{id: bot, balances: {USD: 1000000, BTC: 10}, keys: [{key: k3, secret: s3, scopes: [READ, TRADE]}]}]
${lines}`

const request = (change: Partial<SeenRequest>): SeenRequest => ({
  atMillis: start,
  rateMillis: start,
  method: 'POST',
  path: '/api/sdk/orders',
  apiKey: 'k3',
  account: 'bot',
  status: 201,
  body: '',
  fault: null,
  ...change,
})

/** A script whose time the test moves. */
function play(lines: string) {
  const scenario = load(text(lines))
  const venue = Venue.open(scenario.venue, { emit: () => {} })
  const script = new Script(scenario)
  const acts: string[] = []
  const to = (seconds: number) =>
    script.runTo(venue, millis(start + seconds * 1000), ({ at, id, action }) => {
      acts.push(`${(at - start) / 1000} ${id ?? action.kind}`)
    })
  const tell = (seconds: number, change: Partial<SeenRequest> = {}) => {
    to(seconds)
    return script.noteRequest(request({ atMillis: start + seconds * 1000, ...change }), venue.state)
  }
  return { venue, script, acts, to, tell }
}

const awaiting = (id: string, more: string) =>
  `timeline: [{at: +1s, ${id}await: {request: {path: /api/sdk/quotes}, ${more}}}]`

describe('a barrier', () => {
  const lines = `timeline:
  - {at: +1s, id: first, await: {request: {method: POST, path: /api/sdk/orders, key: k3, status: 201}, bind: O, timeout: 10s}}
  - {at: first+5s, id: after, note: x}
`

  it('holds entries timed by it until the request comes', () => {
    const { acts, to, tell } = play(lines)
    expect(tell(0.5)).toBe(false)
    to(3)
    expect([tell(4, { method: 'GET' }), tell(4, { apiKey: 'k4' }), tell(4, { status: 422 })]).toEqual([
      false,
      false,
      false,
    ])
    expect(tell(4.5)).toBe(true)
    expect(tell(5)).toBe(false)
    to(60)
    expect(acts).toEqual(['1 first', '9.5 after'])
  })

  it('gives up on a request that has not come in time', () => {
    const { acts, to, tell } = play(lines)
    to(11)
    expect(tell(11)).toBe(false)
    to(60)
    expect(acts).toEqual(['1 first'])
  })

  it('labels the order that the request made', () => {
    const { venue, script, to, tell } = play(lines)
    to(2)
    const outcome = venue.execute({
      kind: 'place-order',
      at: venue.now,
      account: 3,
      asset: 1,
      side: buy,
      type: limit,
      timeInForce: goodTillCancelled,
      quantitySteps: quantitySteps(100),
      priceTicks: priceTicks(4_000_000),
      clientOrderId: null,
      allowsDuplicateId: false,
      keepsRefused: false,
      metadata: null,
    })
    expect(outcome).toMatchObject({ ok: true, row: 0 })
    tell(2)
    expect(script.named.orders.get('O')).toBe(0)
  })

  it('waits for a predicate as well', () => {
    const { acts, to } = play(`timeline:
  - {at: +1s, id: high, await: {that: price.BTC.mark > 50000}}
  - {at: +20.5s, path: {asset: BTC, price: 51000}}
  - {at: high+1s, id: after, note: x}
`)
    to(60)
    expect(acts).toEqual(['1 high', '20.5 path', '21.5 after'])
  })

  it.each([
    ['id: q, ', 'timeout: 5s', 'happened[q]', 'within 5s'],
    ['', 'timeout: 5s', 'happened', 'within 5s'],
    ['', 'required: true', 'happened', 'in time'],
  ])('fails a run in which the request never came: %s%s', (id, more, name, time) => {
    const end = '2026-01-05T00:10:00.000Z'
    const { failures } = runScenario(load(text(awaiting(id, more))))
    expect(failures.map(({ expected, got }) => `${expected} | ${got}`)).toEqual([
      `by ${end}: ${name} | ${name} = false at ${end}`,
    ])
    expect(failures[0]?.expectation.message).toBe(`what is awaited comes ${time}`)
  })

  it('is told before what fails because of it', () => {
    const { failures } = runScenario(
      load(text(`${awaiting('id: q, ', '')}\nexpect: [{at: q, that: clock > 0}]`)),
    )
    expect(failures.map(({ got }) => got.replace(/ at .*/, ''))).toEqual([
      'happened[q] = false',
      '"q" never happened',
    ])
  })

  it('fails no run in which it is optional, or comes', () => {
    expect(runScenario(load(text(awaiting('', 'required: false')))).failures).toEqual([])
    const met = text('timeline: [{at: +1s, await: {that: clock > 5}}, {at: +1s, await: {that: clock > 7}}]')
    expect(runScenario(load(met)).failures).toEqual([])
  })
})

it('counts requests for predicates: all, by key, by path, and in the busiest second', () => {
  const { script, venue, tell, to } = play(`timeline:
  - {at: +1s, id: lost, fault: {match: {method: POST}, commitThenDrop: true}}
expect:
  - {never: "requests[k3].burst1s > 3 or requests[GET /api/sdk/orders/by-client-id].count > 9"}
  - {never: "requests[bot].status429Ratio > 0.5 or requests[/api/sdk/*].errorRatio > 0.9"}
  - {never: "order[lost.clientOrderId].exists and clock > 9999"}
`)
  to(2)
  for (const [offset, change] of [
    [0, { status: 201 }],
    [400, { status: 429 }],
    [900, { method: 'GET', path: '/api/sdk/orders/by-client-id', status: 404 }],
    [1300, { status: 500, apiKey: 'other', account: null }],
    [1400, { status: 201, body: '{"clientOrderId":"c-1"}', fault: '0.0' }],
  ] as const)
    tell(3, { rateMillis: 5_000_000 + offset, ...change })
  const source = script.createSource(venue.state)
  const read = (label: string, field: string) => {
    const value = source.read(readout('requests', field, { label }), null)
    return typeof value === 'object' && value !== null ? Number(value.units) / 10 ** value.scale : value
  }
  expect(read('k3', 'burst1s')).toBe(3)
  expect(read('GET /api/sdk/orders/by-client-id', 'count')).toBe(1)
  expect(read('bot', 'status429Ratio')).toBe(0.25)
  expect(read('/api/sdk/*', 'errorRatio')).toBe(0.6)
  expect(script.named.clientOrders.get('lost.clientOrderId')).toEqual(['bot', 'c-1'])
})

it.each([
  ['/api/sdk/orders*', '/api/sdk/orders', true],
  ['/api/sdk/orders*', '/api/sdk/orders/ord_1', true],
  ['/api/sdk/*/fills', '/api/sdk/orders/ord_1/fills', true],
  ['/api/sdk/*/fills', '/api/sdk/fills', false],
  ['/api/*a*a*', '/api/aa', true],
  ['/api/*a*a', '/api/a', false],
  ['/api', '/api/x', false],
])('a path %s fits %s: %s', (pattern, path, isFit) => {
  expect(matchesPattern({ path: pattern }, request({ path }))).toBe(isFit)
  expect(matchesSelector(`POST ${pattern}`, request({ path }))).toBe(isFit)
  expect(matchesSelector(`GET ${pattern}`, request({ path }))).toBe(false)
})

it("counts an agent's commands as the requests that they correspond to", () => {
  const { failures } = runScenario(
    load(
      text(`agents:
  - {id: maker, kind: market_maker, account: bot, asset: BTC}
timeline:
  - {at: +1s, id: q, await: {request: {method: POST, path: /api/sdk/quotes, key: k3, status: 201}, bind: Q, timeout: 2m}}
expect:
  - {at: q, that: "quote[Q].status == 'active' and requests[k3].count >= 1"}
`),
    ),
  )
  expect(failures.map(({ got }) => got)).toEqual([])
})

it("is met by a client's request in a world, also after a restore", () => {
  const world = createWorld(
    load(
      text(`timeline:
  - {at: +1s, id: first, await: {request: {method: POST, path: /api/sdk/orders, account: bot, status: 201}, bind: O}}
  - {at: first+5s, id: shock, path: {asset: BTC, shock: -10%}}
  - {when: "requests[bot].count >= 2 and order[O].status == 'open'", id: seen, note: x}
`),
    ),
  )
  world.advance('2s')
  const order = { side: 'buy', asset: 'BTC', quantity: 1, price: 40_000 }
  expect(world.request('bot', 'POST', '/api/sdk/orders', { ...order, quantity: 100 }).status).toBe(422)
  world.advance('10s')
  expect(world.running.script.named.instants.get('shock')).toBeUndefined()
  expect(world.request('bot', 'POST', '/api/sdk/orders', order).status).toBe(201)
  const before = world.snapshot()
  for (const _ of ['once', 'and after a restore']) {
    world.advance('6s')
    expect(world.running.script.named.instants.get('shock')).toBe(start + 17_000)
    expect(world.running.script.named.instants.get('seen')).toBe(start + 13_000)
    world.restore(before)
  }
})
