// Room: scenario

import { expect, it } from 'vitest'
import { listMistakes, scenarioWith } from '../scenario/fixtures.ts'

/* A misspelt status was accepted: with `never` and `!=` the expectation then held whatever happened. */

const story = (expectation: string) =>
  scenarioWith(`timeline:
  - {at: +1s, order: {as: bid, account: alice, side: buy, asset: BTC, quantity: 0.5, price: 49000}}
  - {at: +1s, quote: {as: q, account: alice, asset: BTC, bidPrice: 40000, askPrice: 60000, bidSize: 1, askSize: 1}}
expect:
  - {${expectation}}`)

it.each([
  [
    `never: "order[*].status == 'reject'"`,
    '10:30 expect[0].never: order[*].status is never "reject". Did you mean "rejected"?',
  ],
  [
    `at: end, that: "order[bid].status in ['open', 'parked']"`,
    '10:40 expect[0].that: order[bid].status is never "parked"; it is one of open, partially_filled, filled, cancelled, rejected, expired',
  ],
  [
    `at: end, that: {"quote[q].status": {ne: cancled}}`,
    '10:46 expect[0].that."quote[q].status".ne: quote[q].status is never "cancled". Did you mean "cancelled"?',
  ],
  [
    `at: end, that: "order[bid].refusal != 'RISK_LIMIT'"`,
    '10:41 expect[0].that: order[bid].refusal is never "RISK_LIMIT". Did you mean "RISK_LIMIT_EXCEEDED"?',
  ],
  [
    `never: "'alise' == fill.account"`,
    '10:22 expect[0].never: fill.account is never "alise". Did you mean "alice"?',
  ],
  [
    `at: end, that: "account[alice].position.BTC.side == 'none'"`,
    '10:55 expect[0].that: account[alice].position.BTC.side is never "none"; it is one of long, short, flat',
  ],
])('%s', (expectation, complaint) => {
  expect(listMistakes(story(expectation))).toEqual([`s.yaml:${complaint}`])
})

it.each([
  `at: end, that: "order[bid].refusal != 'RISK_LIMIT_EXCEEDED' and order[bid].refusal != 'pair-inactive'"`,
  `at: end, that: "market.BTC.status == 'active' and fill.asset == 'BTC' and order[bid].side != 'sell'"`,
])('what it can be is no mistake: %s', (expectation) => {
  expect(listMistakes(story(expectation))).toEqual([])
})
