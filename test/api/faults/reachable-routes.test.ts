import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchRoute } from '../../../src/api/dispatch.ts'
import { listMethods, matchesPath, routePatterns } from '../../../src/api/faults/matches-fault.ts'
import { operationIds, routeOf } from '../../../src/api/operations/operations.ts'
import { caseBudget } from '../../support/full-run.ts'

const paths = operationIds.map((id) => routeOf(id).path)

describe('listMethods', () => {
  it('is not empty for a pattern that fits a path of the router', () => {
    const path = fc
      .constantFrom(...paths)
      .chain((route) => fc.stringMatching(/^[^/*\s]{1,6}$/).map((id) => route.replace(/:[^/]+/, id)))
    const cut = fc.record({ path, from: fc.nat(60), length: fc.nat(60), more: fc.nat(60) })
    fc.assert(
      fc.property(cut, ({ path, from, length, more }) => {
        const pattern = `${path.slice(0, from)}*${path.slice(from + length, from + length + more)}*${path.slice(from + length + more)}`
        expect(matchesPath(pattern, path)).toBe(true)
        for (const method of ['GET', 'POST', 'PATCH', 'DELETE'])
          if (matchRoute(method, path).kind === 'found') expect(listMethods(pattern)).toContain(method)
      }),
      { seed: 7, numRuns: caseBudget(500) },
    )
  })

  it('agrees with the router on paths without stars', () => {
    const path = fc
      .array(
        fc.constantFrom('', 'api', 'sdk', 'orders', 'batch', 'quotes', 'x', 'market-data', 'prices', 'fills'),
        {
          minLength: 1,
          maxLength: 6,
        },
      )
      .map((parts) => `/${parts.join('/')}`)
    fc.assert(
      fc.property(path, (path) => {
        const known = ['GET', 'POST', 'PATCH', 'DELETE'].filter(
          (method) => matchRoute(method, path).kind === 'found',
        )
        expect([...listMethods(path)].sort()).toEqual(known.sort())
      }),
      { seed: 7, numRuns: caseBudget(2000) },
    )
  })

  it.each([
    ['*', 4],
    ['/api/sdk/orders/*', 4],
    ['/api/sdk/orders/*/fills', 1],
    ['*ord_1', 3],
    ['*/', 0],
    ['/api/sdk/orders', 2],
    ['/api/sdk/orders?*', 0],
    ['/api/SDK/*', 0],
    ['', 0],
  ])('of %s are %i', (pattern, count) => {
    expect(listMethods(pattern)).toHaveLength(count)
  })

  it('is not empty for the pattern of any route', () => {
    expect(routePatterns.filter((pattern) => listMethods(pattern).length === 0)).toEqual([])
    expect(routePatterns.length).toBe(new Set(paths).size)
  })
})
