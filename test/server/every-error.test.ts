import { beforeEach, describe, expect, it } from 'vitest'
import { declaredStatuses } from '../../src/api/openapi/responses.ts'
import { type OperationId, operationIds, routeOf } from '../../src/api/operations/operations.ts'
import { defaultReadings } from '../../src/api/readings/readings.ts'
import { type Mistake, mistakesOf } from './mistakes.ts'
import type { Sending } from './signed-request.ts'
import { type Reply, useVenue } from './venue-fixture.ts'

/*
 * Each error of each operation: first the mistakes that are possible with all 41, then those of each (mistakes.ts).
 * A refusal leaves the state of the venue exactly as it was.
 */

const venue = useVenue()
let desk: Keys
let stranger: Keys
let prepared = ''

/**
 * Every case starts with a live and an ended order (1, 2), a live and an ended quote (1, 2) and a halted pair (ETH). They
 * are made again only where a case has changed them.
 */
beforeEach(async () => {
  venue.wall.advance(1000)
  if (venue.worlds.default.digest() !== prepared) await prepare()
  venue.worlds.default.limiter.reset()
})

async function prepare(): Promise<void> {
  venue.worlds.default.reset(null)
  desk = { apiKey: 'simk_default_desk', apiSecret: 'sims_default_desk' }
  stranger = keysIn(
    (await venue.admin('POST', '/worlds/default/accounts/viewer/keys', { scopes: ['WITHDRAW'] })).body,
  )
  await venue.admin('POST', '/worlds/default/accounts/desk/deposits', { asset: 'BTC', quantity: 5 })
  const order = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 49_000 }
  const quote = { asset: 'BTC', bidPrice: 48_000, askPrice: 52_000, bidSize: 1, askSize: 1 }
  await succeed('POST', '/api/sdk/orders', { ...order, clientOrderId: 'first' })
  await succeed('POST', '/api/sdk/orders', order)
  await succeed('DELETE', '/api/sdk/orders/ord_2')
  await succeed('POST', '/api/sdk/quotes', { ...quote, clientQuoteId: 'first' })
  await succeed('POST', '/api/sdk/quotes', quote)
  await succeed('DELETE', '/api/sdk/quotes/qt_2')
  expect((await venue.admin('PATCH', '/worlds/default/pairs/ETH-USD', { status: 'inactive' })).status).toBe(
    200,
  )
  prepared = venue.worlds.default.digest()
}

const all = operationIds.flatMap((operation) =>
  mistakesOf(operation).map((mistake) => [operation, mistake.name, mistake] as const),
)

it.each(all)('%s: %s', async (operation, _name, mistake) => {
  const reply = await refusedBy(operation, mistake)
  expect(reply.status).toBe(mistake.status)
  expect(reply.body).toMatchObject({ statusCode: mistake.status, details: mistake.details })
})

describe('the mistakes that every operation shares', () => {
  it.each(operationIds)('are answered alike by %s', async (operation) => {
    const { category } = routeOf(operation)
    const most = category === 'marketData' ? 30 : 10
    const wrong: readonly (readonly [Partial<Sending>, number, object])[] = [
      [{ apiKey: 'simk_nobody' }, 401, { type: 'INVALID_API_KEY' }],
      [{ timestamp: 1_700_000_000_000 }, 401, { type: 'TIMESTAMP_EXPIRED' }],
      [{ signature: '0'.repeat(64) }, 401, { type: 'INVALID_SIGNATURE' }],
      [stranger, 403, { type: 'INSUFFICIENT_SCOPE' }],
      [{ headers: { prefer: 'reading.envelope=maybe' } }, 400, { field: 'Prefer' }],
    ]
    for (const [change, status, details] of wrong) {
      const reply = await refused({ ...validCall(operation), ...change })
      expect(reply.body, JSON.stringify(change)).toMatchObject({ statusCode: status, details })
    }
    for (let sent = 0; sent < most; sent += 1) {
      await venue.send({ ...validCall(operation), headers: { prefer: 'reading.envelope=maybe' } })
    }
    const late = await refused(validCall(operation))
    expect(late.body).toMatchObject({ statusCode: 429, details: { type: 'RATE_LIMIT_EXCEEDED' } })
  })
})

it('covers every status that an operation declares', () => {
  const everybodys = [401, 403, 429]
  // 500 is for our own bugs, so no request causes it. The 404 of lists needs the reading `assets.unknown`.
  for (const operation of operationIds) {
    const shown = new Set([...everybodys, ...mistakesOf(operation).map((mistake) => mistake.status)])
    const readings = { ...defaultReadings, 'assets.unknown': '404' } as const
    const { errors } = declaredStatuses(operation, routeOf(operation), readings)
    expect([...shown].sort(), operation).toEqual(errors.filter((status) => status !== 500))
  }
})

interface Keys {
  readonly apiKey: string
  readonly apiSecret: string
}

function keysIn(body: unknown): Keys {
  const { apiKey, apiSecret } = Object(body)
  return { apiKey: String(apiKey), apiSecret: String(apiSecret) }
}

async function succeed(method: string, target: string, body?: object): Promise<void> {
  const text = body === undefined ? '' : JSON.stringify(body)
  const reply = await venue.send({ method, target, body: text, ...desk })
  expect(reply.status, reply.text).toBeLessThan(300)
}

function refusedBy(operation: OperationId, { target, body, headers }: Mistake): Promise<Reply> {
  return refused({
    ...validCall(operation),
    ...(target === undefined ? {} : { target }),
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(headers === undefined ? {} : { headers }),
  })
}

async function refused(sending: Sending): Promise<Reply> {
  const before = venue.worlds.default.digest()
  const reply = await venue.send(sending)
  expect(venue.worlds.default.digest()).toBe(before)
  return reply
}

/** A valid call of the operation: its path, and a body where one is required. */
function validCall(operation: OperationId): Sending {
  const { method, path } = routeOf(operation)
  const target = path.replace(':orderId', 'ord_1').replace(':quoteId', 'qt_1').replace(':asset', 'BTC')
  return { method, target, ...desk }
}
