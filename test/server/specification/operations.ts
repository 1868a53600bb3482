import * as risk from './risk-shapes.ts'
import type { Shape } from './shape.ts'
import * as shapes from './shapes.ts'

export type Scope = 'READ' | 'TRADE' | 'MARKET_MAKING' | 'WITHDRAW'

/** A request that succeeds, with what it needs and what comes back. Its address is below `/api/sdk`. */
export interface Operation {
  readonly request: string
  readonly scope: Scope
  readonly shape: Shape
  readonly body?: unknown
}

const order = { side: 'buy', asset: 'BTC', quantity: 0.2, price: 40_000 }
const quote = { asset: 'BTC', bidPrice: 39_000, askPrice: 61_000, bidSize: 0.1, askSize: 0.1 }

/* Spec: Endpoints. Where it is silent on 200 or 201, creations are 201 (reading createdStatus). */

const reads = (request: string, shape: Shape): Operation => ({
  request: `GET ${request}`,
  scope: 'READ',
  shape,
})

/** Each of the 41 operations, with the ids of `example-world`. */
export const operations: readonly Operation[] = [
  { request: 'POST /orders', scope: 'TRADE', shape: shapes.order, body: order },
  reads('/orders', shapes.orderList),
  reads('/orders/ord_1', shapes.order),
  reads('/orders/by-client-id?clientOrderId=first', shapes.order),
  { request: 'PATCH /orders/ord_1', scope: 'TRADE', shape: shapes.order, body: { quantity: 0.4 } },
  { request: 'DELETE /orders/ord_1', scope: 'TRADE', shape: shapes.cancelledOrder },
  reads('/orders/ord_2/fills', shapes.fills),
  {
    request: 'POST /orders/batch',
    scope: 'TRADE',
    shape: shapes.batch,
    body: { orders: [order, { ...order, side: 'hold' }] },
  },
  { request: 'DELETE /orders/batch', scope: 'TRADE', shape: shapes.cancelledOrders, body: {} },
  { request: 'POST /quotes', scope: 'MARKET_MAKING', shape: shapes.quote, body: quote },
  reads('/quotes', shapes.quoteList),
  reads('/quotes/qt_1', shapes.quote),
  { request: 'PATCH /quotes/qt_1', scope: 'MARKET_MAKING', shape: shapes.quote, body: { bidPrice: 38_000 } },
  { request: 'DELETE /quotes/qt_1', scope: 'MARKET_MAKING', shape: shapes.cancelledQuote },
  {
    request: 'DELETE /quotes',
    scope: 'MARKET_MAKING',
    shape: shapes.cancelledQuotes,
    body: { asset: 'BTC' },
  },
  {
    request: 'PATCH /quotes/batch/update',
    scope: 'MARKET_MAKING',
    shape: shapes.quoteUpdates,
    body: [{ quoteId: 'qt_1', askPrice: 62_000 }],
  },
  reads('/market-data/prices', { prices: [shapes.price] }),
  reads('/market-data/prices/BTC', shapes.price),
  reads('/market-data/orderbook/BTC', shapes.orderBook),
  reads('/market-data/orderbooks?assets=BTC', { orderbooks: { BTC: shapes.orderBook } }),
  reads('/market-data/trading-pairs', { pairs: [shapes.pair] }),
  reads('/market-data/stats/24h', { stats: [shapes.statistics] }),
  reads('/portfolio/balances', { balances: [shapes.balance] }),
  reads('/portfolio/balances/BTC', shapes.balance),
  reads('/portfolio/positions', { positions: [shapes.position] }),
  reads('/portfolio/positions/BTC', shapes.position),
  reads('/portfolio/exposure', shapes.exposure),
  reads('/portfolio/exposure/BTC', shapes.assetExposure),
  reads('/portfolio/summary', shapes.portfolioSummary),
  reads('/portfolio/pnl', shapes.profitAndLoss),
  reads('/portfolio/transactions', shapes.transactions),
  reads('/portfolio/trades', shapes.trades),
  reads('/portfolio/available/BTC', shapes.available),
  reads('/risk/limits', risk.limits),
  { request: 'POST /risk/pre-trade-check', scope: 'TRADE', shape: risk.preTradeCheck, body: order },
  reads('/risk/exposure', risk.riskExposure),
  reads('/risk/exposure/BTC', risk.assetRiskExposure),
  reads('/risk/utilization', risk.utilization),
  reads('/risk/max-quantity?side=buy&asset=BTC&price=50000', risk.maximumQuantity),
  reads('/risk/metrics', risk.metrics),
  { request: 'POST /risk/simulate', scope: 'READ', shape: risk.simulation, body: order },
]

