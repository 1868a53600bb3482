// Room: api

import { expect, it } from 'vitest'
import { openApi } from '../../src/api/openapi/openapi.ts'
import { toOpenApiVersion } from '../../src/api/openapi/openapi-30.ts'

interface Enumerations {
  readonly components: {
    readonly schemas: Record<
      string,
      { readonly enum?: readonly string[]; readonly 'x-enum-varnames'?: readonly string[] }
    >
  }
}

it('names the words that enumerations of the 3.0 document share after their enumeration', () => {
  const document = openApi({ version: '1.2.3', servers: ['http://127.0.0.1:4010'] })
  const { components }: Enumerations = JSON.parse(JSON.stringify(toOpenApiVersion('3.0', document)))
  const named = Object.entries(components.schemas).filter(
    ([, schema]) => schema['x-enum-varnames'] !== undefined,
  )
  expect(named.map(([name]) => name)).toEqual(['OrderStatus', 'QuoteStatus'])
  expect(components.schemas['QuoteStatus']).toMatchObject({
    enum: ['active', 'partially_filled', 'filled', 'cancelled', 'expired'],
    'x-enum-varnames': [
      'QuoteStatusActive',
      'QuoteStatusPartiallyFilled',
      'QuoteStatusFilled',
      'QuoteStatusCancelled',
      'QuoteStatusExpired',
    ],
  })
  const constants = Object.values(components.schemas).flatMap(
    (schema) => schema['x-enum-varnames'] ?? schema.enum ?? [],
  )
  expect(new Set(constants).size).toBe(constants.length)
})
