/* Makes every call of the generated types; the venue's log says how it was answered. */
import createClient from 'openapi-fetch'
import { signed } from './signing.js'
import type { components, paths } from './venue.js'

const { VENUE_URL = '' } = process.env
const api = createClient<paths>({ baseUrl: VENUE_URL })
api.use({
  async onRequest({ request }) {
    const { pathname, search } = new URL(request.url)
    const headers = signed(request.method, pathname + search, await request.clone().text())
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
  },
})

async function must<Data>(call: Promise<{ readonly data?: Data; readonly error?: unknown }>): Promise<Data> {
  const { data, error } = await call
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

const BTC = { params: { path: { asset: 'BTC' } } } as const
const price = await must(api.GET('/api/sdk/market-data/prices/{asset}', BTC))
const low = Math.floor(price.mid * 0.9)
const high = Math.ceil(price.mid * 1.1)
await must(api.GET('/api/sdk/market-data/prices', { params: { query: { assets: 'BTC,ETH' } } }))
await must(
  api.GET('/api/sdk/market-data/orderbook/{asset}', { params: { ...BTC.params, query: { depth: 5 } } }),
)
await must(api.GET('/api/sdk/market-data/orderbooks', { params: { query: { assets: 'BTC,ETH', depth: 3 } } }))
await must(api.GET('/api/sdk/market-data/trading-pairs'))
await must(api.GET('/api/sdk/market-data/stats/24h', { params: { query: { asset: 'BTC' } } }))

const limit: components['schemas']['CreateOrder'] = { side: 'buy', asset: 'BTC', quantity: 0.1, price: low }
const bought = await must(
  api.POST('/api/sdk/orders', { body: { side: 'buy', asset: 'BTC', quantity: 0.1, orderType: 'market' } }),
)
const clientOrderId = 'my-typescript-order'
const { orderId } = await must(
  api.POST('/api/sdk/orders', { body: { ...limit, clientOrderId, metadata: { desk: 'north' } } }),
)
const order = { params: { path: { orderId } } }
await must(api.GET('/api/sdk/orders/{orderId}', order))
await must(api.GET('/api/sdk/orders/by-client-id', { params: { query: { clientOrderId } } }))
await must(api.PATCH('/api/sdk/orders/{orderId}', { ...order, body: { quantity: 0.2 } }))
await must(api.GET('/api/sdk/orders', { params: { query: { statuses: 'open,partially_filled', page: 1 } } }))
const { fills } = await must(
  api.GET('/api/sdk/orders/{orderId}/fills', { params: { path: { orderId: bought.orderId } } }),
)
if (fills[0] === undefined) throw new Error('the market order has no fill')
await must(api.DELETE('/api/sdk/orders/{orderId}', order))
const batch = await must(
  api.POST('/api/sdk/orders/batch', { body: { orders: [limit, { ...limit, quantity: 0.00001 }] } }),
)
const failed = batch.results[1]
if (failed?.index !== 1 || failed.error === undefined) throw new Error(JSON.stringify(batch))
await must(api.DELETE('/api/sdk/orders/batch', { body: { asset: 'BTC' } }))
await must(api.DELETE('/api/sdk/orders/batch'))

const sides = { bidPrice: low, askPrice: high, bidSize: 0.1, askSize: 0.1 }
const { quoteId } = await must(api.POST('/api/sdk/quotes', { body: { asset: 'BTC', ...sides } }))
const quote = { params: { path: { quoteId } } }
await must(api.GET('/api/sdk/quotes', { params: { query: { limit: 10, offset: 0 } } }))
await must(api.GET('/api/sdk/quotes/{quoteId}', quote))
await must(api.PATCH('/api/sdk/quotes/{quoteId}', { ...quote, body: { bidSize: 0.2 } }))
const updated = await must(
  api.PATCH('/api/sdk/quotes/batch/update', {
    body: [
      { quoteId, askSize: 0.2 },
      { quoteId: 'none', askSize: 0.2 },
    ],
  }),
)
if (updated.results[1]?.error === undefined) throw new Error(JSON.stringify(updated))
await must(api.DELETE('/api/sdk/quotes/{quoteId}', quote))
await must(api.DELETE('/api/sdk/quotes', { body: { asset: 'BTC' } }))
await must(api.DELETE('/api/sdk/quotes'))

await must(api.GET('/api/sdk/portfolio/balances', { params: { query: { assets: 'BTC,USD' } } }))
await must(api.GET('/api/sdk/portfolio/balances/{asset}', BTC))
await must(api.GET('/api/sdk/portfolio/positions', { params: { query: { asset: 'BTC' } } }))
await must(api.GET('/api/sdk/portfolio/positions/{asset}', BTC))
await must(api.GET('/api/sdk/portfolio/exposure'))
await must(api.GET('/api/sdk/portfolio/exposure/{asset}', BTC))
await must(api.GET('/api/sdk/portfolio/summary'))
await must(api.GET('/api/sdk/portfolio/pnl', { params: { query: { period: '7d' } } }))
await must(api.GET('/api/sdk/portfolio/transactions', { params: { query: { limit: 10 } } }))
await must(api.GET('/api/sdk/portfolio/trades', { params: { query: { startDate: '2026-01-01' } } }))
await must(api.GET('/api/sdk/portfolio/available/{asset}', BTC))

const candidate: components['schemas']['OrderCandidate'] = {
  side: 'buy',
  asset: 'BTC',
  quantity: 0.1,
  price: low,
}
await must(api.GET('/api/sdk/risk/limits'))
await must(api.POST('/api/sdk/risk/pre-trade-check', { body: candidate }))
await must(api.GET('/api/sdk/risk/exposure'))
await must(api.GET('/api/sdk/risk/exposure/{asset}', BTC))
await must(api.GET('/api/sdk/risk/utilization'))
await must(
  api.GET('/api/sdk/risk/max-quantity', { params: { query: { side: 'buy', asset: 'BTC', price: low } } }),
)
await must(api.GET('/api/sdk/risk/metrics'))
await must(api.POST('/api/sdk/risk/simulate', { body: candidate }))
