import { type CallOptions, call } from './call.ts'
import type { Link } from './exchange.ts'
import type { QueryOf, ResponseOf } from './operation-types.ts'

export type PriceQuery = QueryOf<'listPrices'>
export type OrderBookQuery = QueryOf<'getOrderBook'>
export type OrderBooksQuery = QueryOf<'listOrderBooks'>
export type StatisticsQuery = QueryOf<'listStatistics'>
export type Price = ResponseOf<'getPrice'>
export type PriceList = ResponseOf<'listPrices'>
export type OrderBook = ResponseOf<'getOrderBook'>
export type OrderBooks = ResponseOf<'listOrderBooks'>
export type TradingPairList = ResponseOf<'listTradingPairs'>
export type StatisticsList = ResponseOf<'listStatistics'>

/** Spec: Endpoints, Market data. */
export interface MarketDataClient {
  prices(query?: PriceQuery, options?: CallOptions): Promise<PriceList>
  price(asset: string, options?: CallOptions): Promise<Price>
  orderBook(asset: string, query?: OrderBookQuery, options?: CallOptions): Promise<OrderBook>
  orderBooks(query: OrderBooksQuery, options?: CallOptions): Promise<OrderBooks>
  tradingPairs(options?: CallOptions): Promise<TradingPairList>
  /** Of the last 24 hours. */
  statistics(query?: StatisticsQuery, options?: CallOptions): Promise<StatisticsList>
}

export function marketDataClient(link: Link): MarketDataClient {
  return {
    prices: (query, options) => call(link, 'listPrices', { query }, options),
    price: (asset, options) => call(link, 'getPrice', { parameter: asset }, options),
    orderBook: (asset, query, options) => call(link, 'getOrderBook', { parameter: asset, query }, options),
    orderBooks: (query, options) => call(link, 'listOrderBooks', { query }, options),
    tradingPairs: (options) => call(link, 'listTradingPairs', {}, options),
    statistics: (query, options) => call(link, 'listStatistics', { query }, options),
  }
}
