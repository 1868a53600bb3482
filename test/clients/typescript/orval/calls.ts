/* Makes every call of the generated client; the venue's log says how it was answered. */
import * as venue from './generated/venue.js'
import { signed } from './signing.js'

const { VENUE_URL = '' } = process.env
const { fetch: platformFetch } = globalThis
// What is generated asks the global fetch for paths, as a page of the venue's own host would.
globalThis.fetch = (target, init = {}) => {
  const path = String(target)
  const body = typeof init.body === 'string' ? init.body : ''
  const headers = {
    ...Object.fromEntries(new Headers(init.headers)),
    ...signed(init.method ?? 'GET', path, body),
  }
  return platformFetch(`${VENUE_URL}${path}`, { ...init, headers })
}

interface Answer {
  readonly status: number
  readonly data: unknown
}

type Success<Given extends Answer> = Extract<Given, { status: 200 | 201 }>

const isSuccess = <Given extends Answer>(answer: Given): answer is Success<Given> => answer.status < 300

async function must<Given extends Answer>(call: Promise<Given>): Promise<Success<Given>['data']> {
  const answer = await call
  if (isSuccess(answer)) return answer.data
  throw new Error(JSON.stringify(answer.data))
}

const asset = 'BTC'
const price = await must(venue.getPrice(asset))
const low = Math.floor(price.mid * 0.9)
const high = Math.ceil(price.mid * 1.1)
await must(venue.listPrices({ assets: 'BTC,ETH' }))
await must(venue.getOrderBook(asset, { depth: 5 }))
await must(venue.listOrderBooks({ assets: 'BTC,ETH', depth: 3 }))
await must(venue.listTradingPairs())
await must(venue.listStatistics({ asset }))

const limit = { side: 'buy', asset, quantity: 0.1, price: low } as const
const bought = await must(venue.createOrder({ side: 'buy', asset, quantity: 0.1, orderType: 'market' }))
const clientOrderId = 'my-orval-order'
const { metadata, orderId } = await must(
  venue.createOrder({ ...limit, clientOrderId, metadata: { desk: 'north' } }),
)
if (metadata?.['desk'] !== 'north') throw new Error('the metadata did not come back')
await must(venue.getOrder(orderId))
await must(venue.getOrderByClientId({ clientOrderId }))
await must(venue.amendOrder(orderId, { quantity: 0.2 }))
await must(venue.listOrders({ statuses: 'open,partially_filled', page: 1 }))
const { fills } = await must(venue.listOrderFills(bought.orderId))
if (fills.length === 0) throw new Error('the market order has no fill')
await must(venue.cancelOrder(orderId))
const batch = await must(venue.createOrders({ orders: [limit, { ...limit, quantity: 0.00001 }] }))
if (batch.results[1]?.index !== 1 || batch.results[1].error === undefined)
  throw new Error(JSON.stringify(batch))
await must(venue.cancelOrders({ asset }))
await must(venue.cancelOrders())

const sides = { asset, bidPrice: low, askPrice: high, bidSize: 0.1, askSize: 0.1 }
const { quoteId } = await must(venue.submitQuote(sides))
await must(venue.listQuotes({ limit: 10, offset: 0 }))
await must(venue.getQuote(quoteId))
await must(venue.updateQuote(quoteId, { bidSize: 0.2 }))
await must(venue.updateQuotes([{ quoteId, askSize: 0.2 }]))
await must(venue.cancelQuote(quoteId))
await must(venue.cancelQuotes({ asset }))
await must(venue.cancelQuotes())

await must(venue.listBalances({ assets: 'BTC,USD' }))
await must(venue.getBalance(asset))
await must(venue.listPositions({ asset }))
await must(venue.getPosition(asset))
await must(venue.getExposure())
await must(venue.getAssetExposure(asset))
await must(venue.getSummary())
await must(venue.getProfitAndLoss({ period: '7d' }))
await must(venue.listTransactions({ limit: 10 }))
await must(venue.listTrades({ startDate: '2026-01-01' }))
await must(venue.getAvailable(asset))

const candidate = { side: 'buy', asset, quantity: 0.1, price: low } as const
await must(venue.getLimits())
await must(venue.checkOrder(candidate))
await must(venue.getRiskExposure())
await must(venue.getAssetRiskExposure(asset))
await must(venue.getUtilization())
await must(venue.getMaxQuantity({ side: 'buy', asset, price: low }))
await must(venue.getMetrics())
await must(venue.simulateOrder(candidate))
