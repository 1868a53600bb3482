import { describe, expect, it } from 'vitest'
import { openApi } from '../../src/api/openapi.ts'
import { operationIds, routeOf } from '../../src/api/routes/routes.ts'

const document = openApi({ version: '1.2.3', servers: ['http://127.0.0.1:4010'] })
const text = JSON.stringify(document)
const plain: unknown = JSON.parse(text)

/** Follows names into the document; undefined where one is missing. */
function at(...names: readonly string[]): unknown {
  let value: unknown = plain
  for (const name of names)
    value =
      typeof value === 'object' && value !== null
        ? Object.entries(value).find(([key]) => key === name)?.[1]
        : undefined
  return value
}

describe('the OpenAPI document', () => {
  it('has every operation under its method and path', () => {
    for (const id of operationIds) {
      const { method, path } = routeOf(id)
      expect(at('paths', path.replace(/:(\w+)/, '{$1}'), method.toLowerCase(), 'operationId')).toBe(id)
    }
  })

  it('declares a success, and every error, of every operation', () => {
    for (const id of operationIds) {
      const { method, path, errors, makes, body } = routeOf(id)
      const responses = at('paths', path.replace(/:(\w+)/, '{$1}'), method.toLowerCase(), 'responses')
      const expected = [
        makes === 'nothing' ? 200 : 201,
        400,
        401,
        403,
        429,
        500,
        ...errors,
        ...(body === null ? [] : [413]),
      ]
      expect(Object.keys(responses ?? {}).map(Number)).toEqual(
        expected.toSorted((left, right) => left - right),
      )
    }
  })

  it('refers only to what it has, and to all of it', () => {
    const named = (kind: string) =>
      Object.keys(at('components', kind) ?? {}).map((name) => `#/components/${kind}/${name}`)
    const used = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference))
    expect([...used].toSorted()).toEqual([...named('schemas'), ...named('headers')].toSorted())
  })

  it('asks for three headers on every request', () => {
    expect(at('security')).toEqual([{ apiKey: [], timestamp: [], signature: [] }])
    expect(at('components', 'securitySchemes')).toMatchObject({
      apiKey: { name: 'X-API-Key' },
      timestamp: { name: 'X-API-Timestamp' },
      signature: { name: 'X-API-Signature' },
    })
  })

  it('documents parameters, defaults and the items of a batch', () => {
    expect(at('paths', '/api/sdk/orders', 'get', 'parameters')).toContainEqual({
      name: 'limit',
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
    })
    expect(at('paths', '/api/sdk/orders/{orderId}', 'get', 'parameters')).toEqual([
      { name: 'orderId', in: 'path', required: true, schema: { type: 'string' } },
    ])
    expect(at('paths', '/api/sdk/orders/batch', 'post', 'requestBody')).toMatchObject({
      required: true,
      content: {
        'application/json': {
          schema: { properties: { orders: { items: { $ref: '#/components/schemas/CreateOrder' } } } },
        },
      },
    })
    expect(at('paths', '/api/sdk/orders/batch', 'delete', 'requestBody', 'required')).toBe(false)
  })
})
