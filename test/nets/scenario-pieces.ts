import { makeRecordedBook } from '../../src/market/books/make-recorded-book.ts'

/*
 * Right pieces of scenarios, which together say everything that the language can: each model, ladder, flow, agent, action
 * and expectation once, with all of its keys as far as they go together.
 */

export type Piece = Readonly<Record<string, unknown>>

/** A recorded book of an hour and more, at 50,000 USD. */
export const readBook = () => ({
  ok: true as const,
  book: makeRecordedBook(
    Array.from({ length: 800 }, (_, place) => ({
      atMillis: Date.UTC(2026, 0, 5) + (place >> 1) * 10_000,
      kind: 1,
      side: place % 2,
      priceTicks: place % 2 === 0 ? 4_999_990 : 5_000_010,
      quantitySteps: 10 + (place % 5),
    })),
  ),
  priceStep: { units: 1, scale: 2 },
  quantityStep: { units: 1, scale: 4 },
})

/** What a piece stands in; a piece replaces the keys that it has. */
export const frame: Piece = {
  version: 1,
  name: 'frame',
  seed: 7,
  clock: { start: '2026-01-05T00:00:00Z', end: '1h', grid: '1s' },
  market: {
    flow: { kind: 'none' },
    assets: {
      BTC: { price: 50000, model: { kind: 'constant' }, liquidity: { kind: 'power' } },
      ETH: { price: 2500, model: { kind: 'constant' }, liquidity: { kind: 'none' } },
    },
  },
  accounts: [
    {
      id: 'alice',
      balances: { USD: 1000000, BTC: 10 },
      keys: [{ key: 'k1', secret: 's1', scopes: ['READ', 'TRADE', 'MARKET_MAKING'] }],
    },
    { id: 'bob', balances: { USD: 1000000, BTC: 10 } },
  ],
}

const market = (asset: object, rest: object = {}): Piece => ({
  market: { flow: { kind: 'none' }, ...rest, assets: { BTC: { price: 50000, ...asset } } },
})
const model = (words: object) => market({ model: words, liquidity: { kind: 'none' } })
const liquidity = (words: object) => market({ model: { kind: 'constant' }, liquidity: words })
const agent = (kind: string, params: object, more: object = {}): Piece => ({
  agents: [{ id: 'crowd', kind, account: 'alice', asset: 'BTC', starts: '+1m', params, ...more }],
})
const bid = { as: 'bid', account: 'alice', side: 'buy', asset: 'BTC', quantity: 0.5, price: 49000 }
const offer = {
  as: 'q1',
  account: 'alice',
  asset: 'BTC',
  bidPrice: '-1%',
  askPrice: '+1%',
  bidSize: 0.5,
  askSize: 0.4,
  validForSeconds: 60,
  clientQuoteId: 'mine',
  metadata: { desk: 'one' },
}
const after = (action: object, ...before: readonly object[]): Piece => ({
  timeline: [...before.map((entry) => ({ at: '+1m', ...entry })), { at: '+2m', ...action }],
})
const expecting = (words: object): Piece => ({
  timeline: [{ at: '+1m', id: 'news', order: bid }],
  expect: [words],
})

