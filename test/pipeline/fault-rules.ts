import { expect } from 'vitest'
import type { VenueFixture } from '../server/venue-fixture.ts'

/* What the tests of faults send. */

export const order = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 50_000 }

export const place = (extra: object = {}) => ({
  method: 'POST',
  target: '/api/sdk/orders',
  body: JSON.stringify({ ...order, ...extra }),
})

export const list = { target: '/api/sdk/orders' }

/** Adds a rule to the default world. Resolves with the answer's body. */
export async function addFault(venue: VenueFixture, rule: object): Promise<unknown> {
  const reply = await venue.admin('POST', '/worlds/default/faults', rule)
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}
