import { expect, it } from 'vitest'
import { cash, sell } from '../../../src/engine/codes.ts'
import { millis, partsPerMillion, priceTicks, quantitySteps } from '../../../src/numeric/units.ts'
import { alice, bob, btc, SmallVenue, usd } from '../fixtures/small-venue.ts'

it('pays the rates that its account had when it was submitted', () => {
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
  small.venue.execute({
    kind: 'submit-quote',
    at: small.now,
    account: alice,
    asset: btc,
    bidPriceTicks: priceTicks(4_900_000),
    askPriceTicks: priceTicks(5_100_000),
    bidSteps: quantitySteps(10_000),
    askSteps: quantitySteps(10_000),
    validForMillis: millis(30_000),
    clientQuoteId: null,
    allowsDuplicateId: false,
    metadata: null,
  })
  rates(5_000)
  small.place(bob, sell, btc, 49_000, 1)
  expect(small.state.ledger.total(alice, cash)).toBe(usd(1_000_000 - 49_000 - 49))
})
