import { queryUnder } from '../../api/input/query-string.ts'
import { type OperationId, operationIds, routeOf } from '../../api/operations/operations.ts'
import { defaultReadings } from '../../api/readings/readings.ts'
import { itemShape } from '../../api/wire-shapes.ts'
import { assert } from '../../numeric/assert.ts'
import { createStream, type RandomStream } from '../../numeric/random.ts'
import type { Shape } from '../../shape/shape.ts'

/** A request before its venue is known: ids are those of what was made before, counted back from the newest. */
export interface PlannedRequest {
  readonly operation: OperationId
  readonly parameter: Parameter
  readonly query: readonly (readonly [string, string])[]
  /** The body's text; empty for none. */
  readonly body: string
}

export type Parameter =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'order' | 'quote'; readonly back: number }

/** Stands in a body for an id, until that is known. */
export const idPlace = { order: '#order', quote: '#quote' } as const

/** Requests by a seed: most of them sensible, some at the edges of what is allowed, some beyond. */
export function plannedRequests(seed: string, count: number): readonly PlannedRequest[] {
  const stream = createStream(seed, 'fuzz', '', 0)
  return Array.from({ length: count }, () => plannedRequest(stream))
}

function plannedRequest(stream: RandomStream): PlannedRequest {
  const operation = pick(stream, [...operationIds, ...often])
  const route = routeOf(operation)
  const { properties, required = [] } = queryUnder(route.query, defaultReadings)
  const query = Object.entries(properties)
    .filter(([name]) => required.includes(name) || stream.integer(3) === 0)
    .map(([name, schema]): readonly [string, string] => [name, queryText(generated(schema, name, stream))])
  const stray = stream.integer(40) === 0 ? [['stray', '1'] as const] : []
  return {
    operation,
    parameter: parameterOf(route.path, stream),
    query: [...query, ...stray],
    body: route.body === null ? '' : bodyText(route.body, route.bodyItem, stream),
  }
}

/** Requests that make something to read, change and take back come more often. */
const often: readonly OperationId[] = [
  'createOrder',
  'createOrder',
  'createOrder',
  'submitQuote',
  'createOrders',
  'amendOrder',
]

function parameterOf(path: string, stream: RandomStream): Parameter {
  if (path.includes(':orderId')) return { kind: 'order', back: stream.integer(6) }
  if (path.includes(':quoteId')) return { kind: 'quote', back: stream.integer(4) }
  const text = stream.integer(10) === 0 ? pick(stream, oddTexts) : pick(stream, ['BTC', 'ETH', 'USD'])
  return { kind: 'text', text }
}

function bodyText(schema: Shape, item: Shape | null, stream: RandomStream): string {
  if (stream.integer(60) === 0)
    return pick(stream, ['', '{', 'null', '[]', '{}', '{"a":1,"a":2}', '"text"', '[[]]'])
  const value = generated(schema, '', stream)
  const items = item !== null && Array.isArray(value) ? value.map(() => generated(item, '', stream)) : value
  return JSON.stringify(items)
}

function generated(schema: Shape, name: string, stream: RandomStream): unknown {
  if (stream.integer(70) === 0) return pick(stream, oddValues)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return pick(stream, schema.enum)
  if (schema.anyOf !== undefined) return generated(pick(stream, schema.anyOf), name, stream)
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  const type = types.find((one) => one !== 'null')
  if (type === 'object') return objectOf(schema, stream)
  if (type === 'array')
    return Array.from({ length: 1 + stream.integer(3) }, () =>
      generated(itemShape(schema) ?? {}, name, stream),
    )
  if (type === 'number' || type === 'integer') return drawNumber(name, stream)
  if (type === 'boolean') return stream.integer(2) === 0
  return drawText(name, stream)
}

function objectOf(schema: Shape, stream: RandomStream): object {
  const value: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const isWanted =
      schema.required?.includes(name) === true ? stream.integer(60) > 0 : stream.integer(2) === 0
    if (isWanted) value[name] = generated(field, name, stream)
  }
  if (stream.integer(60) === 0) value['stray'] = pick(stream, oddValues)
  return value
}

function drawNumber(name: string, stream: RandomStream): number {
  if (name === 'validForSeconds') return pick(stream, [0, 1, 30, 299, 300, 301, 1.5])
  if (name === 'page') return pick(stream, [0, 1, 1, 2, 1e9])
  if (name === 'limit' || name === 'depth') return pick(stream, [0, 1, 10, 50, 51, 100, 101])
  if (/bid.*price/i.test(name)) return pick(stream, [1, 2000, 40_000, 80_000, 80_000.005])
  if (/ask.*price/i.test(name)) return pick(stream, [1, 9000, 60_000, 120_000, 1e12])
  if (/price/i.test(name)) return pick(stream, [1, 2500, 3000, 50_000, 90_000, 100_000, 100_000.005, 1e12])
  return pick(stream, [0, 0.0001, 0.01, 0.01, 0.5, 1, 2, 20, 900, 0.00000001, 1e9])
}

function drawText(name: string, stream: RandomStream): string {
  if (stream.integer(30) === 0) return pick(stream, oddTexts)
  if (name === 'orderId') return idPlace.order
  if (name === 'quoteId') return idPlace.quote
  if (/^assets?$/.test(name)) return pick(stream, ['BTC', 'ETH', 'USD', 'BTC,ETH'])
  if (/client/i.test(name)) return `client-${stream.integer(40)}`
  if (/date|after|before|start|end/i.test(name))
    return pick(stream, ['2026-01-05', '2026-01-05T00:00:00Z', '2026-02-30', '2020-01-01'])
  if (/status/i.test(name)) return pick(stream, ['open', 'filled', 'open,cancelled', 'active', 'expired'])
  return pick(stream, ['buy', '1h', '24h', 'trade', 'deposit', 'text'])
}

const oddTexts = [
  '',
  ' ',
  '0',
  'btc',
  'BTC-USD',
  '%00',
  '../../..',
  '__proto__',
  'x'.repeat(65),
  'ü',
  '\u{1f600}',
] as const
const oddValues: readonly unknown[] = [
  ...[null, true, -1, 0, 1e15, 1e300, 5e-324, 0.1 + 0.2, Number.MAX_SAFE_INTEGER],
  ...['', '0', '1e3', ' ', '__proto__', 'x'.repeat(300)],
  ...[[], {}, [[]], { toString: 1 }],
]

const queryText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null)

function pick<Item>(stream: RandomStream, items: readonly Item[]): Item {
  const item = items[stream.integer(items.length)]
  assert(item !== undefined, 'there is something to pick')
  return item
}
