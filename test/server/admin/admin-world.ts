import { beforeEach, expect } from 'vitest'
import { liquidScenario } from '../../world/scenarios.ts'
import { type Reply, useVenue, type VenueFixture } from '../venue-fixture.ts'

/** One server for the tests of a file, with a new world for each of them. */
export interface AdminWorld {
  readonly venue: VenueFixture
  readonly id: string
  /** Path of the world in the admin API. */
  readonly path: string
  keysOf(account: string): { readonly apiKey: string; readonly apiSecret: string }
  /** Places an order, by default of the trader. */
  place(body?: object, keys?: { readonly apiKey: string; readonly apiSecret: string }): Promise<Reply>
}

/** Registers the hooks that open and close them; its fields are those of the running test. */
export function useAdminWorld(scenario: object = liquidScenario): AdminWorld {
  const venue = useVenue()
  let id = ''
  beforeEach(async () => {
    venue.wall.advance(1000)
    const { body } = await venue.admin('POST', '/worlds', { scenario })
    id = typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : ''
  })
  const keysOf = (account: string) => ({
    apiKey: `simk_${id}_${account}`,
    apiSecret: `sims_${id}_${account}`,
  })
  return {
    venue,
    get id() {
      return id
    },
    get path() {
      return `/worlds/${id}`
    },
    keysOf,
    place: (body = order, keys = keysOf('trader')) =>
      venue.send({ method: 'POST', target: '/api/sdk/orders', body: JSON.stringify(body), ...keys }),
  }
}

export const order = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 40_000 }

export const refusal = (status: number, text: string) => ({
  status,
  body: { statusCode: status, message: expect.stringContaining(text), error: expect.any(String) },
})
