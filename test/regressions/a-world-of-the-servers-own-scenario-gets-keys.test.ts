// Room: world

import { expect, it } from 'vitest'
import { startVenue } from '../../src/testing/start-venue.ts'

/* When the scenario of a server named its keys, no second world could be created from it, such as one per test. */

const scenario = {
  version: 1,
  name: 'named',
  market: { flow: { kind: 'none' }, assets: { BTC: { price: 50_000, model: { kind: 'constant' } } } },
  accounts: [
    { id: 'desk', balances: { USD: 1000 }, keys: [{ key: 'k-desk', secret: 's-desk', scopes: ['READ'] }] },
  ],
}

it('with names of its own, by the admin API and in tests', async () => {
  await using venue = await startVenue({ scenario })
  const make = async (body: object) => {
    const answer = await fetch(`${venue.adminUrl}/worlds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, text: await answer.text() }
  }
  expect(await make({ id: 'a' })).toMatchObject({ status: 201, text: expect.stringContaining('simk_a_desk') })
  expect(await make({ id: 'b', scenario })).toMatchObject({
    status: 409,
    text: expect.stringContaining('k-desk'),
  })
  const world = venue.createWorld({ id: 'c' })
  expect(world.keys).toEqual({ desk: { apiKey: 'simk_c_desk', apiSecret: 'sims_c_desk' } })
  expect((await world.client('desk').portfolio.balances()).balances[0]?.total).toBe(1000)
  expect(venue.keys).toEqual({ desk: { apiKey: 'k-desk', apiSecret: 's-desk' } })
})
