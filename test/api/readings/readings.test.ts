import { expect, it } from 'vitest'
import type { ApiResponse } from '../../../src/api/context.ts'
import { listValues, type Readings, readingKeys } from '../../../src/api/readings/readings.ts'
import { atoms, millis } from '../../../src/numeric/units.ts'
import { type Desk, openDesk } from '../desk.ts'

/*
 * The effect of every value of every reading, as a client sees it. The type requires each value, so a reading cannot be
 * added without a case here. The readings of the transport are in test/pipeline/transport-readings.test.ts.
 */

type TransportKey =
  | 'http.wrongMethod'
  | 'scopes.implied'
  | 'auth.clock'
  | 'auth.futureMs'
  | 'auth.malformed'
  | 'auth.timestampStatus'
  | 'auth.signatureStatus'
  | 'signature.key'
  | 'signature.query'
  | 'signature.hex'
  | 'rate.algorithm'
  | 'rate.clock'
  | 'rate.resetUnit'

interface Probe<Value extends string> {
  observe(desk: Desk): unknown
  readonly seen: { readonly [Each in Value]: unknown }
}

const limitBuy = { side: 'buy', asset: 'BTC', quantity: 1, price: 49_000 }
const marketBuy = { side: 'buy', asset: 'BTC', quantity: 1, orderType: 'market' }
const quote = { asset: 'BTC', bidPrice: 49_000, askPrice: 51_000, bidSize: 1, askSize: 1 }
const candidate = { side: 'buy', asset: 'ETH', quantity: 1, price: 3_000 }

const get = (desk: Desk, target: string, account = 'alice') => desk.request(account, 'GET', target).body
const post = (desk: Desk, target: string, body: unknown, account = 'alice') =>
  desk.request(account, 'POST', target, body)
const statusOf = ({ status }: ApiResponse) => status

/** The value at a path of names and indices in a body. */
function at(value: unknown, ...names: readonly (string | number)[]): unknown {
  let found = value
  for (const name of names) {
    const entries: [string, unknown][] =
      typeof found === 'object' && found !== null ? Object.entries(found) : []
    found = entries.find(([key]) => key === String(name))?.[1]
  }
  return found
}

const has = (value: unknown, ...names: readonly string[]) =>
  names.map((name) => typeof value === 'object' && value !== null && name in value)
const keys = (value: unknown) => Object.keys(Object(value))
const length = (value: unknown) => (Array.isArray(value) ? value.length : -1)

function filled(desk: Desk): void {
  post(desk, '/orders', { ...marketBuy, quantity: 0.5 })
}

function cancelledOrder(desk: Desk): void {
  post(desk, '/orders', limitBuy)
  desk.request('alice', 'DELETE', '/orders/ord_1')
}

function shape(observe: Probe<'full' | 'reduced'>['observe']): Probe<'full' | 'reduced'> {
  return { observe, seen: { full: [true, true], reduced: [true, false] } }
}

