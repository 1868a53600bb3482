import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { queryUnder } from '../../src/api/input/query-string.ts'
import { type OperationId, operationIds, routeOf } from '../../src/api/operations/operations.ts'
import { defaultReadings } from '../../src/api/readings/readings.ts'
import type { Shape } from '../../src/shape/shape.ts'
import { type Desk, openDesk } from './desk.ts'
import { fromSchema } from './from-schema.ts'

interface Sent {
  readonly operation: OperationId
  readonly account: string
  readonly parameter: string
  readonly query: string
  readonly body: string
}

const accounts = fc.constantFrom('alice', 'alice', 'alice', 'bob', 'mara')
const oddParameter = fc.constantFrom('DOGE', 'ord_99', 'qt_99', 'batch', '%zz', '__proto__')

function parameterOf(path: string): fc.Arbitrary<string> {
  const known = path.includes(':orderId')
    ? fc.constantFrom('ord_1', 'ord_2', 'ord_3', 'ord_4')
    : path.includes(':quoteId')
      ? fc.constantFrom('qt_1', 'qt_1', 'qt_1', 'qt_2')
      : fc.constantFrom('BTC', 'ETH', 'USD')
  return fc.oneof({ weight: 6, arbitrary: known }, { weight: 1, arbitrary: oddParameter })
}

/** Operations that create something to read and change are more frequent. */
const anyOperation = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...operationIds) },
  { weight: 1, arbitrary: fc.constantFrom<OperationId>('createOrder', 'createOrders', 'submitQuote') },
)

/** Requests of every operation, made from its own schemas. */
const sent: fc.Arbitrary<Sent> = anyOperation.chain((operation) => {
  const route = routeOf(operation)
  return fc.record({
    operation: fc.constant(operation),
    account: accounts,
    parameter: parameterOf(route.path),
    query: queryOf(queryUnder(route.query, defaultReadings)),
    body: bodyOf(route.body, route.bodyItem),
  })
})

function queryOf(schema: Shape): fc.Arbitrary<string> {
  const valid = fromSchema(schema).map((value) =>
    typeof value === 'object' && value !== null
      ? new URLSearchParams(
          Object.entries(value).map(([key, field]): [string, string] => [key, parameterText(field)]),
        ).toString()
      : '',
  )
  const oddity = fc.constantFrom(
    'page=1&page=1',
    'x=1',
    '%',
    'limit=1e2',
    'assets=BTC,,',
    '&&',
    '=',
    'asset=%00',
  )
  return fc.oneof({ weight: 30, arbitrary: valid }, { weight: 1, arbitrary: oddity })
}

/** As a client would write it. Lone surrogates cannot be written at all. */
function parameterText(value: unknown): string {
  const text =
    Array.isArray(value) && value.every((item) => typeof item === 'string')
      ? value.join(',')
      : typeof value === 'string'
        ? value
        : JSON.stringify(value)
  return text.replaceAll(/[\ud800-\udfff]/g, '?')
}

function bodyOf(schema: Shape | null, item: Shape | null): fc.Arbitrary<string> {
  if (schema === null) return fc.constantFrom('', '', '{"ignored":')
  const whole = item === null ? schema : withItems(schema, item)
  const valid = fromSchema(whole).map((value) => JSON.stringify(value))
  const oddity = fc.constantFrom(
    '',
    'null',
    '[]',
    '{',
    '{"a":1,"a":2}',
    '{"__proto__":1}',
    '"\\ud800"',
    '1e400',
  )
  return fc.oneof({ weight: 30, arbitrary: valid }, { weight: 1, arbitrary: oddity })
}

/** The schema with its documented items instead of the unchecked ones. */
function withItems(schema: Shape, items: Shape): Shape {
  if (schema.type === 'array') return { ...schema, items }
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    withItems(field, items),
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}

function send(desk: Desk, { operation, account, parameter, query, body }: Sent) {
  const { method, path } = routeOf(operation)
  return desk.request(
    account,
    method,
    `${path.replace('/api/sdk', '').replace(/:\w+/, parameter)}?${query}`,
    body,
  )
}

/** A desk with an open order, a partly filled one and a quote. The desk checks every answer itself. */
function busyDesk(): Desk {
  const desk = openDesk()
  const order = { side: 'buy', asset: 'BTC', quantity: 1, price: 49_000, clientOrderId: 'a' }
  desk.request('alice', 'POST', '/orders', order)
  desk.request('alice', 'POST', '/orders', { ...order, clientOrderId: 'b', quantity: 1.5, price: 50_010 })
  const quote = { asset: 'ETH', bidPrice: 2_990, askPrice: 3_010, bidSize: 1, askSize: 2 }
  desk.request('alice', 'POST', '/quotes', quote)
  return desk
}

describe('any sequence of requests', () => {
  it('is answered as documented, and only successes change the venue', () => {
    const statuses = new Map<number, number>()
    const succeeded = new Set<OperationId>()
    fc.assert(
      fc.property(fc.array(sent, { maxLength: 60, size: 'max' }), (requests) => {
        const desk = busyDesk()
        for (const request of requests) {
          const before = desk.venue.digest()
          const { status } = send(desk, request)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (status < 400) succeeded.add(request.operation)
          if (status >= 400 || routeOf(request.operation).method === 'GET')
            expect(desk.venue.digest(), `${status} ${JSON.stringify(request)}`).toBe(before)
        }
      }),
      { seed: 7, numRuns: 60 },
    )
    expect([...statuses.keys()].toSorted()).toEqual([200, 201, 400, 404, 409, 422])
    expect([...succeeded].toSorted()).toEqual([...operationIds].toSorted())
    expect(statuses.get(200) ?? 0).toBeGreaterThan(300)
  })
})
