import { type OperationId, routeOf } from '../../src/api/operations/operations.ts'

/** One mistake in a request, and its answer. Fields that are not given are as in a valid request. */
export interface Mistake {
  readonly name: string
  readonly target?: string
  /** A value to be sent as JSON, or text to be sent as it is. */
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string | null }
  readonly status: number
  readonly details: object
}

export function mistakesOf(operation: OperationId): readonly Mistake[] {
  const { path, body } = routeOf(operation)
  const target = path.replace(':orderId', 'ord_1').replace(':quoteId', 'qt_1').replace(':asset', 'BTC')
  const ofQuery = (own[operation].queries ?? []).map(
    ([query, field, status = 400]): Mistake => ({
      name: `?${query}`,
      target: `${target}?${query}`,
      status,
      details: field === null ? {} : { field },
    }),
  )
  const reading = own[operation].isListOfAsset === true ? [unknownAsset(target, own[operation].filter)] : []
  return [
    {
      name: 'an unknown parameter',
      target: `${target}?colour=red`,
      ...(body === null ? {} : { body: own[operation].valid }),
      status: 400,
      details: { field: 'colour' },
    },
    ...(body === null ? [] : bodyMistakes(own[operation].valid)),
    ...ofQuery,
    ...reading,
    ...(own[operation].more ?? []),
  ]
}

interface Own {
  /** A valid body. */
  readonly valid?: unknown
  readonly queries?: readonly (readonly [query: string, field: string | null, status?: number])[]
  /** The answer for an unknown asset is an empty list, or 404 under the reading. */
  readonly isListOfAsset?: true
  readonly filter?: string
  readonly more?: readonly Mistake[]
}

const order = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 49_000 }
const quote = { asset: 'BTC', bidPrice: 48_000, askPrice: 52_000, bidSize: 1, askSize: 1 }
const candidate = { side: 'buy', asset: 'BTC', quantity: 1, price: 50_000 }
const deep = `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`

const lost = (target: string, details: object = {}): Mistake => ({
  name: `${target} does not exist`,
  target: `/api/sdk/${target}`,
  status: 404,
  details,
})
const wrong = (name: string, body: unknown, field: string | null, status = 400): Mistake => ({
  name,
  body,
  status,
  details: field === null ? {} : { field },
})
const risky = (name: string, body: unknown, type: string): Mistake => ({
  name,
  body,
  status: 422,
  details: { type },
})
const done = (target: string, body?: unknown): Mistake => ({
  name: 'what is done',
  target: `/api/sdk/${target}`,
  ...(body === undefined ? {} : { body }),
  status: 409,
  details: {},
})

function unknownAsset(target: string, filter = 'asset'): Mistake {
  return {
    name: 'an unknown asset under the reading that makes it 404',
    target: `${target}?${filter}=GOLD`,
    headers: { prefer: 'reading.assets.unknown=404' },
    status: 404,
    details: {},
  }
}

/** What can be wrong with any body. */
function bodyMistakes(valid: unknown): readonly Mistake[] {
  const text = JSON.stringify(valid)
  const plain = { 'content-type': 'text/plain' }
  return [
    { name: 'another content type', body: text, headers: plain, status: 415, details: {} },
    { name: 'more than 1 MiB', body: ' '.repeat(1024 * 1024) + text, status: 413, details: {} },
    wrong('broken JSON', text.slice(0, -1), 'body'),
    wrong('another value', '7', 'body'),
    wrong('nesting without end', deep, null),
    ...(Array.isArray(valid)
      ? []
      : [wrong('an unknown field', { ...Object(valid), colour: 'red' }, 'colour')]),
  ]
}

const amounts = (of: object): readonly Mistake[] => [
  wrong('no side', { ...of, side: undefined }, 'side'),
  wrong('a side that is none', { ...of, side: 'hold' }, 'side'),
  wrong('no asset', { ...of, asset: undefined }, 'asset'),
  wrong('an unknown asset', { ...of, asset: 'GOLD' }, 'asset'),
  wrong('no quantity', { ...of, quantity: undefined }, 'quantity'),
  wrong('a quantity of 0', { ...of, quantity: 0 }, 'quantity'),
  wrong('a negative quantity', { ...of, quantity: -1 }, 'quantity'),
  wrong('a quantity as text', { ...of, quantity: '1' }, 'quantity'),
  wrong('a quantity between steps', { ...of, quantity: 0.123456789 }, 'quantity'),
  wrong('a price of 0', { ...of, price: 0 }, 'price'),
  wrong('a price as text', { ...of, price: '1' }, 'price'),
  wrong('a price between steps', { ...of, price: 49_000.001 }, 'price'),
]

