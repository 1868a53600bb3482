import { describe, expect, it } from 'vitest'
import { checkScope, rateCategory, resolveOperation } from '../../src/api/dispatch.ts'
import { type Scope, scopes } from '../../src/api/operations/operation.ts'
import { operationIds, routeOf } from '../../src/api/operations/operations.ts'
import { defaultReadings } from '../../src/api/readings/readings.ts'

/** Spec: Scopes and the tables of endpoints, written independently of the sources. */
function scopeInSpec(method: string, path: string): Scope {
  if (path === '/api/sdk/risk/pre-trade-check') return 'TRADE'
  if (method === 'GET' || path.startsWith('/api/sdk/risk/')) return 'READ'
  return path.startsWith('/api/sdk/quotes') ? 'MARKET_MAKING' : 'TRADE'
}

const subsets = Array.from({ length: 2 ** scopes.length }, (_, bits) =>
  scopes.filter((_scope, place) => (bits & (1 << place)) !== 0),
)

describe('scopes', () => {
  it('allow each of 41 operations to keys with its scope, and to no others', () => {
    expect(operationIds.length).toBe(41)
    for (const operation of operationIds) {
      const { method, path } = routeOf(operation)
      const needed = scopeInSpec(method, path)
      for (const held of subsets) {
        const isRefused = checkScope(new Set(held), operation, defaultReadings) !== null
        expect([operation, held, isRefused]).toEqual([operation, held, !held.includes(needed)])
      }
    }
  })

  it('imply READ only under the reading, and never from WITHDRAW', () => {
    const implied = { ...defaultReadings, 'scopes.implied': 'read' as const }
    const passes = (scope: Scope) => checkScope(new Set([scope]), 'listOrders', implied) === null
    expect(scopes.map(passes)).toEqual([true, true, true, false])
    expect(checkScope(new Set<Scope>(['MARKET_MAKING']), 'createOrder', implied)?.code).toBe(
      'insufficient-scope',
    )
  })
})

describe('paths that do not exist', () => {
  it.each([
    ['/orders', 'did you mean /api/sdk/orders?'],
    ['/api/sdk/orders/', 'did you mean /api/sdk/orders?'],
    ['//api/sdk/orders', 'did you mean /api/sdk/orders?'],
    ['/api/sdk//orders/ord_1', 'did you mean /api/sdk/orders/ord_1?'],
    ['/v1/api/sdk/orders/ord_1/fills', 'did you mean /api/sdk/orders/ord_1/fills?'],
    ['/api/sdk/api/sdk/orders', 'did you mean /api/sdk/orders?'],
    ['/api/orders', 'did you mean /api/sdk/orders?'],
    ['/sdk/portfolio/balances', 'did you mean /api/sdk/portfolio/balances?'],
    ['/api/sdk/portfolio/balance', 'did you mean /api/sdk/portfolio/balances?'],
    ['/favicon.ico', undefined],
    ['/', undefined],
    ['/api/sdk/nothing', undefined],
    ['/api/sdk/x/../orders', undefined],
    ['/API/sdk/orders', 'did you mean /api/sdk/orders?'],
  ])('%s', (path, hint) => {
    const resolved = resolveOperation('GET', path, defaultReadings)
    expect(!resolved.ok && resolved.problem).toMatchObject({ code: 'unknown-route' })
    expect(!resolved.ok && resolved.problem.hint).toBe(hint)
  })
})

describe('categories', () => {
  it.each([
    ['GET', '/api/sdk/market-data/prices', 'marketData'],
    ['GET', '/api/sdk/market-data/nothing', 'marketData'],
    ['GET', '/api/sdk/orders', 'other'],
    ['GET', '/nothing', 'other'],
  ])('%s %s counts as %s', (method, path, category) => {
    expect(rateCategory(resolveOperation(method, path, defaultReadings), path)).toBe(category)
  })
})
