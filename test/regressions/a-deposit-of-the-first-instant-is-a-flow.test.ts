// Room: engine

import { expect, it } from 'vitest'
import { cash } from '../../src/engine/codes.ts'
import { profitAndLoss, profitAndLossSince } from '../../src/engine/reports/profit-and-loss.ts'
import { Venue } from '../../src/engine/venue.ts'
import { alice, btc, coins, dayMillis, hourMillis, SmallVenue, usd } from '../engine/fixtures/small-venue.ts'

/*
 * The clock of a test stands still, so it deposits at the instant at which the world begins. Such deposits were counted
 * as opening balances: the window began with them, and end minus start minus deposits was not the profit.
 */

const opening = usd(1_700_000)

function deposited(): SmallVenue {
  const small = new SmallVenue()
  small.transfer('deposit', alice, cash, usd(100_000))
  small.transfer('deposit', alice, btc, coins(1))
  small.movePrice(btc, 51_000)
  return small
}

it('starts at the opening balances, and counts deposits right after them as flows', () => {
  const small = deposited()
  const day = { startValueAtoms: opening, netFlowsAtoms: usd(150_000), totalPnlAtoms: usd(11_000) }
  expect(profitAndLoss(small.state, alice, small.now - dayMillis, small.now)).toMatchObject(day)
  small.advance(hourMillis)
  expect(profitAndLoss(small.state, alice, small.now - dayMillis, small.now)).toMatchObject(day)
})

it('includes them in the day that begins with that instant, but not in a window that begins after it', () => {
  const small = deposited()
  const first = small.now
  expect(profitAndLossSince(small.state, alice, first, first)).toMatchObject({ netFlowsAtoms: usd(150_000) })
  small.advance(hourMillis)
  expect(profitAndLoss(small.state, alice, first, small.now)).toMatchObject({ netFlowsAtoms: 0 })
})

it('is preserved by a snapshot', () => {
  const small = deposited()
  const restored = Venue.restore(small.config, small.venue.snapshot(), { emit: () => undefined })
  expect(profitAndLoss(restored.state, alice, small.now - dayMillis, small.now).netFlowsAtoms).toBe(
    usd(150_000),
  )
})
