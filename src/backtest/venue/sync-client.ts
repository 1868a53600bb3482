import * as marketData from '../../api/handlers/market-data.ts'
import * as orders from '../../api/handlers/orders.ts'
import * as placeOrders from '../../api/handlers/place-orders.ts'
import * as portfolio from '../../api/handlers/portfolio.ts'
import * as quotes from '../../api/handlers/quotes.ts'
import { updateQuotes } from '../../api/handlers/update-quotes.ts'
import { routes } from '../../api/routes/routes.ts'
import { checkFilter } from '../../client/check-filter.ts'
import type { NewOrder } from '../../client/orders-client.ts'
import type { NewQuote } from '../../client/quotes-client.ts'
import type { SyncVenueClient } from '../strategy.ts'
import type { Desk } from './desk.ts'

/** The 41 operations without promises. What a strategy does all the time goes to the handlers without text. */
export function syncVenueClient(desk: Desk): SyncVenueClient {
  return {
    orders: ordersClient(desk),
    quotes: quotesClient(desk),
    marketData: {
      prices: (query) => desk.byText('listPrices', { query }),
      price: (asset) =>
        isPlain(asset)
          ? desk.onPath('getPrice', asset, marketData.getPrice)
          : desk.byText('getPrice', { parameter: asset }),
      orderBook: (asset, query) => desk.byText('getOrderBook', { parameter: asset, query }),
      orderBooks: (query) => desk.byText('listOrderBooks', { query }),
      tradingPairs: () => desk.byText('listTradingPairs', {}),
      statistics: (query) => desk.byText('listStatistics', { query }),
    },
    portfolio: portfolioClient(desk),
    risk: {
      limits: () => desk.byText('getLimits', {}),
      checkOrder: (order) => desk.byText('checkOrder', { body: order }),
      exposure: () => desk.byText('getRiskExposure', {}),
      assetExposure: (asset) => desk.byText('getAssetRiskExposure', { parameter: asset }),
      utilization: () => desk.byText('getUtilization', {}),
      maxQuantity: (query) => desk.byText('getMaxQuantity', { query }),
      metrics: () => desk.byText('getMetrics', {}),
      simulateOrder: (order) => desk.byText('simulateOrder', { body: order }),
    },
  }
}

function ordersClient(desk: Desk): SyncVenueClient['orders'] {
  return {
    create: (order) =>
      desk.withBody('createOrder', routes.createOrder.body, asJson(order), '', placeOrders.createOrder),
    list: (query) => desk.byText('listOrders', { query }),
    get: (orderId) =>
      isPlain(orderId)
        ? desk.onPath('getOrder', orderId, orders.getOrder)
        : desk.byText('getOrder', { parameter: orderId }),
    getByClientId: (clientOrderId) => desk.byText('getOrderByClientId', { query: { clientOrderId } }),
    amend: (orderId, amendment) =>
      isPlain(orderId)
        ? desk.withBody('amendOrder', routes.amendOrder.body, amendment, orderId, orders.amendOrder)
        : desk.byText('amendOrder', { parameter: orderId, body: amendment }),
    cancel: (orderId) =>
      isPlain(orderId)
        ? desk.onPath('cancelOrder', orderId, orders.cancelOrder)
        : desk.byText('cancelOrder', { parameter: orderId }),
    fills: (orderId) => desk.byText('listOrderFills', { parameter: orderId }),
    createBatch: (items) =>
      desk.withBody(
        'createOrders',
        routes.createOrders.body,
        { orders: items.map(asJson) },
        '',
        placeOrders.createOrders,
      ),
    cancelAll: (filter) => desk.byText('cancelOrders', { body: checkFilter(filter) }),
  }
}

function quotesClient(desk: Desk): SyncVenueClient['quotes'] {
  return {
    submit: (quote) =>
      desk.withBody('submitQuote', routes.submitQuote.body, asJson(quote), '', quotes.submitQuote),
    list: (query) => desk.byText('listQuotes', { query }),
    get: (quoteId) =>
      isPlain(quoteId)
        ? desk.onPath('getQuote', quoteId, quotes.getQuote)
        : desk.byText('getQuote', { parameter: quoteId }),
    update: (quoteId, update) =>
      isPlain(quoteId)
        ? desk.withBody('updateQuote', routes.updateQuote.body, update, quoteId, quotes.updateQuote)
        : desk.byText('updateQuote', { parameter: quoteId, body: update }),
    cancel: (quoteId) =>
      isPlain(quoteId)
        ? desk.onPath('cancelQuote', quoteId, quotes.cancelQuote)
        : desk.byText('cancelQuote', { parameter: quoteId }),
    cancelAll: (filter) => desk.byText('cancelQuotes', { body: checkFilter(filter) }),
    updateBatch: (updates) =>
      desk.withBody('updateQuotes', routes.updateQuotes.body, updates, '', updateQuotes),
  }
}

function portfolioClient(desk: Desk): SyncVenueClient['portfolio'] {
  return {
    balances: (query) => desk.byText('listBalances', { query }),
    balance: (asset) =>
      isPlain(asset)
        ? desk.onPath('getBalance', asset, portfolio.getBalance)
        : desk.byText('getBalance', { parameter: asset }),
    positions: (query) => desk.byText('listPositions', { query }),
    position: (asset) =>
      isPlain(asset)
        ? desk.onPath('getPosition', asset, portfolio.getPosition)
        : desk.byText('getPosition', { parameter: asset }),
    exposure: () => desk.byText('getExposure', {}),
    assetExposure: (asset) => desk.byText('getAssetExposure', { parameter: asset }),
    summary: () => desk.byText('getSummary', {}),
    profitAndLoss: (query) => desk.byText('getProfitAndLoss', { query }),
    transactions: (query) => desk.byText('listTransactions', { query }),
    trades: (query) => desk.byText('listTrades', { query }),
    available: (asset) => desk.byText('getAvailable', { parameter: asset }),
  }
}

/** An id or symbol that needs no encoding in a path, and is none of the interface's own words there. */
function isPlain(text: string): boolean {
  return /^(?:[a-z]+_)?[A-Z0-9]+$/.test(text)
}

/** The venue keeps metadata: a copy, so that the caller's object stays the caller's. */
function asJson(given: NewOrder | NewQuote): unknown {
  const { metadata } = given
  if (metadata === undefined || metadata === null) return given
  return { ...given, metadata: JSON.parse(JSON.stringify(metadata)) }
}
