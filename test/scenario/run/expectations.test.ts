import { describe, expect, it } from 'vitest'
import { runScenario } from '../../../src/scenario/run/run-scenario.ts'
import { load, scenarioWith } from '../fixtures.ts'

/** A price that is 60000 from +10s to +20s, and 50000 otherwise; two quotes that expire at +30s and +40s. */
const story = `timeline:
  - {at: +10s, id: news, path: {asset: BTC, price: 60000}}
  - {at: +20s, path: {asset: BTC, price: 50000}}
  - {at: +10s, quote: {as: a, account: alice, asset: BTC, bidPrice: 40000, askPrice: 70000, bidSize: 1, askSize: 1, validForSeconds: 20}}
  - {at: +10s, quote: {as: b, account: alice, asset: BTC, bidPrice: 40000, askPrice: 71000, bidSize: 1, askSize: 1, validForSeconds: 30}}
  - {at: +15s, order: {as: maker, account: alice, side: sell, asset: BTC, quantity: 1, price: 60000, clientOrderId: x}}
  - {at: +16s, agentOrder: {kind: taker, asset: BTC, side: buy, quantity: 0.5, target: {account: alice}}}
  - {when: clock > 100, id: late, note: x}
  - {when: price.BTC.mark == 1, id: nowhere, note: x}
`

/** Instants of the failures in seconds, with what was found. */
function failures(expectation: string): readonly string[] {
  const { failures: found, state } = runScenario(load(scenarioWith(`${story}expect:\n  - {${expectation}}`)))
  const start = state.config.startMillis
  return found.map(({ atMillis, got }) => `${(atMillis - start) / 1000} ${got}`)
}

const at = (seconds: number, observed: string) =>
  `${seconds} ${observed} at ${new Date(1_767_571_200_000 + seconds * 1000).toISOString()}`

describe('each temporal operator holds and fails', () => {
  it.each([
    ['at: news, that: price.BTC.mark == 60000', []],
    ['at: news+10s, that: price.BTC.mark == 60000', [at(20, 'price.BTC.mark = 50000')]],
    ['by: news+1s, that: price.BTC.mark == 60000', []],
    ['by: +9s, that: price.BTC.mark == 60000', [at(9, 'price.BTC.mark = 50000')]],
    ['within: [news, 1s], that: price.BTC.mark == 60000', []],
    ['within: [+20s, 5s], that: price.BTC.mark == 60000', [at(25, 'price.BTC.mark = 50000')]],
    ['within: [late, 1s], that: clock == 101', []],
    ['within: [late, 1s], that: clock == 100', [at(102, 'clock = 102')]],
    ['always: price.BTC.mark >= 50000', []],
    ['always: price.BTC.mark == 50000', [at(10, 'price.BTC.mark = 60000')]],
    ['never: price.BTC.mark > 60000', []],
    ['never: price.BTC.mark > 50000', [at(10, 'price.BTC.mark = 60000')]],
    ['eventually: price.BTC.mark > 50000', []],
    ['eventually: price.BTC.mark > 60000', [at(3600, 'price.BTC.mark = 50000')]],
    ['eventually: price.BTC.mark > 50000, by: news+1s', []],
    ['eventually: price.BTC.mark > 50000, by: +9s', [at(9, 'price.BTC.mark = 50000')]],
    ['leadsTo: {from: price.BTC.mark > 50000, to: price.BTC.mark == 50000, within: 10s}', []],
    [
      'leadsTo: {from: price.BTC.mark > 50000, to: price.BTC.mark == 50000, within: 9s}',
      [
        `19 price.BTC.mark > 50000 held at 2026-01-05T00:00:10.000Z, then ${at(19, 'price.BTC.mark = 60000').slice(3)}`,
      ],
    ],
    ['leadsTo: {from: price.BTC.mark > 50000, to: price.BTC.mark == 50000}', []],
    [
      'leadsTo: {from: clock == 3600, to: price.BTC.mark == 1}',
      [
        '3600 clock == 3600 held at 2026-01-05T01:00:00.000Z, then price.BTC.mark = 50000 at 2026-01-05T01:00:00.000Z',
      ],
    ],
    ['at: nowhere+1s, that: clock > 0', ['3600 "nowhere" never happened']],
    ['within: [nowhere, 1s], that: clock > 0', ['3600 "nowhere" never happened']],
    ['at: late, that: "happened[late] and not happened[nowhere]"', []],
  ])('%s', (expectation, found) => {
    expect(failures(expectation)).toEqual(found)
  })
})

