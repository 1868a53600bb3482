import { closed, listOf } from './closed.ts'
import * as common from './common.ts'
import type { Schema } from './infer.ts'

/* Spec: Price, Order book, Trading pair, 24-hour statistics entry. */

export const price = closed({
  asset: common.text,
  bid: common.number,
  ask: common.number,
  mid: common.number,
  last: common.number,
  change24h: common.percent,
  volume24h: common.number,
  high24h: common.number,
  low24h: common.number,
  updatedAt: common.timestamp,
})

export const priceList = closed({ prices: listOf(price) })

export const bookEntry = closed({ price: common.number, quantity: common.number })

export const orderBook = closed({
  asset: common.text,
  bids: listOf(bookEntry),
  asks: listOf(bookEntry),
  timestamp: common.timestamp,
})

export const orderBooks = closed({ orderbooks: { type: 'object', additionalProperties: orderBook } })

export const tradingPair = closed({
  base: common.text,
  quote: common.text,
  symbol: common.text,
  minQuantity: common.number,
  maxQuantity: common.number,
  quantityStep: common.number,
  minPrice: common.number,
  priceStep: common.number,
  minNotional: common.number,
  status: { enum: ['active', 'inactive'] },
})

export const tradingPairList = closed({ pairs: listOf(tradingPair) })

export const statistics = closed({
  asset: common.text,
  open: common.number,
  high: common.number,
  low: common.number,
  close: common.number,
  volume: common.number,
  volumeUsd: common.number,
  trades: common.integer,
  change: common.number,
  changePercent: common.percent,
  vwap: common.number,
})

export const statisticsList = closed({ stats: listOf(statistics) })

/** Spec: Limits, order book depth. */
const depth = { type: 'integer', minimum: 1, maximum: 50, default: 10 } as const satisfies Schema

export const pricesQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { assets: common.symbols },
} as const satisfies Schema

export const orderBookQuery = closed({ depth })

export const orderBooksQuery = closed({ assets: common.symbols, depth })

export const statisticsQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { asset: common.symbol },
} as const satisfies Schema
