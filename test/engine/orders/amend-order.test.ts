import { expect, it } from 'vitest'
import { buy, cash, none, sell } from '../../../src/engine/codes.ts'
import { stateOf } from '../../../src/engine/state.ts'
import { priceTicks, quantitySteps } from '../../../src/numeric/units.ts'
import { alice, bob, btc, eth, SmallVenue, usd } from '../fixtures/small-venue.ts'

it('an amendment is checked against the holding of its own account in its own asset', () => {
  const small = new SmallVenue({ alice: { USD: usd(100_000) } })
  const placed = small.place(alice, buy, btc, 50_000, 1)
  if (!placed.ok) throw new Error('Alice can pay for one')
  const amended = (quantity: number) => {
    small.place(bob, sell, eth, 9_000, 1)
    return small.venue.execute({
      kind: 'amend-order',
      at: small.now,
      account: alice,
      order: placed.row,
      quantitySteps: quantitySteps(quantity * 10_000),
      priceTicks: null,
    }).ok
  }
  const available = () => small.state.ledger.available(alice, cash)
  expect([amended(3), available()]).toEqual([false, usd(50_000)])
  expect([amended(1.5), available()]).toEqual([true, usd(25_000)])
  expect([amended(2.0001), available()]).toEqual([false, usd(25_000)])
  expect([amended(2), available()]).toEqual([true, 0])
})

it('an amendment beyond the bounds of the pair is refused, and leaves the order as it was', () => {
  const small = new SmallVenue({ alice: { USD: usd(100_000) } })
  const placed = small.place(alice, buy, btc, 50_000, 1)
  if (!placed.ok) throw new Error('Alice can pay for one')
  const before = small.venue.digest()
  const amended = (ticks: number | null, steps: number | null) =>
    small.venue.execute({
      kind: 'amend-order',
      at: small.now,
      account: alice,
      order: placed.row,
      quantitySteps: steps === null ? null : quantitySteps(steps),
      priceTicks: ticks === null ? null : priceTicks(ticks),
    })
  expect(amended(0, null)).toMatchObject({ rejection: { code: 'price-below-minimum', field: 'price' } })
  expect(amended(null, 0)).toMatchObject({ rejection: { code: 'quantity-below-minimum', field: 'quantity' } })
  expect(amended(0, 0)).toMatchObject({ rejection: { code: 'price-below-minimum' } })
  expect(small.venue.digest()).toBe(before)
})

it('an order that becomes smaller keeps its place in the queue, and one that becomes larger goes to the back', () => {
  const small = new SmallVenue()
  const rows = [alice, bob].map((account) => {
    const placed = small.place(account, buy, btc, 49_000, 1)
    return placed.ok ? placed.row : -1
  })
  const [first = -1, second = -1] = rows
  const amended = (steps: number) =>
    small.venue.execute({
      kind: 'amend-order',
      at: small.now,
      account: alice,
      order: first,
      quantitySteps: quantitySteps(steps),
      priceTicks: null,
    })
  const queue = () => {
    const met: number[] = []
    const { book } = stateOf(small.state, btc)
    for (let row = book.bestRow(buy); row !== none; row = book.rowAfter(row)) met.push(row)
    return met
  }
  expect(queue()).toEqual([first, second])
  amended(8_000)
  expect(queue()).toEqual([first, second])
  amended(9_000)
  expect(queue()).toEqual([second, first])
})
