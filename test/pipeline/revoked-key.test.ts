import { beforeAll, expect, it } from 'vitest'
import { type Reply, useVenue } from '../server/venue-fixture.ts'
import { quietScenario } from '../world/scenarios.ts'

/* Unknown and revoked keys have the same answer; a revoked one still determines the world. */

const venue = useVenue()
beforeAll(async () => {
  await venue.admin('POST', '/worlds', {
    id: 'slow',
    scenario: { ...quietScenario, rateLimits: { marketData: 7, other: 3 } },
    readings: { 'error.typeField': 'code' },
  })
})

const get = (world: string, name: string): Promise<Reply> =>
  venue.send({
    target: '/api/sdk/orders',
    apiKey: `simk_${world}_${name}`,
    apiSecret: `sims_${world}_${name}`,
  })

/** An answer with only those headers that do not depend on the key and the time. */
const lasting = ({ status, headers, text }: Reply) => {
  const { date: _, 'x-sim-request-id': __, ...others } = headers
  return { status, others, text }
}

it('a revoked key of the default world has exactly the answer of an unknown one', async () => {
  await venue.admin('DELETE', '/worlds/default/keys/simk_default_viewer')
  const revoked = await get('default', 'viewer')
  expect(revoked.status).toBe(401)
  expect(lasting(revoked)).toEqual(lasting(await get('default', 'nobody')))
  expect(revoked.headers).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '10' })
})

it('a revoked key of another world has that world’s limits, readings and log, and is not counted', async () => {
  const before = await get('slow', 'trader')
  expect(before.headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '2' })
  await venue.admin('DELETE', '/worlds/slow/keys/simk_slow_trader')
  for (const _again of [1, 2, 3, 4]) {
    const { status, headers, body } = await get('slow', 'trader')
    expect({ status, headers, body }).toMatchObject({
      status: 401,
      headers: { 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '3', 'x-sim-world': 'slow' },
      body: { code: 'INVALID_API_KEY' },
    })
  }
  const found = await venue.admin('POST', '/worlds/slow/requests/count', { match: { status: 401 } })
  expect(found.body).toEqual({ count: 4 })
})
