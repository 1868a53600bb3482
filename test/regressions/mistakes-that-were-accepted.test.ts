// Room: scenario

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { otcsim } from '../cli/harness.ts'
import { listMistakes, scenarioWith } from '../scenario/fixtures.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/* Found by planted mistakes: some were accepted silently, some were reported at the wrong place. */

const order = '{at: +1s, order: {as: o, account: alice, side: buy, asset: BTC, quantity: 1, price: 9000}}'

it.each([
  [
    'an average price of an asset that is not held',
    scenarioWith('').replace('balances: {USD: 1000000, BTC: 10}', 'positions: {BTC: {averageEntryPrice: 1}}'),
    's.yaml:5:41 accounts[0].positions.BTC: there is no opening balance of BTC to which this applies',
  ],
  [
    'a cancellation that names one order and all orders',
    scenarioWith(`timeline: [${order}, {at: +2s, cancel: {order: o, account: alice}}]`),
    's.yaml:6:142 timeline[1].cancel.account: the label already says which; leave out "account" or the label',
  ],
  [
    'an axis of a matrix that is not a parameter, at its key',
    scenarioWith('params: {size: 1}\nmatrix: {sizes: [1, 2]}'),
    's.yaml:7:10 matrix.sizes: the scenario has no parameter "sizes". Did you mean "size"?',
  ],
  [
    'an unknown reading, at its key',
    scenarioWith('readings: {envelop: wrapped}'),
    's.yaml:6:12 readings.envelop: ',
  ],
  [
    'an unknown value of a reading, at the value',
    scenarioWith('readings: {envelope: wraped}'),
    's.yaml:6:22 readings.envelope: ',
  ],
  [
    'requests at a path that is nearly one of an operation',
    scenarioWith('expect: [{never: "requests[POST /api/sdk/order].count > 0"}]'),
    's.yaml:6:19 expect[0].never: "/api/sdk/order" is not a path of an operation. Did you mean "/api/sdk/orders"?',
  ],
  [
    'a fault at a path that is nearly one of an operation',
    scenarioWith('timeline: [{at: +1s, fault: {type: html_502, match: {path: /api/sdk/portfolio/summry}}}]'),
    's.yaml:6:60 timeline[0].fault.match.path: is not a path of an operation. Did you mean "/api/sdk/portfolio/summary"?',
  ],
  [
    'a fault for an unknown account, with the nearest one',
    scenarioWith('timeline: [{at: +1s, fault: {type: html_502, match: {account: alise}}}]'),
    's.yaml:6:63 timeline[0].fault.match.account: is not a known account. Did you mean "alice"?',
  ],
])('%s', (_, text, complaint) => {
  expect(listMistakes(text)).toEqual([expect.stringContaining(complaint)])
})

it.each([
  'expect: [{never: "requests[/api/sdk/withdrawals].count > 0"}]',
  'expect: [{never: "requests[DELETE /api/sdk/orders/ord_1].count > 0 or requests[/api/sdk/ord*].count > 0"}]',
  'timeline: [{at: +1s, fault: {type: html_502, match: {path: "/api/sdk/orders/*"}}}]',
])('what may be meant is no mistake: %s', (lines) => {
  expect(listMistakes(scenarioWith(lines))).toEqual([])
})

it('validate reports the mistakes of all files, not only of the first', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'a.yaml'), scenarioWith('sed: 7'))
  writeFileSync(join(cwd, 'b.yaml'), scenarioWith(''))
  writeFileSync(join(cwd, 'c.yaml'), scenarioWith('expects: []'))
  expect(await otcsim(['validate', 'a.yaml', 'b.yaml', 'c.yaml', 'd.yaml'], { cwd })).toEqual({
    code: 2,
    out: 'b.yaml: ok, probe, 1 asset, 1 account, 0 actions, 0 expectations\n',
    err: `a.yaml:6:1 sed: unknown key "sed". Did you mean "seed"?
c.yaml:6:1 expects: unknown key "expects". Did you mean "expect"?
cannot read d.yaml: there is no such file
`,
  })
})
