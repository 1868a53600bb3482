import { expect, it } from 'vitest'
import { validate } from '../../src/api/input/read-body.ts'
import { type OperationId, operationIds, routeOf } from '../../src/api/operations/operations.ts'
import { createVenueClient, type VenueClient } from '../../src/client/create-venue-client.ts'
import { inProcessTransport } from '../../src/client/transport.ts'
import { inProcess, serveVenue } from './venue.ts'

/** Calls every operation once, on orders and quotes that it creates, and reports each call with its answer. */
async function tour(client: VenueClient, answered: (operation: OperationId, body: object) => void) {
  const { orders, quotes, marketData, portfolio, risk } = client
  const bid = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 40_000 } as const
  const candidate = { side: 'buy', asset: 'BTC', quantity: 0.1, price: 50_000 } as const
  const order = await orders.create({ ...bid, clientOrderId: 'first', metadata: { desk: 'ä' } })
  answered('createOrder', order)
  answered(
    'listOrders',
    await orders.list({ statuses: ['open', 'partially_filled'], asset: 'BTC', limit: 2 }),
  )
  answered('getOrder', await orders.get(order.orderId))
  answered('getOrderByClientId', await orders.getByClientId('first'))
  answered('amendOrder', await orders.amend(order.orderId, { quantity: 0.4, price: 41_000.5 }))
  answered('cancelOrder', await orders.cancel(order.orderId))
  await orders.create({ side: 'buy', asset: 'BTC', quantity: 0.2, orderType: 'market' })
  answered('createOrders', await orders.createBatch([bid, { ...bid, quantity: 1e9 }]))
  const { orders: done } = await orders.list({ statuses: ['filled'] })
  answered('listOrderFills', await orders.fills(done[0]?.orderId ?? ''))
  answered('cancelOrders', await orders.cancelAll({ side: 'buy' }))

  const terms = { asset: 'BTC', bidPrice: 30_000, askPrice: 70_000, bidSize: 0.1, askSize: 0.1 }
  const quote = await quotes.submit({ ...terms, validForSeconds: 60, clientQuoteId: 'q 1' })
  answered('submitQuote', quote)
  answered('listQuotes', await quotes.list({ status: 'active', offset: 0 }))
  answered('getQuote', await quotes.get(quote.quoteId))
  answered('updateQuote', await quotes.update(quote.quoteId, { bidPrice: 30_001 }))
  answered('updateQuotes', await quotes.updateBatch([{ quoteId: quote.quoteId, askPrice: 70_001 }]))
  answered('cancelQuote', await quotes.cancel(quote.quoteId))
  await quotes.submit(terms)
  answered('cancelQuotes', await quotes.cancelAll())

  answered('listPrices', await marketData.prices({ assets: ['BTC'] }))
  answered('getPrice', await marketData.price('BTC'))
  answered('getOrderBook', await marketData.orderBook('BTC', { depth: 3 }))
  answered('listOrderBooks', await marketData.orderBooks({ assets: ['BTC'] }))
  answered('listTradingPairs', await marketData.tradingPairs())
  answered('listStatistics', await marketData.statistics({ asset: 'BTC' }))
  answered('listBalances', await portfolio.balances({ assets: ['USD', 'BTC'] }))
  answered('getBalance', await portfolio.balance('USD'))
  answered('listPositions', await portfolio.positions())
  answered('getPosition', await portfolio.position('BTC'))
  answered('getExposure', await portfolio.exposure())
  answered('getAssetExposure', await portfolio.assetExposure('BTC'))
  answered('getSummary', await portfolio.summary())
  answered('getProfitAndLoss', await portfolio.profitAndLoss({ period: '1h' }))
  answered('listTransactions', await portfolio.transactions({ type: 'trade' }))
  answered('listTrades', await portfolio.trades({ startDate: '2026-01-01', side: 'buy' }))
  answered('getAvailable', await portfolio.available('BTC'))
  answered('getLimits', await risk.limits())
  answered('checkOrder', await risk.checkOrder(candidate))
  answered('getRiskExposure', await risk.exposure())
  answered('getAssetRiskExposure', await risk.assetExposure('BTC'))
  answered('getUtilization', await risk.utilization())
  answered('getMaxQuantity', await risk.maxQuantity({ side: 'buy', asset: 'BTC', price: 0.01 }))
  answered('getMetrics', await risk.metrics())
  answered('simulateOrder', await risk.simulateOrder(candidate))
}

type Answers = ReadonlyMap<OperationId, object>

async function answersOf(client: VenueClient): Promise<Answers> {
  const answers = new Map<OperationId, object>()
  await tour(client, (operation, body) => {
    answers.set(operation, body)
  })
  return answers
}

it('has a method for every operation, which answers as the contract says', async () => {
  const answers = await answersOf(inProcess().client)
  expect([...answers.keys()].toSorted()).toEqual(operationIds.toSorted())
  for (const [operation, body] of answers) {
    expect(validate(routeOf(operation).response, body), operation).toMatchObject({ ok: true })
  }
})

it('gives the same answers and digest over HTTP and in process', async () => {
  const venue = await serveVenue()
  const { world, client } = inProcess()
  expect(await answersOf(venue.client())).toEqual(await answersOf(client))
  expect(venue.world.digest()).toBe(world.digest())
})

it('unwraps answers from their envelope', async () => {
  const venue = await serveVenue({ envelope: 'wrapped' })
  const wrapped = inProcess({ envelope: 'wrapped' })
  const bare = await answersOf(inProcess().client)
  expect(await answersOf(wrapped.client)).toEqual(bare)
  expect(await answersOf(venue.client())).toEqual(bare)
})

it('rethrows errors of the world, without a retry', async () => {
  let asked = 0
  const { world } = inProcess()
  const transport = inProcessTransport((method, target, body) => {
    asked += 1
    return world.request('nobody', method, target, body)
  })
  await expect(createVenueClient({ transport }).risk.limits()).rejects.toBeInstanceOf(RangeError)
  const signal = AbortSignal.abort(new Error('enough'))
  await expect(createVenueClient({ transport }).risk.limits({ signal })).rejects.toThrow('enough')
  expect(asked).toBe(1)
})
