import { expect, it } from 'vitest'
import {
  buildExample,
  findAnswer,
  findBodySchema,
  listFields,
  listOperations,
} from '../../../src/console/docs/document.ts'
import { otcsim } from '../../cli/harness.ts'

it('every field of every operation is told, with a type', async () => {
  const { out } = await otcsim(['openapi'])
  const document: unknown = JSON.parse(out)
  const operations = listOperations(document)
  expect(operations).toHaveLength(41)
  let count = 0
  for (const { id, part } of operations) {
    const answer = findAnswer(part)
    for (const schema of [findBodySchema(part), answer?.schema]) {
      for (const { name, type, about } of listFields(document, schema)) {
        count += 1
        expect([id, name, about === '', type === 'any']).toEqual([id, name, false, false])
      }
    }
  }
  expect(count).toBeGreaterThan(400)
})

it('the request of an example has the examples of its parameters', async () => {
  const { out } = await otcsim(['openapi'])
  const operations = listOperations(JSON.parse(out))
  const build = (id: string) =>
    operations.filter((operation) => operation.id === id).map((operation) => buildExample(operation))
  expect(build('getOrder')).toEqual([
    { method: 'GET', target: expect.stringMatching(/^\/api\/sdk\/orders\/ord_/), body: '' },
  ])
  expect(build('createOrder')).toEqual([
    { method: 'POST', target: '/api/sdk/orders', body: expect.stringContaining('"side":"buy"') },
  ])
  for (const operation of operations) expect(buildExample(operation).target).not.toMatch(/[{}]/)
})
