import { oneOfWords } from '../../shape/shape.ts'
import { describe, listOf, mapShape, object, partial, withDefault } from '../wire-shapes.ts'
import * as common from './common.ts'
import { operation } from './operation.ts'

/* The resources (Spec: Price, Order book, Trading pair, 24-hour statistics entry). */

export const price = object({
  asset: describe(common.text, 'asset symbol'),
  bid: describe(common.number, 'best bid in USD: the highest price at which somebody buys'),
  ask: describe(common.number, 'best ask in USD: the lowest price at which somebody sells'),
  mid: describe(common.number, '(bid + ask) / 2; where a side is empty, the mark price'),
  last: describe(common.number, 'price of the last trade in USD; before the first one, the mid'),
  change24h: describe(common.percent, 'change of the price over the last 24 hours'),
  volume24h: describe(common.number, 'volume of the last 24 hours, in units of the asset'),
  high24h: describe(common.number, 'highest price of the last 24 hours, in USD'),
  low24h: describe(common.number, 'lowest price of the last 24 hours, in USD'),
  updatedAt: describe(common.timestamp, 'when these prices were current'),
})

export const bookEntry = object({
  price: describe(common.number, 'price of the level, in USD'),
  quantity: describe(common.number, 'total quantity at that price, in units of the asset'),
})

export const orderBook = object({
  asset: describe(common.text, 'asset symbol'),
  bids: describe(listOf(bookEntry), 'bids, best price first'),
  asks: describe(listOf(bookEntry), 'asks, best price first'),
  timestamp: describe(common.timestamp, 'when the book was like this'),
})

export const orderBooks = object({
  orderbooks: describe(mapShape(orderBook), 'by asset symbol, each an order book'),
})

export const tradingPair = object({
  base: describe(common.text, 'base asset symbol'),
  quote: describe(common.text, 'quote asset symbol'),
  symbol: describe(common.text, 'pair symbol, <BASE>-<QUOTE>'),
  minQuantity: describe(
    common.number,
    'smallest quantity of an order; smaller ones are refused as reading pairs.violation says',
  ),
  maxQuantity: describe(common.number, 'largest quantity of an order'),
  quantityStep: describe(common.number, 'quantities are multiples of it'),
  minPrice: describe(common.number, 'smallest price of an order, in USD'),
  priceStep: describe(common.number, 'prices are multiples of it, in USD'),
  minNotional: describe(common.number, 'smallest value of an order in USD: price times quantity'),
  status: describe(
    oneOfWords('active', 'inactive'),
    'active, or inactive while the pair is halted: then nothing is matched, and only cancelling works',
  ),
})

export const tradingPairList = object({ pairs: describe(listOf(tradingPair), 'one per traded asset') })

export const statistics = object({
  asset: describe(common.text, 'asset symbol'),
  open: describe(common.number, 'price 24 hours ago, in USD'),
  high: describe(common.number, 'highest price of the last 24 hours, in USD'),
  low: describe(common.number, 'lowest price of the last 24 hours, in USD'),
  close: describe(common.number, 'price of the last trade in USD, else the mid'),
  volume: describe(common.number, '24-hour volume in the base asset'),
  volumeUsd: describe(common.number, '24-hour volume in USD'),
  trades: describe(common.integer, 'number of trades of the last 24 hours'),
  change: describe(common.number, 'close less open, in USD'),
  changePercent: describe(common.percent, 'close over open, less 1'),
  vwap: describe(common.number, 'average price of the trades of 24 hours in USD, weighted by volume'),
})

export const statisticsList = object({ stats: describe(listOf(statistics), 'one per asset') })

/**
 * Returns the shape of the depth of a book (Spec: Limits, order book depth). Reading `depth.maximum` chooses among
 * two maxima.
 */
const depthUpTo = (most: number) =>
  describe(withDefault(common.count(1, most), 10), 'how many price levels of each side')
const depth = depthUpTo(50)
const greaterDepth = depthUpTo(100)

export const orderBookQuery = object({ depth: greaterDepth })
export const shallowBookQuery = object({ depth })

export const orderBooksQuery = object({ assets: common.symbols, depth: greaterDepth })
export const shallowBooksQuery = object({ assets: common.symbols, depth })

/* The market data operations (Spec: Endpoints, Market data), by the names of the methods of the client. */
export const marketData = {
  prices: operation({
    id: 'listPrices',
    method: 'GET',
    path: '/api/sdk/market-data/prices',
    category: 'marketData',
    query: partial({ assets: common.symbols }),
    response: object({ prices: describe(listOf(price), 'one per asset') }),
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
    query: partial({ asset: describe(common.symbol, 'only this asset') }),
    response: statisticsList,
    summary: 'List 24-hour statistics',
    errors: [404],
  }),
}
