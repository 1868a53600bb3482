// Room: pipeline

import { expect, it } from 'vitest'
import { order } from '../server/admin/admin-world.ts'
import { useVenue } from '../server/venue-fixture.ts'
import { until } from '../support/until.ts'
import { quietScenario } from '../world/scenarios.ts'

/*
 * A fault delays a request; meanwhile its world is deleted, by somebody or by its time to live. The request had been
 * carried out in the world that was no longer there, and answered with an order that nobody could see.
 */

const venue = useVenue()

const place = (world: string) =>
  venue.send({
    method: 'POST',
    target: '/api/sdk/orders',
    body: JSON.stringify(order),
    apiKey: `simk_${world}_trader`,
    apiSecret: `sims_${world}_trader`,
  })

it.each(['deleted', 'reset'])('a world that is %s meanwhile', async (what) => {
  const path = `/worlds/${what}`
  await venue.admin('POST', '/worlds', { id: what, scenario: quietScenario })
  await venue.admin('POST', `${path}/faults`, { type: 'latency', attributes: { latencyMs: 60 } })
  const world = venue.worlds.get(what)
  const delayed = place(what)
  await until('the fault delays it', () => world?.faults.list(world.now)[0]?.matched === 1)
  // At once, and not through the admin API: on a slow machine its answer might come after the delay.
  if (what === 'reset') venue.worlds.reset(what, null)
  else venue.worlds.delete(what)
  const { status } = await delayed
  expect(status).toBe(what === 'reset' ? 201 : 401)
  expect(world?.venue.state.orders.count).toBe(what === 'reset' ? 1 : 0)
})
