import { describe, expect, it } from 'vitest'
import { matchRoute } from '../../src/api/dispatch.ts'
import { operationIds, routeOf } from '../../src/api/operations/operations.ts'

const base = '/api/sdk'

describe('router', () => {
  it('has 41 operations, each with a method and path of its own', () => {
    expect(operationIds).toHaveLength(41)
    const seen = new Set(operationIds.map((id) => `${routeOf(id).method} ${routeOf(id).path}`))
    expect(seen.size).toBe(41)
  })

  it.each(operationIds)('finds %s under its own path', (operation) => {
    const { method, path } = routeOf(operation)
    const filled = path.replace(/:\w+/, 'X')
    expect(matchRoute(method, filled)).toEqual({
      kind: 'found',
      operation,
      parameter: filled === path ? '' : 'X',
    })
  })

  it.each([
    ['GET', '/orders/by-client-id', 'getOrderByClientId', ''],
    ['DELETE', '/orders/batch', 'cancelOrders', ''],
    ['PATCH', '/quotes/batch/update', 'updateQuotes', ''],
    ['GET', '/orders/fills/fills', 'listOrderFills', 'fills'],
    ['GET', '/orders/ord%5F1', 'getOrder', 'ord%5F1'],
  ])('%s %s is %s', (method, path, operation, parameter) => {
    expect(matchRoute(method, base + path)).toEqual({ kind: 'found', operation, parameter })
  })

  it.each([
    ['GET', '/api/sdk/orders/'],
    ['GET', '/api/sdk//orders'],
    ['GET', '/api/sdk/Orders'],
    ['GET', '/API/sdk/orders'],
    ['GET', '/api/sdk/orders/ord_1/'],
    ['GET', '/api/sdk/orders/ord_1/fills/'],
    ['GET', '/api/sdk/orders//fills'],
    ['GET', '/api/sdk/orders/ord_1/trades'],
    ['GET', '/api/sdk/x/../orders'],
    ['GET', '/api/sdk'],
    ['GET', '/'],
    ['GET', ''],
    ['GET', '/api/sdk/__proto__'],
  ])('%s %s is nowhere', (method, path) => {
    expect(matchRoute(method, path)).toEqual({ kind: 'unknown' })
  })

  it.each([
    ['PUT', '/orders', ['POST', 'GET']],
    ['get', '/orders', ['POST', 'GET']],
    ['HEAD', '/orders/batch', ['POST', 'DELETE']],
    ['POST', '/orders/ord_1', ['GET', 'PATCH', 'DELETE']],
    ['OPTIONS', '/orders/batch', ['POST', 'DELETE']],
    ['GET', '/orders/batch', ['POST', 'DELETE']],
    ['PATCH', '/orders/batch', ['POST', 'DELETE']],
    ['DELETE', '/orders/by-client-id', ['GET']],
    ['GET', '/quotes/batch/update', ['PATCH']],
  ])('%s %s is another method of a known path', (method, path, allowed) => {
    expect(matchRoute(method, base + path)).toEqual({ kind: 'wrong-method', allowed })
  })
})
