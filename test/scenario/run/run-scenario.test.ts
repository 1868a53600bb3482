import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Venue } from '../../../src/engine/venue.ts'
import { millis } from '../../../src/numeric/units.ts'
import { eventNameOf } from '../../../src/scenario/actions/actions.ts'
import type { ExpectationFailure } from '../../../src/scenario/run/expectation-evaluator.ts'
import { runScenario, type ScenarioRun } from '../../../src/scenario/run/run-scenario.ts'
import { Script } from '../../../src/scenario/run/script.ts'
import { load, scenarioWith } from '../fixtures.ts'

const run = (lines: string): ScenarioRun => runScenario(load(scenarioWith(lines)))

const failed = (lines: string): readonly string[] =>
  run(lines).failures.map(({ expected, got }: ExpectationFailure) => `${expected} | ${got}`)

it.each([
  ['at, on the exact instant', "at: +1m, that: 'clock == 60'", []],
  [
    'at, one instant late',
    "at: +1m, that: 'clock == 61'",
    ['at 2026-01-05T00:01:00.000Z: clock == 61 | clock = 60 at 2026-01-05T00:01:00.000Z'],
  ],
  ['by, fulfilled before', "by: +1m, that: 'clock == 30'", []],
  [
    'by, never fulfilled',
    "by: +1m, that: 'clock == 90'",
    ['by 2026-01-05T00:01:00.000Z: clock == 90 | clock = 60 at 2026-01-05T00:01:00.000Z'],
  ],
  [
    'by, of an order that does not exist',
    'by: +1m, that: order[o].exists and order[o].price > 1',
    [
      'by 2026-01-05T00:01:00.000Z: order[o].exists and order[o].price > 1 | order[o].exists = false, order[o].price = nothing yet at 2026-01-05T00:01:00.000Z',
    ],
  ],
  ['always, of an order that does not exist yet', 'always: "order[o].price > 1"', []],
  [
    'always, broken once',
    "always: 'clock != 1800'",
    ['always: clock != 1800 | clock = 1800 at 2026-01-05T00:30:00.000Z'],
  ],
  [
    'never, broken once',
    "never: 'clock == 1800'",
    ['never: clock == 1800 | clock = 1800 at 2026-01-05T00:30:00.000Z'],
  ],
  ['never, kept', "never: 'clock > 3600'", []],
])('judges %s', (_, expectation, failures) => {
  const timeline = `timeline:
  - {at: +30s, note: x}
  - {at: +30m, note: x}
  - {at: +40m, order: {as: o, account: alice, side: buy, asset: BTC, quantity: 1, price: 40000}}
expect:
  - {${expectation.replace(/order\[o\]\.exists and order\[o\]\.price > 1$/, '"$&"')}}`
  expect(failed(timeline)).toEqual(failures)
})

it('checks every instant at which something happens, including expiries off the grid', () => {
  const lines = `timeline:
  - {at: +1s, quote: {as: q, account: alice, asset: BTC, bidPrice: 49000, askPrice: 51000, bidSize: 1, askSize: 1, validForSeconds: 1.234}}
expect:
  - {never: "quote[q].status == 'expired' and clock == 2.234"}`
  expect(failed(lines)).toEqual([
    "never: quote[q].status == 'expired' and clock == 2.234 | quote[q].status = 'expired', clock = 2.234 at 2026-01-05T00:00:02.234Z",
  ])
})

it('resolves relative prices against the current mark, rounding bids down and asks up', () => {
  const { named, state } = run(`timeline:
  - {at: +1m, path: {asset: BTC, price: 50000.03}}
  - {at: +2m, order: {as: low, account: alice, side: buy, asset: BTC, quantity: 1, price: -0.01%}}
  - {at: +2m, order: {as: high, account: alice, side: sell, asset: BTC, quantity: 1, price: +1bps}}
  - {at: +3m, path: {asset: BTC, shock: -1%}}
  - {at: +4m, amend: {order: low, price: -2%}}`)
  const ticks = (label: string) => state.orders.priceTicks.get(named.orders.get(label) ?? -1)
  // 50000.03 less a basis point is 49995.029997: the bid is the tick below it, the ask the tick above 50005.030003.
  expect(ticks('high')).toBe(5_000_504)
  // 1 % below the mark of +3m, then 2 % below that.
  expect(ticks('low')).toBe(Math.floor(4_950_003 * 0.98))
})

