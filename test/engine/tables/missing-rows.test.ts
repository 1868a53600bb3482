import { expect, it } from 'vitest'
import { findHistory } from '../../../src/engine/series/minute-history.ts'
import { stateOf } from '../../../src/engine/state.ts'
import { alice, btc, SmallVenue } from '../fixtures/small-venue.ts'

const { state } = new SmallVenue()
const far = 1000

it.each([
  { of: "an account's limits", look: (row: number) => state.accounts.limitsOf(row), row: alice },
  { of: "an account's lists", look: (row: number) => state.accounts.findOrAddLists(row), row: alice },
  { of: 'a traded asset', look: (row: number) => state.assets.tradedAsset(row), row: btc },
  { of: 'the state of a traded asset', look: (row: number) => stateOf(state, row), row: btc },
  { of: 'the history of a traded asset', look: (row: number) => findHistory(state.config, row), row: btc },
  { of: 'a fee schedule', look: (row: number) => state.feeSchedules.at(row), row: 0 },
])('$of that is not there stops the process of a broken run', ({ look, row }) => {
  expect(() => look(row)).not.toThrow()
  expect(() => look(far)).toThrow('Invariant: ')
})

it('a time that is no number has no history', () => {
  expect(() => findHistory(state.config, btc).figures(Number.NaN)).toThrow('Invariant: ')
})
