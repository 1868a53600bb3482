import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startVenue, type TestVenue } from '../../src/testing/start-venue.ts'
import type { TestWorld } from '../../src/testing/test-world.ts'
import type { RequestMatch, RequestTimes } from '../../src/world/logs/find-requests.ts'
import { quietScenario } from '../world/scenarios.ts'

/* What `verify` says of worlds in which there was nothing to verify, in a test and by the admin API. */

let venue: TestVenue
beforeAll(async () => {
  venue = await startVenue({ scenario: quietScenario })
})
afterAll(() => venue.close())

type Prepare = (world: TestWorld) => unknown

const order = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 40_000 } as const
const nothing: Prepare = () => undefined
const ask: Prepare = (world) => world.client('trader').orders.list()
const inProcess: Prepare = ({ world }) => world.request('trader', 'POST', '/api/sdk/orders', order)
const elsewhere: Prepare = async () => {
  using other = venue.createWorld()
  await other.client('trader').orders.list()
}
const forgotten: Prepare = async (world) => {
  await ask(world)
  world.world.requests.clear()
}
const large: Prepare = (world) =>
  world.fetch('/api/sdk/orders', { method: 'POST', body: JSON.stringify({ x: 'x'.repeat(70_000), id: 1 }) })

describe('requests are verified by nothing', () => {
  it.each<
    [what: string, prepare: Prepare, match: RequestMatch, times: RequestTimes | undefined, why: RegExp]
  >([
    ['no request came', nothing, {}, undefined, /no request has been received/],
    ['none was to come', nothing, {}, { exactly: 0 }, /no request has been received/],
    ['at most some were to come', nothing, { method: 'POST' }, { atMost: 3 }, /no request has been received/],
    ['any number was to come', nothing, {}, { atLeast: 0 }, /any number would do/],
    ['any number did', ask, {}, { atLeast: 0 }, /any number would do: times needs exactly, atMost/],
    ['times that say nothing', ask, { method: 'DELETE' }, {}, /any number would do/],
    [
      'commands of the test alone',
      inProcess,
      { method: 'DELETE' },
      { exactly: 0 },
      /no request has been rec/,
    ],
    ['requests to another world', elsewhere, {}, { exactly: 0 }, /no request has been received/],
    ['a log that was cleared', forgotten, { method: 'POST' }, { exactly: 0 }, /no request has been received/],
    [
      'a body that was cut off',
      large,
      { body: { id: 1 } },
      { exactly: 0 },
      /only the first \d+ bytes of req_1/,
    ],
  ])('%s', async (_what, prepare, match, times, why) => {
    using world = venue.createWorld()
    await prepare(world)
    expect(() => world.verify(match, times)).toThrow(why)
    const body = JSON.stringify({ match, ...(times === undefined ? {} : { times }) })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${venue.adminUrl}/worlds/${world.id}/requests/verify`, {
      method: 'POST',
      headers,
      body,
    })
    expect(await answer.json()).toMatchObject({ verified: false, lacks: expect.stringMatching(why) })
  })

  it.each<[RequestMatch, RequestTimes | undefined]>([
    [{}, undefined],
    [{ method: 'POST' }, { exactly: 0 }],
    [{ method: 'GET' }, { atLeast: 0, atMost: 1 }],
  ])('but by what came: %j %j', async (match, times) => {
    using world = venue.createWorld()
    await ask(world)
    world.verify(match, times)
  })
})