export const pieces: Readonly<Record<string, Piece>> = {
  clock: {
    clock: {
      start: '2026-01-05T00:00:00Z',
      end: '1h',
      mode: 'scaled',
      speed: 2,
      stepMs: 100,
      grid: '1s',
      tz: 'UTC',
    },
  },
  params: {
    params: { size: 1, side: 'buy' },
    timeline: [{ at: '+1m', order: { ...bid, quantity: '$' + '{size}' } }],
  },
  fees: { fees: { makerBps: -0.5, takerBps: 10, currency: 'received' }, selfTrade: 'cancel_maker' },
  rateLimits: { rateLimits: { enabled: true, marketData: 30, other: 10, windowMs: 1000 } },
  readings: { readings: { envelope: 'wrapped', createdStatus: '200' } },
  report: { report: { metrics: ['pnl', 'markouts'], charts: true } },
  matrix: { params: { size: 1 }, matrix: { seed: '1..3', size: [1, 2] } },
  account: {
    accounts: [
      {
        id: 'alice',
        type: 'margin',
        balances: { USD: 1000000, BTC: 10 },
        positions: { BTC: { averageEntryPrice: 48000 } },
        limits: {
          maxOrderSize: { BTC: 5, default: 100 },
          minOrderSize: { default: 0.01 },
          maxOrderValue: 500000,
          maxDailyVolume: 5000000,
          maxOpenOrders: 100,
          maxOpenOrdersPerAsset: 20,
          maxExposure: 10000000,
          maxExposurePerAsset: { BTC: 2000000, default: 500000 },
          maxLeverage: 3,
        },
        fees: { makerBps: 1, takerBps: 5 },
        keys: [{ key: 'k1', secret: 's1', scopes: ['READ', 'TRADE'] }],
      },
    ],
  },
  asset: market({
    model: { kind: 'constant' },
    liquidity: { kind: 'none' },
    decimals: 8,
    advUsd: 1e9,
    pair: {
      priceStep: 0.01,
      quantityStep: 0.0001,
      minQuantity: 0.001,
      maxQuantity: 100,
      minPrice: 1,
      minNotional: 10,
      status: 'active',
    },
  }),
  'model waypoints': model({
    kind: 'waypoints',
    points: [
      ['+0s', 50000],
      ['+5m', '-4%'],
    ],
    noiseVol: 0.1,
    asReturnsFrom: 50000,
  }),
  'model gbm': model({ kind: 'gbm', vol: 0.6, drift: 0.1 }),
  'model ou': model({ kind: 'ou', mean: 50000, halfLife: '10m', stationarySd: 0.0004 }),
  'model merton': model({ kind: 'merton', vol: 0.6, drift: 0, jumpsPerYear: 100, jumpMean: 0, jumpSd: 0.02 }),
  'model heston': model({
    kind: 'heston',
    meanVariance: 0.4,
    meanReversion: 5,
    volOfVariance: 1,
    leverage: -0.3,
    drift: 0,
  }),
  'model garch': model({
    kind: 'garch',
    vol: 0.6,
    bar: '1h',
    alpha: 0.1,
    beta: 0.85,
    asymmetry: 0,
    tails: 5,
  }),
  'model regimes': model({
    kind: 'regimes',
    vol: 0.6,
    regimes: [
      { volMultiple: 1, drift: 0 },
      { volMultiple: 3, drift: 0 },
    ],
    transitions: [
      [0.9, 0.1],
      [0.2, 0.8],
    ],
  }),
  'model hawkes': model({
    kind: 'hawkes',
    vol: 0.6,
    drift: 0,
    jumps: { perDay: 10, branching: 0.5, decay: '5m', size: 5, tilt: 0.1 },
  }),
  'model market': model({
    kind: 'market',
    vol: 0.6,
    drift: 0,
    marketShare: 0.7,
    altShare: 0.1,
    ownShare: 0.5,
    marketShareSd: 0.1,
    commonVolatility: 0.4,
    standstillBps: 0.8,
    dailyVolumeUsd: 1e9,
  }),
  'model replay': model({
    kind: 'replay',
    data: 'candles.csv',
    gaps: 'hold',
    volumeIn: 'usd',
    rebaseTo: 50000,
    timeShift: '+4d',
    speed: 2,
  }),
  'model bootstrap': model({ kind: 'bootstrap', data: 'candles.csv', meanPiece: '1h', volumeIn: 'asset' }),
  'liquidity power': liquidity({
    kind: 'power',
    spreadBps: 4,
    depth10bpUsd: 1e6,
    advUsd: 1e9,
    dynamics: 'none',
  }),
  'liquidity exponential': liquidity({
    kind: 'exponential',
    spreadBps: 4,
    maxUsd: 1e6,
    scaleBps: 10,
    advUsd: 1e9,
  }),
  'liquidity flat': liquidity({ kind: 'flat', spreadBps: 4, levelUsd: 1e5, stepBps: 2, levels: 10 }),
  'liquidity ladder': liquidity({
    kind: 'ladder',
    bids: [
      [49990, 1],
      [49980, 2],
    ],
    asks: [[50010, 1]],
  }),
  'liquidity recorded': market({
    liquidity: {
      kind: 'recorded',
      data: 'book.csv',
      queue: { law: 'power', exponent: 2 },
      fills: 'whole',
      beyond: 'front',
      gaps: 'halt',
      gapAfter: '30s',
    },
    flow: { kind: 'recorded', data: ['trades-1.csv', 'trades-2.csv'] },
  }),
  'liquidity like': market({
    liquidity: { kind: 'recorded', data: 'book.csv', queue: { law: 'log' }, like: 'hftbacktest' },
  }),
  'flow poisson': market(
    { model: { kind: 'constant' } },
    { flow: { kind: 'poisson', ratePerMinute: { BTC: 2 } } },
  ),
  'flow hawkes': market(
    { model: { kind: 'gbm', vol: 0.6 } },
    {
      flow: {
        kind: 'hawkes',
        informed: { share: 0.3, horizon: '2m', costBps: 0 },
        patiencePerBp: 1,
        snipers: 0.9,
      },
    },
  ),
  impact: market(
    { model: { kind: 'constant' } },
    { impact: { y: 0.7, permanent: 0.15, halfLife: '20m', dailyVol: 0.03 } },
  ),
  correlation: {
    market: {
      correlation: { matrix: { BTC: { ETH: 0.85 } } },
      assets: {
        BTC: { price: 50000, model: { kind: 'gbm', vol: 0.5 } },
        ETH: { price: 2500, model: { kind: 'gbm', vol: 0.7 } },
      },
    },
  },
  'agent noise': agent('noise', {
    ratePerMinute: 4,
    medianUsd: 3000,
    sizeSd: 1,
    limitShare: 0.5,
    distanceBps: 10,
    lifetime: '2m',
  }),
  'agent momentum': agent('momentum', {
    every: '20s',
    short: 20,
    long: 50,
    thresholdBps: 1,
    valueUsd: 5000,
    maxPositionUsd: 50000,
  }),
  'agent market_maker': agent('market_maker', {
    every: '1s',
    levels: 1,
    spreadBps: 10,
    valueUsd: 10000,
    repriceBps: 1,
    maxInventoryUsd: 100000,
    targetUsd: 0,
    skewBps: 5,
    validFor: '1m',
  }),
  'agent twap': agent('twap', { side: 'buy', quantity: 1, over: '30m', slices: 10, limitBps: 5 }),
  'agent sniper': agent('sniper', {
    every: '250ms',
    edgeBps: 5,
    patience: '250ms',
    hitShare: 0.9,
    valueUsd: 100000,
  }),
  'agent script': agent(
    'script',
    { rounds: 2 },
    {
      steps: [
        { after: '1m', side: 'buy', quantity: 0.1, price: '-1%', timeInForce: 'GTC' },
        { after: '2m', cancel: true },
      ],
    },
  ),
  at: {
    timeline: [
      { at: '+1m', id: 'news', ifReached: true, note: 'one' },
      { at: 'news+5s', note: 'two' },
    ],
  },
  every: { timeline: [{ every: { each: '5m', from: '+1m', to: 'end' }, id: 'beat', note: 'again' }] },
  when: { timeline: [{ when: 'price.BTC.mid < 49000 and not market.BTC.halted', once: false, note: 'low' }] },
  path: after({
    path: {
      asset: 'BTC',
      waypoints: [
        ['+0s', '-0%'],
        ['+3m', '-4%'],
      ],
      noiseVol: 0.1,
    },
  }),
  'path walk': after({ path: { asset: 'BTC', price: 51000, over: '1m' } }),
  'path shock': after({ path: { asset: 'BTC', shock: '-4%' } }),
  'path beta': after(
    { path: { asset: 'ETH', betaTo: 'BTC', beta: 1.2, noiseX: 1 } },
    { path: { asset: 'BTC', shock: '-4%', over: '5m' } },
  ),
  'path model': after({ path: { asset: 'BTC', model: { kind: 'gbm', vol: 0.9, drift: 0 } } }),
  'path bent': after({ path: { asset: 'BTC', volX: 3, drift: -2 } }),
  liquidity: after({
    liquidity: {
      asset: 'BTC',
      spreadX: 3,
      depthX: 0.2,
      oneSided: 'bids',
      for: '5m',
      recoverHalfLife: '1m',
      refreshX: 0.5,
    },
  }),
  'liquidity stale': after({ liquidity: { asset: '*', stale: true, for: '10s' } }),
  halt: after({ halt: { asset: 'BTC', mode: 'rest', for: '90s' } }),
  resume: after({ resume: { asset: 'BTC' } }, { halt: { asset: '*' } }),
  pair: after({
    pair: {
      asset: 'BTC',
      set: { status: 'inactive', minQuantity: 0.01, maxQuantity: 50, minPrice: 2, minNotional: 20 },
    },
  }),
  order: after({
    order: {
      ...bid,
      orderType: 'limit',
      timeInForce: 'IOC',
      clientOrderId: 'mine',
      metadata: { desk: 'one' },
    },
  }),
  'market order': after({
    order: { account: 'alice', side: 'sell', asset: 'BTC', quantity: 0.5, orderType: 'market' },
  }),
  'amend order': after({ amend: { order: 'bid', quantity: 0.6, price: 49100 } }, { order: bid }),
  'amend quote': after(
    { amend: { quote: 'q1', bidPrice: 49000, askPrice: 51000, bidSize: 1, askSize: 1, validForSeconds: 30 } },
    { quote: offer },
  ),
  'cancel order': after({ cancel: { order: 'bid' } }, { order: bid }),
  'cancel quote': after({ cancel: { quote: 'q1' } }, { quote: offer }),
  'cancel account': after({ cancel: { account: 'alice', asset: 'BTC', side: 'buy' } }),
  quote: after({ quote: offer }),
  agentOrder: after(
    {
      agentOrder: { kind: 'taker', asset: 'BTC', side: 'sell', quantity: 0.1, target: { account: 'alice' } },
    },
    { order: bid },
  ),
  deposit: after({ deposit: { as: 'd1', account: 'alice', asset: 'USD', quantity: 1000, pending: '10m' } }),
  withdraw: after({ withdraw: { as: 'w1', account: 'alice', asset: 'BTC', quantity: 1 } }),
  settle: after(
    { settle: { transfer: 'd1' } },
    { deposit: { as: 'd1', account: 'alice', asset: 'USD', quantity: 1000, pending: '10m' } },
  ),
  'settle account': after({ settle: { account: 'alice', asset: 'USD' } }),
  limits: after({
    limits: { account: 'alice', set: { maxOrderValue: 1000, maxOrderSize: { BTC: 1 }, maxLeverage: 2 } },
  }),
  agent: {
    ...agent('noise', {}),
    ...after(
      { agent: { id: 'crowd', set: { ratePerMinute: 9 } } },
      { agent: { id: 'crowd', start: true } },
      { agent: { id: 'crowd', stop: true } },
    ),
  },
  key: after({ key: { key: 'k1', scopes: ['READ'], for: '1m' } }),
  'key revoked': after({ key: { account: 'alice', revoke: true } }),
  rateLimit: after({ rateLimit: { category: 'other', perS: 5, for: '1m' } }),
  fault: after({
    id: 'lost',
    fault: {
      type: 'http_error',
      id: 'lost',
      match: {
        method: 'POST',
        path: '/api/sdk/orders',
        key: 'k1',
        account: 'alice',
        asset: 'BTC',
        side: 'buy',
        nth: 2,
      },
      phase: 'after',
      toxicity: 0.5,
      count: 3,
      skip: 1,
      every: 2,
      attributes: { status: 500, type: 'RATE_LIMIT_EXCEEDED', retryAfter: 3 },
      for: '1m',
    },
  }),
  'fault status': after({ fault: { status: 503, rate: 0.5 } }),
  'fault latency': after({ fault: { latency: { dist: 'lognormal', p50: '800ms', p99: '6s' } } }),
  'fault dropped': after({ fault: { commitThenDrop: true, match: { method: 'POST' } } }),
  'clock skew': after({ clock: { skew: '-31s', for: '1m' } }),
  snapshot: after({ snapshot: { name: 'before' } }),
  await: after({
    id: 'came',
    await: {
      request: { method: 'POST', path: '/api/sdk/orders', key: 'k1', account: 'alice', status: 201 },
      bind: 'mine',
      timeout: '10s',
      wallTimeout: '5s',
      required: false,
    },
  }),
  'await that': after({ await: { that: 'price.BTC.mid > 1', timeout: '10s' } }),
  'expect at': expecting({
    at: 'news+1s',
    that: { 'order[bid].status': { in: ['open', 'filled'] }, 'price.BTC.mid': { between: [1, 90000] } },
    message: 'why',
    tol: 0.1,
  }),
  'expect by': expecting({ by: 'end', that: { 'order[bid].filledQuantity': { gte: 0 } }, ifReached: true }),
  'expect within': expecting({ within: ['news', '2s'], that: "order[bid].status == 'open'" }),
  'expect always': expecting({
    always: 'account[alice].balance.USD.available >= 0 and abs(price.BTC.change24h) < 0.5',
  }),
  'expect never': expecting({ never: "fill.side == 'sell' and fill.quantity * fill.price > 1000000" }),
  'expect eventually': expecting({ eventually: 'orders.open.count == 1', by: '+5m' }),
  'expect leadsTo': expecting({
    leadsTo: { from: 'market.BTC.halted', to: 'not market.BTC.halted', within: '90s' },
  }),
  'expect digest': expecting({ journalDigest: '?' }),
  'expect aggregate': {
    ...expecting({
      at: 'end',
      that: { 'metrics[alice].pnl': { gte: -3 } },
      aggregate: { over: 'seed', stat: 'median' },
    }),
    matrix: { seed: '1..3' },
  },
  'expect requests': expecting({ at: 'end', that: { 'requests[POST /api/sdk/orders].count': { lte: 100 } } }),
}