it('continues after a refusal, and reports its code', () => {
  const done = run(`timeline:
  - {at: +1s, order: {as: poor, account: alice, side: buy, asset: BTC, quantity: 11, price: 40000}}
  - {at: +2s, cancel: {order: poor}}
  - {at: +3s, order: {as: fine, account: alice, side: buy, asset: BTC, quantity: 1, price: 50000}}
  - {at: +4s, cancel: {order: fine}}
  - {at: +5s, amend: {order: fine, price: 40000}}
  - {at: +6s, withdraw: {account: alice, asset: BTC, quantity: 11}}
  - {at: +7s, halt: {asset: BTC}}
  - {at: +8s, order: {as: halted, account: alice, side: buy, asset: BTC, quantity: 1, price: 50000}}
expect:
  - {at: end, that: "order[fine].status == 'cancelled' and order[fine].refusal == 'order-terminal'"}
  - {at: end, that: "not order[poor].exists and market.BTC.status == 'inactive'"}`)
  expect(done.failures.map(({ got }) => got)).toEqual([])
  expect(done.refusals.map(({ entry, problem }) => [eventNameOf(entry.action), problem])).toEqual([
    ['order', 'RISK_LIMIT_EXCEEDED'],
    ['cancel-order', 'ORDER_NOT_FOUND'],
    ['amend', 'order-terminal'],
    ['withdraw', 'unfunded-withdrawal'],
    ['order', 'pair-inactive'],
  ])
  expect(done.sequence).toBe(7)
})

it('changes only the given limits', () => {
  const { state } = run(`timeline:
  - {at: +1s, limits: {account: alice, set: {maxOpenOrders: 3, maxOrderSize: {BTC: 2}}}}
  - {at: +2s, limits: {account: alice, set: {maxExposurePerAsset: {default: 5}}}}`)
  const { config } = state.accounts.limitsOf(3)
  expect(config.maxOpenOrders).toBe(3)
  expect(config.maxOpenOrdersPerAsset).toBe(20)
  expect(config.maxOrderSize.bySymbol).toEqual(
    new Map([
      ['BTC', 200_000_000],
      ['ETH', 10_000_000_000],
    ]),
  )
  expect(config.maxExposurePerAsset).toEqual({ bySymbol: new Map(), default: 5_000_000 })
})

it('ends with the last action or expectation where the clock has no end', () => {
  const text = (more: string) =>
    `version: 1\nname: x\nmarket: {flow: {kind: none}, assets: {BTC: {price: 1, model: {kind: constant}}}}\n${more}`
  const end = (more: string): number => {
    const scenario = load(text(more))
    return runScenario(scenario).state.nowMillis - scenario.venue.startMillis
  }
  expect(end('')).toBe(0)
  expect(end('timeline: [{at: +5m, note: x}, {at: +1m, note: x}]')).toBe(300_000)
  expect(end('timeline: [{at: +5m, note: x}]\nexpect: [{at: +7m, that: clock > 0}]')).toBe(420_000)
})

const living = `version: 1
name: living
clock: {end: 3m, grid: 1s}
market: {assets: {BTC: {price: 50000, model: {kind: gbm, vol: 0.8}}}}
timeline:
  - {at: +10.5s, order: {as: a, account: desk, side: buy, asset: BTC, quantity: 0.5, price: +1%}}
  - {at: +20s, path: {asset: BTC, waypoints: [[+30s, -3%]], noiseVol: 1}}
  - {at: +61s, quote: {as: q, account: maker, asset: BTC, bidPrice: -1%, askPrice: +1%, bidSize: 0.1, askSize: 0.1, validForSeconds: 20}}
`

it('has the same digest with or without expectations', () => {
  const alone = runScenario(load(living)).digest
  const watched = runScenario(
    load(`${living}expect:\n  - {always: price.BTC.bid < price.BTC.ask}\n  - {at: +77.7s, that: clock > 0}`),
  )
  expect(watched.failures).toEqual([])
  expect(watched.digest).toBe(alone)
  expect(runScenario(load(living, { seed: 'other' })).digest).not.toBe(alone)
})

it('carries out a script in the same way however time is split', () => {
  const scenario = load(living)
  const whole = runScenario(scenario).digest
  const cuts = fc.array(fc.integer({ min: 1, max: 179_999 }), { maxLength: 8 })
  fc.assert(
    fc.property(cuts, (offsets) => {
      const venue = Venue.open(scenario.venue, { emit: () => {} })
      const script = new Script(scenario)
      for (const offset of [...offsets.toSorted((left, right) => left - right), 180_000]) {
        const at = scenario.venue.startMillis + offset
        script.runTo(venue, millis(at), () => {})
      }
      expect(venue.digest()).toBe(whole)
    }),
    { seed: 7, numRuns: 25 },
  )
})
