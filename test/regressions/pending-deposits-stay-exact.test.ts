// Room: engine

import { expect, it } from 'vitest'
import { cash } from '../../src/engine/codes.ts'
import type { Outcome } from '../../src/engine/command.ts'
import { atoms, millis } from '../../src/numeric/units.ts'
import { alice, bob, SmallVenue } from '../engine/fixtures/small-venue.ts'

/* Pending deposits were not counted: each was in bounds, and their sum stopped the run. */
it('refuses a deposit that would not stay exact together with the account’s pending deposits', () => {
  const small = new SmallVenue()
  expect(pend(small, alice).ok).toBe(true)
  const before = small.venue.digest()
  expect(pend(small, alice)).toEqual({ ok: false, rejection: { code: 'amount-out-of-range' } })
  expect(small.venue.digest()).toBe(before)
})

it('refuses deposits and accounts that would not stay exact together with all pending deposits', () => {
  const small = new SmallVenue()
  const [first] = small.config.accounts
  if (first === undefined) throw new Error('the configuration has accounts')
  expect([pend(small, alice).ok, pend(small, bob).ok]).toEqual([true, true])
  const account = { ...first, id: 'carol', balances: new Map([['USD', atoms(3.9e15)]]) }
  const outcome = small.venue.execute({ kind: 'create-account', at: small.now, account })
  expect(outcome).toEqual({ ok: false, rejection: { code: 'amount-out-of-range' } })
  small.advance(1000)
  expect(small.state.ledger.total(bob, cash)).toBe(3.901e15)
})

function pend(small: SmallVenue, account: number): Outcome {
  return small.venue.execute({
    kind: 'deposit',
    at: small.now,
    account,
    asset: cash,
    atoms: atoms(3.9e15),
    pendingMillis: millis(1000),
  })
}
