import { createConnection } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import { millisToIso } from '../../src/numeric/time-text.ts'
import { millis } from '../../src/numeric/units.ts'
import type { World } from '../../src/world/world.ts'
import { order, refusal } from '../server/admin/admin-world.ts'
import { type Reply, startFixture, useVenue } from '../server/venue-fixture.ts'
import { advanceUntilTold as advanceWorldUntilTold } from '../support/advance-until-told.ts'
import { until } from '../support/until.ts'
import { livelyScenario } from './scenarios.ts'

/*
 * What clients see of a world during a long advance.
 */

const venue = useVenue()
let made = 0
let id = ''
let path = ''
beforeEach(async () => {
  made += 1
  id = `long-${made}`
  path = `/worlds/${id}`
  expect(await venue.admin('POST', '/worlds', { id, scenario: livelyScenario })).toMatchObject({
    status: 201,
  })
})

const hour = 3_600_000
/** Too long to wait for. */
const forAges = { byMs: 366 * 24 * hour }
const advance = (span: object) => venue.admin('POST', `${path}/clock/advance`, span)
const keys = () => ({ apiKey: `simk_${id}_trader`, apiSecret: `sims_${id}_trader` })
const place = (body: object = order) =>
  venue.send({ method: 'POST', target: '/api/sdk/orders', body: JSON.stringify(body), ...keys() })
const fieldOf = (reply: Reply, name: string): unknown => Reflect.get(Object(reply.body), name)

function worldOf(): World {
  const world = venue.worlds.get(id)
  if (world === undefined) throw new Error('the world of this test is there')
  return world
}

const advanceUntilTold = (byMs: number) => advanceWorldUntilTold(worldOf(), byMs)

/**
 * Resolves when the server has begun to advance the world, by more than a minute: such an advance pauses before its first
 * piece, so it is seen on the fastest machine.
 */
const underWay = (): Promise<void> => until('the world advances', () => worldOf().workQueue.isPaused)

