// Room: engine

import { expect, it } from 'vitest'
import { cash } from '../../src/engine/codes.ts'
import { Venue } from '../../src/engine/venue.ts'
import { atoms, millis } from '../../src/numeric/units.ts'
import { crowdedConfig } from '../arbitraries/configs.ts'

/* Deposits that were each in bounds added up to a balance of the external account beyond 2^53, which stopped the run. */
it('refuses deposits whose sum over all accounts would not stay exact', () => {
  const venue = Venue.open(crowdedConfig(), { emit: () => undefined })
  const deposit = (account: number) =>
    venue.execute({
      kind: 'deposit',
      at: venue.now,
      account,
      asset: cash,
      atoms: atoms(3.9e15),
      pendingMillis: millis(0),
    })
  expect([deposit(3).ok, deposit(4).ok]).toEqual([true, true])
  const before = venue.digest()
  expect(deposit(5)).toEqual({ ok: false, rejection: { code: 'amount-out-of-range' } })
  expect(venue.digest()).toBe(before)
})

it('refuses an account whose opening balance would not stay exact', () => {
  const config = crowdedConfig()
  const venue = Venue.open(config, { emit: () => undefined })
  const [first] = config.accounts
  if (first === undefined) throw new Error('the configuration has accounts')
  const outcome = venue.execute({
    kind: 'create-account',
    at: venue.now,
    account: { ...first, id: 'erin', balances: new Map([['USD', atoms(4.1e15)]]) },
  })
  expect(outcome).toEqual({ ok: false, rejection: { code: 'amount-out-of-range' } })
})
