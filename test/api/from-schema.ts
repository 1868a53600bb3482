import fc from 'fast-check'
import { itemShape } from '../../src/api/wire-shapes.ts'
import type { Shape } from '../../src/shape/shape.ts'

/**
 * Request bodies for this schema: mostly valid, with the numbers and words that matter to a venue, and sometimes with a
 * boundary value, another type, or an unknown field.
 */
export function fromSchema(schema: Shape, name = ''): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 60, arbitrary: fitting(schema, name) }, { weight: 1, arbitrary: oddities })
}

const oddities: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    -0,
    1e-8,
    1e15,
    1e300,
    5e-324,
    0.1 + 0.2,
    Number.MAX_SAFE_INTEGER,
  ),
  fc.constantFrom<unknown>(
    '',
    '0',
    '1e3',
    'BTC',
    ' ',
    '\u0000',
    '\ud800',
    '__proto__',
    'constructor',
    'x'.repeat(65),
  ),
  fc.constantFrom<unknown>([], {}, [[]], { toString: 1 }),
  fc.jsonValue({ maxDepth: 2 }),
)

function fitting(schema: Shape, name: string): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom<unknown>(...schema.enum)
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  const type = types.find((one) => one !== 'null')
  if (type === 'object') return objects(schema)
  if (type === 'array')
    return fc.array(fromSchema(itemShape(schema) ?? {}, name), {
      minLength: schema.minItems ?? 0,
      maxLength: 5,
    })
  if (type === 'number' || type === 'integer') return numbers(name)
  if (type === 'string') return texts(name)
  return fc.jsonValue({ maxDepth: 2 })
}

function objects(schema: Shape): fc.Arbitrary<unknown> {
  const { properties } = schema
  if (properties === undefined)
    return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 })
  const fields = Object.entries(properties).map(([key, field]) => [key, fromSchema(field, key)] as const)
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: [...(schema.required ?? [])] })
  const incomplete = fc.record(Object.fromEntries(fields), { requiredKeys: [] })
  const extended = fc
    .tuple(known, fc.string(), fc.jsonValue())
    .map(([value, key, extra]) => ({ ...value, [key]: extra }))
  return fc.oneof(
    { weight: 30, arbitrary: known },
    { weight: 1, arbitrary: incomplete },
    { weight: 1, arbitrary: extended },
  )
}

function numbers(name: string): fc.Arbitrary<number> {
  if (name === 'validForSeconds') return fc.constantFrom(0.5, 1, 30, 299.999, 300, 301)
  if (name === 'page' || name === 'offset') return fc.constantFrom(0, 1, 2, 1e9)
  if (name === 'limit' || name === 'depth') return fc.constantFrom(0, 1, 10, 50, 51, 100, 101)
  if (/price/i.test(name))
    return fc.constantFrom(1, 2_990, 2_995, 3_000, 3_010.5, 49_990, 50_000, 50_010, 50_010, 50_010.005, 1e12)
  return fc.constantFrom(0.001, 0.5, 1, 1, 2, 2, 3.0001, 20, 900, 0.0001, 1_001)
}

function texts(name: string): fc.Arbitrary<string> {
  if (name === 'asset' || name === 'assets')
    return fc.constantFrom('BTC', 'ETH', 'BTC', 'ETH', 'BTC', 'ETH', 'USD', 'DOGE')
  if (name === 'orderId') return fc.constantFrom('ord_1', 'ord_2', 'ord_5', 'ord_40', 'ord_0', 'batch')
  if (name === 'quoteId') return fc.constantFrom('qt_1', 'qt_2', 'qt_3', 'qt_40', 'ord_1')
  if (/Date$/.test(name))
    return fc.constantFrom('2026-01-05', '2026-01-04T23:59:59.999Z', '2026-02-30', 'now')
  return fc.constantFrom('a', 'b', 'c', 'ä', '😀', 'x'.repeat(64))
}