const paged = [
  ['page=0', 'page'],
  ['page=one', 'page'],
  ['page=1&page=2', 'page'],
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=%2B5', 'limit'],
] as const

const own: { readonly [Operation in OperationId]: Own } = {
  listQuoteFills: {},
  listPrices: { queries: [['assets=BTC,,ETH', 'assets']], isListOfAsset: true, filter: 'assets' },
  getPrice: { more: [lost('market-data/prices/GOLD')] },
  getOrderBook: {
    queries: [
      ['depth=0', 'depth'],
      ['depth=51', 'depth'],
      ['depth=deep', 'depth'],
    ],
    more: [lost('market-data/orderbook/GOLD')],
  },
  listOrderBooks: {
    queries: [
      ['depth=5', 'assets'],
      ['assets=BTC&depth=0', 'depth'],
      ['assets=GOLD', 'assets'],
    ],
  },
  listTradingPairs: {},
  listStatistics: { queries: [['asset=', 'asset']], isListOfAsset: true },
  createOrder: {
    valid: order,
    more: [
      ...amounts(order),
      wrong('a limit order without a price', { ...order, price: undefined }, 'price'),
      wrong('an order type that is none', { ...order, orderType: 'stop' }, 'orderType'),
      wrong('a time in force that is none', { ...order, timeInForce: 'DAY' }, 'timeInForce'),
      wrong('a client id of 65 characters', { ...order, clientOrderId: 'x'.repeat(65) }, 'clientOrderId'),
      wrong('metadata that is not an object', { ...order, metadata: [] }, 'metadata'),
      wrong('less than the pair takes', { ...order, quantity: 0.00005 }, 'quantity'),
      wrong('more than the pair takes', { ...order, quantity: 1_000_000 }, 'quantity'),
      wrong('an inactive pair', { ...order, asset: 'ETH', price: 2000 }, null),
      wrong('a client id used before', { ...order, clientOrderId: 'first' }, null, 409),
      risky('more coins than there are', { ...order, side: 'sell', quantity: 9 }, 'INSUFFICIENT_BALANCE'),
      risky('more than an order may be', { ...order, quantity: 11 }, 'RISK_LIMIT_EXCEEDED'),
    ],
  },
  listOrders: {
    queries: [
      ...paged,
      ['statuses=done', 'statuses'],
      ['statuses=open,done', 'statuses'],
      ['statuses=rejected', 'statuses'],
      ['side=hold', 'side'],
    ],
    isListOfAsset: true,
  },
  getOrder: { more: [lost('orders/ord_99', { type: 'ORDER_NOT_FOUND' })] },
  getOrderByClientId: {
    queries: [
      ['', 'clientOrderId'],
      ['clientOrderId=', 'clientOrderId'],
    ],
    more: [lost('orders/by-client-id?clientOrderId=nobody', { type: 'ORDER_NOT_FOUND' })],
  },
  amendOrder: {
    valid: { price: 48_000 },
    more: [
      wrong('nothing to change', {}, 'quantity'),
      wrong('a quantity of 0', { quantity: 0 }, 'quantity'),
      wrong('a price between steps', { price: 0.001 }, 'price'),
      { ...lost('orders/ord_99', { type: 'ORDER_NOT_FOUND' }), body: { price: 48_000 } },
      done('orders/ord_2', { price: 48_000 }),
      risky('more than an order may be', { quantity: 11 }, 'RISK_LIMIT_EXCEEDED'),
    ],
  },
  cancelOrder: {
    more: [lost('orders/ord_99', { type: 'ORDER_NOT_FOUND' }), done('orders/ord_2')],
  },
  listOrderFills: { more: [lost('orders/ord_99/fills', { type: 'ORDER_NOT_FOUND' })] },
  createOrders: {
    valid: { orders: [order] },
    more: [
      wrong('no orders', {}, 'orders'),
      wrong('an empty batch', { orders: [] }, 'orders'),
      wrong('101 orders', { orders: Array(101).fill(order) }, 'orders'),
    ],
  },
  cancelOrders: {
    valid: { asset: 'BTC' },
    more: [
      wrong('an unknown asset', { asset: 'GOLD' }, 'asset'),
      wrong('a side that is none', { side: 'both' }, 'side'),
      wrong('null as a filter', { asset: null }, 'asset'),
    ],
  },
  submitQuote: {
    valid: quote,
    more: [
      wrong('no asset', { ...quote, asset: undefined }, 'asset'),
      wrong('an unknown asset', { ...quote, asset: 'GOLD' }, 'asset'),
      wrong('a bid above the ask', { ...quote, bidPrice: 53_000 }, 'bidPrice'),
      wrong('no size on either side', { ...quote, bidSize: 0, askSize: 0 }, 'bidSize'),
      wrong('a negative size', { ...quote, askSize: -1 }, 'askSize'),
      wrong('no second of validity', { ...quote, validForSeconds: 0 }, 'validForSeconds'),
      wrong('more than 300 seconds', { ...quote, validForSeconds: 301 }, 'validForSeconds'),
      wrong('an inactive pair', { ...quote, asset: 'ETH', bidPrice: 2400, askPrice: 2600 }, null),
      wrong('a client id used before', { ...quote, clientQuoteId: 'first' }, null, 409),
      risky('more than an order may be', { ...quote, bidSize: 11 }, 'RISK_LIMIT_EXCEEDED'),
    ],
  },
  listQuotes: {
    queries: [
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['offset=-1', 'offset'],
      ['status=done', 'status'],
      ['status=partially_filled', 'status'],
    ],
    isListOfAsset: true,
  },
  getQuote: { more: [lost('quotes/qt_99', { type: 'QUOTE_NOT_FOUND' })] },
  updateQuote: {
    valid: { bidPrice: 47_000 },
    more: [
      wrong('nothing to change', {}, 'bidPrice'),
      wrong('a bid above the ask', { bidPrice: 53_000 }, 'bidPrice'),
      wrong('no second of validity', { validForSeconds: 0 }, 'validForSeconds'),
      { ...lost('quotes/qt_99', { type: 'QUOTE_NOT_FOUND' }), body: { bidPrice: 47_000 } },
      done('quotes/qt_2', { bidPrice: 47_000 }),
      risky('more than an order may be', { bidSize: 11 }, 'RISK_LIMIT_EXCEEDED'),
    ],
  },
  cancelQuote: { more: [lost('quotes/qt_99', { type: 'QUOTE_NOT_FOUND' }), done('quotes/qt_2')] },
  cancelQuotes: {
    valid: { asset: 'BTC' },
    more: [
      wrong('an unknown asset', { asset: 'GOLD' }, 'asset'),
      wrong('null as a filter', { asset: null }, 'asset'),
    ],
  },
  updateQuotes: {
    valid: [{ quoteId: 'qt_1', bidPrice: 47_000 }],
    more: [
      wrong('an empty list', [], 'body'),
      wrong('101 updates', Array(101).fill({ quoteId: 'qt_1' }), 'body'),
    ],
  },
  listBalances: { queries: [['assets=,', 'assets']], isListOfAsset: true, filter: 'assets' },
  getBalance: { more: [lost('portfolio/balances/GOLD')] },
  listPositions: { queries: [['asset=', 'asset']], isListOfAsset: true },
  getPosition: { more: [lost('portfolio/positions/GOLD'), lost('portfolio/positions/USD')] },
  getExposure: {},
  getAssetExposure: { more: [lost('portfolio/exposure/GOLD')] },
  getSummary: {},
  getProfitAndLoss: {
    queries: [
      ['period=2h', 'period'],
      ['period=', 'period'],
    ],
  },
  listTransactions: { queries: [...paged, ['type=gift', 'type']], isListOfAsset: true },
  listTrades: {
    queries: [
      ...paged,
      ['side=hold', 'side'],
      ['startDate=yesterday-ish', 'startDate'],
      ['endDate=2026-02-30', 'endDate'],
    ],
    isListOfAsset: true,
  },
  getAvailable: { more: [lost('portfolio/available/GOLD')] },
  getLimits: {},
  checkOrder: { valid: candidate, more: amounts(candidate) },
  getRiskExposure: {},
  getAssetRiskExposure: { more: [lost('risk/exposure/GOLD')] },
  getUtilization: {},
  getMaxQuantity: {
    queries: [
      ['side=buy&asset=BTC', 'price'],
      ['asset=BTC&price=1', 'side'],
      ['side=buy&price=1', 'asset'],
      ['side=buy&asset=GOLD&price=1', 'asset'],
      ['side=buy&asset=BTC&price=0', 'price'],
      ['side=buy&asset=BTC&price=1e3x', 'price'],
    ],
  },
  getMetrics: {},
  simulateOrder: { valid: candidate, more: amounts(candidate) },
}
