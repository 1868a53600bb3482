/* Makes every call of the generated client; the venue's log says how it was answered. */
import {
  Configuration,
  MarketDataApi,
  OrdersApi,
  PortfolioApi,
  QuotesApi,
  RiskApi,
} from './generated/index.js'
import { signed } from './signing.js'

const configuration = new Configuration({
  basePath: process.env['VENUE_URL'] ?? '',
  middleware: [
    {
      async pre({ init, url }) {
        const { pathname, search } = new URL(url)
        const body = typeof init.body === 'string' ? init.body : ''
        const headers = signed(init.method ?? 'GET', pathname + search, body)
        return { url, init: { ...init, headers: { ...init.headers, ...headers } } }
      },
    },
  ],
})
const marketData = new MarketDataApi(configuration)
const orders = new OrdersApi(configuration)
const quotes = new QuotesApi(configuration)
const portfolio = new PortfolioApi(configuration)
const risk = new RiskApi(configuration)

const asset = 'BTC'
const price = await marketData.getPrice({ asset })
const low = Math.floor(price.mid * 0.9)
const high = Math.ceil(price.mid * 1.1)
await marketData.listPrices({ assets: 'BTC,ETH' })
await marketData.getOrderBook({ asset, depth: 5 })
await marketData.listOrderBooks({ assets: 'BTC,ETH', depth: 3 })
await marketData.listTradingPairs()
await marketData.listStatistics({ asset })

const limit = { side: 'buy', asset, quantity: 0.1, price: low } as const
const bought = await orders.createOrder({
  createOrder: { side: 'buy', asset, quantity: 0.1, orderType: 'market' },
})
const named = { ...limit, clientOrderId: 'my-fetch-order', metadata: { desk: 'north' } }
const { metadata, orderId } = await orders.createOrder({ createOrder: named })
if (metadata?.['desk'] !== 'north') throw new Error('the metadata did not come back')
await orders.getOrder({ orderId })
await orders.getOrderByClientId({ clientOrderId: 'my-fetch-order' })
await orders.amendOrder({ orderId, amendOrder: { quantity: 0.2 } })
await orders.listOrders({ statuses: 'open,partially_filled', page: 1 })
const { fills } = await orders.listOrderFills({ orderId: bought.orderId })
if (fills.length === 0) throw new Error('the market order has no fill')
await orders.cancelOrder({ orderId })
const items = { orders: [limit, { ...limit, quantity: 0.00001 }] }
const batch = await orders.createOrders({ createOrdersRequest: items })
if (batch.results[1]?.index !== 1 || batch.results[1].error === undefined)
  throw new Error(JSON.stringify(batch))
await orders.cancelOrders({ cancelOrdersRequest: { asset } })
await orders.cancelOrders()

const sides = { asset, bidPrice: low, askPrice: high, bidSize: 0.1, askSize: 0.1 }
const { quoteId } = await quotes.submitQuote({ submitQuote: sides })
await quotes.listQuotes({ limit: 10, offset: 0 })
await quotes.getQuote({ quoteId })
await quotes.updateQuote({ quoteId, updateQuote: { bidSize: 0.2 } })
await quotes.updateQuotes({ updateQuotesRequestInner: [{ quoteId, askSize: 0.2 }] })
await quotes.cancelQuote({ quoteId })
await quotes.cancelQuotes({ cancelQuotesRequest: { asset } })
await quotes.cancelQuotes()

await portfolio.listBalances({ assets: 'BTC,USD' })
await portfolio.getBalance({ asset })
await portfolio.listPositions({ asset })
await portfolio.getPosition({ asset })
await portfolio.getExposure()
await portfolio.getAssetExposure({ asset })
await portfolio.getSummary()
await portfolio.getProfitAndLoss({ period: '7d' })
await portfolio.listTransactions({ limit: 10 })
await portfolio.listTrades({ startDate: '2026-01-01' })
await portfolio.getAvailable({ asset })

const orderCandidate = { side: 'buy', asset, quantity: 0.1, price: low } as const
await risk.getLimits()
await risk.checkOrder({ orderCandidate })
await risk.getRiskExposure()
await risk.getAssetRiskExposure({ asset })
await risk.getUtilization()
await risk.getMaxQuantity({ side: 'buy', asset, price: low })
await risk.getMetrics()
await risk.simulateOrder({ orderCandidate })
