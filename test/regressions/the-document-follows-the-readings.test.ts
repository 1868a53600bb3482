// Room: api

import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { matchRoute } from '../../src/api/dispatch.ts'
import { openApi } from '../../src/api/openapi/openapi.ts'
import { routeOf } from '../../src/api/operations/operations.ts'
import { readingEntries, resolveReadings } from '../../src/api/readings/readings.ts'
import { assert } from '../../src/numeric/assert.ts'
import { traded } from '../api/traded-desk.ts'

/*
 * The document of a server only followed the readings of statuses and the envelope: under `shapes.price=reduced` it still
 * required volume24h, and under `error.typeField=code` it forbade code, so a client that validated answers failed.
 */

const order = { side: 'buy', asset: 'BTC', quantity: 1, price: 40_000 }
const quote = { asset: 'BTC', bidPrice: 30_000, askPrice: 60_000, bidSize: 1, askSize: 1 }

const requests: readonly (readonly [string, string, string, unknown?])[] = [
  ['alice', 'POST', '/orders', { ...order, orderType: 'market', price: null, quantity: 0.5 }],
  ['alice', 'POST', '/orders', order],
  ['alice', 'POST', '/orders', { ...order, side: 'up' }],
  ['alice', 'POST', '/orders', { ...order, quantity: 900 }],
  ['alice', 'POST', '/orders/batch', { orders: [order, { ...order, clientOrderId: 'x' }, {}] }],
  ['alice', 'POST', '/quotes', quote],
  ['alice', 'PATCH', '/quotes/batch/update', [{ quoteId: 'none', bidPrice: 1 }, { bidPrice: 1 }]],
  ['alice', 'POST', '/risk/simulate', order],
  ['alice', 'POST', '/risk/pre-trade-check', { ...order, quantity: 900 }],
  ['alice', 'DELETE', '/orders/none'],
  ['alice', 'DELETE', '/orders/ord_2'],
  ['alice', 'DELETE', '/quotes/qt_1'],
  ...[
    ...['/orders', '/orders/ord_1', '/orders/ord_1/fills', '/quotes', '/orders/none'],
    ...['/market-data/prices', '/market-data/prices/BTC', '/market-data/orderbooks?assets=BTC,ETH'],
    ...['/market-data/trading-pairs', '/market-data/stats/24h', '/market-data/orderbook/BTC'],
    ...['/portfolio/balances', '/portfolio/balances/USD', '/portfolio/positions', '/portfolio/positions/BTC'],
    ...['/portfolio/exposure', '/portfolio/exposure/BTC', '/portfolio/summary', '/portfolio/pnl'],
    ...['/portfolio/transactions', '/portfolio/trades', '/portfolio/available/BTC'],
    ...['/risk/limits', '/risk/exposure', '/risk/exposure/BTC', '/risk/utilization', '/risk/metrics'],
    '/risk/max-quantity?side=buy&asset=BTC&price=50000',
  ].map((target) => ['alice', 'GET', target] as const),
  ['alice', 'GET', '/quotes/qt_1/fills'],
  ['alice', 'DELETE', '/orders/batch', {}],
]

/** Sets of readings with every value once: the first alternatives of all, then the second ones, and so on. */
const most = Math.max(...readingEntries.map(({ alternatives }) => alternatives.length))
const together = Array.from({ length: most }, (_, turn) =>
  Object.fromEntries(
    readingEntries.map(({ key, default: usual, alternatives }) => [key, alternatives[turn] ?? usual]),
  ),
)

const others = [
  { 'shapes.price': 'reduced' },
  { nulls: 'omitted' },
  { 'answers.clientFields': 'added' },
  { 'limits.form': 'list' },
  { preset: 'published-client', 'percent.unit': 'fraction' },
  { preset: 'published-client', nulls: 'omitted', 'fills.side': 'absent', 'exposure.one': 'risk' },
]

it.each([{}, ...together, ...others])(
  'every answer is valid under the document of its readings (%#)',
  (readings) => {
    expect(invalidAnswers(readings)).toEqual([])
  },
)

it('keeps the names of its shapes, with the remaining fields', () => {
  const { components } = documentOf({ 'shapes.price': 'reduced' })
  expect(components.schemas['Price']).toMatchObject({
    required: ['asset', 'bid', 'ask', 'mid', 'last', 'change24h', 'updatedAt'],
  })
})

function documentOf(readings: { readonly [key: string]: string }) {
  return openApi({ version: '1.2.3', servers: [], readings: resolvedOf(readings) })
}

function resolvedOf(readings: { readonly [key: string]: string }) {
  const resolved = resolveReadings(readings)
  assert(resolved.ok, 'the readings exist')
  return resolved.value
}

function invalidAnswers(readings: { readonly [key: string]: string }): readonly unknown[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(JSON.parse(JSON.stringify(documentOf(readings))), 'document')
  const desk = traded(readings)
  return requests.flatMap(([account, method, target, given]) => {
    const { status, body } = desk.request(account, method, target, given)
    const match = matchRoute(method, `/api/sdk${target.replace(/\?.*/, '')}`, resolvedOf(readings))
    if (match.kind !== 'found') return []
    const path = routeOf(match.operation).path.replace(/:(\w+)/, '{$1}')
    const place = ['paths', path, method.toLowerCase(), 'responses', status, 'content', 'application/json']
    const pointer = place.map((part) => encodeURIComponent(String(part).replaceAll('/', '~1'))).join('/')
    const isValid = ajv.validate(`document#/${pointer}/schema`, JSON.parse(JSON.stringify(body)))
    return isValid ? [] : [{ readings, method, target, status, errors: ajv.errorsText() }]
  })
}
