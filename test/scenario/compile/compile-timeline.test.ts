import { expect, it } from 'vitest'
import { eventNameOf } from '../../../src/scenario/actions/actions.ts'
import { load, scenarioWith } from '../fixtures.ts'

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
  expect(actions.map(eventNameOf).slice(2, 8)).toEqual([
    'amend',
    'cancel-order',
    'cancel-orders',
    'quote',
    'amend-quote',
    'cancel-quote',
  ])
  expect(actions).toMatchObject([
    {
      kind: 'order',
      label: 'o',
      account: 3,
      asset: 1,
      side: 1,
      timeInForce: 1,
      quantitySteps: 5000,
      price: { kind: 'ofMark', change: -40_000 },
      metadata: { a: [1] },
    },
    { kind: 'order', side: 0, orderType: 'market', timeInForce: 2 },
    { kind: 'amend', order: { label: 'o', asset: 1 }, quantitySteps: 2500 },
    { kind: 'cancel', order: { label: 'o', asset: 1 } },
    { kind: 'cancel', account: 3, side: 0 },
    {
      kind: 'quote',
      label: 'q',
      bidPrice: { kind: 'ticks', priceTicks: 4_900_000 },
      askPrice: { kind: 'ofMark', change: 2500 },
      bidSteps: 10_000,
      askSteps: 0,
      validForMillis: 5000,
    },
    { kind: 'amend', quote: { label: 'q', asset: 1 }, bidPrice: { kind: 'ticks', priceTicks: 4_900_050 } },
    { kind: 'cancel', quote: { label: 'q', asset: 1 } },
    { kind: 'deposit', account: 3, asset: 0, atoms: 1_500_000, pendingMillis: 60_000 },
    { kind: 'withdraw', asset: 1, atoms: 1 },
    { kind: 'halt', assets: [1], forMillis: 90_000 },
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
    { kind: 'liquidity', spreadX: 12, oneSided: 'asks', stale: true, forMillis: 900_000 },
    {
      kind: 'limits',
      account: 3,
      set: new Map<string, unknown>([
        ['maxOrderSize', new Map([['BTC', 200_000_000]])],
        ['maxOpenOrders', 5],
      ]),
    },
  ])
})
