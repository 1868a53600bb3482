import { describe, expect, it } from 'vitest'
import { operationIds, routeOf } from '../../../src/api/operations/operations.ts'
import { messageOf } from '../../../src/backtest/venue/request-tally.ts'

describe('a request as a message', () => {
  it.each(operationIds)('is %s when that operation accepts it', (operation) => {
    const { method, path } = routeOf(operation)
    const target = path.replace(/:[^/]+/, 'x-1')
    const parameter = path.includes(':') ? 'x-1' : ''
    expect(messageOf(method, `${target}?limit=5`, null)).toEqual({
      operation,
      parameter,
      target: `${target}?limit=5`,
      body: null,
    })
  })

  it.each([
    ['GET', '/api/sdk/order'],
    ['PUT', '/api/sdk/orders'],
    ['GET', '/'],
  ])('is an error where no operation takes it, as %s %s', (method, target) => {
    expect(() => messageOf(method, `${target}?a=b`, undefined)).toThrow(
      new RangeError(`no operation takes ${method} ${target}`),
    )
  })
})