const ended = '2026-01-05T01:00:00.000Z'
const tooLarge = 'order[dear] was refused (RISK_LIMIT_EXCEEDED)'
const refused = `  - {at: +5s, order: {as: dear, account: alice, side: buy, asset: BTC, quantity: 1000, price: 50000}}
  - {when: price.BTC.mark == 1, order: {as: never, account: alice, side: buy, asset: BTC, quantity: 1, price: 50000}}
`

function judge(expectation: string) {
  const scenario = load(scenarioWith(`${story}${refused}expect:\n  - {${expectation}}`))
  const run = runScenario(scenario)
  return { ...run, scenario, counts: scenario.expectations.map((one) => run.counts.get(one)) }
}

describe('an expectation of which nothing is ever known', () => {
  it.each([
    [
      `always: "order[dear].status == 'filled'"`,
      `order[dear].status = nothing yet at ${ended}, known at none of 3601 instants: ${tooLarge}`,
    ],
    [
      'never: "order[dear].filledQuantity < 100"',
      `order[dear].filledQuantity = nothing yet at ${ended}, known at none of 3601 instants: ${tooLarge}`,
    ],
    [
      `eventually: "order[never].status == 'filled'", by: +1m`,
      'order[never].status = nothing yet at 2026-01-05T00:01:00.000Z, known at none of 61 instants: order[never] was never placed',
    ],
    [`at: end, that: "order[dear].price > 0"`, `order[dear].price = nothing yet at ${ended}: ${tooLarge}`],
    [
      `always: "fill.price > 1 and order[never].status == 'open'"`,
      `fill.price = nothing yet, order[never].status = nothing yet at ${ended}, known at none of 3601 instants: order[never] was never placed`,
    ],
    [
      `never: "order[maker].refusal == 'RISK_LIMIT_EXCEEDED'"`,
      `order[maker].refusal = nothing yet at ${ended}, known at none of 3601 instants: order[maker] was accepted and never refused`,
    ],
    [
      'leadsTo: {from: price.BTC.mark < 1, to: price.BTC.mark > 1}',
      'never set off: price.BTC.mark < 1, held at none of 3601 instants',
    ],
    [
      `leadsTo: {from: "order[dear].status == 'open'", to: price.BTC.mark > 1}`,
      `never set off: order[dear].status == 'open', held at none of 3601 instants: ${tooLarge}`,
    ],
    ['within: [late+2h, 1s], that: clock > 0', 'the run ended before 2026-01-05T02:01:41.000Z'],
    ['at: late+2h, that: clock > 0', 'the run ended before 2026-01-05T02:01:41.000Z'],
    ['at: nowhere, that: clock > 0', '"nowhere" never happened'],
  ])('fails: %s', (expectation, got) => {
    const { failures: found, unjudged } = judge(expectation)
    expect(found.map((one) => one.got)).toEqual([got])
    expect(unjudged).toEqual([])
    const allowed = judge(`${expectation}, mayBeUnjudged: true`)
    expect(allowed.failures).toEqual([])
    expect(allowed.unjudged).toMatchObject([{ reason: got }])
  })

  it('is judged where something of it is known, whatever it may be', () => {
    const known = judge(`always: "order[maker].status == 'filled'", mayBeUnjudged: true`)
    expect(known).toMatchObject({ failures: [{ atMillis: 1_767_571_215_000 }], unjudged: [] })
  })

  it('is left out where its moment is after the end, and it says that it may be', () => {
    const late = judge('at: +2h, ifReached: true, that: clock > 0')
    expect(late.scenario).toMatchObject({ expectations: [], unreached: [{ kind: 'at' }] })
    const timedByRun = judge('at: late+2h, ifReached: true, that: clock > 0')
    expect(timedByRun).toMatchObject({
      failures: [],
      unjudged: [{ reason: expect.stringContaining('ended before') }],
    })
    const neverTimed = judge('at: nowhere, ifReached: true, that: clock > 0')
    expect(neverTimed).toMatchObject({ failures: [{ got: '"nowhere" never happened' }], unjudged: [] })
  })
})

