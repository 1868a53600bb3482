import { expect, it } from 'vitest'
import { loadScenarioValue } from '../../src/scenario/load-tree.ts'
import { problemText } from '../../src/scenario/read/problem.ts'
import { scenarioSchema } from '../../src/scenario/schema/schema.ts'
import { complaints, load, scenarioWith } from './fixtures.ts'

const candles = [0, 1, 2].map((index) => ({
  atMillis: 1_600_000_000_000 + index * 3_600_000,
  spanMillis: 3_600_000,
  open: 100 + index,
  high: 110,
  low: 90,
  close: 101 + index,
  volume: 5,
}))

it('compiles the quiet world of the design to integers', () => {
  const scenario = load(`version: 1
name: quiet
seed: "7"
clock: {start: 2026-01-05T00:00:00Z, mode: manual, grid: 1s}
market:
  flow: {kind: none}
  assets:
    BTC:
      price: 50000
      model: {kind: constant}
      liquidity: {kind: none}
      pair: {priceStep: 0.01, quantityStep: 0.0001, minQuantity: 0.0001, maxQuantity: 1000, minPrice: 0.01, minNotional: 1}
fees: {makerBps: -0.5, takerBps: 10, currency: received}
selfTrade: cancel_both
rateLimits: {enabled: false, marketData: 31, other: 11, windowMs: 2000}
readings: {createdStatus: 200}
accounts:
  - {id: alice, type: margin, balances: {USD: "1000000.5", BTC: 10}, positions: {BTC: {averageEntryPrice: 40000}},
     limits: {maxOrderSize: {default: 1000}, maxOrderValue: 1e7, maxLeverage: 2.5}, fees: {takerBps: 6},
     keys: [{key: k-alice, secret: s-alice, scopes: [TRADE, READ]}]}
timeline: []
expect: []
`)
  expect(scenario.venue).toMatchObject({
    seed: '7',
    startMillis: 1_767_571_200_000,
    gridMillis: 1000,
    fees: { makerRate: -50, takerRate: 1000, currency: 'received' },
    selfTrade: 'cancel_both',
  })
  expect(scenario.venue.assets[1]).toMatchObject({
    symbol: 'BTC',
    scale: 8,
    pair: {
      priceStep: { units: 1, scale: 2 },
      quantityStep: { units: 1, scale: 4 },
      minQuantitySteps: 1,
      maxQuantitySteps: 10_000_000,
      minPriceTicks: 1,
      minNotionalAtoms: 1_000_000,
    },
  })
  const [alice] = scenario.venue.accounts
  expect(alice?.balances).toEqual(
    new Map([
      ['USD', 1_000_000_500_000],
      ['BTC', 1_000_000_000],
    ]),
  )
  expect(alice?.averageEntryPrices).toEqual(new Map([['BTC', 4_000_000_000_000]]))
  expect(alice?.fees).toEqual({ makerRate: -50, takerRate: 600 })
  expect(alice?.limits).toMatchObject({
    maxOrderSize: { bySymbol: new Map(), default: 100_000_000_000 },
    maxOrderValue: 10_000_000_000_000,
    maxOpenOrders: 100,
    maxLeverage: 2_500_000,
  })
  expect(scenario.access).toEqual([
    { id: 'alice', keys: [{ apiKey: 'k-alice', apiSecret: 's-alice', scopes: ['READ', 'TRADE'] }] },
  ])
  expect(scenario.readings).toEqual(new Map([['createdStatus', '200']]))
  expect(scenario.rateLimits).toEqual({ isEnabled: false, marketData: 31, other: 11, windowMillis: 2000 })
})

