import { expect, it } from 'vitest'
import { listMistakes, scenarioWith } from './fixtures.ts'

/* What people write before they have read the reference: it works, or the answer says what to write instead. */

const bid = '{at: +1s, order: {as: bid, account: alice, side: buy, asset: BTC, quantity: 0.5, price: 49000}}'

const story = (entry: string, expectation: string) =>
  scenarioWith(`timeline:
  - ${bid}
  - ${entry}
expect:
  - ${expectation}`)

const note = '{at: +2s, note: nothing}'
const holds = '{always: price.BTC.mid > 0}'

it.each([
  [
    'order[bid].status == open',
    `10:43 expect[0].that: unknown read-out "open"; a text stands in quotes, 'open'`,
  ],
  [
    'order[bid].status == filled',
    `10:43 expect[0].that: unknown read-out "filled"; a text stands in quotes, 'filled'`,
  ],
  [
    'order[bid].refusal == elsewhere',
    `10:44 expect[0].that: unknown read-out "elsewhere"; a text stands in quotes, 'elsewhere'`,
  ],
  [
    'metrics[alice].maxDrawdown < 0.1',
    '10:37 expect[0].that: unknown figure "maxDrawdown"; the figures are pnl, fees, fills, makerFills, makerFillRatio, turnoverUsd, inventory, quoteUptime, spreadCaptureBps, markout1sBps, markout5sBps, markout30sBps, markout60sBps, markout300sBps',
  ],
  [
    'requests[GET /api/sdk/market-data/price/*].count == 0',
    '10:22 expect[0].that: "/api/sdk/market-data/price/*" is not a path of an operation. Did you mean "/api/sdk/market-data/prices/*"?',
  ],
  ['prise > 5', '10:22 expect[0].that: unknown read-out "prise". Did you mean "price"?'],
  [
    'requests[POST /orders].count == 0',
    '10:22 expect[0].that: "/orders" is not a path of an operation. Did you mean "/api/sdk/orders"?',
  ],
  [
    'requests[/api/sdk/orders/].count == 0',
    '10:22 expect[0].that: "/api/sdk/orders/" is not a path of an operation. Did you mean "/api/sdk/orders"?',
  ],
  ['price[BTC].mid > 0', '10:22 expect[0].that: "price" takes no brackets, as in price.BTC.mid'],
  ['market[BTC].BTC.halted', '10:22 expect[0].that: "market" takes no brackets, as in market.BTC.halted'],
  ['fill[bid].price > 0', '10:22 expect[0].that: "fill" takes no brackets, as in fill.price'],
  ['fills[alice].count == 0', '10:22 expect[0].that: "fills" takes no brackets, as in fills.count'],
  ['orders[alice].open.count == 0', '10:22 expect[0].that: "orders" takes no brackets, as in orders.count'],
  ['quotes[alice].count == 0', '10:22 expect[0].that: "quotes" takes no brackets, as in quotes.count'],
  ['clock[news] > 0', '10:22 expect[0].that: "clock" takes no brackets, as in clock'],
  [
    `order[bid].refusal == 'X'`,
    '10:41 expect[0].that: order[bid].refusal is never "X"; it is one of RISK_LIMIT_EXCEEDED, INSUFFICIENT_BALANCE, pair-inactive, pair-violation, invalid-parameter, duplicate-client-id, order-terminal',
  ],
])('predicate %s', (predicate, complaint) => {
  expect(listMistakes(story(note, `{at: end, that: "${predicate}"}`))).toEqual([`s.yaml:${complaint}`])
})

it.each([
  [
    '{every: 1s, from: +1s, to: +5s, note: again}',
    [
      '8:23 timeline[1].from: "from" belongs in "every", as in {each: 1m, from: news, to: news+5m}',
      '8:32 timeline[1].to: "to" belongs in "every", as in {each: 1m, from: news, to: news+5m}',
    ],
  ],
  [
    '{at: +1s, order: {account: alice, side: buy, asset: BTC, quantity: 0.5, type: market}}',
    ['8:77 timeline[1].order.type: unknown key "type". Did you mean "orderType"?'],
  ],
  [
    '{at: +1s, batch: []}',
    ['8:22 timeline[1].batch: "batch" is not needed: entries of one instant act in the order of the file'],
  ],
  [
    '{at: +1s, await: {request: {method: POST, path: /orders}}}',
    [
      '8:53 timeline[1].await.request.path: "/orders" is not a path of an operation. Did you mean "/api/sdk/orders"?',
    ],
  ],
  [
    '{at: +1s, await: {request: {path: /api/sdk/orderz/*}}}',
    [
      '8:39 timeline[1].await.request.path: "/api/sdk/orderz/*" is not a path of an operation. Did you mean "/api/sdk/orders/*"?',
    ],
  ],
  [
    '{at: +1s, fault: {type: http_error, status: 503}}',
    [
      '8:22 timeline[1].fault: say what goes wrong by one of "type", "status", "latency" and "commitThenDrop", not by "type" and "status" ("status: 503" alone is an http_error)',
    ],
  ],
])('entry %s', (entry, found) => {
  expect(listMistakes(story(entry, holds))).toEqual(found.map((complaint) => `s.yaml:${complaint}`))
})

it('takes a value alone in a mapping for equality', () => {
  const expectation = `{at: end, that: {"order[bid].status": open, market.BTC.halted: false, "order[bid].price": 49000}}`
  expect(listMistakes(story(note, expectation))).toEqual([])
  expect(listMistakes(story(note, '{at: end, that: {"order[bid].status": opne}}'))).toEqual([
    's.yaml:10:43 expect[0].that."order[bid].status": order[bid].status is never "opne". Did you mean "open"?',
  ])
  expect(listMistakes(story(note, '{at: end, that: {market.BTC.halted: [false]}}'))).toEqual([
    's.yaml:10:41 expect[0].that."market.BTC.halted": expected a value to be equal to, or a mapping of one operator to its value, such as {gte: 50000}, found a list',
  ])
})