/** Spec: a request with these values is refused with 400, and one with those is not; `field` names the offence. */
export const bounds: readonly {
  readonly request: string
  readonly field: string
  readonly allowed: readonly unknown[]
  readonly refused: readonly unknown[]
  /** The body to which the field is added; a query without one. */
  readonly body?: object
}[] = [
  { request: 'GET /orders', field: 'page', allowed: [1, 7], refused: [0, -1, 'x'] },
  { request: 'GET /orders', field: 'limit', allowed: [1, 100], refused: [0, 101] },
  {
    request: 'GET /orders',
    field: 'statuses',
    allowed: ['open', 'open,partially_filled,filled,cancelled'],
    refused: ['done'],
  },
  { request: 'GET /orders', field: 'side', allowed: ['buy', 'sell'], refused: ['hold', 'BUY'] },
  { request: 'GET /quotes', field: 'limit', allowed: [1, 100], refused: [0, 101] },
  { request: 'GET /quotes', field: 'offset', allowed: [0, 9], refused: [-1] },
  {
    request: 'GET /quotes',
    field: 'status',
    allowed: ['active', 'expired', 'filled', 'cancelled'],
    refused: ['open'],
  },
  { request: 'GET /portfolio/transactions', field: 'page', allowed: [1], refused: [0] },
  { request: 'GET /portfolio/transactions', field: 'limit', allowed: [1, 100], refused: [0, 101] },
  {
    request: 'GET /portfolio/transactions',
    field: 'type',
    allowed: ['deposit', 'withdrawal', 'trade', 'fee'],
    refused: ['gift'],
  },
  { request: 'GET /portfolio/trades', field: 'page', allowed: [1], refused: [0] },
  { request: 'GET /portfolio/trades', field: 'limit', allowed: [1, 100], refused: [0, 101] },
  { request: 'GET /portfolio/trades', field: 'side', allowed: ['buy', 'sell'], refused: ['both'] },
  { request: 'GET /portfolio/trades', field: 'startDate', allowed: ['2026-01-05'], refused: ['05.01.2026'] },
  { request: 'GET /portfolio/trades', field: 'endDate', allowed: ['2026-01-05'], refused: ['05.01.2026'] },
  { request: 'GET /portfolio/pnl', field: 'period', allowed: ['1h', '24h', '7d', '30d'], refused: ['1d'] },
  { request: 'GET /market-data/orderbook/BTC', field: 'depth', allowed: [1, 50], refused: [0, 51] },
  { request: 'GET /market-data/orderbooks?assets=BTC', field: 'depth', allowed: [1, 50], refused: [0, 51] },
  {
    request: 'POST /quotes',
    body: quote,
    field: 'validForSeconds',
    allowed: [1, 300],
    refused: [0, 301],
  },
  {
    request: 'POST /quotes',
    body: quote,
    field: 'clientQuoteId',
    allowed: ['q'.repeat(64)],
    refused: ['q'.repeat(65)],
  },
  {
    request: 'POST /quotes',
    body: quote,
    field: 'bidPrice',
    allowed: [60_999.99],
    refused: [61_000, -1, null],
  },
  { request: 'POST /quotes', body: quote, field: 'bidSize', allowed: [0], refused: [-1, null] },
  {
    request: 'POST /orders',
    body: order,
    field: 'clientOrderId',
    allowed: ['o'.repeat(64)],
    refused: ['o'.repeat(65)],
  },
  { request: 'POST /orders', body: order, field: 'quantity', allowed: [0.01], refused: [0, -1, null] },
  { request: 'POST /orders', body: order, field: 'price', allowed: [39_000], refused: [0, null] },
  { request: 'POST /orders', body: order, field: 'side', allowed: ['sell'], refused: ['hold', null] },
  { request: 'POST /orders', body: order, field: 'asset', allowed: ['BTC'], refused: ['NOPE', null] },
  {
    request: 'POST /orders',
    body: order,
    field: 'orderType',
    allowed: ['limit', 'market'],
    refused: ['stop'],
  },
  {
    request: 'POST /orders',
    body: order,
    field: 'timeInForce',
    allowed: ['GTC', 'IOC', 'FOK'],
    refused: ['GTD'],
  },
  { request: 'POST /orders', body: order, field: 'metadata', allowed: [{ desk: 'a' }], refused: ['a', []] },
  {
    request: 'POST /orders/batch',
    body: {},
    field: 'orders',
    allowed: [Array.from({ length: 100 }, () => order)],
    refused: [Array.from({ length: 101 }, () => order), null],
  },
]

/** Spec: the parameters of a query that must be there. */
export const requiredParameters: readonly (readonly [request: string, field: string])[] = [
  ['GET /orders/by-client-id', 'clientOrderId'],
  ['GET /market-data/orderbooks', 'assets'],
  ['GET /risk/max-quantity?asset=BTC&price=1', 'side'],
  ['GET /risk/max-quantity?side=buy&price=1', 'asset'],
  ['GET /risk/max-quantity?side=buy&asset=BTC', 'price'],
]

/** Spec: what is so when nothing is said. */
export const defaults: readonly {
  readonly request: string
  readonly answer: object
  readonly body?: object
}[] = [
  { request: 'GET /orders', answer: { pagination: { page: 1, limit: 50, total: 2, totalPages: 1 } } },
  { request: 'GET /quotes', answer: { pagination: { limit: 50, offset: 0, total: 1 } } },
  { request: 'GET /portfolio/transactions', answer: { pagination: { page: 1, limit: 50 } } },
  {
    request: 'GET /portfolio/trades',
    answer: { pagination: { page: 1, limit: 50, total: 1, totalPages: 1 } },
  },
  { request: 'GET /portfolio/pnl', answer: { period: '24h' } },
  {
    request: 'POST /orders',
    body: order,
    answer: {
      status: 'open',
      orderType: 'limit',
      timeInForce: 'GTC',
      filledQuantity: 0,
      remainingQuantity: 0.2,
      averagePrice: null,
      clientOrderId: null,
    },
  },
  {
    request: 'POST /quotes',
    body: quote,
    answer: { status: 'active', validForSeconds: 30, bidFilled: 0, askFilled: 0 },
  },
]
