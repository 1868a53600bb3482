import { describe, expect, it } from 'vitest'
import { errorTypes } from '../../src/api/error-types.ts'
import { listValues } from '../../src/api/readings/readings.ts'
import { createVenueClient, type VenueClient } from '../../src/client/create-venue-client.ts'
import { VenueError } from '../../src/client/venue-error.ts'
import { inProcess, serveVenue } from './venue.ts'

const bid = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 40_000 } as const
const typeFields = listValues('error.typeField')

/** Requests that are refused, with the status and type of the refusal. */
const refusals: readonly [number, string | null, (client: VenueClient) => Promise<object>][] = [
  [404, 'ORDER_NOT_FOUND', ({ orders }) => orders.get('nowhere')],
  [404, 'QUOTE_NOT_FOUND', ({ quotes }) => quotes.cancel('nowhere')],
  [404, null, ({ marketData }) => marketData.price('NONE')],
  [400, null, ({ orders }) => orders.create({ ...bid, quantity: 0 })],
  [409, null, ({ orders }) => orders.create({ ...bid, clientOrderId: 'twice' })],
  [422, 'RISK_LIMIT_EXCEEDED', ({ orders }) => orders.create({ ...bid, quantity: 10.5 })],
  [
    422,
    'INSUFFICIENT_BALANCE',
    ({ orders }) => orders.create({ ...bid, asset: 'BTC', side: 'sell', quantity: 10 }),
  ],
]

async function failureOf(work: Promise<object>): Promise<VenueError> {
  const failure = await work.catch((error: unknown) => error)
  if (!(failure instanceof VenueError)) throw new Error(`no VenueError: ${JSON.stringify(failure)}`)
  return failure
}

describe.each(typeFields)('a refusal, with its type in %s', (place) => {
  const expected = (type: string | null) => (place === 'none' ? null : type)

  it('is a typed error over HTTP', async () => {
    const venue = await serveVenue({ 'error.typeField': place })
    await venue.client().orders.create({ ...bid, clientOrderId: 'twice' })
    for (const [statusCode, type, refused] of refusals) {
      const failure = await failureOf(refused(venue.client()))
      expect(failure).toMatchObject({ statusCode, type: expected(type) })
      expect(failure.requestId).toMatch(/^req_\d+$/)
    }
  })

  it('is the same error in process, except for headers', async () => {
    const { client } = inProcess({ 'error.typeField': place })
    await client.orders.create({ ...bid, clientOrderId: 'twice' })
    for (const [statusCode, type, refused] of refusals) {
      const failure = await failureOf(refused(client))
      expect(failure).toMatchObject({ statusCode, type: expected(type), requestId: null, hint: null })
    }
  })

  it('distinguishes wrong keys, signatures, clocks and scopes', async () => {
    const venue = await serveVenue({ 'error.typeField': place })
    const options = venue.options('viewer')
    const late = { nowMillis: () => venue.clock.nowMillis() - 30_001, sleep: venue.clock.sleep }
    const cases: readonly [number, string, Promise<object>][] = [
      [401, 'INVALID_API_KEY', createVenueClient({ ...options, apiKey: 'nobody' }).risk.limits()],
      [401, 'INVALID_SIGNATURE', createVenueClient({ ...options, apiSecret: 'wrong' }).risk.limits()],
      [401, 'TIMESTAMP_EXPIRED', createVenueClient({ ...options, clock: late }).risk.limits()],
      [403, 'INSUFFICIENT_SCOPE', createVenueClient(options).orders.create(bid)],
    ]
    for (const [statusCode, type, refused] of cases) {
      expect(await failureOf(refused)).toMatchObject({ statusCode, type: expected(type) })
    }
  })
})

describe('VenueError', () => {
  it('carries the message, the details and the hint of the service', async () => {
    const venue = await serveVenue()
    const failure = await failureOf(
      createVenueClient({ ...venue.options(), apiSecret: venue.options().apiKey }).risk.limits(),
    )
    expect(failure.message).toBe('The signature does not verify')
    expect(failure.hint).toContain('secret')
    const invalid = await failureOf(venue.client().orders.create({ ...bid, quantity: 0 }))
    expect(invalid.details).toMatchObject({ field: 'quantity' })
    expect(invalid.body).toMatchObject({ statusCode: 400, error: 'Bad Request' })
  })

  it('accepts a list of messages', async () => {
    const listed = await failureOf(inProcess({ 'error.message': 'array' }).client.orders.get('nowhere'))
    expect(listed.message).toBe((await failureOf(inProcess().client.orders.get('nowhere'))).message)
  })

  it.each<[string, unknown, string | null]>([
    ['details.type', { details: { type: 'ORDER_NOT_FOUND' } }, 'ORDER_NOT_FOUND'],
    ['details.code', { details: { code: 'ORDER_NOT_FOUND' } }, 'ORDER_NOT_FOUND'],
    ['type', { type: 'QUOTE_NOT_FOUND' }, 'QUOTE_NOT_FOUND'],
    ['error', { error: 'RATE_LIMIT_EXCEEDED', details: {} }, 'RATE_LIMIT_EXCEEDED'],
    ['no other name', { error: 'Not Found', code: 'ENOENT', details: { type: 'NEW_TYPE' } }, null],
    ['no inherited name', { details: null, error: 'toString' }, null],
    ['no body', undefined, null],
    ['no object', ['ORDER_NOT_FOUND'], null],
  ])('finds the type in %s', (_title, body, type) => {
    expect(new VenueError({ status: 404, body, header: () => null }).type).toBe(type)
  })

  it('has all nine type names', () => {
    const types = errorTypes.map(
      (type) => new VenueError({ status: 400, body: { code: type }, header: () => null }),
    )
    expect(types.map(({ type }) => type)).toEqual(errorTypes)
  })

  it('has a message when the service gave none', () => {
    const failure = new VenueError({ status: 503, body: undefined, header: (name) => `the ${name}` })
    expect(failure.message).toBe('the service answered 503')
    expect(failure.requestId).toBe('the x-sim-request-id')
    expect(String(failure)).toBe('VenueError: the service answered 503')
  })
})

it('takes no message of a list that is not text', () => {
  const answer = (message: unknown) => new VenueError({ status: 400, body: { message }, header: () => null })
  expect(answer(['a', 'b']).message).toBe('a; b')
  expect(answer(['a', JSON.parse('{"toString":1,"valueOf":1}')]).message).toBe('a')
  expect(answer([{}]).message).toBe('the service answered 400')
})
