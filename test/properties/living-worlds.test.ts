import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { readFaultRule } from '../../src/api/faults/read-fault-rule.ts'
import { installFault, scheduleActions } from '../../src/world/change-world.ts'
import { knownNames } from '../../src/world/faults/fire-faults.ts'
import { createWorld, type World } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'

// Whole worlds, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 })

/*
 * Relations between runs of whole worlds, with a moving market, takers, a script and agents: what one run must show is
 * known from the other.
 */

const scenario = compiledScenario({
  version: 1,
  name: 'living',
  seed: '7',
  market: {
    flow: { kind: 'poisson', ratePerMinute: 30 },
    assets: {
      BTC: { price: 50_000, model: { kind: 'gbm', vol: 1 }, liquidity: { kind: 'power', depth10bpUsd: 1e5 } },
      ETH: {
        price: 2500,
        model: { kind: 'gbm', vol: 1 },
        liquidity: { kind: 'flat', levelUsd: 20_000, stepBps: 3 },
      },
    },
  },
  accounts: ['desk', 'trader', 'agent'].map((id) => ({
    id,
    balances: { USD: 1e6, BTC: 5, ETH: 100 },
    keys: [{ scopes: ['READ', 'TRADE', 'MARKET_MAKING'] }],
  })),
  agents: [{ id: 'noise', kind: 'noise', account: 'agent', asset: 'BTC', params: { ratePerMinute: 30 } }],
  timeline: [
    { at: '+3s', halt: { asset: 'ETH', mode: 'rest', for: '4s' } },
    { at: '+9s', liquidity: { asset: 'BTC', oneSided: 'asks', for: '2s' } },
    { every: '5s', path: { asset: 'ETH', shock: '0.2%', over: '3s' } },
  ],
})

interface Request {
  readonly account: string
  readonly method: string
  readonly path: string
  readonly body: object
}
type Step = Request | number

test('refused requests and reads leave no trace in a world', () => {
  const refused = new Set<number>()
  fc.assert(
    fc.property(fc.array(step, size), fc.array(fc.constantFrom(...harmless), size), (steps, others) => {
      const plain = createWorld(scenario)
      const disturbed = createWorld(scenario)
      for (const [place, one] of steps.entries()) {
        const other = others[place]
        if (other !== undefined) refused.add(send(disturbed, other).status)
        expect(take(disturbed, one)).toEqual(take(plain, one))
        expect(disturbed.digest()).toBe(plain.digest())
      }
    }),
    { seed: 7, numRuns: 4 },
  )
  expect([...refused].sort()).toEqual([200, 400, 404, 422])
})

test('batches, bulk updates and cancellations of everything do what their items do one by one', () => {
  let items = 0
  fc.assert(
    fc.property(fc.array(step, size), (steps) => {
      const whole = createWorld(scenario)
      const single = createWorld(scenario)
      for (const one of steps) {
        const parts = typeof one === 'number' ? [one] : itemsOf(one, single)
        if (parts.length > 1) items += parts.length
        take(whole, one)
        for (const part of parts) take(single, part)
        expect(single.digest()).toBe(whole.digest())
      }
    }),
    { seed: 8, numRuns: 5 },
  )
  expect(items).toBeGreaterThan(50)
})

test('market data that a fault delays are those of that moment', () => {
  const paths = ['prices', 'orderbook/BTC', 'orderbook/ETH', 'stats/24h']
  const late = { type: 'stale_market_data', match: { account: 'desk' }, attributes: { delayMs: 2000 } }
  fc.assert(
    fc.property(fc.array(fc.array(request, { maxLength: 3 }), size), (instants) => {
      const plain = createWorld(scenario)
      const delayed = createWorld(scenario)
      addFault(delayed, late)
      const seen: (readonly unknown[])[] = []
      for (const [place, requests] of instants.entries()) {
        for (const world of [plain, delayed]) world.advance(500)
        const now = paths.map((path) => read(delayed, path))
        if (place >= 4) expect(now).toEqual(seen[place - 4])
        const actions = place === 6 ? [{ when: 'clock >= 1', path: { asset: 'BTC', shock: '-1%' } }] : []
        for (const world of [plain, delayed]) {
          if (actions.length > 0) expect(scheduleActions(world, actions)).toEqual([])
          for (const one of requests) take(world, one)
        }
        seen.push(paths.map((path) => read(plain, path)))
      }
    }),
    { seed: 9, numRuns: 3 },
  )
})

const size = { minLength: 24, maxLength: 24 } as const

