import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { otcsim, temporaryFolder } from '../cli/harness.ts'
import { complaints, scenarioWith } from '../scenario/fixtures.ts'

/* What planted mistakes found: some were taken without a word, some were told at the wrong place. */

const order = '{at: +1s, order: {as: o, account: alice, side: buy, asset: BTC, quantity: 1, price: 9000}}'

it.each([
  [
    'an average price of what is not held',
    scenarioWith('').replace('balances: {USD: 1000000, BTC: 10}', 'positions: {BTC: {averageEntryPrice: 1}}'),
    's.yaml:5:41 accounts[0].positions.BTC: there is no opening balance of BTC that this could be about',
  ],
  [
    'a cancellation that names one order and all orders',
    scenarioWith(`timeline: [${order}, {at: +2s, cancel: {order: o, account: alice}}]`),
    's.yaml:6:142 timeline[1].cancel.account: the label says which; leave "account" out, or the label',
  ],
  [
    'an axis of a matrix that is no parameter, at its key',
    scenarioWith('params: {size: 1}\nmatrix: {sizes: [1, 2]}'),
    's.yaml:7:10 matrix.sizes: the scenario has no parameter "sizes". Did you mean "size"?',
  ],
  [
    'a reading that does not exist, at its key',
    scenarioWith('readings: {envelop: wrapped}'),
    's.yaml:6:12 readings.envelop: is not a known reading. Did you mean "envelope"?',
  ],
  [
    'a reading with a value that it does not have, at the value',
    scenarioWith('readings: {envelope: wraped}'),
    's.yaml:6:22 readings.envelope: must be one of bare, wrapped. Did you mean "wrapped"?',
  ],
])('%s', (_, text, complaint) => {
  expect(complaints(text)).toEqual([complaint])
})

it('validate tells the mistakes of all files, not of the first alone', async () => {
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
