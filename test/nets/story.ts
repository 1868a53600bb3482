import type { Command, WithoutInstant } from '../../src/engine/command.ts'
import { atoms, millis, partsPerMillion, priceTicks, quantitySteps } from '../../src/numeric/units.ts'
import { limitSets } from '../arbitraries/limits.ts'

/*
 * A scenario with something of everything, and what clients and admins do to its world: every command, every change from
 * outside, every admin operation, and some of each that are refused.
 */

export const storyScenario = {
  version: 1,
  name: 'story',
  seed: '7',
  clock: { start: '2026-01-05T00:00:00Z', end: '1h', mode: 'manual' },
  market: {
    flow: { kind: 'none' },
    assets: {
      BTC: { price: 50_000, model: { kind: 'constant' }, liquidity: { kind: 'power', dynamics: 'none' } },
      ETH: {
        price: 2500,
        model: { kind: 'gbm', vol: 0.7 },
        liquidity: { kind: 'power' },
        flow: { kind: 'poisson', ratePerMinute: 6 },
        impact: { y: 0.7, permanent: 0.15, halfLife: '20m', dailyVol: 0.03 },
      },
    },
  },
  accounts: [
    {
      id: 'desk',
      balances: { USD: 1_000_000, BTC: 5, ETH: 100 },
      positions: { BTC: { averageEntryPrice: 48_000 } },
      keys: [{ key: 'key-desk', secret: 'secret', scopes: ['READ', 'TRADE', 'MARKET_MAKING'] }],
    },
    {
      id: 'bob',
      type: 'margin',
      balances: { USD: 1_000_000 },
      fees: { makerBps: -1, takerBps: 5 },
      limits: { maxLeverage: 3 },
      keys: [{ key: 'key-bob', secret: 'secret', scopes: ['READ', 'TRADE'] }],
    },
  ],
  agents: [{ id: 'crowd', kind: 'noise', account: 'bob', asset: 'ETH', params: { ratePerMinute: 10 } }],
  timeline: [
    {
      at: '+1s',
      id: 'asked',
      await: { request: { method: 'POST', path: '/api/sdk/orders' }, bind: 'mine', timeout: '10m' },
    },
    {
      at: '+2m',
      path: {
        asset: 'ETH',
        waypoints: [
          ['+0s', '-0%'],
          ['+1m', '-4%'],
        ],
      },
    },
    { at: '+3m', halt: { asset: 'ETH', mode: 'rest', for: '20s' } },
    { every: '4m', liquidity: { asset: 'BTC', spreadX: 2, for: '1m', recoverHalfLife: '1m' } },
    {
      at: '+5m',
      order: { as: 'scripted', account: 'bob', side: 'buy', asset: 'ETH', quantity: 1, price: '-1%' },
    },
    { at: '+6m', fault: { id: 'late', latency: '250ms', match: { method: 'GET' }, for: '30s' } },
    { at: '+50m', note: 'not yet' },
  ],
}

/** Commands that only programs give, by the names of their kinds; rows 3 and 1 are the desk's account and BTC. */
export const commands: readonly WithoutInstant<Command>[] = [
  { kind: 'advance' },
  { kind: 'settle-transfer', transfer: 0 },
  { kind: 'deposit', account: 3, asset: 1, atoms: atoms(1000), pendingMillis: millis(60_000) },
  { kind: 'settle-transfer', transfer: 4 },
  { kind: 'set-account-type', account: 3, type: 'margin' },
  { kind: 'set-fees', account: 3, makerRate: partsPerMillion(-5), takerRate: partsPerMillion(70) },
  {
    kind: 'set-pair',
    asset: 1,
    minQuantitySteps: quantitySteps(2),
    maxQuantitySteps: null,
    minPriceTicks: priceTicks(100),
    minNotionalAtoms: atoms(5),
  },
  { kind: 'halt', asset: 1, mode: 'rest', forMillis: millis(0) },
  { kind: 'resume', asset: 1 },
  {
    kind: 'move-price',
    asset: 1,
    points: [{ offsetMillis: millis(0), priceTicks: priceTicks(5_100_000) }],
    noiseVol: partsPerMillion(0),
  },
  { kind: 'bend-price', asset: 1, volMultiplier: partsPerMillion(2_000_000), drift: partsPerMillion(-10) },
  { kind: 'switch-model', asset: 1, model: { kind: 'constant' } },
  {
    kind: 'set-liquidity',
    asset: 1,
    conditions: { spreadMultiplier: 2, depthMultiplier: 0.5, sides: 'asks' },
    isStale: false,
    forMillis: millis(0),
  },
  {
    kind: 'create-account',
    account: {
      id: 'late',
      type: 'cash',
      balances: new Map([['USD', atoms(5_000_000_000)]]),
      averageEntryPrices: new Map(),
      limits: limitSets[0],
      fees: { makerRate: partsPerMillion(0), takerRate: partsPerMillion(1000) },
    },
  },
  { kind: 'set-limits', account: 3, limits: limitSets[0] },
]

