import { expect, it } from 'vitest'
import { HoldingTable, Ledger } from '../../../src/engine/tables/holdings.ts'

import { InvariantError } from '../../../src/numeric/assert.ts'

const most = Number.MAX_SAFE_INTEGER
const [poor, rich, other, outside] = [0, 1, 2, 3]

/** One asset: the rich account has all that is exact, the poor one owes it. */
function ledgerAtItsBounds(): Ledger {
  const holdings = new HoldingTable(1)
  for (const _account of [poor, rich, other, outside]) holdings.appendAccount()
  const ledger = new Ledger(holdings)
  ledger.move(poor, rich, 0, most)
  ledger.lock(rich, most)
  ledger.expectDeposit(rich, 0, most)
  return ledger
}

it('amounts up to 2^53 - 1 are moved, locked and expected', () => {
  const ledger = ledgerAtItsBounds()
  expect([poor, rich, other].map((account) => ledger.total(account, 0))).toEqual([-most, most, 0])
  expect([ledger.available(rich, 0), ledger.locked(rich, 0), ledger.pendingDeposit(rich, 0)]).toEqual([
    0,
    most,
    most,
  ])
  ledger.move(rich, poor, 0, most)
  ledger.lock(rich, -most)
  ledger.expectDeposit(rich, 0, -most)
  ledger.holdWithdrawal(other, 0, most)
  expect([ledger.total(other, 0), ledger.pendingWithdrawal(other, 0)]).toEqual([-most, most])
  ledger.settleWithdrawal(other, outside, 0, most)
  expect([ledger.pendingWithdrawal(other, 0), ledger.total(outside, 0)]).toEqual([0, most])
})

it.each<[what: string, act: (ledger: Ledger) => void]>([
  ['a total that grows', (ledger) => ledger.move(other, rich, 0, 1)],
  ['a debt that grows', (ledger) => ledger.move(poor, other, 0, 1)],
  ['a total that grows by what is taken back', (ledger) => ledger.move(rich, other, 0, -1)],
  ['a debt that grows by what is taken back', (ledger) => ledger.move(other, poor, 0, -1)],
  ['more locked', (ledger) => ledger.lock(rich, 1)],
  ['less than nothing locked', (ledger) => ledger.lock(other, -1)],
  ['a larger pending deposit', (ledger) => ledger.expectDeposit(rich, 0, 1)],
  ['a withdrawal that adds to a debt', (ledger) => ledger.holdWithdrawal(poor, 0, 1)],
  ['a withdrawal to an account that has all', (ledger) => ledger.settleWithdrawal(other, rich, 0, 1)],
])('beyond that the ledger stops: %s', (_what, act) => {
  expect(() => act(ledgerAtItsBounds())).toThrow(InvariantError)
})