const order = fc.record({
  side: fc.constantFrom('buy', 'sell'),
  asset: fc.constant('BTC'),
  quantity: fc.constantFrom(0.01, 0.4, 3),
  price: fc.constantFrom(49_000, 49_950, 50_000, 50_050, 51_000),
  timeInForce: fc.constantFrom('GTC', 'GTC', 'IOC', 'FOK'),
})
const sizes = { bidSize: fc.constantFrom(0, 0.2, 1), askSize: fc.constantFrom(0.2, 1) }
const quote = fc.record({
  asset: fc.constant('ETH'),
  bidPrice: fc.constantFrom(2475, 2500),
  askPrice: fc.constantFrom(2502.5, 2525),
  ...sizes,
  validForSeconds: fc.constantFrom(1, 3, 30),
})
const update = fc.record({
  quoteId: fc.integer({ min: 1, max: 6 }).map((row) => `qt_${row}`),
  bidPrice: fc.constantFrom(2450, 2500),
  ...sizes,
})
const orderPath = fc.integer({ min: 1, max: 20 }).map((row) => `/orders/ord_${row}`)
const requestOf = (method: string, path: fc.Arbitrary<string>, body: fc.Arbitrary<object>) =>
  fc.record({ account: fc.constantFrom('desk', 'trader'), method: fc.constant(method), path, body })
const post = (path: string, body: fc.Arbitrary<object>) => requestOf('POST', fc.constant(path), body)

const request: fc.Arbitrary<Request> = fc.oneof(
  { weight: 3, arbitrary: post('/orders', order) },
  {
    weight: 2,
    arbitrary: post('/orders/batch', fc.record({ orders: fc.array(order, { minLength: 2, maxLength: 3 }) })),
  },
  { weight: 2, arbitrary: post('/quotes', quote) },
  {
    weight: 2,
    arbitrary: requestOf(
      'PATCH',
      fc.constant('/quotes/batch/update'),
      fc.array(update, { minLength: 2, maxLength: 3 }),
    ),
  },
  {
    weight: 1,
    arbitrary: requestOf(
      'DELETE',
      fc.constant('/orders/batch'),
      fc.constantFrom({}, { side: 'buy' }, { asset: 'ETH' }),
    ),
  },
  { weight: 1, arbitrary: requestOf('PATCH', orderPath, fc.record({ quantity: sizes.askSize })) },
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: request },
  { weight: 1, arbitrary: fc.constantFrom(1, 999, 1000, 2500) },
)

const reads = [
  '/market-data/prices',
  '/market-data/orderbook/BTC',
  '/portfolio/summary',
  '/risk/metrics',
  '/quotes',
]
const wrong: readonly (readonly [method: string, path: string, body: object])[] = [
  ['POST', '/orders', { side: 'buy', asset: 'BTC', quantity: 0.000001, price: 50_000 }],
  ['POST', '/orders', { side: 'sell', asset: 'BTC', quantity: 10.5, price: 50_000 }],
  ['POST', '/orders', { side: 'buy', asset: 'BTC', quantity: 10.5, orderType: 'market' }],
  ['PATCH', '/orders/ord_999', { quantity: 1 }],
  [
    'POST',
    '/quotes',
    { asset: 'ETH', bidPrice: 2500, askPrice: 2400, bidSize: 1, askSize: 1, validForSeconds: 9 },
  ],
  ['DELETE', '/orders/batch', { assets: 'BTC' }],
  ['POST', '/risk/pre-trade-check', { side: 'buy', asset: 'BTC', quantity: 1, price: 50_000 }],
]
const harmless: readonly Request[] = [
  ...wrong.map(([method, path, body]) => ({ account: 'trader', method, path, body })),
  ...reads.map((path) => ({ account: 'desk', method: 'GET', path, body: {} })),
]

/** Answers what a client sees. */
function take(world: World, one: Step): unknown {
  if (typeof one !== 'number') return send(world, one)
  world.advance(one)
  return world.now
}

function send(world: World, { account, method, path, body }: Request) {
  return world.request(account, method, `/api/sdk${path}`, method === 'GET' ? undefined : body)
}

function read(world: World, path: string): unknown {
  return world.request('desk', 'GET', `/api/sdk/market-data/${path}`)
}

/** What a request about several things is, one by one. */
function itemsOf(one: Request, world: World): readonly Request[] {
  const { account, path, body } = one
  if (path === '/orders/batch' && 'orders' in body && Array.isArray(body.orders))
    return body.orders.map((item) => ({ ...one, path: '/orders', body: item }))
  if (Array.isArray(body))
    return body.map(({ quoteId, ...changes }) => ({ ...one, path: `/quotes/${quoteId}`, body: changes }))
  if (path !== '/orders/batch') return [one]
  const { orders, accounts, assets } = world.venue.state
  // What is done already, or is a side of a quote, cannot be cancelled: that is refused.
  const rows = Array.from({ length: orders.count }, (_, row) => row).filter(
    (row) =>
      orders.account.get(row) === accounts.rowOf(account) &&
      (!('side' in body) || orders.side.get(row) === 0) &&
      (!('asset' in body) || orders.asset.get(row) === assets.rowOf(String(body.asset))),
  )
  return rows.map((row) => ({ ...one, path: `/orders/ord_${row + 1}`, body: {} }))
}

function addFault(world: World, form: object): void {
  const rule = readFaultRule(form, knownNames(world))
  if (!rule.ok) throw new Error(rule.problem.reason)
  installFault(world, rule.value)
}
