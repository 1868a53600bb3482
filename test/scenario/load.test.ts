import { expect, it } from 'vitest'
import { scenarioSchema } from '../../src/scenario/compile/schema.ts'
import { formatMistake } from '../../src/scenario/file/mistake.ts'
import { loadScenarioValue } from '../../src/scenario/load-tree.ts'
import { listMistakes, load, scenarioWith } from './fixtures.ts'

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

it('refuses balances that could not stay exact', () => {
  const text = scenarioWith('').replace('USD: 1000000, BTC: 10', 'USD: 1000000, BTC: 90000')
  expect(listMistakes(text)).toEqual([
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
  expect(listMistakes(text, { params: new Map([['prices', '1']]) })).toEqual([
    's.yaml:1:1 params: the scenario has no parameter "prices". Did you mean "price"?',
  ])
  expect(listMistakes(scenarioWith('timeline: [{at: +1m, note: "$' + '{nix}"}]'))).toEqual([
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
  if (!fromValue.ok) throw new Error(fromValue.problems.map(formatMistake).join('\n'))
  expect(fromValue.value.venue).toEqual(load(text).venue)
  const wrong = loadScenarioValue({ ...value, sed: 1, clock: { end: Number.NaN } })
  expect(wrong.ok ? [] : wrong.problems.map(formatMistake)).toEqual([
    'clock.end: not a finite number',
    'sed: unknown key "sed". Did you mean "seed"?',
  ])
  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  expect(loadScenarioValue(cyclic)).toMatchObject({ ok: false })
})

it('describes the whole format in one JSON Shape without dangling references', () => {
  const text = JSON.stringify(scenarioSchema)
  const references = [...text.matchAll(/"#\/definitions\/([a-zA-Z]+)"/g)].map((match) => match[1] ?? '')
  expect(references.filter((name) => !Object.hasOwn(scenarioSchema.definitions, name))).toEqual([])
  for (const word of ['every', 'when', 'fault', 'leadsTo', 'include', 'matrix', 'agents', 'await']) {
    expect(text).toContain(`"${word}"`)
  }
})
