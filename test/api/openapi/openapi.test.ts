import { describe, expect, it } from 'vitest'
import { validate } from '../../../src/api/input/read-body.ts'
import { bodyExamples, defaultExampleWorld, parameterExample } from '../../../src/api/openapi/examples.ts'
import { openApi } from '../../../src/api/openapi/openapi.ts'
import { declaredStatuses } from '../../../src/api/openapi/responses.ts'
import { operationIds, routeOf } from '../../../src/api/operations/operations.ts'
import { defaultReadings, resolveReadings } from '../../../src/api/readings/readings.ts'
import { assert } from '../../../src/numeric/assert.ts'

const document = openApi({ version: '1.2.3', servers: ['http://127.0.0.1:4010'] })
const text = JSON.stringify(document)
const plain: unknown = JSON.parse(text)

/** The value at a path of names in the document, or undefined. */
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
        ...(path.includes(':') ? [404] : []),
        ...(body === null ? [] : [413, 415]),
      ]
      expect(Object.keys(responses ?? {}).map(Number)).toEqual(
        expected.toSorted((left, right) => left - right),
      )
    }
  })

  it('refers to all of its components, and to no others', () => {
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

  it('documents the filters and changes that the server accepts', () => {
    const listed = ['active', 'expired', 'filled', 'cancelled']
    const words = '(open|partially_filled|filled|cancelled)'
    const statuses = { type: 'string', pattern: `^${words}(,${words})*$` }
    expect(at('paths', '/api/sdk/quotes', 'get', 'parameters')).toMatchObject([
      { name: 'status', schema: { enum: listed } },
      {},
      {},
      {},
    ])
    expect(at('paths', '/api/sdk/orders', 'get', 'parameters', '0')).toMatchObject({ schema: statuses })
    const readings = { ...defaultReadings, 'filters.unlisted': 'accept' as const }
    const lenient = openApi({ version: '1.2.3', servers: [], readings })
    expect(lenient.paths['/api/sdk/quotes']?.['get']).toMatchObject({
      parameters: [{ name: 'status', schema: { type: 'string' } }, {}, {}, {}],
    })
    expect(at('components', 'schemas', 'AmendOrder')).toMatchObject({ minProperties: 1 })
    expect(at('components', 'schemas', 'UpdateQuote')).toMatchObject({ minProperties: 1 })
  })

  it('names the words that several shapes share, and states the type of all words and constants', () => {
    const shape = (name: string) => at('components', 'schemas', name, 'properties')
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    expect(at('components', 'schemas', 'Side')).toMatchObject({ type: 'string', enum: ['buy', 'sell'] })
    expect(shape('Order')).toMatchObject({ side: ref('Side'), status: ref('OrderStatus') })
    expect(shape('Position')).toMatchObject({ side: { type: 'string', enum: ['long', 'short'] } })
    expect(shape('CreateOrder')).toMatchObject({
      side: ref('Side'),
      orderType: {
        anyOf: [ref('OrderType'), { type: 'null' }],
        description: expect.stringMatching(/; limit when left out$/),
      },
    })
    expect(shape('Transaction')).toMatchObject({ side: { anyOf: [ref('Side'), { type: 'null' }] } })
    const typed = [...text.matchAll(/"type":("\w+"|\[[^\]]*\]),"(?:enum|const)"/g)].length
    expect(typed).toBe([...text.matchAll(/"(?:enum|const)":/g)].length)
  })

  it.each([
    ['percent', '2.5 is 2.5 %'],
    ['fraction', '0.025 is 2.5 %'],
  ])('says that numbers are doubles, and what %s means', (unit, description) => {
    const readings = resolveReadings({ 'percent.unit': unit })
    assert(readings.ok, 'the reading exists')
    const { schemas } = openApi({ version: '1.2.3', servers: [], readings: readings.value }).components
    expect(schemas['Price']).toMatchObject({
      properties: {
        bid: { type: 'number', format: 'double' },
        change24h: {
          type: 'number',
          format: 'double',
          description: expect.stringMatching(new RegExp(`^change of .*: ${description}$`)),
        },
      },
    })
    expect(schemas['Order']).toMatchObject({
      properties: { averagePrice: { type: ['number', 'null'], format: 'double' } },
    })
    expect(schemas['CreateOrder']).toMatchObject({
      properties: { quantity: { type: 'number', format: 'double', exclusiveMinimum: 0 } },
    })
    expect(JSON.stringify(schemas)).not.toContain('"format":"percent"')
  })

  it('documents parameters, defaults and the items of a batch', () => {
    expect(at('paths', '/api/sdk/orders', 'get', 'parameters')).toContainEqual({
      name: 'limit',
      in: 'query',
      required: false,
      description: expect.stringContaining('how many of them a page has'),
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
      example: 50,
    })
    expect(at('paths', '/api/sdk/orders/{orderId}', 'get', 'parameters')).toMatchObject([
      { name: 'orderId', in: 'path', required: true, schema: { type: 'string' }, example: 'ord_1' },
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
  it('opens the shapes of answers, and no others, where answers may have further fields', () => {
    const readings = resolveReadings({ 'answers.extraFields': 'some', envelope: 'wrapped' })
    assert(readings.ok, 'the reading exists')
    const { schemas } = openApi({ version: '1.2.3', servers: [], readings: readings.value }).components
    const isOpen = (name: string) => Object(schemas[name]).additionalProperties
    const requests = ['CreateOrder', 'AmendOrder', 'SubmitQuote', 'UpdateQuote', 'OrderCandidate']
    expect(requests.map(isOpen)).toEqual(requests.map(() => false))
    expect(['Order', 'Fill', 'Pagination', 'RiskMetrics'].map(isOpen)).toEqual([true, true, true, true])
    expect(isOpen('Error')).toBe(false)
  })

  it.each([
    ['orders.cancelTerminal', '422', 'cancelOrder', 422],
    ['quotes.terminal', '400', 'cancelQuote', 400],
    ['assets.unknown', '404', 'listOrders', 404],
    ['pairs.violation', '422', 'simulateOrder', 422],
    ['batchStatus', '207', 'createOrders', 207],
    ['batchStatus', '422', 'createOrders', 422],
    ['batchStatus', '207', 'updateQuotes', 207],
    ['batchStatus', '422', 'updateQuotes', 422],
    ['clientId.duplicate', 'return', 'submitQuote', 200],
    ['createdStatus', '200', 'createOrder', 200],
    ['createdStatus', 'every-post', 'checkOrder', 201],
  ] as const)('declares what reading %s=%s brings', (key, value, id, status) => {
    const readings = resolveReadings({ [key]: value })
    assert(readings.ok, 'the reading exists')
    const { successes, errors } = declaredStatuses(id, routeOf(id), readings.value)
    expect([...successes, ...errors]).toContain(status)
    const changed = openApi({ version: '1.2.3', servers: [], readings: readings.value })
    expect(changed.info.description).toContain(`${key}=${value}`)
    expect(changed['x-readings'][key]).toBe(value)
  })

  it('wraps successes in the envelope under the reading', () => {
    const readings = resolveReadings({ envelope: 'wrapped' })
    assert(readings.ok, 'the reading exists')
    const { paths } = openApi({ version: '1.2.3', servers: [], readings: readings.value })
    expect(paths['/api/sdk/orders']?.['post']).toMatchObject({
      responses: {
        201: {
          content: {
            'application/json': {
              schema: {
                required: ['data', 'timestamp'],
                properties: { data: { $ref: '#/components/schemas/Order' } },
              },
            },
          },
        },
        400: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
      },
    })
  })

  it('has no default in a body: generators would make such fields required, or send the default themselves', () => {
    const bodies = operationIds.flatMap((id) => routeOf(id).body ?? [])
    expect(JSON.stringify(bodies)).not.toContain('"default"')
    expect(JSON.stringify(at('components', 'schemas'))).not.toContain('"default"')
  })

  it('has an example for every parameter and body, and each is valid', () => {
    for (const id of operationIds) {
      const route = routeOf(id)
      const bodies = Object.values(bodyExamples(id, defaultExampleWorld))
      expect([id, bodies.length > 0]).toEqual([id, route.body !== null])
      for (const body of bodies) {
        if (route.body !== null) expect([id, validate(route.body, body).ok]).toEqual([id, true])
        for (const item of itemsOf(body)) {
          if (route.bodyItem !== null) expect([id, validate(route.bodyItem, item).ok]).toEqual([id, true])
        }
      }
      for (const [name, schema] of Object.entries(route.query.properties)) {
        const example = parameterExample(id, name, defaultExampleWorld)
        const value = schema.type === 'array' ? String(example).split(',') : example
        expect([id, name, validate(schema, value).ok]).toEqual([id, name, true])
      }
    }
  })

  it('puts fixed paths before those with a parameter', () => {
    const paths = Object.keys(document.paths).filter((path) => path.startsWith('/api/sdk/orders'))
    expect(paths.map((path) => path.slice('/api/sdk/orders'.length))).toEqual([
      '',
      '/by-client-id',
      '/batch',
      '/{orderId}',
      '/{orderId}/fills',
    ])
  })

  it('says when to come back after 429, and links creations to what needs their ids', () => {
    const { post } = document.paths['/api/sdk/orders'] ?? {}
    expect(post).toMatchObject({
      responses: {
        201: {
          links: {
            getOrder: { operationId: 'getOrder', parameters: { orderId: '$response.body#/orderId' } },
            amendOrder: {},
            cancelOrder: {},
            listOrderFills: {},
            getOrderByClientId: { parameters: { clientOrderId: '$response.body#/clientOrderId' } },
          },
        },
      },
    })
    const refused = text.split('"429":').slice(1)
    expect(refused).toHaveLength(operationIds.length)
    for (const part of refused) expect(part.slice(0, 800)).toContain('#/components/headers/Retry-After')
  })
})

/** The items of a body that is a list, or has one. */
function itemsOf(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body
  return Object.values(body ?? {}).flatMap((value: unknown) => (Array.isArray(value) ? value : []))
}
