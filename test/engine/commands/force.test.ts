import { expect, it } from 'vitest'
import { buy, cash } from '../../../src/engine/codes.ts'
import { eventNames } from '../../../src/engine/events.ts'
import { Venue } from '../../../src/engine/venue.ts'
import { alice, btc, SmallVenue, usd } from '../fixtures/small-venue.ts'

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
