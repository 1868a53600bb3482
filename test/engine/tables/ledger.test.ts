import { expect, it } from 'vitest'
import { accountRow, cash, holdingRow } from '../../../src/engine/codes.ts'
import { HoldingTable, Ledger } from '../../../src/engine/tables/holdings.ts'

import { InvariantError } from '../../../src/numeric/assert.ts'

const most = Number.MAX_SAFE_INTEGER
const poor = accountRow(0)
const rich = accountRow(1)
const other = accountRow(2)
const outside = accountRow(3)
/** The rows of the rich and the other account's only asset. */
const richHolding = holdingRow(1)
const otherHolding = holdingRow(2)

/** Makes a ledger of one asset, of which the rich account has all that is exact, and the poor one owes it. */
function ledgerAtItsBounds(): Ledger {
  const holdings = new HoldingTable(1)
  for (const _account of [poor, rich, other, outside]) holdings.appendAccount()
  const ledger = new Ledger(holdings)
  ledger.move(poor, rich, cash, most)
  ledger.lock(richHolding, most)
  ledger.expectDeposit(rich, cash, most)
  return ledger
}

it('amounts up to 2^53 - 1 are moved, locked and expected', () => {
  const ledger = ledgerAtItsBounds()
  expect([poor, rich, other].map((account) => ledger.total(account, cash))).toEqual([-most, most, 0])
  expect([
    ledger.available(rich, cash),
    ledger.lockedAtoms(rich, cash),
    ledger.pendingDeposit(rich, cash),
  ]).toEqual([0, most, most])
  ledger.move(rich, poor, cash, most)
  ledger.lock(richHolding, -most)
  ledger.expectDeposit(rich, cash, -most)
  ledger.holdWithdrawal(other, cash, most)
  expect([ledger.total(other, cash), ledger.pendingWithdrawal(other, cash)]).toEqual([-most, most])
  ledger.settleWithdrawal(other, outside, cash, most)
  expect([ledger.pendingWithdrawal(other, cash), ledger.total(outside, cash)]).toEqual([0, most])
})

it.each<[what: string, act: (ledger: Ledger) => void]>([
  ['a total that grows', (ledger) => ledger.move(other, rich, cash, 1)],
  ['a debt that grows', (ledger) => ledger.move(poor, other, cash, 1)],
  ['a total that grows by what is taken back', (ledger) => ledger.move(rich, other, cash, -1)],
  ['a debt that grows by what is taken back', (ledger) => ledger.move(other, poor, cash, -1)],
  ['more locked', (ledger) => ledger.lock(richHolding, 1)],
  ['less than nothing locked', (ledger) => ledger.lock(otherHolding, -1)],
  ['a larger pending deposit', (ledger) => ledger.expectDeposit(rich, cash, 1)],
  ['a withdrawal that adds to a debt', (ledger) => ledger.holdWithdrawal(poor, cash, 1)],
  ['a withdrawal to an account that has all', (ledger) => ledger.settleWithdrawal(other, rich, cash, 1)],
])('beyond that the ledger stops: %s', (_what, act) => {
  expect(() => act(ledgerAtItsBounds())).toThrow(InvariantError)
})