describe('while a world advances for long', () => {
  it('other worlds and the admin API answer', async () => {
    const start = millisToIso(worldOf().now)
    const advancing = advance(forAges)
    await underWay()
    const before = worldOf().now
    const answers = await Promise.all([
      venue.send({ target: '/api/sdk/market-data/prices' }),
      venue.admin('GET', '/worlds/default/view'),
      venue.admin('GET', '/health'),
      venue.admin('POST', '/worlds/default/clock/advance', { byMs: 1000 }),
      venue.admin('POST', '/worlds', {}),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 201])
    expect(worldOf().workQueue.isPaused).toBe(true)
    expect(worldOf().now).toBeGreaterThan(before)
    const listed = fieldOf(await venue.admin('GET', '/worlds'), 'worlds')
    const shown = [listed].flat().find((view) => Reflect.get(Object(view), 'id') === id)
    const to = millisToIso(millis(Date.parse(start) + forAges.byMs))
    expect(shown).toMatchObject({ now: start, advancing: { now: expect.stringMatching(/Z$/), to } })
    await venue.admin('DELETE', path)
    expect(await advancing).toMatchObject(refusal(404, `The world ${id} was deleted meanwhile`))
  })

  it('a request to it is logged with how long it took', async () => {
    const advancing = advanceUntilTold(hour)
    const reply = place()
    await waitingFor(1)
    venue.wall.advance(250)
    advancing.end()
    await reply
    const { requests } = Object((await venue.admin('GET', `${path}/requests`)).body)
    expect(requests.map(({ durationMs }: { readonly durationMs: number }) => durationMs)).toEqual([250])
  })

  it('requests to it are answered after the advance, in the order in which they came', async () => {
    const advancing = advanceUntilTold(6 * hour)
    const replies: Promise<Reply>[] = []
    for (let count = 1; count <= 3; count += 1) {
      replies.push(place({ ...order, clientOrderId: `c-${count}` }))
      // Each on a connection of its own; the next one is sent when the server has this one.
      await waitingFor(count)
    }
    replies.push(advance({ byMs: 1000 }))
    await waitingFor(4)
    replies.push(place())
    await waitingFor(5)
    expect(worldOf().workQueue.isPaused).toBe(true)
    const startMillis = worldOf().running.scenario.venue.startMillis
    const ended = millisToIso(millis(startMillis + 6 * hour))
    advancing.end()
    await advancing.ended
    const [first, second, third, moved, last] = await Promise.all(replies)
    expect([first, second, third].map((reply) => [reply?.status, fieldOf(Object(reply), 'orderId')])).toEqual(
      [
        [201, 'ord_1'],
        [201, 'ord_2'],
        [201, 'ord_3'],
      ],
    )
    for (const reply of [first, second, third]) expect(fieldOf(Object(reply), 'createdAt')).toBe(ended)
    expect(fieldOf(Object(moved), 'from')).toBe(ended)
    expect(fieldOf(Object(last), 'createdAt')).toBe(fieldOf(Object(moved), 'now'))
  })

  it('waiting requests are checked by the time at which they came', async () => {
    const advancing = advanceUntilTold(hour)
    const replies = Array.from({ length: 11 }, () => place())
    await waitingFor(11)
    // By now their timestamps would be too old, and another window would have begun.
    venue.wall.advance(600_000)
    advancing.end()
    const statuses = (await Promise.all(replies)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
    await advancing.ended
  })

  it('the advance is completed and journaled when its client disconnects', async () => {
    const { now, sequence } = worldOf()
    const body = JSON.stringify({ byMs: hour })
    const socket = createConnection(venue.server.adminPort, '127.0.0.1')
    socket.write(
      `POST /__admin${path}/clock/advance HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    await underWay()
    socket.destroy()
    expect(fieldOf(await venue.admin('GET', `${path}/digest`), 'now')).toBe(
      new Date(now + hour).toISOString(),
    )
    expect(worldOf().sequence).toBe(sequence + 1)
  })

  it('deleting it ends the advance, and waiting requests are told that it is deleted', async () => {
    const advancing = advance(forAges)
    await underWay()
    const waiting = [place(), venue.admin('GET', `${path}/clock`), venue.admin('POST', `${path}/reset`)]
    await waitingFor(3)
    expect((await venue.admin('DELETE', path)).status).toBe(200)
    expect((await advancing).status).toBe(404)
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([401, 404, 404])
    expect((await venue.admin('GET', path)).status).toBe(404)
  })

  it('a reset waits for its turn, and goes back to the start', async () => {
    const start = millisToIso(worldOf().now)
    const advancing = advanceUntilTold(hour)
    const reset = venue.admin('POST', `${path}/reset`)
    await waitingFor(1)
    advancing.end()
    await advancing.ended
    expect(fieldOf(await reset, 'now')).toBe(start)
  })

  it('a world with a time to live is not deleted', async () => {
    const short = `${id}-short`
    await venue.admin('POST', '/worlds', { id: short, scenario: livelyScenario, ttlMs: 1000 })
    path = `/worlds/${short}`
    id = short
    const advancing = advance({ byMs: hour })
    await underWay()
    venue.wall.advance(5000)
    venue.worlds.tick()
    expect((await advancing).status).toBe(200)
    venue.wall.advance(500)
    venue.worlds.tick()
    expect((await venue.admin('GET', path)).status).toBe(200)
    venue.wall.advance(1001)
    venue.worlds.tick()
    expect((await venue.admin('GET', path)).status).toBe(404)
  })

  it('a request that a fault has delayed waits, too', async () => {
    await venue.admin('POST', `${path}/faults`, { type: 'latency', attributes: { latencyMs: 30 }, count: 1 })
    const late = place()
    await until('the fault delays it', () => worldOf().faults.list(worldOf().now)[0]?.matched === 1)
    const ended = millisToIso(millis(worldOf().now + hour))
    const advancing = advanceUntilTold(hour)
    await waitingFor(1)
    advancing.end()
    await advancing.ended
    expect(fieldOf(await late, 'createdAt')).toBe(ended)
  })

  it('its events are sent when the advance is over', async () => {
    const seen: string[] = []
    const socket = createConnection(venue.server.adminPort, '127.0.0.1')
    socket.setEncoding('utf8').on('data', (text) => seen.push(String(text)))
    socket.write(`GET /__admin${path}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
    await until('the stream begins', () => seen.join('').includes('the events of'))
    const advancing = advanceUntilTold(3 * hour)
    const before = worldOf().now
    await until('half of it has passed', () => worldOf().now >= before + 1.5 * hour)
    await until('the stream tells of it', () => /: advancing \{"now":"[^"]+","to":null\}/.test(seen.join('')))
    // Whatever had been sent before this answer has come.
    await venue.admin('GET', '/health')
    expect(seen.join('')).not.toContain('event: price')
    advancing.end()
    await advancing.ended
    await until('the events come', () => /: advanced[\s\S]*event: price/.test(seen.join('')))
    socket.destroy()
  })
})

describe('a world in real time that has fallen far behind', () => {
  it('does not hold up others when a request comes before anything has moved it', async () => {
    await venue.admin('PUT', `${path}/clock`, { mode: 'realtime' })
    const { now } = worldOf()
    venue.wall.advance(3 * hour)
    const placed = place()
    await underWay()
    expect((await venue.admin('GET', '/worlds/default/view')).status).toBe(200)
    expect(fieldOf(await placed, 'createdAt')).toBe(millisToIso(millis(now + 3 * hour)))
    venue.wall.advance(3 * hour)
    const viewed = venue.admin('GET', `${path}/clock`)
    await underWay()
    expect(fieldOf(await viewed, 'now')).toBe(millisToIso(millis(now + 6 * hour)))
  })

  it('catches up in slices, and requests to it see the present', async () => {
    await venue.admin('PUT', `${path}/clock`, { mode: 'realtime' })
    const { now } = worldOf()
    venue.wall.advance(3 * hour)
    venue.worlds.tick()
    expect(worldOf().workQueue.isPaused).toBe(true)
    const view = venue.admin('GET', `${path}/clock`)
    expect((await venue.send({ target: '/api/sdk/market-data/prices' })).status).toBe(200)
    expect(fieldOf(await view, 'now')).toBe(new Date(now + 3 * hour).toISOString())
  })
})

/** Resolves when this many requests wait for the world. */
const waitingFor = (count: number): Promise<void> =>
  until(`${count} requests wait`, () => {
    if (!worldOf().workQueue.isTaken) throw new Error('the advance was over before they came')
    return worldOf().workQueue.waitingCount >= count
  })

it('an advance ends with the server that was asked for it, and the world continues from where it came', async () => {
  const own = await startFixture()
  await own.admin('POST', '/worlds', { id: 'own', scenario: livelyScenario })
  const world = own.worlds.get('own')
  if (world === undefined) throw new Error('the world was created')
  const advancing = own.admin('POST', '/worlds/own/clock/advance', forAges).catch(() => null)
  await until('the world advances', () => world.workQueue.isPaused)
  await own.server.close()
  expect(await advancing).toBeNull()
  expect(world.workQueue.isPaused).toBe(false)
  const { now } = world
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  expect(world.now).toBe(now)
  expect(world.workQueue.isTaken).toBe(false)
  world.advance('1s')
  expect(world.now).toBe(now + 1000)
})

describe('a world in real time at a speed that no machine can do', () => {
  it('is as late as it is: who asks for it waits some seconds at most, and who asks for others not at all', async () => {
    await venue.admin('PUT', `${path}/clock`, { mode: 'realtime' })
    const { now } = worldOf()
    venue.wall.advance(360 * 24 * hour)
    venue.worlds.tick()
    expect((await venue.send({ target: '/api/sdk/market-data/prices' })).status).toBe(200)
    const seen = fieldOf(await venue.admin('GET', `${path}/clock`), 'now')
    expect(Date.parse(String(seen))).toBeGreaterThan(now)
    expect(Date.parse(String(seen))).toBeLessThan(now + 360 * 24 * hour)
    const createdAt = fieldOf(await place(), 'createdAt')
    expect(Date.parse(String(createdAt))).toBeLessThan(now + 360 * 24 * hour)
    await venue.admin('DELETE', path)
  })
})

describe('a fault for which a request waits for long', () => {
  const prices = () => venue.send({ target: '/api/sdk/market-data/prices/BTC', ...keys() })
  const add = (rule: object) => venue.admin('POST', `${path}/faults`, rule)
  const startMillis = () => worldOf().running.scenario.venue.startMillis

  it('moves the clock in slices, before the venue or after it', async () => {
    const attributes = { latencyMs: hour, clock: 'world' }
    await add({ type: 'latency', attributes, count: 1 })
    const before = await prices()
    expect(before.headers['x-sim-time']).toBe(millisToIso(millis(startMillis() + hour)))
    expect([before.status, worldOf().workQueue.longWorkCount]).toEqual([200, 1])
    await add({ type: 'latency', phase: 'after', attributes, count: 1 })
    const after = await prices()
    expect(after.headers['x-sim-time']).toBe(before.headers['x-sim-time'])
    expect([after.status, worldOf().workQueue.longWorkCount]).toEqual([200, 2])
    expect(worldOf().now).toBe(startMillis() + 2 * hour)
  })

  it('reads a past that is far behind in slices', async () => {
    await add({ type: 'stale_market_data', attributes: { delayMs: 1000 } })
    worldOf().advance(hour)
    const then = millisToIso(millis(startMillis() + hour - 1000))
    expect([fieldOf(await prices(), 'updatedAt'), worldOf().workQueue.longWorkCount]).toEqual([then, 1])
    // From there on it is near.
    worldOf().advance(1000)
    expect((await prices()).status).toBe(200)
    expect(worldOf().workQueue.longWorkCount).toBe(1)
  })

  it('is answered for another world when its own is deleted meanwhile', async () => {
    await add({ type: 'latency', attributes: { latencyMs: 24 * hour, clock: 'world' } })
    const reply = prices()
    await underWay()
    await venue.admin('DELETE', path)
    expect(await reply).toMatchObject(refusal(401, 'API key'))
  })
})
