import { expect, it } from 'vitest'
import { buy, cash, none, quoteActive, quoteExpired, sell } from '../../../src/engine/codes.ts'
import { stateOf } from '../../../src/engine/state.ts'
import { Venue } from '../../../src/engine/venue.ts'
import { millis, partsPerMillion, priceTicks, quantitySteps } from '../../../src/numeric/units.ts'
import { alice, bob, btc, SmallVenue, usd } from '../fixtures/small-venue.ts'

/** Bids for one coin at 49,000, and offers as much as is said at 51,000. */
function submit(small: SmallVenue, askSteps: number): void {
  const outcome = small.venue.execute({
    kind: 'submit-quote',
    at: small.now,
    account: alice,
    asset: btc,
    bidPriceTicks: priceTicks(4_900_000),
    askPriceTicks: priceTicks(5_100_000),
    bidSteps: quantitySteps(10_000),
    askSteps: quantitySteps(askSteps),
    validForMillis: millis(30_000),
    clientQuoteId: null,
    allowsDuplicateId: false,
    metadata: null,
  })
  expect(outcome.ok).toBe(true)
}

it('a quote pays the rates that its account had when it was submitted', () => {
  const small = new SmallVenue()
  const rates = (makerRate: number) =>
    small.venue.execute({
      kind: 'set-fees',
      at: small.now,
      account: alice,
      makerRate: partsPerMillion(makerRate),
      takerRate: partsPerMillion(makerRate),
    })
  rates(1_000)
  submit(small, 10_000)
  rates(5_000)
  small.place(bob, sell, btc, 49_000, 1)
  expect(small.state.ledger.total(alice, cash)).toBe(usd(1_000_000 - 49_000 - 49))
})

it('a quote has no price on a side without a size, also after a restore', () => {
  const small = new SmallVenue()
  submit(small, 0)
  const restored = Venue.restore(small.config, small.venue.snapshot(), { emit: () => undefined })
  for (const { state } of [small.venue, restored]) {
    const { book } = stateOf(state, btc)
    expect([book.bestTicks(buy), book.bestTicks(sell)]).toEqual([4_900_000, none])
  }
})

it('a quote that was given another validity lives until its new end and does not end at the old one', () => {
  const small = new SmallVenue()
  submit(small, 10_000)
  const validFor = (millisFromNow: number) =>
    small.venue.execute({
      kind: 'update-quote',
      at: small.now,
      account: alice,
      quote: 0,
      bidPriceTicks: null,
      askPriceTicks: null,
      bidSteps: null,
      askSteps: null,
      validForMillis: millis(millisFromNow),
      validFrom: 'now',
    })
  validFor(60_000)
  small.advance(59_999)
  expect(small.state.quotes.status.get(0)).toBe(quoteActive)
  small.advance(1)
  expect(small.state.quotes.status.get(0)).toBe(quoteExpired)
})

it('a side of a quote keeps its place in the queue when it becomes smaller, and loses it when it becomes larger', () => {
  const small = new SmallVenue()
  submit(small, 10_000)
  const bid = small.state.quotes.bidLeg.get(0)
  const placed = small.place(bob, buy, btc, 49_000, 1)
  const other = placed.ok ? placed.row : none
  const resized = (steps: number) => {
    small.venue.execute({
      kind: 'update-quote',
      at: small.now,
      account: alice,
      quote: 0,
      bidPriceTicks: null,
      askPriceTicks: null,
      bidSteps: quantitySteps(steps),
      askSteps: null,
      validForMillis: null,
      validFrom: 'now',
    })
    const { book } = stateOf(small.state, btc)
    return { first: book.bestRow(buy), shows: book.stepsOf(bid) }
  }
  expect(resized(8_000)).toEqual({ first: bid, shows: 8_000 })
  expect(resized(9_000)).toEqual({ first: other, shows: 9_000 })
})
