// Room: engine

import { expect, it } from 'vitest'
import { findConfigProblem } from '../../src/engine/check-config.ts'
import { coins, SmallVenue } from '../engine/fixtures/small-venue.ts'
import { listMistakes, scenarioWith } from '../scenario/fixtures.ts'

/* A balance was in bounds at its price, but its value at the stated average was not, which stopped the run. */
const balances = new Map([['BTC', coins(10_000)]])
const averageEntryPrices = new Map([['BTC', 8e15]])

it('refuses an account whose balance at its average would not stay exact', () => {
  const small = new SmallVenue()
  const [first] = small.config.accounts
  if (first === undefined) throw new Error('the configuration has accounts')
  const account = { ...first, id: 'carol', balances, averageEntryPrices }
  const before = small.venue.digest()
  const outcome = small.venue.execute({ kind: 'create-account', at: small.now, account })
  expect(outcome).toEqual({ ok: false, rejection: { code: 'amount-out-of-range' } })
  expect(small.venue.digest()).toBe(before)
  expect(findConfigProblem({ ...small.config, accounts: [account] })?.field).toBe('accounts[0].balances.BTC')
})

it('says so of a scenario', () => {
  const scenario = scenarioWith('').replace(
    'BTC: 10}',
    'BTC: 10000}, positions: {BTC: {averageEntryPrice: 80000000}}',
  )
  expect(listMistakes(scenario)).toEqual([
    's.yaml:5:34 accounts[0].balances: are worth about 800001 million USD; at most 4000 million fit',
  ])
})
