import { expect, it } from 'vitest'
import {
  type FaultType,
  faultKind,
  faultTypes,
  isFaultType,
  listPhases,
} from '../../src/api/faults/fault-types.ts'
import { placeBid, useVenue } from './venue-fixture.ts'

/*
 * What the request log says of an answer is what its caller got, under each fault in each of its phases: a caller without a
 * whole answer counts as failed, and the log says whether the venue acted.
 */

const venue = useVenue()
const world = '/worlds/default'

const attributes: { readonly [type in FaultType]?: object } = {
  latency: { latencyMs: 1 },
  http_error: { status: 503 },
  canned_answer: { status: 200, body: '{"orderId":"ord_0"}' },
  limit_data: { bytes: 10 },
  slow_close: { delayMs: 1 },
  slicer: { averageSize: 50 },
  delayed_fill: { delayMs: 1 },
  clock_skew: { skewMs: 1 },
  timeout: { timeoutMs: 20 },
  bandwidth: { rateKbps: 10_000 },
}
const cases = Object.keys(faultTypes)
  .filter(isFaultType)
  // Those that a placement can meet.
  .filter((type) => ['placements', undefined].includes(faultKind(type).about))
  .flatMap((type) => listPhases(type).map((phase) => [type, phase] as const))

async function readLast() {
  const { body } = await venue.admin('GET', `${world}/requests`)
  return Object(body).requests.at(-1)
}
const countFailures = () => venue.worlds.default.requests.counts.failures
const countOrders = () => venue.worlds.default.venue.state.orders.count

it.each(cases)('tells what came of an answer under %s %s', async (type, phase) => {
  // No rate limit is met.
  venue.wall.advance(2000)
  const made = await venue.admin('POST', `${world}/faults`, {
    ...{ type, phase, count: 1, attributes: attributes[type] ?? {} },
    match: { method: 'POST' },
  })
  expect(made.status).toBe(201)
  const [failures, orders] = [countFailures(), countOrders()]
  const reply = await placeBid(venue, 0.001).catch(() => null)
  await venue.admin('DELETE', `${world}/faults`)
  const { fault, lost, status } = await readLast()
  const isDone = countOrders() > orders
  const isTold = reply !== null && reply.status < 400
  expect(countFailures() - failures).toBe(isTold || type === 'truncated_json' ? 0 : 1)
  if (fault === null) return
  if (lost === 'before') expect([isDone, reply]).toEqual([false, null])
  if (lost === 'after') expect([isDone, isTold]).toEqual([true, false])
  if (lost === 'cut') expect([isDone, reply]).toEqual([true, null])
  // These two texts come whole, and are no JSON.
  if (lost === null) expect(reply?.status).toBe(isNoJson(type) ? undefined : status)
})

const isNoJson = (type: FaultType): boolean => type === 'truncated_json' || type === 'html_502'
