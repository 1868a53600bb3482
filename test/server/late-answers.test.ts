import { beforeEach, expect, it } from 'vitest'
import { addFault, list, place } from '../pipeline/fault-rules.ts'
import { until } from '../support/until.ts'
import { signedHeaders } from './signed-request.ts'
import { answersIn, rawExchange } from './transport/raw-exchange.ts'
import { useVenue } from './venue-fixture.ts'

/* Faults that delay answers or cut them off. */

const venue = useVenue()
beforeEach(async () => {
  await venue.admin('POST', '/worlds/default/reset')
  venue.wall.advance(2000)
})

const add = (rule: object) => addFault(venue, rule)

const took = async (send: () => Promise<unknown>) => {
  const begun = performance.now()
  await send()
  return performance.now() - begun
}

it('answers are delayed, before or after the venue', async () => {
  await add({ type: 'latency', attributes: { latencyMs: 80 }, match: { method: 'GET' }, count: 1 })
  expect(await took(() => venue.send(list))).toBeGreaterThan(70)
  await add({ type: 'latency', phase: 'after', attributes: { latencyMs: 80 }, count: 1 })
  expect(await took(() => venue.send(place()))).toBeGreaterThan(70)
})

it('answers may arrive in another order than the requests were sent', async () => {
  /** Whether a request was overtaken that is delayed by this much. */
  const isOvertaken = async (latencyMs: number): Promise<boolean> => {
    await venue.admin('POST', '/worlds/default/reset')
    venue.wall.advance(2000)
    await add({ type: 'latency', attributes: { latencyMs }, match: { method: 'POST' }, count: 1 })
    const slow = venue.send(place({ clientOrderId: 'slow' }))
    const { faults } = venue.worlds.default
    await until('the fault delays it', () => faults.list(venue.worlds.default.now)[0]?.matched === 1)
    const quick = await venue.send(place({ clientOrderId: 'quick' }))
    const ids = [quick, await slow].map(({ body }) => Reflect.get(Object(body), 'orderId'))
    expect(ids.toSorted()).toEqual(['ord_1', 'ord_2'])
    return ids[0] === 'ord_1'
  }
  // A slow machine may take longer for the other request than the delay.
  expect((await isOvertaken(100)) || (await isOvertaken(1000)) || (await isOvertaken(10_000))).toBe(true)
})

it('answers are delayed by the clock of the world instead of the wall clock', async () => {
  await add({ type: 'latency', attributes: { latencyMs: 60_000, clock: 'world' }, count: 1 })
  const reply = await venue.send(place())
  expect(reply.headers['x-sim-time']).toBe('2026-01-05T00:01:00.000Z')
  expect(reply.body).toMatchObject({ createdAt: '2026-01-05T00:01:00.000Z' })
})

it('answers come in slices, slowly, or end late, and are complete', async () => {
  const plain = await venue.send(list)
  const [slices] = [{ averageSize: 20, sizeVariation: 5, delayMs: 5 }]
  for (const rule of [
    { type: 'slicer', attributes: slices },
    { type: 'bandwidth', attributes: { rateKbps: 16 } },
    { type: 'slow_close', attributes: { delayMs: 60 } },
  ]) {
    await add({ ...rule, count: 1 })
    let text = ''
    const milliseconds = await took(async () => {
      text = (await venue.send(list)).text
    })
    expect(text).toBe(plain.text)
    expect(milliseconds).toBeGreaterThan(10)
  }
})

it('answers are cut off, or never come', async () => {
  await add({ type: 'limit_data', attributes: { bytes: 10 }, count: 1 })
  await expect(venue.send(list)).rejects.toThrow()
  await add({ type: 'timeout', attributes: { timeoutMs: 30 }, count: 1 })
  await expect(venue.send(list)).rejects.toThrow()
  expect((await venue.send(list)).status).toBe(200)
})

it.each([
  { type: 'reset_peer' },
  { type: 'EMPTY_RESPONSE' },
  { type: 'timeout', attributes: { timeoutMs: 10 } },
  { type: 'MALFORMED_RESPONSE_CHUNK' },
  { type: 'limit_data', attributes: { bytes: 10 } },
])('the connection ends also behind an answer that is still on its way: $type', async (rule) => {
  await add({ ...rule, skip: 1 })
  const headers = { host: 'localhost', ...signedHeaders(list, venue.wall.nowMillis()) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  // An answer to such a connection header is written by Node, which takes its time.
  const request = `GET ${list.target} HTTP/1.1\r\nConnection: x\r\n${lines.join('')}\r\n`
  const text = await rawExchange(venue.server.port, [request + request + request]).catch(() => 'reset')
  const whole = answersIn(text).filter(({ status, body }) => status === 200 && body.endsWith('}'))
  expect(text === 'reset' ? 1 : whole.length).toBe(1)
})

it('faults combine, and of two faults that end an answer the older one applies', async () => {
  await add({ type: 'latency', attributes: { latencyMs: 40 } })
  await add({ type: 'latency', attributes: { latencyMs: 40 } })
  await add({ type: 'http_error', attributes: { status: 500 } })
  await add({ type: 'http_error', attributes: { status: 503 } })
  let status = 0
  expect(
    await took(async () => {
      status = (await venue.send(list)).status
    }),
  ).toBeGreaterThan(70)
  expect(status).toBe(500)
})
