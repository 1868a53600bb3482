import { oneOfWords } from '../../shape/shape.ts'
import { closed, described, listOf, mapOf, partial, withDefault } from '../wire-shapes.ts'
import * as common from './common.ts'
import { operation } from './operation.ts'

/* The resources (Spec: Price, Order book, Trading pair, 24-hour statistics entry). */

export const price = closed({
  asset: described(common.text, 'asset symbol'),
  bid: described(common.number, 'best bid'),
  ask: described(common.number, 'best ask'),
  mid: described(common.number, '(bid + ask) / 2'),
  last: described(common.number, 'last trade price'),
  change24h: described(common.percent, '24-hour change'),
  volume24h: described(common.number, '24-hour volume'),
  high24h: described(common.number, '24-hour high'),
  low24h: described(common.number, '24-hour low'),
  updatedAt: described(common.timestamp, 'when these prices were current'),
})

export const bookEntry = closed({
  price: described(common.number, 'price level'),
  quantity: described(common.number, 'total quantity at that price'),
})

export const orderBook = closed({
  asset: described(common.text, 'asset symbol'),
  bids: described(listOf(bookEntry), 'bids, best price first'),
  asks: described(listOf(bookEntry), 'asks, best price first'),
  timestamp: described(common.timestamp, 'when the book was like this'),
})

export const orderBooks = closed({
  orderbooks: described(mapOf(orderBook), 'by asset symbol, each an order book'),
})

export const tradingPair = closed({
  base: described(common.text, 'base asset symbol'),
  quote: described(common.text, 'quote asset symbol'),
  symbol: described(common.text, 'pair symbol, <BASE>-<QUOTE>'),
  minQuantity: described(common.number, 'minimum order quantity'),
  maxQuantity: described(common.number, 'maximum order quantity'),
  quantityStep: described(common.number, 'quantity increment'),
  minPrice: described(common.number, 'minimum price'),
  priceStep: described(common.number, 'price increment'),
  minNotional: described(common.number, 'minimum order value'),
  status: described(oneOfWords('active', 'inactive'), 'whether the pair can be traded'),
})

export const tradingPairList = closed({ pairs: described(listOf(tradingPair), 'one per traded asset') })

export const statistics = closed({
  asset: described(common.text, 'asset symbol'),
  open: described(common.number, 'price 24 hours ago'),
  high: described(common.number, '24-hour high'),
  low: described(common.number, '24-hour low'),
  close: described(common.number, 'current or closing price'),
  volume: described(common.number, '24-hour volume in the base asset'),
  volumeUsd: described(common.number, '24-hour volume in USD'),
  trades: described(common.integer, 'number of trades'),
  change: described(common.number, 'price change'),
  changePercent: described(common.percent, 'price change, relative'),
  vwap: described(common.number, 'volume-weighted average price'),
})

export const statisticsList = closed({ stats: described(listOf(statistics), 'one per asset') })

/**
 * Returns the shape of the depth of a book (Spec: Limits, order book depth). Reading `depth.maximum` chooses among
 * two maxima.
 */
const depthUpTo = (most: number) =>
  described(withDefault(common.count(1, most), 10), 'how many price levels of each side')
const depth = depthUpTo(50)
const greaterDepth = depthUpTo(100)

export const orderBookQuery = closed({ depth: greaterDepth })
export const shallowBookQuery = closed({ depth })

export const orderBooksQuery = closed({ assets: common.symbols, depth: greaterDepth })
export const shallowBooksQuery = closed({ assets: common.symbols, depth })

/* The market data operations (Spec: Endpoints, Market data), by the names of the methods of the client. */
export const marketData = {
  prices: operation({
    id: 'listPrices',
    method: 'GET',
    path: '/api/sdk/market-data/prices',
    category: 'marketData',
    query: partial({ assets: common.symbols }),
    response: closed({ prices: described(listOf(price), 'one per asset') }),
    summary: 'List prices',
    errors: [404],
  }),
  price: operation({
    id: 'getPrice',
    method: 'GET',
    path: '/api/sdk/market-data/prices/:asset',
    category: 'marketData',
    response: price,
    summary: 'Get price',
  }),
  orderBook: operation({
    id: 'getOrderBook',
    method: 'GET',
    path: '/api/sdk/market-data/orderbook/:asset',
    category: 'marketData',
    query: orderBookQuery,
    response: orderBook,
    summary: 'Get order book',
  }),
  orderBooks: operation({
    id: 'listOrderBooks',
    method: 'GET',
    path: '/api/sdk/market-data/orderbooks',
    category: 'marketData',
    query: orderBooksQuery,
    response: orderBooks,
    summary: 'List order books',
  }),
  tradingPairs: operation({
    id: 'listTradingPairs',
    method: 'GET',
    path: '/api/sdk/market-data/trading-pairs',
    category: 'marketData',
    response: tradingPairList,
    summary: 'List trading pairs',
  }),
  /** Lists the statistics of the last 24 hours. */
  statistics: operation({
    id: 'listStatistics',
    method: 'GET',
    path: '/api/sdk/market-data/stats/24h',
    category: 'marketData',
    query: partial({ asset: described(common.symbol, 'only this asset') }),
    response: statisticsList,
    summary: 'List 24-hour statistics',
    errors: [404],
  }),
}
