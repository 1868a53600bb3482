import { expect, it } from 'vitest'
import { buy, cash } from '../../../src/engine/codes.ts'
import { eventNames } from '../../../src/engine/events.ts'
import { Venue } from '../../../src/engine/venue.ts'
import { quantitySteps } from '../../../src/numeric/units.ts'
import { alice, btc, coins, SmallVenue, usd } from '../fixtures/small-venue.ts'

it.each([
  ['force-reject', 'rejected'],
  ['force-expire', 'expired'],
] as const)('%s releases what the order holds, and ends it as %s', (kind, status) => {
  const small = new SmallVenue()
  const placed = small.place(alice, buy, btc, 49_000, 1)
  const order = placed.ok ? placed.row : -1
  const told: (readonly [name: string | undefined, order: number, amount: number])[] = []
  const venue = Venue.restore(small.config, small.venue.snapshot(), {
    emit: (type, subject, _account, _asset, first) => told.push([eventNames[type], subject, first]),
  })
  expect(venue.execute({ kind, at: venue.now, order })).toMatchObject({ ok: true, row: order })
  expect(told).toEqual([
    ['released', order, usd(49_000)],
    [`order-${status}`, order, 0],
  ])
  expect(venue.state.ledger.available(alice, cash)).toBe(usd(1_000_000))
  expect(venue.execute({ kind, at: venue.now, order })).toMatchObject({ rejection: { code: 'terminal' } })
})

it('a forced fill has a quantity', () => {
  const small = new SmallVenue()
  const placed = small.place(alice, buy, btc, 49_000, 1)
  const row = placed.ok ? placed.row : -1
  const fill = (steps: number) =>
    small.venue.execute({
      kind: 'force-fill',
      at: small.now,
      order: row,
      quantitySteps: quantitySteps(steps),
      priceTicks: null,
    })
  expect(fill(0)).toMatchObject({ rejection: { code: 'quantity-below-minimum' } })
  expect(fill(10_001)).toMatchObject({ rejection: { code: 'quantity-above-maximum' } })
  expect(fill(10_000).ok).toBe(true)
  expect(small.state.ledger.total(alice, btc)).toBe(coins(11))
  expect(small.state.ledger.total(alice, 0)).toBe(usd(951_000))
})
