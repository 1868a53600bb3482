import { describe, expect, it } from 'vitest'
import { matchRoute, splitTarget } from '../../../src/api/dispatch.ts'
import { operationIds, routeOf } from '../../../src/api/operations/operations.ts'
import { nameMessage } from '../../../src/backtest/venue/request-tally.ts'
import { makeRequest } from '../../../src/client/call.ts'

describe('a request of the client library', () => {
  it.each(operationIds)('says of itself what its method and target mean: %s', (operation) => {
    const takesParameter = routeOf(operation).path.includes(':')
    const input = { ...(takesParameter ? { parameter: 'x/1' } : {}), query: { limit: 5 } }
    const { method, parameter, target, ...said } = makeRequest(operation, input, {})
    const { path } = splitTarget(target)
    expect(matchRoute(method, path)).toEqual({ kind: 'found', operation: said.operation, parameter })
  })
})

describe('the name of a message', () => {
  it.each([
    ['createOrder', { side: 'buy', asset: 'BTC', quantity: 1, price: 2 }, 'BTC/buy/2'],
    ['createOrder', { side: 'buy', asset: 'BTC', quantity: 1, clientOrderId: 'bid' }, 'bid'],
    ['submitQuote', { asset: 'ETH' }, 'ETH/quote'],
    ['listOrders', undefined, '/api/sdk/orders'],
  ] as const)('of %s with %o is %s', (operation, body, name) => {
    expect(nameMessage(makeRequest(operation, { body }, {}))).toBe(name)
  })
})