it('has a default for every key but three', () => {
  const scenario = load(
    'version: 1\nname: least\nmarket: {assets: {BTC: {price: 95000}, DOGE: {price: 0.15}}}',
  )
  expect(scenario.access.map((account) => [account.id, account.keys[0]?.scopes.join()])).toEqual([
    ['desk', 'READ,TRADE,MARKET_MAKING'],
    ['trader', 'READ,TRADE'],
    ['maker', 'READ,MARKET_MAKING'],
    ['viewer', 'READ'],
  ])
  expect(scenario.venue.accounts[0]?.balances).toEqual(
    new Map([
      ['USD', 1_000_000_000_000],
      ['BTC', 100_000_000],
      ['DOGE', 100_000_000_000_000],
    ]),
  )
  expect(scenario.venue.accounts[0]?.limits).toMatchObject({
    maxOrderSize: { default: 5_000_000_000_000 },
    maxExposure: 10_000_000_000_000,
    maxOpenOrdersPerAsset: 20,
  })
  expect(scenario.clock).toEqual({ mode: null, speed: 1, stepMillis: 100, endMillis: null })
  expect(scenario.venue.fees).toEqual({ makerRate: 0, takerRate: 1000, currency: 'quote' })
})

it.each(['seed: 7', 'seed: "7"', "seed: '7'"])('normalises %s to text', (line) => {
  expect(load(scenarioWith(line)).venue).toMatchObject({ seed: '7', market: { seed: '7' } })
})

it('prefers the seed of the caller to its own', () => {
  expect(load(scenarioWith('seed: 7'), { seed: 'other' }).venue.market.seed).toBe('other')
})

it('schedules actions by instants and labels, in the order of the file', () => {
  const { timeline } = load(
    scenarioWith(`timeline:
  - {at: +10m, id: late, note: third}
  - {at: +5m, id: news, note: first}
  - {at: 2026-01-05T00:05:00Z, note: second}
  - {at: late+1m30s, note: fifth}
  - {at: late, note: fourth}
  - {at: end-1s, note: sixth}
  - {when: clock > 60, id: seen, note: x}
  - {at: seen+5s, note: y}
  - {every: 10m, note: z}
  - {every: {each: 1m, from: late, to: late+5m}, id: pulse, note: z}
  - {at: pulse+1s, note: z}`),
  )
  const start = 1_767_571_200_000
  const at = (offset: number) => ({ kind: 'at', at: start + offset })
  expect(timeline.map(({ trigger }) => trigger)).toMatchObject([
    at(600_000),
    at(300_000),
    at(300_000),
    at(690_000),
    at(600_000),
    at(3_599_000),
    { kind: 'when', isOnce: true },
    { kind: 'after', label: 'seen', offsetMillis: 5000 },
    { kind: 'every', from: at(0), eachMillis: 600_000, to: at(3_600_000) },
    { kind: 'every', from: at(600_000), eachMillis: 60_000, to: at(900_000) },
    at(601_000),
  ])
})