it.each([
  ['always: clock < 9999', 3601, 3601],
  ['always: "order[maker].status != \'expired\'"', 3601, 3586],
  ['never: fill.price < 1', 3601, 1],
  ['at: news, that: clock == 10', 1, 1],
  ['leadsTo: {from: clock == 60, to: price.BTC.mark > 0}', 3601, 1],
])('counts how often it is evaluated, and known: %s', (expectation, evaluations, known) => {
  expect(judge(expectation)).toMatchObject({ failures: [], counts: [{ evaluations, known }] })
})

describe('a failure points at the bounds that were not met', () => {
  it.each([
    // A mapping: the values.
    ['at: end, that: {price.BTC.mark: «1»}', 1],
    ['at: end, that: {price.BTC.mark: {gte: 1, lte: «2»}}', 1],
    ['at: end, that: {price.BTC.mark: {eq: 50000}, market.BTC.status: {ne: «active»}, clock: {lt: «60»}}', 2],
    ["at: end, that: {market.BTC.status: {eq: '«inactive»'}}", 1],
    ['at: end, that: {price.BTC.mark: {between: [1, «2»]}}', 1],
    ['at: end, that: {price.BTC.mark: {between: [«60000», 70000]}}', 1],
    ['at: end, that: {price.BTC.mark: {in: «[1, 2]»}}', 1],
    ['at: end, tol: 1, that: {price.BTC.mark: {eq: 50001, gt: «50001»}}', 1],
    ['always: {price.BTC.mark: {gte: 1, lt: «60000»}}', 1],
    ['never: {price.BTC.mark: {gt: «50000»}}', 1],
    ["always: {'quote[*].bidPrice': 40000, 'quote[*].askPrice': «70000»}", 1],
    // A text: where the comparison begins.
    ['at: end, that: price.BTC.mark > 1 and «price.BTC.mark < 2 and clock > 1', 1],
    ['at: end, that: "clock > 1 and (clock > 2 and «clock > 9999)"', 1],
    ['at: end, that: "clock > 1 and «(clock > 9999 or clock < 2)"', 1],
    ['at: end, that: clock > 1 and «not clock > 2', 1],
    ['at: end, that: "clock > 1 and clock between [2, «3]"', 1],
    ['at: end, that: "clock > 1 and «clock in [2, 3] and «clock < 4"', 2],
    // What leads to something owes the second predicate.
    ['leadsTo: {from: clock == 60, to: {price.BTC.mark: «1»}, within: 1s}', 1],
    // A moment that never comes.
    ['at: «nowhere+1s, that: clock > 0', 1],
    ['within: «[nowhere, 1s], that: clock > 0', 1],
    ['eventually: clock > 0, by: «nowhere', 1],
  ])('%s', (marked, count) => {
    const head = scenarioWith(`${story}expect:\n  - {`)
    const scenario = load(`${head}${marked.replaceAll(/[«»]/g, '')}}`)
    const [failure] = runScenario(scenario).failures
    const before = head.length - head.lastIndexOf('\n') - 1
    const columns = [...marked.replaceAll('»', '').matchAll(/«/g)].map(
      ({ index }, earlier) => before + 1 + index - earlier,
    )
    expect(columns).toHaveLength(count)
    expect(failure?.places).toEqual(
      columns.map((column) => ({ file: 's.yaml', line: head.split('\n').length, column })),
    )
  })
})

