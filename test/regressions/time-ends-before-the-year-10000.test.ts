// Room: engine

import { expect, it } from 'vitest'
import { createWorld } from '../../src/index.ts'
import { millis } from '../../src/numeric/units.ts'
import { resolveScenario, startVenue } from '../../src/testing/start-venue.ts'
import { addFault } from '../world/fixtures.ts'

/* A world near the year 10000 answered everything with 500, because later instants cannot be written. */

const scenario = {
  version: 1,
  name: 'last',
  clock: { start: '9997-12-31T23:59:58Z' },
  market: { flow: { kind: 'none' }, assets: { BTC: { price: 50_000, model: { kind: 'constant' } } } },
  accounts: [{ id: 'desk', balances: { USD: 1_000_000 } }],
}
const later = { ...scenario, clock: { start: '9998-01-01T00:00:01Z' } }

it('ends early enough for pending instants', async () => {
  await using venue = await startVenue({ scenario })
  const advance = async (body: object) => {
    const answer = await fetch(`${venue.adminUrl}/worlds/default/clock/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return [answer.status, JSON.stringify(await answer.json())]
  }
  const isBeyond = [400, expect.stringContaining('time ends at 9998-01-01T00:00:00.000Z')]
  expect(await advance({ byMs: 2001 })).toEqual(isBeyond)
  expect(await advance({ to: '9998-01-01T00:00:00.001Z' })).toEqual(isBeyond)
  expect(await advance({ until: { event: 'trade' } })).toEqual(isBeyond)
  expect(await advance({ byMs: 2000 })).toEqual([200, expect.stringContaining('9998-01-01T00:00:00.000Z')])
  const desk = venue.world.client('desk')
  const quote = { asset: 'BTC', bidPrice: 49_000, askPrice: 51_000, bidSize: 1, askSize: 0 }
  expect((await desk.quotes.submit({ ...quote, validForSeconds: 300 })).expiresAt).toBe(
    '9998-01-01T00:05:00.000Z',
  )
  expect(() => venue.world.advance('1s')).toThrow('time ends at')
})

it('is where self-moving clocks stop', () => {
  const world = createWorld(resolveScenario(scenario), {
    clock: { mode: 'auto', stepMillis: millis(86_400_000) },
  })
  for (const _ of [1, 2, 3])
    expect(world.request('desk', 'GET', '/api/sdk/portfolio/summary').status).toBe(200)
  expect(new Date(world.now).toISOString()).toBe('9998-01-01T00:00:00.000Z')
})

it('is not passed by a request that is under way for long', async () => {
  await using venue = await startVenue({ scenario })
  const end = '9998-01-01T00:00:00.000Z'
  venue.world.addFault({ type: 'latency', attributes: { latencyMs: 60_000, clock: 'world' } })
  await venue.world.client('desk').portfolio.summary()
  expect(new Date(venue.world.now).toISOString()).toBe(end)

  const world = createWorld(resolveScenario(scenario))
  addFault(world, { type: 'latency', attributes: { latencyMs: 60_000, clock: 'world' } })
  await world.client('desk').portfolio.summary()
  expect(new Date(world.now).toISOString()).toBe(end)
})

it('cannot be before the start of a scenario', async () => {
  await expect(startVenue({ scenario: later })).rejects.toThrow('time ends at 9998-01-01T00:00:00.000Z')
})
