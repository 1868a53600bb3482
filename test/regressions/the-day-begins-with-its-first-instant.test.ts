// Room: engine

import { expect, it } from 'vitest'
import { buy, sell } from '../../src/engine/codes.ts'
import { portfolioSummary } from '../../src/engine/reports/portfolio-summary.ts'
import { alice, bob, btc, dayMillis, SmallVenue, startMillis, usd } from '../engine/fixtures/small-venue.ts'

/* Worlds begin at midnight, and trades at 00:00:00.000 counted in the volume of the day but not in its profit. */

function trade(small: SmallVenue): void {
  small.place(bob, sell, btc, 51_000, 1)
  small.place(alice, buy, btc, 51_000, 1)
}

const dayPnl = (small: SmallVenue) => portfolioSummary(small.state, alice).dayPnlAtoms

it('counts trades at the instant at which the account and the day begin', () => {
  const small = new SmallVenue({ startMillis, takerRate: 1000 })
  trade(small)
  expect(dayPnl(small)).toBe(usd(-1051))
  small.advance(dayMillis - 1)
  expect(dayPnl(small)).toBe(usd(-1051))
  small.advance(1)
  expect(dayPnl(small)).toBe(0)
})

it('counts trades at a later midnight in the day that begins', () => {
  const small = new SmallVenue({ startMillis, takerRate: 1000 })
  small.advance(dayMillis)
  trade(small)
  expect(dayPnl(small)).toBe(usd(-1051))
})

/* A price that was set at midnight, as tests do that never advance the clock, was in the start value of the day. */

it('counts a price that was set at the instant at which the account and the day begin', () => {
  const small = new SmallVenue({ startMillis })
  small.movePrice(btc, 51_000)
  expect(dayPnl(small)).toBe(usd(10_000))
  small.advance(dayMillis - 1)
  expect(dayPnl(small)).toBe(usd(10_000))
  small.advance(1)
  expect(dayPnl(small)).toBe(0)
  small.movePrice(btc, 51_500)
  expect(dayPnl(small)).toBe(usd(5_000))
})
