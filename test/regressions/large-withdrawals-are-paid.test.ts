// Room: engine

import { expect, it } from 'vitest'
import { cash } from '../../src/engine/codes.ts'
import { alice, SmallVenue, usd } from '../engine/fixtures/small-venue.ts'

/* The bound on deposits was applied to withdrawals, too: most of 3 billion USD could not be withdrawn again. */
it('the whole available balance can be withdrawn, at once or pending', () => {
  const small = new SmallVenue()
  small.transfer('deposit', alice, cash, usd(3e9))
  small.transfer('withdraw', alice, cash, usd(2e9))
  small.transfer('withdraw', alice, cash, usd(1e9), 1000)
  small.advance(1000)
  expect(small.state.ledger.total(alice, cash)).toBe(usd(1e6))
})
