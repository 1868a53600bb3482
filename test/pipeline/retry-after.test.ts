import { expect, it } from 'vitest'
import { type Reply, useVenue } from '../server/venue-fixture.ts'

const venue = useVenue()
const target = '/api/sdk/orders'
const keysOf = (world: string) => ({ apiKey: `simk_${world}_trader`, apiSecret: `sims_${world}_trader` })
const waitOf = ({ headers }: Reply) => headers['retry-after']

async function worldWith(readings: object): Promise<() => Promise<Reply>> {
  await venue.admin('DELETE', '/worlds/limited')
  expect((await venue.admin('POST', '/worlds', { id: 'limited', readings })).status).toBe(201)
  return () => venue.send({ target, ...keysOf('limited') })
}

async function untilRefused(ask: () => Promise<Reply>): Promise<Reply> {
  let reply = await ask()
  while (reply.status === 200) {
    expect(waitOf(reply)).toBeUndefined()
    reply = await ask()
  }
  return reply
}

it.each([
  ['fixed', 1000, 1],
  ['fixed', 60_000, 60],
  ['sliding', 1000, 1],
  ['sliding', 60_000, 60],
  ['token-bucket', 10_000, 1],
  ['token-bucket', 60_000, 6],
])('a 429 says how many seconds to wait: %s, %i ms', async (algorithm, windowMs, seconds) => {
  // The first instant of a window.
  venue.wall.set(1_800_000_000_000)
  const ask = await worldWith({ 'rate.algorithm': algorithm })
  await venue.admin('PUT', '/worlds/limited/rate-limits', { windowMs })
  const refused = await untilRefused(ask)
  expect([refused.status, waitOf(refused)]).toEqual([429, String(seconds)])
  venue.wall.advance(seconds * 1000 - 1)
  expect([(await ask()).status, waitOf(await ask())]).toEqual([429, '1'])
  venue.wall.advance(1)
  expect((await ask()).status).toBe(200)
})

it("counts by the world's clock where the limit does", async () => {
  venue.wall.set(1_800_000_000_000)
  const ask = await worldWith({ 'rate.clock': 'world' })
  await venue.admin('PUT', '/worlds/limited/rate-limits', { windowMs: 10_000 })
  expect(waitOf(await untilRefused(ask))).toBe('10')
  await venue.admin('POST', '/worlds/limited/clock/advance', { byMs: 7500 })
  expect(waitOf(await ask())).toBe('3')
})

it.each([
  ['fault=rate_limit', 429, '1'],
  ['fault=rate_limit;phase=after', 429, '1'],
  ['fault=rate_limit;retryAfter=7', 429, '7'],
  ['fault=rate_limit;retryAfter=0', 429, '0'],
  ['fault=http_error;status=429', 429, '1'],
  ['fault=http_error;status=429;phase=after', 429, '1'],
  ['fault=canned_answer;status=429;body={}', 429, '1'],
  ['code=429', 429, '1'],
  ['code=503', 503, undefined],
  ['fault=http_error;status=503;retryAfter=9', 503, '9'],
])('with %s, too', async (prefer, status, wait) => {
  venue.wall.advance(1000)
  const reply = await venue.send({ target, headers: { prefer } })
  expect([reply.status, waitOf(reply)]).toEqual([status, wait])
})

it("a fault's answer in place of a 429 does not say what the 429 said", async () => {
  venue.wall.set(1_800_000_000_000)
  const ask = await worldWith({})
  await untilRefused(ask)
  await venue.admin('POST', '/worlds/limited/faults', {
    type: 'http_error',
    phase: 'after',
    attributes: { status: 503 },
  })
  const reply = await ask()
  expect([reply.status, waitOf(reply)]).toEqual([503, undefined])
})
