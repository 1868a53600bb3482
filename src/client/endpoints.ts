import type { OperationId, routes } from '../api/routes/routes.ts'

type Routes = typeof routes

/**
 * The method and path of each operation. The contract has these as well, together with every schema; this table is
 * all that a browser needs of it, and it does not compile when the two differ.
 */
export const endpoints = {
  createOrder: { method: 'POST', path: '/api/sdk/orders' },
  listOrders: { method: 'GET', path: '/api/sdk/orders' },
  getOrder: { method: 'GET', path: '/api/sdk/orders/:orderId' },
  getOrderByClientId: { method: 'GET', path: '/api/sdk/orders/by-client-id' },
  amendOrder: { method: 'PATCH', path: '/api/sdk/orders/:orderId' },
  cancelOrder: { method: 'DELETE', path: '/api/sdk/orders/:orderId' },
  listOrderFills: { method: 'GET', path: '/api/sdk/orders/:orderId/fills' },
  createOrders: { method: 'POST', path: '/api/sdk/orders/batch' },
  cancelOrders: { method: 'DELETE', path: '/api/sdk/orders/batch' },
  submitQuote: { method: 'POST', path: '/api/sdk/quotes' },
  listQuotes: { method: 'GET', path: '/api/sdk/quotes' },
  getQuote: { method: 'GET', path: '/api/sdk/quotes/:quoteId' },
  updateQuote: { method: 'PATCH', path: '/api/sdk/quotes/:quoteId' },
  cancelQuote: { method: 'DELETE', path: '/api/sdk/quotes/:quoteId' },
  cancelQuotes: { method: 'DELETE', path: '/api/sdk/quotes' },
  listQuoteFills: { method: 'GET', path: '/api/sdk/quotes/:quoteId/fills' },
  updateQuotes: { method: 'PATCH', path: '/api/sdk/quotes/batch/update' },
  listPrices: { method: 'GET', path: '/api/sdk/market-data/prices' },
  getPrice: { method: 'GET', path: '/api/sdk/market-data/prices/:asset' },
  getOrderBook: { method: 'GET', path: '/api/sdk/market-data/orderbook/:asset' },
  listOrderBooks: { method: 'GET', path: '/api/sdk/market-data/orderbooks' },
  listTradingPairs: { method: 'GET', path: '/api/sdk/market-data/trading-pairs' },
  listStatistics: { method: 'GET', path: '/api/sdk/market-data/stats/24h' },
  listBalances: { method: 'GET', path: '/api/sdk/portfolio/balances' },
  getBalance: { method: 'GET', path: '/api/sdk/portfolio/balances/:asset' },
  listPositions: { method: 'GET', path: '/api/sdk/portfolio/positions' },
  getPosition: { method: 'GET', path: '/api/sdk/portfolio/positions/:asset' },
  getExposure: { method: 'GET', path: '/api/sdk/portfolio/exposure' },
  getAssetExposure: { method: 'GET', path: '/api/sdk/portfolio/exposure/:asset' },
  getSummary: { method: 'GET', path: '/api/sdk/portfolio/summary' },
  getProfitAndLoss: { method: 'GET', path: '/api/sdk/portfolio/pnl' },
  listTransactions: { method: 'GET', path: '/api/sdk/portfolio/transactions' },
  listTrades: { method: 'GET', path: '/api/sdk/portfolio/trades' },
  getAvailable: { method: 'GET', path: '/api/sdk/portfolio/available/:asset' },
  getLimits: { method: 'GET', path: '/api/sdk/risk/limits' },
  checkOrder: { method: 'POST', path: '/api/sdk/risk/pre-trade-check' },
  getRiskExposure: { method: 'GET', path: '/api/sdk/risk/exposure' },
  getAssetRiskExposure: { method: 'GET', path: '/api/sdk/risk/exposure/:asset' },
  getUtilization: { method: 'GET', path: '/api/sdk/risk/utilization' },
  getMaxQuantity: { method: 'GET', path: '/api/sdk/risk/max-quantity' },
  getMetrics: { method: 'GET', path: '/api/sdk/risk/metrics' },
  simulateOrder: { method: 'POST', path: '/api/sdk/risk/simulate' },
} as const satisfies {
  readonly [Id in OperationId]: {
    readonly method: Routes[Id]['method']
    readonly path: Routes[Id]['path']
  }
}