it('compiles each action to rows and integers', () => {
  const { timeline } = load(
    scenarioWith(`timeline:
  - {at: +0s, order: {as: o, account: alice, side: sell, asset: BTC, quantity: 0.5, price: "-4%", timeInForce: IOC, metadata: {a: [1]}}}
  - {at: +0s, order: {account: alice, side: buy, asset: BTC, quantity: 1, orderType: market, timeInForce: FOK}}
  - {at: +0s, amend: {order: o, quantity: "0.25"}}
  - {at: +0s, cancel: {order: o}}
  - {at: +0s, cancel: {account: alice, side: buy}}
  - {at: +0s, quote: {as: q, account: alice, asset: BTC, bidPrice: 49000, askPrice: +25bps, bidSize: 1, askSize: 0, validForSeconds: 5}}
  - {at: +0s, amend: {quote: q, bidPrice: 49000.5}}
  - {at: +0s, cancel: {quote: q}}
  - {at: +0s, deposit: {account: alice, asset: USD, quantity: 1.5, pending: 1m}}
  - {at: +0s, withdraw: {account: alice, asset: BTC, quantity: 0.00000001}}
  - {at: +0s, halt: {asset: "*", for: 90s}}
  - {at: +0s, resume: {asset: BTC}}
  - {at: +0s, path: {asset: BTC, waypoints: [[+0s, -0%], [+3m, 48000]], noiseVol: 0.8}}
  - {at: +0s, path: {asset: BTC, shock: -120bps, over: 1s}}
  - {at: +0s, liquidity: {asset: BTC, spreadX: 12, oneSided: asks, stale: true, for: 15m}}
  - {at: +0s, limits: {account: alice, set: {maxOpenOrders: 5, maxOrderSize: {BTC: 2}}}}`),
  )
  const actions = timeline.map((entry) => entry.action)
  expect(actions).toMatchObject([
    {
      kind: 'order',
      label: 'o',
      account: 3,
      asset: 1,
      side: 1,
      type: 0,
      timeInForce: 1,
      quantitySteps: 5000,
      price: { kind: 'ofMark', change: -40_000 },
      metadata: { a: [1] },
    },
    { kind: 'order', label: null, side: 0, type: 1, timeInForce: 2, price: null },
    { kind: 'amend', label: 'o', quantitySteps: 2500, price: null },
    { kind: 'cancel-order', label: 'o' },
    { kind: 'cancel-orders', account: 3, asset: null, side: 0 },
    {
      kind: 'quote',
      label: 'q',
      bidPrice: { kind: 'ticks', priceTicks: 4_900_000 },
      askPrice: { kind: 'ofMark', change: 2500 },
      bidSteps: 10_000,
      askSteps: 0,
      validForMillis: 5000,
    },
    { kind: 'amend-quote', label: 'q', bidPrice: { kind: 'ticks', priceTicks: 4_900_050 }, askPrice: null },
    { kind: 'cancel-quote', label: 'q' },
    { kind: 'deposit', account: 3, asset: 0, atoms: 1_500_000, pendingMillis: 60_000 },
    { kind: 'withdraw', asset: 1, atoms: 1, pendingMillis: 0 },
    { kind: 'halt', assets: [1], mode: 'reject', forMillis: 90_000 },
    { kind: 'resume', assets: [1] },
    {
      kind: 'path',
      asset: 1,
      noiseVol: 800_000,
      points: [
        { offsetMillis: 0, price: { kind: 'ofMark', change: 0 } },
        { offsetMillis: 180_000, price: { kind: 'ticks', priceTicks: 4_800_000 } },
      ],
    },
    { kind: 'path', points: [{ offsetMillis: 1000, price: { kind: 'ofMark', change: -12_000 } }] },
    {
      kind: 'liquidity',
      conditions: { spreadMultiplier: 12, depthMultiplier: 1, sides: 'asks' },
      isStale: true,
      forMillis: 900_000,
    },
    {
      kind: 'limits',
      account: 3,
      change: { maxOpenOrders: 5, maxOrderSize: new Map([['BTC', 200_000_000]]), maxExposure: null },
    },
  ])
})

it('starts and ends with the recording of a replay, at its first price', () => {
  const read: [string, boolean][] = []
  const options = {
    params: new Map([['data', 'x.csv.gz']]),
    readCandles: (name: string, isParameter: boolean) => {
      read.push([name, isParameter])
      return { ok: true, candles } as const
    },
  }
  const text = `version: 1
name: replay
params: {data: }
market:
  assets:
    BTC: {model: {kind: replay, data: "\${data}", gaps: halt}}
    ETH: {model: {kind: replay, data: "eth.csv"}}
`
  const scenario = load(text, options)
  expect(read).toEqual([
    ['x.csv.gz', true],
    ['eth.csv', false],
  ])
  expect(scenario.venue.startMillis).toBe(1_600_000_000_000)
  expect(scenario.clock.endMillis).toBe(1_600_010_800_000)
  expect(scenario.venue.market.assets[0]).toMatchObject({
    price: 100,
    model: { kind: 'replay', gaps: 'halt', candles },
  })
  expect(complaints(text, { readCandles: options.readCandles })).toEqual([
    's.yaml:3:10 params.data: the parameter has no default; give it with --param data=VALUE',
  ])
})

it('accepts volumes in USD, and refuses those that cannot be quantities', () => {
  const text = (volumeIn: string) =>
    `version: 1\nname: x\nmarket: {assets: {BTC: {model: {kind: replay, data: x, volumeIn: ${volumeIn}}}}}`
  const large = candles.map((candle) => ({ ...candle, volume: 1e8 }))
  const readCandles = () => ({ ok: true, candles: large }) as const
  expect(load(text('usd'), { readCandles }).venue.market.assets[0]?.model).toMatchObject({
    candles: [{ volume: 2e8 / 201 }, { volume: 2e8 / 203 }, { volume: 2e8 / 205 }],
  })
  expect(complaints(text('asset'), { readCandles })).toEqual([
    's.yaml:3:53 market.assets.BTC.model.data: the candle of 2020-09-13T12:26:40.000Z traded about 11000 million USD, and at most 8000 million fit; if the file has its volumes in USD, say volumeIn: usd',
  ])
})