const probes: { readonly [Key in Exclude<keyof Readings, TransportKey>]: Probe<Readings[Key]> } = {
  envelope: {
    observe: (desk) => keys(get(desk, '/risk/limits')),
    seen: { bare: ['limits'], wrapped: ['data', 'timestamp'] },
  },
  createdStatus: {
    observe: (desk) => [
      statusOf(post(desk, '/orders', limitBuy)),
      statusOf(post(desk, '/risk/simulate', candidate)),
      statusOf(desk.request('alice', 'PATCH', '/orders/ord_1', { quantity: 2 })),
    ],
    seen: { '201': [201, 200, 200], '200': [200, 200, 200], 'every-post': [201, 201, 200] },
  },
  batchStatus: {
    observe: (desk) => {
      post(desk, '/quotes', quote)
      const [good, bad] = [
        { quoteId: 'qt_1', bidSize: 2 },
        { quoteId: 'qt_9', bidSize: 2 },
      ]
      return [
        ...[[limitBuy], [limitBuy, 7], [7]].map((orders) => post(desk, '/orders/batch', { orders })),
        ...[[good], [good, bad], [bad]].map((items) =>
          desk.request('alice', 'PATCH', '/quotes/batch/update', items),
        ),
      ].map(statusOf)
    },
    seen: {
      same: [201, 201, 201, 200, 200, 200],
      '207': [201, 207, 207, 200, 207, 207],
      '422': [201, 201, 422, 200, 200, 422],
    },
  },
  'shapes.price': shape((desk) => has(get(desk, '/market-data/prices/BTC'), 'last', 'high24h')),
  'shapes.pair': shape((desk) =>
    has(at(get(desk, '/market-data/trading-pairs'), 'pairs', 0), 'base', 'symbol'),
  ),
  'shapes.stats': shape((desk) => has(at(get(desk, '/market-data/stats/24h'), 'stats', 0), 'close', 'vwap')),
  'shapes.balance': shape((desk) => has(get(desk, '/portfolio/balances/USD'), 'total', 'pendingDeposit')),
  'shapes.position': shape((desk) => has(get(desk, '/portfolio/positions/BTC'), 'quantity', 'side')),
  'shapes.exposure': shape((desk) => has(get(desk, '/portfolio/exposure'), 'netExposure', 'leverage')),
  'shapes.summary': {
    observe: (desk) => has(get(desk, '/portfolio/summary'), 'openPositions', 'positions'),
    seen: { full: [true, false], reduced: [false, true] },
  },
  'shapes.limits': shape((desk) =>
    has(at(get(desk, '/risk/limits'), 'limits'), 'maxExposure', 'maxLeverage'),
  ),
  'shapes.utilization': shape((desk) => has(get(desk, '/risk/utilization'), 'utilization', 'byAsset')),
  'shapes.maxQuantity': {
    observe: (desk) =>
      typeof at(get(desk, '/risk/max-quantity?side=buy&asset=BTC&price=50000'), 'details', 'byBalance'),
    seen: { full: 'object', reduced: 'number' },
  },
  'shapes.simulation': shape((desk) =>
    has(post(desk, '/risk/simulate', candidate).body, 'impact', 'orderValue'),
  ),
  nulls: {
    observe: (desk) => has(post(desk, '/orders', limitBuy).body, 'price', 'averagePrice'),
    seen: { explicit: [true, true], omitted: [true, false] },
  },
  'answers.clientFields': {
    observe: (desk) => has(post(desk, '/orders', limitBuy).body, 'orderId', 'id'),
    seen: { none: [true, false], added: [true, true] },
  },
  'limits.form': {
    observe: (desk) => length(at(get(desk, '/risk/limits'), 'limits')),
    seen: { object: -1, list: 10 },
  },
  'body.names': {
    observe: (desk) =>
      [{ order_type: 'market' }, { time_in_force: 'IOC' }, { Time_in_force: 'IOC' }]
        .map((more) => post(desk, '/orders', { ...limitBuy, ...more }))
        .map(statusOf),
    seen: { camel: [400, 400, 400], either: [201, 201, 400] },
  },
  'depth.maximum': {
    observe: (desk) =>
      [50, 51, 100, 101].map(
        (depth) => desk.request('alice', 'GET', `/market-data/orderbook/BTC?depth=${depth}`).status,
      ),
    seen: { '50': [200, 400, 400, 400], '100': [200, 200, 200, 400] },
  },
  'quotes.query': {
    observe: (desk) => {
      post(desk, '/quotes', quote)
      return ['page=2&limit=1', 'statuses=active,filled', 'page=1&offset=5', 'status=active&statuses=filled']
        .map((query) => desk.request('alice', 'GET', `/quotes?${query}`))
        .map(({ status, body }) => [status, length(at(body, 'quotes'))])
    },
    seen: {
      offset: [400, 400, 400, 400].map((status) => [status, -1]),
      either: [
        [200, 0],
        [200, 1],
        [400, -1],
        [200, 0],
      ],
    },
  },
  'quotes.fills': {
    observe: (desk) => {
      post(desk, '/quotes', quote)
      return ['/quotes/qt_1/fills', '/quotes/qt_9/fills'].map(
        (target) => desk.request('alice', 'GET', target).status,
      )
    },
    seen: { absent: [404, 404], present: [200, 404] },
  },
  'answers.extraFields': {
    observe: (desk) => {
      const { body } = post(desk, '/orders', { ...limitBuy, metadata: { note: {} } })
      const list = get(desk, '/orders')
      const [entry, pages] = [at(list, 'orders', 0), at(list, 'pagination')]
      const books = at(get(desk, '/market-data/orderbooks?assets=BTC'), 'orderbooks')
      const state = at(post(desk, '/risk/simulate', candidate).body, 'afterOrder')
      const refused = get(desk, '/orders/ord_9')
      const open = [body, list, entry, pages, at(books, 'BTC')]
      const asTheyAre = [at(body, 'metadata'), at(body, 'metadata', 'note'), books, state, refused]
      return [open, asTheyAre].map((values) => values.map((value) => keys(value).includes('addedLater')))
    },
    seen: {
      none: [Array(5).fill(false), Array(5).fill(false)],
      some: [Array(5).fill(true), Array(5).fill(false)],
    },
  },
  'percent.unit': {
    observe: (desk) => {
      post(desk, '/orders', { ...limitBuy, quantity: 1.5, price: 50_020 })
      return at(get(desk, '/market-data/prices/BTC'), 'change24h')
    },
    seen: { percent: 0.04, fraction: 0.0004 },
  },
  'ids.format': {
    observe: (desk) => /^[0-9a-f-]{36}$/.test(String(at(post(desk, '/orders', limitBuy).body, 'orderId'))),
    seen: { counter: false, uuid: true },
  },
  'lists.order': {
    observe: (desk) => {
      for (const price of [49_000, 48_000]) post(desk, '/orders', { ...limitBuy, price })
      return at(get(desk, '/orders'), 'orders', 0, 'price')
    },
    seen: { newest: 48_000, oldest: 49_000 },
  },
  'filters.unlisted': {
    observe: (desk) => {
      post(desk, '/orders', limitBuy)
      return ['/orders?statuses=expired', '/orders?statuses=pending', '/orders?statuses=pending,open']
        .map((target) => desk.request('alice', 'GET', target))
        .map(({ status, body }) => [status, length(at(body, 'orders'))])
    },
    seen: {
      '400': [400, 400, 400].map((status) => [status, -1]),
      accept: [
        [200, 0],
        [200, 0],
        [200, 1],
      ],
      ignore: [
        [200, 1],
        [200, 1],
        [200, 1],
      ],
    },
  },
  'assets.unknown': {
    observe: (desk) => statusOf(desk.request('alice', 'GET', '/market-data/prices?assets=BTC,DOGE')),
    seen: { omit: 200, '404': 404 },
  },
  'params.outOfRange': {
    observe: (desk) => at(get(desk, '/orders?limit=101'), 'pagination', 'limit'),
    seen: { '400': undefined, clamp: 100 },
  },
  'body.unknown': {
    observe: (desk) => statusOf(post(desk, '/orders', { ...limitBuy, colour: 'red' })),
    seen: { '400': 400, ignore: 201 },
  },
  'body.coerce': {
    observe: (desk) => statusOf(post(desk, '/orders', { ...limitBuy, quantity: '1.5' })),
    seen: { '400': 400, coerce: 201 },
  },
  'query.unknown': {
    observe: (desk) => statusOf(desk.request('alice', 'GET', '/orders?colour=red')),
    seen: { '400': 400, ignore: 200 },
  },
  'error.typeField': {
    observe: (desk) => {
      const body = get(desk, '/orders/ord_9')
      return [at(body, 'details', 'type'), at(body, 'code'), at(body, 'errorCode'), at(body, 'error')]
    },
    seen: {
      'details.type': ['ORDER_NOT_FOUND', undefined, undefined, 'Not Found'],
      code: [undefined, 'ORDER_NOT_FOUND', undefined, 'Not Found'],
      errorCode: [undefined, undefined, 'ORDER_NOT_FOUND', 'Not Found'],
      error: [undefined, undefined, undefined, 'ORDER_NOT_FOUND'],
      none: [undefined, undefined, undefined, 'Not Found'],
    },
  },
  'error.message': {
    observe: (desk) => ['/orders/ord_9', '/orders?limit=0'].map((path) => at(get(desk, path), 'message')),
    seen: {
      string: ['The order does not exist', 'limit must be at least 1'],
      array: [['The order does not exist'], ['limit must be at least 1']],
      list: ['The order does not exist', ['limit must be at least 1']],
    },
  },
  'error.balanceType': {
    observe: (desk) =>
      at(post(desk, '/orders', { ...limitBuy, side: 'sell', quantity: 11 }).body, 'details', 'type'),
    seen: { INSUFFICIENT_BALANCE: 'INSUFFICIENT_BALANCE', RISK_LIMIT_EXCEEDED: 'RISK_LIMIT_EXCEEDED' },
  },
  'error.balanceStatus': {
    observe: (desk) => statusOf(post(desk, '/orders', { ...limitBuy, side: 'sell', quantity: 11 })),
    seen: { '422': 422, '400': 400, '403': 403 },
  },
  'orders.createResponse': {
    observe: (desk) => at(post(desk, '/orders', marketBuy).body, 'status'),
    seen: { accepted: 'open', final: 'filled' },
  },
  'orders.endOfImmediate': {
    observe: (desk) => {
      post(desk, '/orders', { ...limitBuy, timeInForce: 'IOC' })
      return at(get(desk, '/orders/ord_1'), 'status')
    },
    seen: { expired: 'expired', cancelled: 'cancelled' },
  },
  'orders.rejectMode': {
    observe: (desk) => {
      const refused = { ...limitBuy, quantity: 900, clientOrderId: 'too-dear' }
      const { status } = post(desk, '/orders', refused)
      post(desk, '/orders/batch', { orders: [{ ...limitBuy, quantity: 800 }, limitBuy] })
      const orders = Object(get(desk, '/orders')).orders
      const found = desk.request('alice', 'GET', '/orders/by-client-id?clientOrderId=too-dear').status
      const asked = orders.map((order: unknown) => [at(order, 'status'), at(order, 'quantity')])
      return [status, found, asked, at(get(desk, '/portfolio/balances'), 'balances', 0, 'locked')]
    },
    seen: {
      none: [422, 404, [['open', 1]], 49_049],
      stored: [
        422,
        200,
        [
          ['open', 1],
          ['rejected', 800],
          ['rejected', 900],
        ],
        49_049,
      ],
    },
  },
  'orders.cancelTerminal': {
    observe: (desk) => {
      cancelledOrder(desk)
      return statusOf(desk.request('alice', 'DELETE', '/orders/ord_1'))
    },
    seen: { '409': 409, '404': 404, '422': 422, '200': 200 },
  },
  'clientId.duplicate': {
    observe: (desk) => {
      const order = { ...limitBuy, clientOrderId: 'mine' }
      post(desk, '/orders', order)
      const { status, body } = post(desk, '/orders', order)
      return [status, at(body, 'orderId')]
    },
    seen: { '409': [409, undefined], allow: [201, 'ord_2'], return: [200, 'ord_1'] },
  },
  'pairs.violation': {
    observe: (desk) => statusOf(post(desk, '/orders', { ...limitBuy, price: 49_000.001 })),
    seen: { '400': 400, '422': 422 },
  },
  'quotes.terminal': {
    observe: (desk) => {
      post(desk, '/quotes', quote)
      const cancel = () => statusOf(desk.request('alice', 'DELETE', '/quotes/qt_1'))
      cancel()
      return [cancel(), statusOf(desk.request('alice', 'PATCH', '/quotes/qt_1', { bidSize: 2 }))]
    },
    seen: { '409': [409, 409], '404': [404, 404], '400': [400, 400], '200': [200, 409] },
  },
  'quotes.extend': {
    observe: (desk) => {
      post(desk, '/quotes', { ...quote, validForSeconds: 60 })
      desk.advance(10_000)
      return at(desk.request('alice', 'PATCH', '/quotes/qt_1', { validForSeconds: 30 }).body, 'expiresAt')
    },
    seen: {
      now: '2026-01-05T00:00:40.000Z',
      created: '2026-01-05T00:00:30.000Z',
      expiry: '2026-01-05T00:01:30.000Z',
    },
  },
  'bulk.failure': {
    observe: (desk) =>
      keys(
        at(
          desk.request('alice', 'PATCH', '/quotes/batch/update', [{ quoteId: 'qt_9', bidSize: 1 }]).body,
          'results',
          0,
        ),
      ),
    seen: { full: ['success', 'quoteId', 'error', 'index'], plain: ['success', 'quoteId'] },
  },
  'transactions.nonTrade': {
    observe: (desk) => {
      const deposit = { account: desk.row('alice'), asset: 0, atoms: atoms(5e6), pendingMillis: millis(0) }
      desk.execute({ kind: 'deposit', at: desk.venue.now, ...deposit })
      return has(at(get(desk, '/portfolio/transactions'), 'transactions', 0), 'type', 'orderId')
    },
    seen: { null: [true, true], omitted: [true, false] },
  },
  'positions.one': {
    observe: (desk) => has(get(desk, '/portfolio/positions/BTC'), 'asset', 'position'),
    seen: { bare: [true, false], wrapped: [false, true] },
  },
  'positions.sign': {
    observe: (desk) => {
      post(desk, '/orders', { ...marketBuy, side: 'sell', quantity: 0.5 }, 'mara')
      const body = get(desk, '/portfolio/positions/BTC', 'mara')
      return [at(body, 'side'), at(body, 'quantity')]
    },
    seen: { absolute: ['short', 0.5], signed: ['short', -0.5] },
  },
  'exposure.one': {
    observe: (desk) => has(get(desk, '/portfolio/exposure/BTC'), 'weight', 'utilizationPercent'),
    seen: { entry: [true, false], risk: [false, true] },
  },
  'fills.side': {
    observe: (desk) => {
      filled(desk)
      return has(at(get(desk, '/orders/ord_1/fills'), 'fills', 0), 'price', 'side')
    },
    seen: { present: [true, true], absent: [true, false] },
  },
  'time.dayStart': {
    observe: (desk) => {
      desk.advance(3_600_000)
      filled(desk)
      desk.advance(86_400_000 - 3_600_000)
      return at(get(desk, '/portfolio/summary'), 'dayPnl') === 0
    },
    seen: { '00:00Z': true, rolling: false },
  },
  'simulate.prefix': {
    observe: (desk) =>
      has(
        at(post(desk, '/risk/simulate', candidate).body, 'afterOrder'),
        'ethPosition',
        'btcPosition',
        'assetPosition',
      ),
    seen: { symbol: [true, false, false], btc: [false, true, false], asset: [false, false, true] },
  },
}

const cases = Object.entries(probes).flatMap(([key, { observe, seen }]) =>
  Object.entries(seen).map(([value, expected]) => ({ key, value, observe, expected })),
)

it.each(cases)('$key=$value', ({ key, value, observe, expected }) => {
  expect(observe(openDesk({ readings: { [key]: value } }))).toEqual(expected)
})

it('has a case that distinguishes every value of a reading from the others', () => {
  for (const [key, { seen }] of Object.entries(probes)) {
    const texts = Object.values(seen).map((expected) => JSON.stringify(expected) ?? '')
    expect([key, new Set(texts).size]).toEqual([key, texts.length])
  }
  const probed = readingKeys.filter((key) => key in probes)
  expect(probed.reduce((count, key) => count + listValues(key).length, 0)).toBe(cases.length)
})