describe('what predicates run over', () => {
  it.each([
    // One quote has expired from +30s on, all of them only from +40s on.
    [
      `leadsTo: {from: "quote[*].status == 'expired'", to: "account[alice].balance.BTC.locked == account[alice].lockedByLiveQuotes.BTC + account[alice].lockedByLiveOrders.BTC", within: 0s}`,
      [],
    ],
    [`eventually: "quote[*].askPrice == 71000"`, []],
    [`always: "quote[*].bidPrice == 40000"`, []],
    [`always: "quote[*].askPrice == 70000"`, [at(10, 'quote[*].askPrice = 71000')]],
    [`never: "fill.asset == 'BTC' and market.BTC.halted"`, []],
    [`never: "fill.quantity == 0.5 and fill.isMaker"`, [at(16, 'fill.quantity = 0.5, fill.isMaker = true')]],
    [`never: "order[*].filledQuantity > 0.5"`, []],
    [
      `at: end, that: "orders.byClientId.duplicates == 0 and orders.open.count == 1 and fills.count == 1"`,
      [],
    ],
    [`at: end, that: {"account[alice].openOrders": {eq: 1}, "account[alice].fills": {eq: 1}}`, []],
    [
      `at: end, that: {"metrics[alice].makerFillRatio": {eq: 1}, "metrics[alice].turnoverUsd": {eq: 30000}}`,
      [],
    ],
    [
      `at: end, that: "price.BTC.mark == 1 and orders.count == 1 and (clock < 0 or fills.count == 0)"`,
      [at(3600, 'price.BTC.mark = 50000, clock = 3600, fills.count = 1')],
    ],
    // Sold at 60000, and the mark a minute later is 50000: a sixth of the price.
    [`at: end, that: {"metrics[alice].markout60sBps": {between: [1666, 1667]}}`, []],
  ])('%s', (expectation, found) => {
    expect(failures(expectation)).toEqual(found)
  })
})

it.each([
  ['at: +10s, that: {price.BTC.mark: {eq: 60001}}, tol: 1', true],
  ['at: +10s, that: {price.BTC.mark: {eq: 60001.5}}, tol: 1', false],
  ['at: +10s, that: price.BTC.mark >= 60000.5, tol: 0.5', true],
  ['at: +10s, that: price.BTC.mark < 59999.5, tol: 0.5', false],
  ['at: +10s, that: price.BTC.mark < 59999.5, tol: 0.51', true],
  ['at: +10s, that: {price.BTC.mark: {in: [1, 60001]}}, tol: 1', true],
  ['at: +10s, that: "price.BTC.mark in [1, 60001.5]", tol: 1', false],
])('lets numbers off by a tolerance: %s', (expectation, holds) => {
  expect(failures(expectation).length === 0).toBe(holds)
})

it('fails a run exactly when its digest is not the pinned one', () => {
  const digest = runScenario(load(scenarioWith(story))).digest
  const pinned = (text: string) =>
    runScenario(load(scenarioWith(`${story}expect:\n  - {journalDigest: "${text}"}`))).brokenPin
  expect(pinned(digest)).toBeNull()
  expect(pinned('0'.repeat(32))).toMatchObject({ digest: '0'.repeat(32), place: { line: 16, column: 22 } })
})

it('adds up money as exactly as the ledger, and values fees in kind at the price of their fills', () => {
  const trades = `accounts: [{id: alice, balances: {BTC: 10}}, {id: bob, balances: {USD: 1000000}}]
fees: {takerBps: 10, currency: received}
timeline:
  - {at: +1s, order: {account: alice, side: sell, asset: BTC, quantity: 1, price: 50010}}
  - {at: +1s, order: {account: alice, side: sell, asset: BTC, quantity: 3, price: 50020}}
  - {at: +2s, order: {account: bob, side: buy, asset: BTC, quantity: 2, price: 50020}}
  - {at: +3s, order: {account: bob, side: buy, asset: BTC, quantity: 1, price: 50050}}
  - {at: +3s, order: {account: bob, side: buy, asset: BTC, quantity: 1, price: 50050}}
expect:
  - {at: end, that: {"metrics[bob].fees": 200.07, "metrics[bob].turnoverUsd": 200070, "metrics[alice].fees": 0}}
`
  const text = scenarioWith('').replace(/^accounts.*\n/m, '') + trades
  expect(runScenario(load(text)).failures).toEqual([])
})