it('refuses a clock that leaves its recording', () => {
  const readCandles = () => ({ ok: true, candles }) as const
  const clocks = [
    '{start: 2020-01-01}',
    '{start: 2021-01-01}',
    '{start: data, end: 4h}',
    '{start: data, end: 2020-09-12}',
  ]
  for (const clock of clocks) {
    const text = `version: 1\nname: x\nclock: ${clock}\nmarket: {assets: {BTC: {model: {kind: replay, data: x}}}}`
    expect(complaints(text, { readCandles })).toEqual([
      expect.stringMatching(/^s\.yaml:3:\d+ clock\.(start|end): /),
    ])
  }
})

it('refuses balances that could not stay exact', () => {
  const text = scenarioWith('').replace('USD: 1000000, BTC: 10', 'USD: 1000000, BTC: 90000')
  expect(complaints(text)).toEqual([
    's.yaml:5:34 accounts[0].balances: are worth about 4501 million USD; at most 4000 million fit',
  ])
})

it('substitutes parameters in texts, with the type of their default', () => {
  const text = scenarioWith(`params: {price: 48000, who: alice, size: 1}
timeline:
  - {at: +1m, order: {account: "\${who}", side: buy, asset: BTC, quantity: "\${size}", price: "\${price}"}}
  - {at: +1m, note: "\${who} buys \${size}"}`)
  const given = load(text, { params: new Map([['price', '48500.5']]) })
  expect(given.timeline.map((entry) => entry.action)).toMatchObject([
    { kind: 'order', account: 3, price: { priceTicks: 4_850_050 }, quantitySteps: 10_000 },
    { kind: 'note', text: 'alice buys 1' },
  ])
  expect(complaints(text, { params: new Map([['prices', '1']]) })).toEqual([
    's.yaml:1:1 params: the scenario has no parameter "prices". Did you mean "price"?',
  ])
  expect(complaints(scenarioWith('timeline: [{at: +1m, note: "$' + '{nix}"}]'))).toEqual([
    's.yaml:6:28 timeline[0].note: unknown parameter "nix"; parameters are declared under "params"',
  ])
})

it('loads a JSON value like the same text, without line numbers', () => {
  const text = scenarioWith('timeline: [{at: +1m, note: x}]')
  const value = {
    version: 1,
    name: 'probe',
    clock: { start: '2026-01-05T00:00:00Z', end: '1h' },
    market: {
      flow: { kind: 'none' },
      assets: { BTC: { price: 50000, model: { kind: 'constant' }, liquidity: { kind: 'none' } } },
    },
    accounts: [{ id: 'alice', balances: { USD: 1000000, BTC: 10 } }],
    timeline: [{ at: '+1m', note: 'x' }],
  }
  const fromValue = loadScenarioValue(value)
  if (!fromValue.ok) throw new Error(fromValue.problems.map(problemText).join('\n'))
  expect(fromValue.value.venue).toEqual(load(text).venue)
  const wrong = loadScenarioValue({ ...value, sed: 1, clock: { end: Number.NaN } })
  expect(wrong.ok ? [] : wrong.problems.map(problemText)).toEqual(['clock.end: not a finite number'])
  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  expect(loadScenarioValue(cyclic)).toMatchObject({ ok: false })
})

it('describes the whole format in one JSON Schema without dangling references', () => {
  const text = JSON.stringify(scenarioSchema)
  const references = [...text.matchAll(/"#\/definitions\/([a-zA-Z]+)"/g)].map((match) => match[1] ?? '')
  expect(references.filter((name) => !Object.hasOwn(scenarioSchema.definitions, name))).toEqual([])
  for (const word of ['every', 'when', 'fault', 'leadsTo', 'include', 'matrix', 'agents', 'await']) {
    expect(text).toContain(`"${word}"`)
  }
})