/** Who does it: an account with a key, or the admin in this world, or beside any. */
export type Step = readonly [who: 'desk' | 'bob' | 'admin' | 'server', request: string, body?: unknown]

const order = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 49_000 }
const quote = {
  asset: 'BTC',
  bidPrice: 49_500,
  askPrice: 50_500,
  bidSize: 0.5,
  askSize: 0.4,
  validForSeconds: 60,
}

export const steps: readonly Step[] = [
  // Clients.
  [
    'desk',
    'POST /orders',
    { ...order, clientOrderId: 'first', metadata: { note: 'größer', nested: [1, null] } },
  ],
  ['desk', 'POST /orders', { ...order, quantity: 0.1, price: 50_500, timeInForce: 'IOC' }],
  ['desk', 'POST /orders', { ...order, quantity: 0.1, price: 40_000, timeInForce: 'FOK' }],
  ['desk', 'POST /orders', { side: 'sell', asset: 'BTC', quantity: 0.2, orderType: 'market' }],
  ['desk', 'POST /orders', { ...order, quantity: 11 }],
  ['desk', 'POST /orders', { ...order, quantity: -1 }],
  ['desk', 'POST /orders/batch', { orders: [order, { ...order, side: 'hold' }, { ...order, quantity: 11 }] }],
  ['desk', 'PATCH /orders/ord_1', { quantity: 0.6, price: 49_100 }],
  ['desk', 'DELETE /orders/ord_1'],
  ['desk', 'DELETE /orders/batch', { asset: 'BTC', side: 'buy' }],
  ['desk', 'POST /quotes', { ...quote, clientQuoteId: 'one', metadata: { desk: 'a' } }],
  ['desk', 'POST /quotes', quote],
  ['desk', 'PATCH /quotes/qt_1', { bidPrice: 49_600, validForSeconds: 30 }],
  [
    'desk',
    'PATCH /quotes/batch/update',
    [
      { quoteId: 'qt_1', askPrice: 50_600 },
      { quoteId: 'qt_9', askPrice: 1 },
    ],
  ],
  ['bob', 'POST /orders', { side: 'sell', asset: 'BTC', quantity: 0.1, price: 49_600 }],
  ['desk', 'DELETE /quotes/qt_2'],
  ['desk', 'POST /quotes', quote],
  ['desk', 'DELETE /quotes', { asset: 'BTC' }],
  ['desk', 'POST /quotes', { ...quote, validForSeconds: 20 }],
  ['admin', 'POST /clock/advance', { byMs: 1500 }],
  ['admin', 'POST /clock/advance', { to: '2026-01-05T00:00:30Z' }],
  ['admin', 'POST /clock/advance', { toNext: true }],
  ['admin', 'POST /clock/advance', { until: { event: 'trade', match: { asset: 'ETH' }, maxMs: 120_000 } }],
  // Money, accounts and keys.
  ['admin', 'POST /accounts/desk/deposits', { asset: 'USD', quantity: 1000 }],
  ['admin', 'POST /accounts/desk/deposits', { asset: 'BTC', quantity: 1, pendingMs: 5000 }],
  ['admin', 'POST /accounts/desk/withdrawals', { asset: 'BTC', quantity: 1 }],
  ['admin', 'POST /accounts/desk/withdrawals', { asset: 'USD', quantity: 10, pendingMs: 600_000 }],
  ['admin', 'POST /accounts/desk/withdrawals', { asset: 'BTC', quantity: 100 }],
  ['admin', 'POST /clock/advance', { byMs: 6000 }],
  [
    'admin',
    'POST /accounts',
    {
      id: 'carol',
      type: 'margin',
      balances: { USD: 5000, BTC: 1 },
      positions: { BTC: { averageEntryPrice: 40_000 } },
      keys: [{ key: 'key-carol', secret: 'secret', scopes: ['READ'] }],
    },
  ],
  ['admin', 'GET /accounts'],
  [
    'admin',
    'PATCH /accounts/carol',
    { limits: { maxOrderValue: 1000 }, fees: { takerBps: 7 }, type: 'cash' },
  ],
  [
    'admin',
    'POST /accounts/carol/keys',
    { scopes: ['READ', 'TRADE'], apiKey: 'key-carol-2', apiSecret: 'secret' },
  ],
  ['admin', 'DELETE /keys/key-carol'],
  // The market.
  ['admin', 'POST /market/BTC/price', { mid: 50_500, overMs: 10_000 }],
  ['admin', 'POST /market/BTC/price', { percent: -1 }],
  [
    'admin',
    'PUT /market/BTC/liquidity',
    { spreadX: 2, depthX: 0.5, oneSided: 'bids', stale: true, forMs: 5000 },
  ],
  [
    'admin',
    'PATCH /pairs/ETH-USD',
    { minQuantity: 0.02, maxQuantity: 50, minPrice: 1, minNotional: 5, status: 'inactive' },
  ],
  ['admin', 'PATCH /pairs/ETH-USD', { status: 'active' }],
  [
    'admin',
    'POST /timeline',
    {
      actions: [
        {
          path: {
            asset: 'ETH',
            model: { kind: 'merton', vol: 0.6, drift: 0, jumpsPerYear: 100, jumpMean: 0, jumpSd: 0.02 },
          },
        },
        { path: { asset: 'BTC', volX: 2, drift: 0.1 } },
        { halt: { asset: 'BTC', mode: 'reject', for: '5s' } },
        { at: '+5s', resume: { asset: 'BTC' } },
        { settle: { account: 'desk' } },
        { limits: { account: 'bob', set: { maxOrderValue: 400_000 } } },
        { key: { account: 'carol', revoke: true, for: '1m' } },
        { rateLimit: { category: 'other', perS: 9, for: '1m' } },
        { clock: { skew: '-3s', for: '1m' } },
        { snapshot: { name: 'planned' } },
      ],
    },
  ],
  ['admin', 'POST /clock/advance', { byMs: 10_000 }],
  // Transitions that clients cannot cause.
  ['desk', 'POST /orders', order],
  ['desk', 'POST /orders', order],
  ['desk', 'POST /orders', order],
  ['desk', 'POST /quotes', { ...quote, bidPrice: 48_000, askPrice: 53_000, validForSeconds: 300 }],
  ['admin', 'POST /orders/LAST-2/fill', { quantity: 0.1, price: 48_900 }],
  ['admin', 'POST /orders/LAST-2/fill', {}],
  ['admin', 'POST /orders/LAST-1/reject'],
  ['admin', 'POST /orders/LAST-0/expire'],
  ['admin', 'POST /quotes/LAST-0/fill', { side: 'bid', quantity: 0.1 }],
  ['admin', 'POST /quotes/LAST-0/expire'],
  ['desk', 'POST /quotes', { ...quote, bidPrice: 48_000, askPrice: 53_000 }],
  ['admin', 'POST /quotes/LAST-0/fill', { side: 'bid' }],
  ['admin', 'POST /quotes/LAST-0/fill', { side: 'ask' }],
  // Faults, clock, limits, readings.
  [
    'admin',
    'POST /faults',
    {
      id: 'teapot',
      type: 'http_error',
      match: { method: 'POST', path: '/api/sdk/orders' },
      skip: 1,
      count: 1,
      attributes: { status: 503 },
    },
  ],
  [
    'admin',
    'POST /faults',
    { id: 'gone', type: 'latency', attributes: { latencyMs: 1, clock: 'world' }, toxicity: 0.5 },
  ],
  ['admin', 'GET /faults'],
  ['admin', 'GET /faults/teapot'],
  ['desk', 'POST /orders', order],
  ['desk', 'POST /orders', order],
  ['admin', 'DELETE /faults/gone'],
  ['admin', 'PUT /rate-limits', { enabled: true, other: 20, marketData: 60, windowMs: 1000 }],
  ['admin', 'GET /rate-limits'],
  ['admin', 'POST /rate-limits/reset'],
  ['admin', 'PUT /clock', { mode: 'auto', stepMs: 100 }],
  ['admin', 'GET /clock'],
  ['desk', 'GET /orders'],
  ['admin', 'PUT /clock', { mode: 'manual' }],
  ['admin', 'PUT /readings', { 'orders.createResponse': 'final' }],
  ['admin', 'PUT /readings', { envelope: 'bare' }],
  // What is seen.
  ['admin', 'GET'],
  ['admin', 'GET /digest'],
  ['admin', 'GET /view?account=desk&asset=BTC&depth=2'],
  ['admin', 'GET /history?from=0'],
  ['admin', 'GET /history/prices?asset=BTC'],
  ['admin', 'GET /requests?since=0'],
  ['admin', 'POST /requests/find', { match: { method: 'POST' } }],
  ['admin', 'POST /requests/count', { match: { path: '/api/sdk/*' } }],
  ['admin', 'POST /requests/verify', { match: { method: 'PUT' }, times: { exactly: 1 } }],
  ['admin', 'POST /requests/explain', { method: 'POST', path: '/api/sdk/orders', body: order }],
  ['admin', 'DELETE /requests'],
  ['server', 'GET /health'],
  ['server', 'GET /info'],
  ['server', 'GET /worlds'],
  ['server', 'GET /readings'],
  // Snapshots.
  ['admin', 'POST /snapshots'],
  ['admin', 'GET /snapshots'],
  ['admin', 'GET /snapshots/SNAPSHOT'],
  ['desk', 'POST /orders', order],
  ['admin', 'POST /snapshots/SNAPSHOT/restore'],
  ['server', 'POST /worlds', { id: 'fork', fromSnapshot: 'SNAPSHOT' }],
  ['server', 'DELETE /worlds/fork'],
  ['admin', 'DELETE /snapshots/SNAPSHOT'],
  ['admin', 'DELETE /faults'],
  ['admin', 'POST /reset', { seed: '8' }],
  ['desk', 'POST /orders', order],
  ['admin', 'POST /clock/advance', { byMs: 2000 }],
]
